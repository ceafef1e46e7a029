/**
 * Fills a new database file with a copy of a store.
 *
 * The file has another name until it is complete, so a store is there whole or not at all, and one that it replaces stays until
 * then. A load into an empty place that fails, and one whose process is killed, leave that file behind, which the next load replaces.
 */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { transferFailed } from '../../../base/errors.ts';
import { createPrivateFile } from '../../../base/private-file.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import type { StoreLoader } from '../../copy/store-loader.ts';
import type { LoadOptions } from '../../store-adapter.ts';
import { isBusy, toStoreError } from '../map-error.ts';
import { createTables } from '../schema.ts';
import { createLoadStatements } from './load-statements.ts';
import { assertReplaceable, partialOf, replaceFile } from './replace-file.ts';

/** Starts a load. Errors: transfer_failed when there is a store already, or one that is in use; store_busy, store_failure. */
export function createSqliteLoader({
  file,
  isReplacing,
}: { file: string } & Pick<LoadOptions, 'isReplacing'>): StoreLoader {
  const run = async <Result>(work: () => Result): Promise<Result> => {
    try {
      return work();
    } catch (error) {
      throw toStoreError('load', error);
    }
  };
  assertReplaceable(file, isReplacing);
  const partial = partialOf(file);
  const database = openNew(partial);
  const load = createLoadStatements(database);
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  return {
    keepsLog: true,
    loadAssets: (assets: readonly CopiedAsset[]) => run(() => assets.forEach(load.asset)),
    loadEntries: (entries: readonly CopiedEntry[]) => run(() => entries.forEach(load.entry)),
    finish: (facts: CopiedFacts) =>
      run(() => {
        load.facts(facts);
        database.exec('COMMIT');
        close();
        replaceFile(file);
      }),
    async close() {
      if (!isOpen) return;
      close();
      // Without a former store, what is left tells the next start that it was to be one.
      if (existsSync(file)) rmSync(partial);
    },
  };
}

/**
 * Opens the file under its first name, in the one transaction of the load. Without a journal: what a crash leaves is not used.
 *
 * Errors: transfer_failed while another process loads it.
 */
function openNew(partial: string): DatabaseSync {
  try {
    const database = lock(partial);
    if (!database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return start(database);
    // What an interrupted load has left. Nobody uses it, because the lock was free.
    database.close();
  } catch (error) {
    if (isBusy(error)) throw transferFailed('another command is restoring a backup here');
    // What a crash left may be damaged.
    if (!existsSync(partial)) throw toStoreError('load', error);
  }
  rmSync(partial);
  return start(lock(partial));
}

function lock(partial: string): DatabaseSync {
  createPrivateFile(partial);
  const database = new DatabaseSync(partial, { timeout: 0 });
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA cache_size = -64000; BEGIN EXCLUSIVE`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function start(database: DatabaseSync): DatabaseSync {
  createTables(database);
  return database;
}
