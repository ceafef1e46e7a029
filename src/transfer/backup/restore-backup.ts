/**
 * Fills an empty store with what a backup file has.
 */
import { setImmediate } from 'node:timers/promises';
import { transferFailed } from '../../base/errors.ts';
import type { StoreLoader } from '../../store/copy/store-loader.ts';
import type { BackupFile } from './backup-file.ts';

/** What to restore, and where. */
export interface RestoreRequest {
  readonly backup: BackupFile;
  readonly loader: StoreLoader;
  readonly signal: AbortSignal;
  /** Is called with the number of records loaded so far, and how far the file was read. */
  progress(state: { readonly records: number; readonly bytes: number }): void;
}

/** How many records were loaded. */
export interface RestoredRecords {
  readonly assets: number;
  /** Without a change log in the store, none is loaded. */
  readonly entries: number;
}

/** Restores a backup. Errors: transfer_failed when it is stopped or not what it says; those of the store. */
export async function restoreBackup(request: RestoreRequest): Promise<RestoredRecords> {
  const { backup, loader, signal } = request;
  const loaded = { assets: 0, entries: 0 };
  for (const { assets, entries, endByte } of backup.records()) {
    // Else a signal would not arrive.
    await setImmediate();
    if (signal.aborted) throw transferFailed('stopped; the store is not complete. Run the command again');
    if (assets.length > 0) await loader.loadAssets(assets);
    if (entries.length > 0 && loader.keepsLog) await loader.loadEntries(entries);
    loaded.assets += assets.length;
    loaded.entries += entries.length;
    request.progress({ records: loaded.assets + loaded.entries, bytes: endByte });
  }
  assertWhole(backup, loaded);
  await loader.finish(backup.header);
  return loader.keepsLog ? loaded : { ...loaded, entries: 0 };
}

function assertWhole({ totals }: BackupFile, { assets, entries }: RestoredRecords): void {
  const expected = Object.values(totals.assets).reduce((sum, count) => sum + count, 0);
  if (assets === expected && entries === totals.entries) return;
  throw transferFailed(
    `The backup should have ${expected} assets and ${totals.entries} entries, and has ${assets} and ${entries}. Use another backup`,
  );
}
