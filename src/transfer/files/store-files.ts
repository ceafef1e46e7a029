/**
 * The files of a store, reached by this process.
 */
import { createReadStream } from 'node:fs';
import type { FileRecord } from '../../content/files/file-record.ts';
import { isIntact } from '../../files/recorded-bytes.ts';
import type { UploadFile } from '../../files/upload-file.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { TargetFiles } from './target-files.ts';

/** How many files are known to be intact, which are not read again. */
const maxKnown = 100_000;

export function createStoreFiles({
  find,
  upload,
  place,
  close,
}: {
  find: (hash: string) => Promise<FileRecord | undefined>;
  upload: UploadFile;
  place: FilePlace;
  close: () => Promise<void>;
}): TargetFiles {
  /** The keys of the bytes that were found intact, by hash. */
  const intact = new Map<string, string>();
  return {
    async read(hash, take) {
      const file = await find(hash);
      const opened = file && (await place.read(file.key));
      return opened !== undefined && take(opened.stream);
    },
    async has(hash) {
      const file = await find(hash);
      if (!file) return false;
      if (intact.get(hash) === file.key) return true;
      const isWhole = await isIntact(place, file);
      if (intact.size > maxKnown) intact.clear();
      if (isWhole) intact.set(hash, file.key);
      return isWhole;
    },
    async upload({ name, path }) {
      await upload({ open: () => createReadStream(path), name });
    },
    close,
  };
}
