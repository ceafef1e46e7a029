/**
 * Runs writes in one transaction, each under a savepoint: a conflict undoes and fails the one write that met it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createAssetWriter, type WriteRequest, type WriteResult } from './asset-writer.ts';
import type { StoredTypes } from './stored-types.ts';
import { inTransaction } from './transaction.ts';

/** Makes a batch of writes durable and tells how each went; when the commit fails, all have failed. */
export type WriteBatch = (requests: readonly WriteRequest[]) => PromiseSettledResult<WriteResult>[];

/** Prepares the writing of batches on a connection; `waitMs` is how long a batch waits for other processes. */
export function createWriteBatch(
  database: DatabaseSync,
  { types, waitMs }: { types: StoredTypes; waitMs?: number },
): WriteBatch {
  const write = createAssetWriter(database, types);
  const begin = database.prepare('SAVEPOINT one_write');
  const keep = database.prepare('RELEASE one_write');
  const undo = database.prepare('ROLLBACK TO one_write');
  const attempt = (request: WriteRequest): PromiseSettledResult<WriteResult> => {
    begin.run();
    try {
      const value = write(request);
      keep.run();
      return { status: 'fulfilled', value };
    } catch (reason) {
      // An error that has ended the transaction, as a full disk does, has undone the writes before it too.
      if (!database.isTransaction) throw reason;
      undo.run();
      keep.run();
      return { status: 'rejected', reason };
    }
  };
  return (requests) => {
    try {
      return inTransaction({ database, waitMs }, () => requests.map(attempt));
    } catch (reason) {
      return requests.map(() => ({ status: 'rejected', reason }));
    }
  };
}
