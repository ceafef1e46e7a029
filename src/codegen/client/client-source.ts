/**
 * The input of a user's client, with its hash.
 */
import { isAbsolute, join } from 'node:path';
import type { Catalog } from '../../model/content-type.ts';
import type { Drift } from '../generated-files.ts';
import { type CodegenInput, readInput } from '../input.ts';
import { findClientName } from './client-folder.ts';
import { type ClientRecord, hashOf, readRecord, recordName } from './client-record.ts';
import { type RouteDocument, readRouteDocument } from './route-document.ts';

/** The documents that describe the client, the name of its package, and what the record of its folder will say of them. */
export interface ClientSource {
  readonly input: CodegenInput;
  readonly name: string;
  readonly from: Omit<ClientRecord, 'files'>;
}

/** The default name of the package. */
export const defaultClientName = 'colophon-client';

/**
 * Reads the input of the client in a folder.
 *
 * Shapes: without a `name` the package keeps the one it has; without `endpoints` it keeps its routes.
 * Errors: bad_types, cannot_generate, check_failed.
 */
export function readClientSource({
  catalog,
  folder,
  name = findClientName(folder) ?? defaultClientName,
  endpoints = readRecordedEndpoints(folder),
}: {
  catalog: Catalog;
  folder: string;
  name?: string | undefined;
  endpoints?: readonly RouteDocument[] | undefined;
}): ClientSource {
  const input = { ...readInput(catalog), ...(endpoints.length > 0 ? { endpoints } : {}) };
  const documents = endpoints.map(({ document }) => document);
  const { version, bundledCma, admin } = input;
  const source = hashOf(JSON.stringify([name, version, bundledCma, admin, documents]));
  return { input, name, from: { source, endpoints: documents } };
}

function readRecordedEndpoints(folder: string): RouteDocument[] {
  const documents = readRecord(folder)?.endpoints ?? [];
  return documents.map((document, index) =>
    readRouteDocument(document, `${join(folder, recordName)}, endpoints[${index}]`),
  );
}

/** Reports where a client is, what was written, and how to install it. */
export function describeClient({
  name,
  folder,
  drift,
}: {
  name: string;
  folder: string;
  drift: readonly Drift[];
}): string {
  const removed = drift.filter(({ state }) => state === 'not generated').length;
  const counts = [`${drift.length - removed} files written`, ...(removed > 0 ? [`${removed} removed`] : [])];
  const became = drift.length > 0 ? counts.join(', ') : 'up to date';
  return `The client ${name} is in ${folder} (${became}); to use it: npm install ${toPathForNpm(folder)}`;
}

/** A folder as npm takes it; without a slash it would be read as the name of a package. */
function toPathForNpm(folder: string): string {
  return isAbsolute(folder) || /^\.{1,2}([/\\]|$)/.test(folder) ? folder : `./${folder}`;
}
