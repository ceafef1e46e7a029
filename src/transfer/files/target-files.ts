/**
 * The port of the files of a content target, and what exports and imports do with them.
 *
 * Assets name files in values with a hash and in links to `/files/<hash>/<name>`. Content types are not needed: a value of any type that looks like
 * that of a file counts, and a file that nobody needs does no harm. A line of an import may also name one by its path in a folder as people have
 * it, `{ "_file": "pictures/harbour.jpg" }`, which becomes its hash and name.
 */

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { Problem } from '../../base/problems.ts';
import { systemReason } from '../../base/system-error.ts';
import { hashOf } from '../../files/recorded-bytes.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { keepAsset } from '../import/read-line.ts';
import type { ImportLine } from '../import/segments.ts';
import { type HashedFiles, openHashedFiles } from './hashed-files.ts';

/** A file to upload: its bytes are in a file of the file system. */
export interface UploadedPath extends NamedFile {
  readonly name: string;
  readonly path: string;
}

/** The files of a server or of a store. Errors of each call: transfer_failed, those of the store and the place. */
export interface TargetFiles {
  /** Hands the bytes of a file to `take`, again when a connection was lost. Returns whether there is such a file, and its outcome. */
  read(hash: string, take: (bytes: Readable) => Promise<boolean>): Promise<boolean>;
  /** Tells whether there is the file. A store reads its bytes; a server knows their number. */
  has(hash: string): Promise<boolean>;
  upload(file: UploadedPath): Promise<void>;
  close(): Promise<void>;
}

/** Copies the files that exported lines name to a folder. */
export type FileExport = ReturnType<typeof createFileExport>;

export function createFileExport(files: TargetFiles, folder: HashedFiles) {
  const missing = new Set<string>();
  let copied = 0;
  return {
    /** The hashes of files that the target does not have whole. */
    missing,
    copied: () => copied,
    /** Copies those that the folder does not have intact. */
    async copyNamedIn(text: string): Promise<void> {
      for (const hash of findHashes(text)) {
        if (missing.has(hash) || (await folder.has(hash))) continue;
        if (await files.read(hash, (bytes) => folder.add(hash, bytes))) copied++;
        else missing.add(hash);
      }
    },
  };
}

/** Uploads the files that the lines of an import name, before these are sent. */
export type FileImport = ReturnType<typeof createFileImport>;

/** How many files are known to be in the target before they are looked up again. */
const maxKnown = 10_000;

/** Creates it for a folder of an export, or one as people have it. A dry run uploads nothing. */
export function createFileImport(
  files: TargetFiles,
  { folder, isDryRun }: { readonly folder: string; readonly isDryRun: boolean },
) {
  const hashed = openHashedFiles(folder);
  const resolvePaths = createPathResolver(folder);
  const known = new Map<string, Promise<void>>();
  const damaged = new Set<string>();
  let atPaths = new Set<string>();
  let uploaded = 0;

  async function ensure({ hash, name = hash }: NamedFile, at: string | undefined): Promise<void> {
    if (!(at !== undefined || (await hashed.exists(hash))) || (await files.has(hash))) return;
    if (at === undefined && !(await hashed.has(hash))) return void damaged.add(hash);
    const path = at ?? hashed.pathOf(hash);
    await files.upload({ hash, name, path });
    uploaded++;
  }

  async function upload(asset: JsonObject, paths: ReadonlyMap<string, string>): Promise<void> {
    for (const file of findNamedFiles(asset).values()) {
      if (known.size > maxKnown) known.clear();
      const ensured = known.get(file.hash) ?? ensure(file, paths.get(file.hash));
      known.set(file.hash, ensured);
      await ensured;
    }
  }

  async function prepareLine(line: ImportLine): Promise<ImportLine> {
    const { content } = line;
    if (content.kind !== 'asset') return line;
    const resolved = await resolvePaths(content.asset);
    if ('problems' in resolved)
      return { ...line, content: { kind: 'broken', ...resolved, kept: keepAsset(content.text) } };
    const { asset, found } = resolved;
    for (const { hash } of found) atPaths.add(hash);
    if (!isDryRun) await upload(asset, new Map(found.map(({ hash, path }) => [hash, path])));
    return found.length === 0 ? line : { ...line, content: { ...content, asset, isResolved: true } };
  }

  return {
    /** The hashes of files that the target lacks and the folder has only damaged. */
    damaged,
    uploaded: () => uploaded,
    /** Tells whether the folder has a file of the lines that were prepared last. */
    has: async (hash: string): Promise<boolean> => atPaths.has(hash) || hashed.has(hash),
    /**
     * Uploads those that the target lacks and the folder has. Returns the lines with the values of files in place of their paths; a line
     * with a path that leads to no file is broken.
     */
    async prepare(lines: readonly ImportLine[]): Promise<readonly ImportLine[]> {
      atPaths = new Set();
      const prepared: ImportLine[] = [];
      for (const line of lines) prepared.push(await prepareLine(line));
      return prepared;
    },
  };
}

/** Returns a function that tells whether one of several places has a file; the last files that one has are known. */
export function createFileSearch(
  places: readonly (Pick<TargetFiles, 'has'> | undefined)[],
): (hash: string) => Promise<boolean> {
  const known = new Set<string>();
  return async (hash) => {
    if (known.has(hash)) return true;
    for (const place of places) {
      if (!(await place?.has(hash))) continue;
      if (known.size > maxKnown) known.clear();
      known.add(hash);
      return true;
    }
    return false;
  };
}

interface NamedFile {
  readonly hash: string;
  /** Absent in a value that has only the hash. */
  readonly name?: string;
}

const textPattern = /(?:"hash":"|\/files\/)([0-9a-f]{64})(?![0-9a-f])/g;

/** Finds the hashes in JSON text, as `JSON.stringify` makes it. */
const findHashes = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(textPattern)].flatMap(([, hash]) => hash ?? []));

const linkPattern = /\/files\/([0-9a-f]{64})\/([^/\s"'<>?#\\]+)/g;
const hashPattern = /^[0-9a-f]{64}$/;

/** Finds the files that a value names, at any depth, by hash. */
function findNamedFiles(value: Json, found = new Map<string, NamedFile>()): Map<string, NamedFile> {
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

/** A file of the folder that was found: where it is, and the hash of its bytes. */
interface FoundPath {
  readonly path: string;
  readonly hash: string;
}

/** An asset whose paths are hashes, with the files that they lead to; or what is wrong with its paths. */
type ResolvedPaths =
  | { readonly asset: JsonObject; readonly found: readonly FoundPath[] }
  | { readonly problems: readonly Problem[] };

/** The member of a value that names a file by its path. */
const pathMember = '_file';

/** How many files are known by their path, size and time before they are read again. */
const maxKnownPaths = 100_000;

/** Creates a function that resolves the paths in assets. A path must lead to a file within the folder, also through links. */
function createPathResolver(folder: string): (asset: JsonObject) => Promise<ResolvedPaths> {
  const known = new Map<string, Promise<string>>();

  async function find(path: string): Promise<FoundPath | string> {
    const root = await realpath(folder);
    const place = await realpath(join(folder, path)).catch((error: unknown) => error);
    if (typeof place !== 'string') return reasonOf(place);
    if (!place.startsWith(root + sep)) return 'is not in the folder';
    const stats = await stat(place);
    if (!stats.isFile()) return 'is not a file';
    if (known.size > maxKnownPaths) known.clear();
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
