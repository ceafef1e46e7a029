/**
 * Commits the requests of several callers in one transaction. Each write runs under a savepoint, so that a conflict undoes and
 * fails that write alone.
 *
 * A request is one write or a sequence of writes. An atomic sequence runs under one more savepoint. Each request has its own
 * limit for waiting for other processes, counted from when it was made.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isBusy } from '../map-error.ts';
import { type SerializedError, serializeError } from '../threads/serialized-error.ts';
import { createRowWriter, type WriteRequest, type WriteResult } from './row-writer.ts';
import { inTransaction, patienceMs } from './transaction.ts';

/** Several writes of one caller, in their order. */
export interface WriteSequence {
  readonly kind: 'sequence';
  readonly writes: readonly WriteRequest[];
  /** Whether all are applied or none. */
  readonly atomic: boolean;
}

/** A request, and until when it may wait for other processes, by `nowMs`; absent means for a time from now on. */
export type QueuedRequest = (WriteRequest | WriteSequence) & { readonly waitUntilMs?: number };

/** The time on a clock that all threads of a process share. */
export const nowMs = () => performance.timeOrigin + performance.now();

/** How one of several writes ended: as the port has it, with an error fit to be sent. */
export type SerializedOutcome = 'done' | 'absent' | 'undone' | SerializedError;

/** What a request is answered with: the result of one write, or the outcomes of several. */
export type RequestResult = WriteResult | readonly SerializedOutcome[];

/** Commits requests and returns the result of each. When the commit fails, every request fails. */
export type GroupCommit = (requests: readonly QueuedRequest[]) => PromiseSettledResult<RequestResult>[];

/**
 * Prepares the writing of batches on a connection; `waitMs` is how long a request waits that does not say, and `before`
 * runs first in each transaction: when it throws, nothing is written.
 */
export function createGroupCommit(
  database: DatabaseSync,
  {
    types,
    waitMs = patienceMs,
    before = () => {},
  }: { types: StoredTypes; waitMs?: number; before?: () => void },
): GroupCommit {
  const write = createRowWriter(database, types);
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
  const attemptAll = (writes: readonly WriteRequest[]): SerializedOutcome[] => {
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
  const run = (request: WriteRequest | WriteSequence): PromiseSettledResult<RequestResult> => {
    if (request.kind !== 'sequence') return attempt(request);
    const { writes, atomic } = request;
    const value = atomic ? attemptAll(writes) : writes.map((one) => toOutcome(attempt(one)));
    return { status: 'fulfilled', value };
  };
  const attemptTogether = (requests: readonly QueuedRequest[], untilMs: number) => {
    try {
      return inTransaction({ database, waitMs: untilMs - nowMs() }, () => {
        before();
        return requests.map(run);
      });
    } catch (reason) {
      return { reason };
    }
  };
  return (requests) => {
    const fallbackMs = nowMs() + waitMs;
    const results = new Map<QueuedRequest, PromiseSettledResult<RequestResult>>();
    const endOf = ({ waitUntilMs = fallbackMs }: QueuedRequest) => waitUntilMs;
    for (let left = requests; left.length > 0; left = left.filter((one) => !results.has(one))) {
      const untilMs = Math.min(...left.map(endOf));
      const ended = attemptTogether(left, untilMs);
      for (const [n, one] of left.entries()) {
        if (!('reason' in ended)) results.set(one, ended[n] ?? { status: 'rejected', reason: undefined });
        // A request that has waited long enough fails; the others keep waiting.
        else if (!isBusy(ended.reason) || endOf(one) <= untilMs) {
          results.set(one, { status: 'rejected', reason: ended.reason });
        }
      }
    }
    return requests.map((one) => results.get(one) ?? { status: 'rejected', reason: undefined });
  };
}

function toOutcome(result: PromiseSettledResult<WriteResult>): SerializedOutcome {
  if (result.status === 'rejected') return serializeError(result.reason);
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
