/**
 * Files that lines of an import name by their path in a folder as people have it: `{ "_file": "pictures/harbour.jpg" }`. Such a value
 * becomes that of a file: the hash of the bytes, and the name at the end of the path unless it has a `name`.
 */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Problem } from '../../base/problems.ts';
import { systemReason } from '../../base/system-error.ts';
import { hashOf } from '../../files/recorded-bytes.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A file of the folder that was found: where it is, and the hash of its bytes. */
export interface FoundPath {
  readonly path: string;
  readonly hash: string;
}

/** An asset whose paths are hashes, with the files that they lead to; or what is wrong with its paths. */
export type ResolvedPaths =
  | { readonly asset: JsonObject; readonly found: readonly FoundPath[] }
  | { readonly problems: readonly Problem[] };

/** The member of a value that names a file by its path. */
const pathMember = '_file';

/** How many files are known by their path, size and time before they are read again. */
const maxKnown = 100_000;

/** Creates a function that resolves the paths in assets. A path must lead to a file within the folder, also through links. */
export function createPathResolver(folder: string): (asset: JsonObject) => Promise<ResolvedPaths> {
  const known = new Map<string, Promise<string>>();

  async function find(path: string): Promise<FoundPath | string> {
    const root = await realpath(folder);
    const place = await realpath(join(folder, path)).catch((error: unknown) => error);
    if (typeof place !== 'string') return reasonOf(place);
    if (!place.startsWith(root + sep)) return 'is not in the folder';
    const stats = await stat(place);
    if (!stats.isFile()) return 'is not a file';
    if (known.size > maxKnown) known.clear();
    const key = `${place} ${stats.size} ${stats.mtimeMs}`;
    const hash = known.get(key) ?? hashOf(createReadStream(place));
    known.set(key, hash);
    return hash.then(
      (found) => ({ path: place, hash: found }),
      (error: unknown) => reasonOf(error),
    );
  }

  return async (asset) => {
    const found: FoundPath[] = [];
    const problems: Problem[] = [];

    async function resolve(value: Json, path: string): Promise<Json> {
      if (Array.isArray(value)) {
        const items: Json[] = [];
        for (const [n, item] of value.entries()) items.push(await resolve(item, `${path}[${n}]`));
        return items;
      }
      if (!isJsonObject(value)) return value;
      const { [pathMember]: file, ...rest } = value;
      if (typeof file === 'string') {
        const one = await find(file);
        if (typeof one !== 'string') {
          found.push(one);
          return { name: basename(file), ...rest, hash: one.hash };
        }
        problems.push({ path, message: `${JSON.stringify(file)} ${one}` });
      }
      const members: JsonObject = {};
      for (const [name, member] of Object.entries(value))
        members[name] = await resolve(member, path === '' ? name : `${path}.${name}`);
      return members;
    }

    const resolved = await resolve(asset, '');
    if (problems.length > 0) return { problems };
    return { asset: found.length > 0 && isJsonObject(resolved) ? resolved : asset, found };
  };
}

/** Says why a file cannot be read, to follow its path. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return systemReason(cause) ?? `cannot be read: ${String(cause)}`;
}
