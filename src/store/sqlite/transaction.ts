/**
 * Transactions on a synchronous connection.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a write transaction of its own, which is rolled back when `work` or the commit throws. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
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
