/**
 * Opens the files of the configured store for commands: their records, their uses and the place of their bytes.
 */
import { type FileRecord, fileRecordId, toFileRecord } from '../../content/files/file-record.ts';
import {
  createFileUses,
  createUnusedFiles,
  type FileUses,
  type UnusedFiles,
} from '../../content/files/unused-files.ts';
import { createUploader, type UploadFile } from '../../files/upload-file.ts';
import type { FilePlace } from '../../store/file-place.ts';
import { openFilePlace } from '../../store/open-store.ts';
import { createStoreFiles } from '../../transfer/files/store-files.ts';
import type { TargetFiles } from '../../transfer/files/target-files.ts';
import type { Config } from '../config/config.ts';
import type { Open } from './compose-commands.ts';
import { createSystem, type OpenOptions, openConfigured } from './compose-records.ts';
import type { Runtime } from './runtime.ts';

/** The files of a store. */
export interface FileParts {
  readonly unused: UnusedFiles;
  readonly uses: FileUses;
  readonly place: FilePlace;
  readonly upload: UploadFile;
  /** Yields the records of all files. */
  records(): AsyncGenerator<FileRecord>;
  find(hash: string): Promise<FileRecord | undefined>;
  /** Tells whether servers use the store now. */
  isServed(): Promise<boolean>;
}

/** How to open files. */
interface FileOptions extends OpenOptions {
  /** The configuration whose place of files is used; that of the store unless given. */
  readonly placeOf?: Config;
}

/** Opens the files, independently of the content types. Errors: bad_config, store_busy, store_failure. */
export async function composeFiles(
  config: Config,
  runtime: Runtime,
  { isReadOnly = false, placeOf = config }: FileOptions,
): Promise<Open<FileParts>> {
  const store = await openConfigured(config, { logger: runtime.logger, isReadOnly });
  try {
    const place = await openFilePlace(placeOf);
    const system = createSystem(store, runtime);
    const uses = createFileUses({ system, store });
    const unused = createUnusedFiles({ system, uses, place, clock: runtime.clock });
    return {
      unused,
      uses,
      place,
      upload: createUploader({ ...runtime, system, place, maxFileBytes: config.maxFileBytes }).upload,
      async *records() {
        for await (const { asset } of unused.each()) yield toFileRecord(asset);
      },
      async find(hash) {
        const found = await store.get(fileRecordId(hash));
        return found && toFileRecord(found.asset);
      },
      isServed: async () => (await store.readServing()).length > 0,
      async close() {
        await place.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens them for exports and imports. Errors: bad_config, store_busy, store_failure. */
export const openTargetFiles = async (
  config: Config,
  runtime: Runtime,
  options: FileOptions,
): Promise<TargetFiles> => createStoreFiles(await composeFiles(config, runtime, options));
