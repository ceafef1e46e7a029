/**
 * What was made in a folder that holds a client: `.colophon.json`, which lies beside the files and is no part of the package.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** The name of the record below its folder. */
export const recordName = '.colophon.json';

/** What was made, and from what. */
export interface ClientRecord {
  /** The hash of all that the client was made from. */
  readonly source: string;
  /** The documents of the REST endpoints whose routes it has, since they cannot be had again without their server. */
  readonly endpoints: readonly JsonObject[];
  /** The hash of every file as it was made, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reads the record of a folder; `undefined` when nothing was made there. Errors: cannot_generate. */
export function readRecord(folder: string): ClientRecord | undefined {
  const path = join(folder, recordName);
  if (!existsSync(path)) return undefined;
  const record = parseRecord(readFileSync(path, 'utf8'));
  if (!record)
    throw cannotGenerate(`${path} is not what was written there; remove ${folder} to make it anew`);
  return record;
}

/** The text of a record. */
export function printRecord({ files, ...from }: ClientRecord): string {
  return `${JSON.stringify({ ...from, files: Object.fromEntries(files) }, null, 2)}\n`;
}

/** The hash by which texts are compared. */
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

/** Whether a path leads to nothing outside its folder, for what is recorded may be removed. */
function isBelow(path: string): boolean {
  return path.split('/').every((name) => /^[\w.-]+$/.test(name) && name !== '..');
}
