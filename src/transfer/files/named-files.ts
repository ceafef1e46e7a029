/**
 * Finds the files that assets name: in values with a hash, and in links to `/files/<hash>/<name>`.
 *
 * Content types are not needed, so a value of any type that looks like that of a file counts; a file that nobody needs does no harm.
 */
import type { Json } from '../../model/content-type.ts';

/** A file that is named. */
export interface NamedFile {
  readonly hash: string;
  /** Absent in a value that has only the hash. */
  readonly name?: string;
}

const textPattern = /(?:"hash":"|\/files\/)([0-9a-f]{64})(?![0-9a-f])/g;

/** Finds the hashes in JSON text, as `JSON.stringify` makes it. */
export const findHashes = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(textPattern)].flatMap(([, hash]) => hash ?? []));

const linkPattern = /\/files\/([0-9a-f]{64})\/([^/\s"'<>?#\\]+)/g;
const hashPattern = /^[0-9a-f]{64}$/;

/** Finds the files that a value names, at any depth, by hash. */
export function findNamedFiles(value: Json, found = new Map<string, NamedFile>()): Map<string, NamedFile> {
  if (typeof value === 'string') {
    if (value.includes('/files/')) {
      for (const [, hash = '', name = ''] of value.matchAll(linkPattern))
        if (!found.has(hash)) found.set(hash, { hash, name: decode(name) });
    }
  } else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value) && typeof value.hash === 'string' && hashPattern.test(value.hash))
      found.set(value.hash, {
        hash: value.hash,
        ...(typeof value.name === 'string' && { name: value.name }),
      });
    for (const item of Array.isArray(value) ? value : Object.values(value)) findNamedFiles(item, found);
  }
  return found;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
