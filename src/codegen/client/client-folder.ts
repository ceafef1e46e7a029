/**
 * Updates the folder that holds a user's client, and leaves other files in it alone.
 *
 * A record beside the files lists what was generated. With it, foreign files are never overwritten, obsolete ones are removed,
 * and an up-to-date client is recognized without generating it again.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { cannotGenerate } from '../../base/errors.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { type Drift, type GeneratedFiles, writeFiles } from '../generated-files.ts';
import { readInput } from '../input.ts';
import { type RouteDocument, readRouteDocument } from './read-endpoints.ts';

/** Finds the name of the client package in a folder, if there is one. Errors: cannot_generate. */
export function findClientName(folder: string): string | undefined {
  if (!readRecord(folder) || !existsSync(join(folder, manifestName))) return undefined;
  return readPackageName(folder);
}

/** Whether a folder holds, unchanged, the client of a source. Errors: cannot_generate. */
export function isUpToDate(folder: string, source: string): boolean {
  const record = readRecord(folder);
  if (record?.source !== source) return false;
  return [...record.files].every(([path, hash]) => isFile(folder, { path, hash }));
}

/**
 * Plans the update of a folder, whose `drift` are the differences between the folder and the generated files.
 *
 * Shapes: `made` are the client's files, `from` is their source for the record.
 * Errors: cannot_generate, when a foreign file is in the way.
 */
export function planUpdate(
  folder: string,
  { made, from }: { made: GeneratedFiles; from: Omit<ClientRecord, 'files'> },
) {
  const recorded: ClientRecord['files'] = readRecord(folder)?.files ?? new Map();
  const files = recorded.has(manifestName) ? withOwnersManifest(made, folder) : made;
  const different = findDifferent(files, folder);
  const strangers = different.filter(({ path, state }) => state === 'changed' && !recorded.has(path));
  if (strangers.length > 0) throw cannotGenerate(standsInTheWay(folder, strangers));
  const outdated = [...recorded].filter(([path, hash]) => !files.has(path) && isFile(folder, { path, hash }));
  return {
    drift: [...different, ...outdated.map(([path]) => ({ path, state: 'not generated' as const }))],
    apply() {
      for (const [path] of outdated) rmSync(join(folder, path));
      // Recorded first, so that files of an interrupted run are recognized.
      const hashes = new Map([...files].map(([path, text]) => [path, hashOf(text)]));
      const record: GeneratedFiles = new Map([[recordName, printRecord({ ...from, files: hashes })]]);
      if (findDifferent(record, folder).length > 0) writeFiles(record, folder);
      writeFiles(new Map(different.map(({ path }) => [path, files.get(path) ?? ''])), folder);
    },
  };
}

function withOwnersManifest(files: GeneratedFiles, folder: string): GeneratedFiles {
  const made = files.get(manifestName);
  if (made === undefined || !existsSync(join(folder, manifestName))) return files;
  return new Map([...files, [manifestName, mergeManifest(folder, made)]]);
}

function findDifferent(files: GeneratedFiles, folder: string): Drift[] {
  return [...files].flatMap(([path, text]): Drift[] => {
    if (!existsSync(join(folder, path))) return [{ path, state: 'missing' }];
    return readFileSync(join(folder, path), 'utf8') === text ? [] : [{ path, state: 'changed' }];
  });
}

function isFile(folder: string, { path, hash }: { path: string; hash: string }): boolean {
  const file = join(folder, path);
  return existsSync(file) && hashOf(readFileSync(file, 'utf8')) === hash;
}

function standsInTheWay(folder: string, [first, ...others]: readonly Drift[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${join(folder, first?.path ?? '')}${more} is there and was not made by colophon codegen; remove it, or choose another folder`;
}

/** The documents that describe the client, the name of its package, and what the record of its folder will say of them. */
export type ClientSource = ReturnType<typeof readClientSource>;

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
}) {
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

/** Its name below the folder. */
export const manifestName = 'package.json';

/** The generated members; all others are the owner's. */
const madeMembers = ['name', 'type', 'sideEffects', 'exports', 'engines'];

/** The name of the package in a folder. Errors: cannot_generate. */
function readPackageName(folder: string): string | undefined {
  const { name } = parseManifest(join(folder, manifestName));
  return typeof name === 'string' ? name : undefined;
}

/** Prints the manifest in a folder with its generated members updated, in the owner's order. */
function mergeManifest(folder: string, made: string): string {
  const path = join(folder, manifestName);
  const present = parseManifest(path);
  const fresh = Object.entries<JsonObject>(JSON.parse(made)).filter(([name]) => madeMembers.includes(name));
  const merged = { ...present, ...Object.fromEntries(fresh) };
  // The owner's formatting is kept while the content is the same.
  return isDeepStrictEqual(merged, present)
    ? readFileSync(path, 'utf8')
    : `${JSON.stringify(merged, null, 2)}\n`;
}

function parseManifest(path: string): JsonObject {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    if (isJsonObject(manifest)) return manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw cannotGenerate(`${path} is not valid JSON`);
}

/** The name of the record below its folder. */
const recordName = '.colophon.json';

/** The files of a client, and their source. */
interface ClientRecord {
  /** The hash of the client's whole input. */
  readonly source: string;
  /** The documents of its REST endpoints, which otherwise only their server has. */
  readonly endpoints: readonly JsonObject[];
  /** The hash of every generated file, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reads the record of a folder; `undefined` when there is none. Errors: cannot_generate. */
function readRecord(folder: string): ClientRecord | undefined {
  const path = join(folder, recordName);
  if (!existsSync(path)) return undefined;
  const record = parseRecord(readFileSync(path, 'utf8'));
  if (!record)
    throw cannotGenerate(`${path} is not what was written there; remove ${folder} to make it anew`);
  return record;
}

function printRecord({ files, ...from }: ClientRecord): string {
  return `${JSON.stringify({ ...from, files: Object.fromEntries(files) }, null, 2)}\n`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parseRecord(text: string): ClientRecord | undefined {
  try {
    const { source, endpoints, files } = JSON.parse(text);
    const hashes = new Map(Object.entries<string>(files));
    const isRecord =
      typeof source === 'string' && Array.isArray(endpoints) && [...hashes.keys()].every(isBelow);
    return isRecord ? { source, endpoints, files: hashes } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path stays inside its folder, since recorded files may be removed. */
function isBelow(path: string): boolean {
  return path.split('/').every((name) => /^[\w.-]+$/.test(name) && name !== '..');
}
