/**
 * Runs write transactions and waits for other processes that write.
 *
 * SQLite's own busy handler sleeps longer after each attempt, so it can miss the short gaps of a process that writes without
 * pause. This module tries to get the lock every millisecond, so that every process gets its turn.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../map-error.ts';

/** How long a write waits for other processes by default. */
export const defaultWaitMs = 5_000;

/** The busy timeout of the writer's connection: how long SQLite itself waits in one attempt. */
export const lockAttemptMs = 1;

/** Runs `work` in a new write transaction, and rolls it back when `work` or the commit throws. */
export function inTransaction<Result>(
  { database, waitMs }: { database: DatabaseSync; waitMs?: number | undefined },
  work: () => Result,
): Result {
  waitForOthers(() => database.exec('BEGIN IMMEDIATE'), waitMs);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have already rolled back the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Runs `work` in a transaction whose commit does not wait for the disk, on a connection in WAL mode. A power failure undoes it unless
 * a later commit has waited, so this is for work that is then done again.
 */
export function inUnsyncedTransaction<Result>(
  options: { database: DatabaseSync; waitMs?: number | undefined },
  work: () => Result,
): Result {
  const { database } = options;
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return inTransaction(options, work);
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

/** Repeats `work` while another process holds the lock, for at most `waitMs`. */
export function waitForOthers(work: () => void, waitMs: number = defaultWaitMs): void {
  const endMs = performance.now() + waitMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > endMs) throw error;
    }
  }
}

/**
 * Keeps the journal of savepoints in memory from now on, because every write has a savepoint. It is as large as the pages that one
 * write or one atomic batch changes.
 */
export const keepSavepointsInMemory = (database: DatabaseSync) => database.exec('PRAGMA temp_store = MEMORY');

/** Runs work whose temporary data may be as large as the database, which SQLite then stores in files. */
export function withTemporaryFiles<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('PRAGMA temp_store = FILE');
  try {
    return work();
  } finally {
    keepSavepointsInMemory(database);
  }
}
