/**
 * Commits the requests of several callers in one transaction. Each write runs under a savepoint, so that a conflict undoes and
 * fails that write alone.
 *
 * A request is one write or a sequence of writes. An atomic sequence runs under one savepoint: the release of one inside it takes the longer,
 * the more pages the outer one has changed. Each request has its own deadline
 * for waiting for other processes, counted from its creation.
 */
import type { DatabaseSync } from 'node:sqlite';
import { batchTooCostly } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { WriteCosts } from '../../write-options.ts';
import { createLogWriter, type StoredOrigin } from '../changes/log-writer.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { createValueWriter } from '../indexes/value-writer.ts';
import { isBusy, isDiskFault } from '../map-error.ts';
import { serializeError } from '../threads/worker-calls.ts';
import type { WordWriter } from '../words/word-writer.ts';
import { createDeletionRules } from './deletion-rules.ts';
import { holdValues } from './held-values.ts';
import { createRowWriter, type WriteResult } from './row-writer.ts';
import { defaultWaitMs, inTransaction } from './transaction.ts';
import type { SerializedOutcome, WriteRequest } from './write-requests.ts';

/** Several writes of one caller, in their order. */
export interface WriteSequence {
  readonly kind: 'sequence';
  readonly writes: readonly WriteRequest[];
  /** Whether all are applied or none. */
  readonly atomic: boolean;
  /** What they may cost; absent means anything. */
  readonly left?: WriteCosts | undefined;
}

/**
 * The outcomes of a sequence in the order of its writes, and what they have cost. One of independent writes ends after `maxSequenceBytes`, so that
 * others take their turn before the rest, which has no outcome.
 */
export interface SequenceResult {
  readonly outcomes: readonly SerializedOutcome[];
  readonly spent: WriteCosts;
}

/** A request, where it comes from, and its deadline for waiting for other processes on the clock of `nowMs`. */
export type QueuedRequest = (WriteRequest | WriteSequence) & {
  readonly origin?: ChangeOrigin | undefined;
  /** The default is a fixed time from now. */
  readonly waitUntilMs?: number;
};

/** How many bytes of documents the independent writes of one sequence store; a large document may go beyond it. */
export const maxSequenceBytes = 4_194_304;

/** Returns the time on a clock that all threads of a process share. */
export const nowMs = () => performance.timeOrigin + performance.now();

/** The result of a request: of one write, or of several. */
export type RequestResult = WriteResult | SequenceResult;

/**
 * Commits requests and returns the result of each. When the commit fails, every request fails. A sequence ends once `isStopped` is true of
 * it.
 */
export type GroupCommit = (
  requests: readonly QueuedRequest[],
  isStopped?: (request: QueuedRequest) => boolean,
) => PromiseSettledResult<RequestResult>[];

/**
 * Creates a group commit on a connection. A request without a deadline waits at most `waitMs`. `before` runs first in each
 * transaction; when it throws, nothing is written. `words` runs last: a savepoint between two of its writes would cost a segment.
 */
export function createGroupCommit(
  database: DatabaseSync,
  {
    types,
    waitMs = defaultWaitMs,
    before = () => {},
    words,
  }: { types: StoredTypes; waitMs?: number; before?: () => void; words?: WordWriter },
): GroupCommit {
  const log = createLogWriter(database);
  const values = createValueWriter(database);
  const write = createRowWriter(database, { types, log, values });
  const findBroken = createDeletionRules(database, { types, values });
  const oneWrite = createSavepoint(database, 'one_write');
  const allWrites = createSavepoint(database, 'all_writes');
  const attempt = (request: WriteRequest, origin: StoredOrigin): PromiseSettledResult<WriteResult> => {
    try {
      return { status: 'fulfilled', value: write(request, origin) };
    } catch (reason) {
      // A disk that cannot be written fails the earlier writes as well; some of its errors have already rolled back the transaction.
      if (!database.isTransaction || isDiskFault(reason)) throw reason;
      return { status: 'rejected', reason };
    }
  };
  /** Rejects a write that was applied if it breaks a rule of deletion. */
  const judge = (request: WriteRequest, result: PromiseSettledResult<WriteResult>): typeof result => {
    const isApplied = result.status === 'fulfilled' && result.value !== undefined;
    const reason = isApplied ? findBroken(request) : undefined;
    return reason ? { status: 'rejected', reason } : result;
  };
  /** Undoes the write if it is refused. */
  const attemptAlone: typeof attempt = (request, origin) => {
    oneWrite.begin();
    const result = judge(request, attempt(request, origin));
    if (result.status === 'fulfilled') oneWrite.keep();
    else {
      oneWrite.undo();
      log.forget();
    }
    return result;
  };
  /** Applies all writes or none. Those that repeat a value are tried again so that the assets of the batch can exchange values. */
  const attemptAll = (
    writes: readonly WriteRequest[],
    attemptNext: (request: WriteRequest) => SerializedOutcome,
  ): SerializedOutcome[] => {
    const attemptAt = (position: number) => {
      const request = writes[position];
      const outcome = request && attemptNext(request);
      return outcome === 'done' ? undefined : outcome;
    };
    const inOrder = () => {
      for (const position of writes.keys()) {
        const outcome = attemptAt(position);
        if (outcome !== undefined) return { position, outcome };
      }
      return undefined;
    };
    const findFirstBroken = () => {
      for (const [position, request] of writes.entries()) {
        const reason = findBroken(request);
        if (reason) return { position, outcome: serializeError(reason) };
      }
      return undefined;
    };
    const holding = { values, attempt: attemptAt, refuse: serializeError };
    const all = (attempt: typeof inOrder) => {
      allWrites.begin();
      const refused = attempt() ?? findFirstBroken();
      if (!refused) allWrites.keep();
      else {
        allWrites.undo();
        log.forget();
      }
      return refused;
    };
    const mayExchange = writes.some(({ kind }) => kind !== 'insert');
    let refused = all(inOrder);
    if (refused && mayExchange && isValueInUse(refused.outcome))
      refused = all(() => holdValues(database, writes.length, holding));
    const { position, outcome } = refused ?? { outcome: 'done' };
    return writes.map((_, other) => (other === position || !refused ? outcome : 'undone'));
  };
  const runSequence = (
    { writes, atomic, left = unlimited }: WriteSequence,
    { origin, isStopped }: { origin: StoredOrigin; isStopped: () => boolean },
  ): SequenceResult => {
    const startedMs = nowMs();
    let bytes = 0;
    const attemptNext = (request: WriteRequest): SerializedOutcome => {
      const isTooCostly = bytes >= left.bytes || nowMs() - startedMs >= left.ms;
      // The caller of a stopped sequence receives no outcomes.
      if (isTooCostly || isStopped()) return serializeError(batchTooCostly());
      // What an atomic sequence has done is undone together.
      const result = atomic ? attempt(request, origin) : attemptAlone(request, origin);
      bytes += writtenBytes(request, result);
      return toOutcome(result);
    };
    const attemptEach = () => {
      const outcomes: SerializedOutcome[] = [];
      for (const write of writes) {
        if (bytes >= maxSequenceBytes) break;
        outcomes.push(attemptNext(write));
      }
      return outcomes;
    };
    const outcomes = atomic ? attemptAll(writes, attemptNext) : attemptEach();
    return { outcomes, spent: { bytes, ms: nowMs() - startedMs } };
  };
  const run = (
    request: QueuedRequest,
    isStopped: (request: QueuedRequest) => boolean,
  ): PromiseSettledResult<RequestResult> => {
    // Outside the savepoints, so that undoing one write keeps the stored words for the others.
    const origin = log.storeOrigin(request.origin);
    if (request.kind !== 'sequence') return attemptAlone(request, origin);
    const value = runSequence(request, { origin, isStopped: () => isStopped(request) });
    return { status: 'fulfilled', value };
  };
  const attemptTogether = (
    requests: readonly QueuedRequest[],
    { untilMs, isStopped }: { untilMs: number; isStopped: (request: QueuedRequest) => boolean },
  ) => {
    try {
      return inTransaction({ database, waitMs: untilMs - nowMs() }, () => {
        before();
        values.refresh();
        const results = requests.map((request) => run(request, isStopped));
        words?.writePending();
        return results;
      });
    } catch (reason) {
      log.forget();
      values.forget();
      return { reason };
    }
  };
  return (requests, isStopped = () => false) => {
    const fallbackMs = nowMs() + waitMs;
    const results = new Map<QueuedRequest, PromiseSettledResult<RequestResult>>();
    const deadlineOf = ({ waitUntilMs = fallbackMs }: QueuedRequest) => waitUntilMs;
    for (let left = requests; left.length > 0; left = left.filter((one) => !results.has(one))) {
      const untilMs = Math.min(...left.map(deadlineOf));
      const outcome = attemptTogether(left, { untilMs, isStopped });
      for (const [n, one] of left.entries()) {
        if (!('reason' in outcome)) results.set(one, outcome[n] ?? { status: 'rejected', reason: undefined });
        // A request that has waited long enough fails; the others keep waiting.
        else if (!isBusy(outcome.reason) || deadlineOf(one) <= untilMs) {
          results.set(one, { status: 'rejected', reason: outcome.reason });
        }
      }
    }
    return requests.map((request) => results.get(request) ?? { status: 'rejected', reason: undefined });
  };
}

const isValueInUse = (outcome: SerializedOutcome) =>
  typeof outcome === 'object' && outcome.domain?.code === 'value_in_use';

const unlimited: WriteCosts = { bytes: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };

/** Returns the length of the document that a write has stored. */
function writtenBytes(request: WriteRequest, result: PromiseSettledResult<WriteResult>): number {
  if (result.status === 'rejected') return 0;
  if (request.kind === 'insert') return request.document.length;
  return typeof result.value === 'string' ? result.value.length : 0;
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
