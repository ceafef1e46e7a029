/**
 * Copies the files of a store to a folder with files by their hash, and back: those that are not there yet, and those whose bytes there
 * do not have their hash.
 */
import { transferFailed } from '../../base/errors.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import { isIntact } from '../../files/recorded-bytes.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { HashedFiles } from './hashed-files.ts';

export interface FileCopy {
  /** The records of the files of the store. */
  readonly records: AsyncIterable<FileRecord>;
  readonly place: FilePlace;
  readonly folder: HashedFiles;
  readonly signal: AbortSignal;
}

export interface CopiedFiles {
  readonly copied: number;
  /** The hashes of those of them that were there, but damaged. */
  readonly mended: readonly string[];
  /** How many were there already. */
  readonly present: number;
  /** The hashes of files whose bytes are missing or damaged where they should be copied from. */
  readonly missing: readonly string[];
}

/** Copies files from a store to a folder. Errors: transfer_failed when it is stopped; those of the place and the file system. */
export const saveFiles = ({ place, folder, ...copy }: FileCopy): Promise<CopiedFiles> =>
  copyEach(copy, {
    exists: ({ hash }) => folder.exists(hash),
    isIntact: ({ hash }) => folder.has(hash),
    async copy({ hash, key }) {
      const opened = await place.read(key);
      return opened !== undefined && folder.add(hash, opened.stream);
    },
  });

/** Copies files from a folder to a store. Errors: transfer_failed when it is stopped; those of the place and the file system. */
export const loadFiles = ({ place, folder, ...copy }: FileCopy): Promise<CopiedFiles> =>
  copyEach(copy, {
    exists: async ({ key }) => (await place.find(key)) !== undefined,
    isIntact: (record) => isIntact(place, record),
    async copy({ hash, key }) {
      if (!(await folder.has(hash))) return false;
      await place.delete(key);
      await place.write(key, folder.open(hash));
      return true;
    },
  });

async function copyEach(
  { records, signal }: Pick<FileCopy, 'records' | 'signal'>,
  target: {
    exists(record: FileRecord): Promise<boolean>;
    isIntact(record: FileRecord): Promise<boolean>;
    /** Returns whether there are intact bytes to copy. */
    copy(record: FileRecord): Promise<boolean>;
  },
): Promise<CopiedFiles> {
  let [copied, present] = [0, 0];
  const mended: string[] = [];
  const missing: string[] = [];
  for await (const record of records) {
    if (signal.aborted) throw transferFailed('stopped before all files were copied');
    if (await target.isIntact(record)) {
      present++;
      continue;
    }
    const isDamaged = await target.exists(record);
    if (!(await target.copy(record))) missing.push(record.hash);
    else {
      copied++;
      if (isDamaged) mended.push(record.hash);
    }
  }
  return { copied, mended, present, missing };
}
