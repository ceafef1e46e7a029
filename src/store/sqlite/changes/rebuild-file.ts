/**
 * Removes deleted values from the files of the database. Runs on the writer thread.
 *
 * Deleting a row leaves its bytes in free pages, in the free parts of pages and in the WAL. `PRAGMA secure_delete` overwrites
 * most of them, but not the copies that remain in a page when SQLite moves rows to another page. Only rebuilding the file removes
 * all of them, in a time that grows with the store.
 */
import type { DatabaseSync } from 'node:sqlite';
import { storeBusy } from '../../../base/errors.ts';
import { isBusy } from '../map-error.ts';
import { waitForOthers } from '../writes/transaction.ts';

/** Rebuilds the file from its rows. `emptyWal` then removes the former file's content. */
export const rebuildFile = (database: DatabaseSync) => waitForOthers(() => database.exec('VACUUM'));

/** Copies the WAL to the file and empties it. Errors: store_busy while a reader needs the WAL, or another process writes. */
export function emptyWal(database: DatabaseSync): void {
  if (!checkpoint(database)) throw storeBusy('erased values are still being read');
}

function checkpoint(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}
