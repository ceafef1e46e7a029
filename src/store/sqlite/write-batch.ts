/**
 * Runs writes in one transaction, each under a savepoint: a conflict undoes and fails the one write that met it.
 *
 * A request is one write, or several writes of one caller; those may ask to be done all or not at all, under a savepoint
 * of their own.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createAssetWriter, type WriteRequest, type WriteResult } from './asset-writer.ts';
import { type PackedError, packError } from './packed-error.ts';
import type { StoredTypes } from './stored-types.ts';
import { inTransaction } from './transaction.ts';

/** Several writes of one caller, in their order. */
export interface SeveralWrites {
  readonly kind: 'several';
  readonly writes: readonly WriteRequest[];
  /** Whether all are to be done or none. */
  readonly atomic: boolean;
}

/** How one of several writes ended: as the port has it, with an error fit to be sent. */
export type PackedOutcome = 'done' | 'absent' | 'undone' | PackedError;

/** What a request is answered with: the result of one write, or the outcomes of several. */
export type BatchResult = WriteResult | readonly PackedOutcome[];

/** Makes a batch of writes durable and tells how each went; when the commit fails, all have failed. */
export type WriteBatch = (
  requests: readonly (WriteRequest | SeveralWrites)[],
) => PromiseSettledResult<BatchResult>[];

/** Prepares the writing of batches on a connection; `waitMs` is how long a batch waits for other processes. */
export function createWriteBatch(
  database: DatabaseSync,
  { types, waitMs }: { types: StoredTypes; waitMs?: number },
): WriteBatch {
  const write = createAssetWriter(database, types);
  const writing = createSavepoint(database, 'one_write');
  const all = createSavepoint(database, 'all_writes');
  const attempt = (request: WriteRequest): PromiseSettledResult<WriteResult> => {
    writing.begin();
    try {
      const value = write(request);
      writing.keep();
      return { status: 'fulfilled', value };
    } catch (reason) {
      // An error that has ended the transaction, as a full disk does, has undone the writes before it too.
      if (!database.isTransaction) throw reason;
      writing.undo();
      return { status: 'rejected', reason };
    }
  };
  const attemptAll = (writes: readonly WriteRequest[]): PackedOutcome[] => {
    all.begin();
    for (const [index, request] of writes.entries()) {
      const outcome = toOutcome(attempt(request));
      if (outcome === 'done') continue;
      all.undo();
      return writes.map((_, other) => (other === index ? outcome : 'undone'));
    }
    all.keep();
    return writes.map(() => 'done');
  };
  const run = (request: WriteRequest | SeveralWrites): PromiseSettledResult<BatchResult> => {
    if (request.kind !== 'several') return attempt(request);
    const { writes, atomic } = request;
    const value = atomic ? attemptAll(writes) : writes.map((one) => toOutcome(attempt(one)));
    return { status: 'fulfilled', value };
  };
  return (requests) => {
    try {
      return inTransaction({ database, waitMs }, () => requests.map(run));
    } catch (reason) {
      return requests.map(() => ({ status: 'rejected', reason }));
    }
  };
}

function toOutcome(result: PromiseSettledResult<WriteResult>): PackedOutcome {
  if (result.status === 'rejected') return packError(result.reason);
  return result.value === undefined ? 'absent' : 'done';
}

function createSavepoint(database: DatabaseSync, name: string) {
  const begin = database.prepare(`SAVEPOINT ${name}`);
  const release = database.prepare(`RELEASE ${name}`);
  const rollback = database.prepare(`ROLLBACK TO ${name}`);
  return {
    begin: () => begin.run(),
    keep: () => release.run(),
    undo() {
      rollback.run();
      release.run();
    },
  };
}
