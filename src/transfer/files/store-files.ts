/**
 * The files of a store, reached by this process.
 */
import { createReadStream } from 'node:fs';
import type { FileRecord } from '../../content/files/file-record.ts';
import type { UploadFile } from '../../files/upload-file.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { TargetFiles } from './target-files.ts';

/** Creates the target. */
export function createStoreFiles({
  find,
  upload,
  place,
  close,
}: {
  /** Finds the record of a file. */
  find: (hash: string) => Promise<FileRecord | undefined>;
  upload: UploadFile;
  place: FilePlace;
  close: () => Promise<void>;
}): TargetFiles {
  return {
    async read(hash, take) {
      const file = await find(hash);
      const opened = file && (await place.read(file.key));
      return opened !== undefined && take(opened.stream);
    },
    async has(hash) {
      const file = await find(hash);
      return file !== undefined && (await place.find(file.key))?.bytes === file.bytes;
    },
    async upload({ name, mediaType, path }) {
      await upload({ open: () => createReadStream(path), name, mediaType });
    },
    close,
  };
}
