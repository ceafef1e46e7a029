/**
 * The port of the files of a content target, and what exports and imports do with them.
 */
import type { Readable } from 'node:stream';
import type { Json } from '../../model/content-type.ts';
import type { HashedFiles } from './hashed-files.ts';
import { findHashes, findNamedFiles, type NamedFile } from './named-files.ts';

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
  /** Uploads those that the target lacks and the folder has. */
  uploadNamedIn(assets: readonly Json[]): Promise<void>;
  /** The hashes of files that the target lacks and the folder has only damaged. */
  readonly damaged: ReadonlySet<string>;
  uploaded(): number;
}

/** How many files are known to be in the target before they are looked up again. */
const maxKnown = 10_000;

/** Creates it. */
export function createFileImport(files: TargetFiles, folder: HashedFiles): FileImport {
  const known = new Map<string, Promise<void>>();
  const damaged = new Set<string>();
  let uploaded = 0;

  async function ensure({ hash, name = hash, mediaType }: NamedFile): Promise<void> {
    if (!(await folder.exists(hash)) || (await files.has(hash))) return;
    if (!(await folder.has(hash))) return void damaged.add(hash);
    const path = folder.pathOf(hash);
    await files.upload({ hash, name, path, ...(mediaType !== undefined && { mediaType }) });
    uploaded++;
  }

  return {
    damaged,
    uploaded: () => uploaded,
    async uploadNamedIn(assets) {
      for (const asset of assets) {
        for (const file of findNamedFiles(asset).values()) {
          if (known.size > maxKnown) known.clear();
          const ensured = known.get(file.hash) ?? ensure(file);
          known.set(file.hash, ensured);
          await ensured;
        }
      }
    },
  };
}

/** Returns a function that tells whether one of several places has a file; the answers for the last files are kept. */
export function createFileSearch(
  places: readonly (Pick<TargetFiles, 'has'> | undefined)[],
): (hash: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const search = async (hash: string) => {
    for (const place of places) if (await place?.has(hash)) return true;
    return false;
  };
  return (hash) => {
    if (known.size > maxKnown) known.clear();
    const found = known.get(hash) ?? search(hash);
    known.set(hash, found);
    return found;
  };
}
