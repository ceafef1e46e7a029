/**
 * The record of a client's folder, `.colophon.json`: the generated files and their source. It is not part of the package.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** The name of the record below its folder. */
export const recordName = '.colophon.json';

/** The files of a client, and their source. */
export interface ClientRecord {
  /** The hash of the client's whole input. */
  readonly source: string;
  /** The documents of its REST endpoints, which otherwise only their server has. */
  readonly endpoints: readonly JsonObject[];
  /** The hash of every generated file, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reads the record of a folder; `undefined` when there is none. Errors: cannot_generate. */
export function readRecord(folder: string): ClientRecord | undefined {
  const path = join(folder, recordName);
  if (!existsSync(path)) return undefined;
  const record = parseRecord(readFileSync(path, 'utf8'));
  if (!record)
    throw cannotGenerate(`${path} is not what was written there; remove ${folder} to make it anew`);
  return record;
}

/** Prints a record. */
export function printRecord({ files, ...from }: ClientRecord): string {
  return `${JSON.stringify({ ...from, files: Object.fromEntries(files) }, null, 2)}\n`;
}

/** Hashes a text, to compare it later. */
export function hashOf(text: string): string {
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
