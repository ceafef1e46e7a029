/**
 * Copies the configured store as a whole: to a backup file, and from one into an empty store; its files to a folder, and back.
 */
import { backupRules, fitToMoment, mayNotFit } from '../../access/backup-rules.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { type FileRecord, fileClass, toFileRecord } from '../../content/files/file-record.ts';
import type { Asset, Catalog, JsonObject } from '../../model/content-type.ts';
import type { CopiedAsset } from '../../store/copy/store-copy.ts';
import { adapterOf, openFilePlace, openStore } from '../../store/open-store.ts';
import {
  type BackupFile,
  openBackup,
  type RestoredRecords,
  restoreBackup,
} from '../../transfer/backup/backup-file.ts';
import type { BackupHeader } from '../../transfer/backup/backup-records.ts';
import { createBackup, type WrittenBackup } from '../../transfer/backup/create-backup.ts';
import { type CopiedFiles, loadFiles, saveFiles } from '../../transfer/files/copy-files.ts';
import { openHashedFiles } from '../../transfer/files/hashed-files.ts';
import { toCatalog } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

export interface BackupOrder {
  readonly path: string;
  readonly processId: number;
  /** The folder to which files are copied; absent when they are not. */
  readonly files?: string | undefined;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** Is called with the number of records written so far. */
  progress(records: number): void;
}

/**
 * Writes the configured store to a file, and then copies its files. Errors: bad_config, transfer_failed, those of the store and the file
 * system.
 */
export async function backUp(
  config: Config,
  { files, runtime, ...order }: BackupOrder,
): Promise<WrittenBackup & { readonly files?: CopiedFiles }> {
  const dump = await adapterOf(config).dump(backupRules());
  const written = await createBackup({ ...order, dump, nowMs: runtime.clock.nowMs(), fit }).finally(
    dump.close,
  );
  if (files === undefined) return written;
  return { ...written, files: await copyFiles(config, { ...order, files, copy: saveFiles }) };
}

/** Copies the files that a backup names to or from a folder. */
async function copyFiles(
  config: Config,
  { path, files, signal, copy }: { path: string; files: string; signal: AbortSignal; copy: typeof saveFiles },
): Promise<CopiedFiles> {
  const place = await openFilePlace(config);
  const backup = openBackup(path);
  try {
    return await copy({ records: recordsOf(backup), place, folder: openHashedFiles(files), signal });
  } finally {
    backup.close();
    await place.close();
  }
}

/** Yields the records of files in a backup: the store itself may be damaged. */
async function* recordsOf(backup: BackupFile): AsyncGenerator<FileRecord> {
  for (const { assets, entries } of backup.records()) {
    for (const { type, text } of assets) {
      // The text of an asset is that of an object of its type.
      if (type === fileClass) yield toFileRecord(JSON.parse(text) as Asset);
    }
    // All assets come before.
    if (entries.length > 0) return;
  }
}

function fit(asset: CopiedAsset, seq: number): CopiedAsset {
  if (!mayNotFit(asset.type)) return asset;
  // The text of an asset is that of an object.
  return { ...asset, text: JSON.stringify(fitToMoment(JSON.parse(asset.text) as JsonObject, seq)) };
}

export interface RestoreOrder {
  readonly path: string;
  readonly isReplacing: boolean;
  /** The folder from which files are copied; absent when they are not. */
  readonly files?: string | undefined;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** Is called with the records loaded so far, and how much of the file was read. */
  progress(state: { readonly records: number; readonly bytes: number; readonly totalBytes: number }): void;
}

export interface Restored {
  readonly header: BackupHeader;
  readonly records: RestoredRecords;
  readonly files?: CopiedFiles;
  /** What the user should know. */
  readonly notices: readonly string[];
}

/** Fills the configured store from a file. Errors: transfer_failed, bad_config, those of the store and the file system. */
export async function restore(config: Config, order: RestoreOrder): Promise<Restored> {
  const { path, isReplacing, files, runtime, signal, progress } = order;
  const backup = openBackup(path);
  try {
    const { header, totalBytes } = backup;
    const { catalog, notices } = catalogOf(header);
    const loader = await adapterOf(config).load({ isReplacing, catalog });
    const { keepsLog } = loader;
    const records = await restoreBackup({
      backup,
      loader,
      signal,
      progress: (state) => progress({ ...state, totalBytes }),
    }).finally(loader.close);
    await prepareStore(config, { catalog, logger: runtime.logger });
    const restored = { header, records, notices: [...notices, ...(keepsLog ? [] : [noLog])] };
    if (files === undefined) return restored;
    return { ...restored, files: await copyFiles(config, { path, files, signal, copy: loadFiles }) };
  } finally {
    backup.close();
  }
}

const noLog = 'this store keeps no change log, so the history was not restored';

/** The types of the store that was saved. What they do not describe is copied too. */
export function catalogOf({ served }: Pick<BackupHeader, 'served'>): {
  catalog: Catalog;
  notices: readonly string[];
} {
  const system = loadSystemTypes();
  if (!served) return { catalog: storedCatalog(system), notices: [] };
  try {
    return { catalog: storedCatalog(system, toCatalog(served)), notices: [] };
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    const notice = `the content types of the backup cannot be read by this version, so the next start of a server creates the indexes: ${error.message}`;
    return { catalog: storedCatalog(system), notices: [notice] };
  }
}

/** Creates the indexes, so that the first start of a server is quick and values stay unique until then. */
export async function prepareStore(
  { dataDir, mongodbUrl }: Config,
  { catalog, logger }: { catalog: Catalog; logger: Logger },
): Promise<void> {
  const store = await openStore({ dataDir, mongodbUrl, catalog, logger });
  try {
    await store.prepare();
  } finally {
    await store.close();
  }
}
