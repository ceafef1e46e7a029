/**
 * The port of the files of a content target, and what exports and imports do with them.
 */
import type { Readable } from 'node:stream';
import type { JsonObject } from '../../model/content-type.ts';
import { keepAsset } from '../import/read-line.ts';
import type { ImportLine } from '../import/segments.ts';
import { type HashedFiles, openHashedFiles } from './hashed-files.ts';
import { findHashes, findNamedFiles, type NamedFile } from './named-files.ts';
import { createPathResolver } from './path-files.ts';

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
export interface FileExport {
  /** Copies those that the folder does not have intact. */
  copyNamedIn(text: string): Promise<void>;
  /** The hashes of files that the target does not have whole. */
  readonly missing: ReadonlySet<string>;
  copied(): number;
}

/** Creates it. */
export function createFileExport(files: TargetFiles, folder: HashedFiles): FileExport {
  const missing = new Set<string>();
  let copied = 0;
  return {
    missing,
    copied: () => copied,
    async copyNamedIn(text) {
      for (const hash of findHashes(text)) {
        if (missing.has(hash) || (await folder.has(hash))) continue;
        if (await files.read(hash, (bytes) => folder.add(hash, bytes))) copied++;
        else missing.add(hash);
      }
    },
  };
}

/** Uploads the files that the lines of an import name, before these are sent. */
export interface FileImport {
  /**
   * Uploads those that the target lacks and the folder has. Returns the lines with the values of files in place of their paths; a line
   * with a path that leads to no file is broken.
   */
  prepare(lines: readonly ImportLine[]): Promise<readonly ImportLine[]>;
  /** Tells whether the folder has a file of the lines that were prepared last. */
  has(hash: string): Promise<boolean>;
  /** The hashes of files that the target lacks and the folder has only damaged. */
  readonly damaged: ReadonlySet<string>;
  uploaded(): number;
}

/** How many files are known to be in the target before they are looked up again. */
const maxKnown = 10_000;

/** Creates it for a folder of an export, or one as people have it. A dry run uploads nothing. */
export function createFileImport(
  files: TargetFiles,
  { folder, isDryRun }: { readonly folder: string; readonly isDryRun: boolean },
): FileImport {
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
    damaged,
    uploaded: () => uploaded,
    has: async (hash) => atPaths.has(hash) || hashed.has(hash),
    async prepare(lines) {
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
