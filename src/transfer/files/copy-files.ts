/**
 * Copies the files of a store to a folder with files by their hash, and back: only those that are not there yet.
 */
import { transferFailed } from '../../base/errors.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { HashedFiles } from './hashed-files.ts';

/** What to copy. */
export interface FileCopy {
  /** The records of the files of the store. */
  readonly records: AsyncIterable<FileRecord>;
  readonly place: FilePlace;
  readonly folder: HashedFiles;
  readonly signal: AbortSignal;
}

/** What was copied. */
export interface CopiedFiles {
  readonly copied: number;
  /** How many were there already. */
  readonly present: number;
  /** The hashes of files whose bytes are missing or damaged where they should be copied from. */
  readonly missing: readonly string[];
}

/** Copies files from a store to a folder. Errors: transfer_failed when it is stopped; those of the place and the file system. */
export const saveFiles = ({ place, folder, ...copy }: FileCopy): Promise<CopiedFiles> =>
  copyEach(copy, {
    isThere: ({ hash }) => folder.has(hash),
    async copy({ hash, key }) {
      const opened = await place.read(key);
      return opened !== undefined && folder.add(hash, opened.stream);
    },
  });

/** Copies files from a folder to a store. Errors: transfer_failed when it is stopped; those of the place and the file system. */
export const loadFiles = ({ place, folder, ...copy }: FileCopy): Promise<CopiedFiles> =>
  copyEach(copy, {
    isThere: async ({ key, bytes }) => (await place.find(key))?.bytes === bytes,
    async copy({ hash, key, bytes: size }) {
      const bytes = await folder.open(hash);
      if (!bytes) return false;
      await place.delete(key);
      await place.write(key, bytes);
      return (await place.find(key))?.bytes === size;
    },
  });

async function copyEach(
  { records, signal }: Pick<FileCopy, 'records' | 'signal'>,
  {
    isThere,
    copy,
  }: { isThere(record: FileRecord): Promise<boolean>; copy(record: FileRecord): Promise<boolean> },
): Promise<CopiedFiles> {
  let [copied, present] = [0, 0];
  const missing: string[] = [];
  for await (const record of records) {
    if (signal.aborted) throw transferFailed('stopped before all files were copied');
    if (await isThere(record)) present++;
    else if (await copy(record)) copied++;
    else missing.push(record.hash);
  }
  return { copied, present, missing };
}
