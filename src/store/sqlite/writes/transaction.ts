/**
 * Write transactions, and the waiting for other processes that write.
 *
 * SQLite's own waiting sleeps longer and longer, and a process that writes without pause leaves gaps far shorter than that:
 * here the lock is asked for every millisecond, so that nobody is kept out.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../map-error.ts';

/** How long a write waits for other processes, unless it is told otherwise. */
export const patienceMs = 5_000;

/** What the connection of a writer waits by itself, between two attempts. */
export const attemptMs = 1;

/** Runs `work` in a write transaction of its own, which is rolled back when `work` or the commit throws. */
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
    // Some errors, a full disk for one, have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Tries `work` again until no other process is in its way, for `waitMs` at most. */
export function waitForOthers(work: () => void, waitMs: number = patienceMs): void {
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
