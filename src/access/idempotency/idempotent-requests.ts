/**
 * Requests that may be sent again: the same key gives the same answer, and nothing is done twice.
 *
 * Before anything is written, the names of all that will be are reserved under the key. When a process ends between a write
 * and its answer, the request that comes again runs again, and meets what it has written by those names. An answer is kept
 * for 24 hours, in the same store. One run at a time works on a request, whichever process it came to; the others wait.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../base/errors.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { type PreAssignedIds, preAssignIds } from '../../content/pre-assigned-ids.ts';
import type { Json } from '../../model/content-type.ts';
import { createIdempotencyRecords, type HeldRecord, toRecordId } from './idempotency-records.ts';
import { holdLease, type Lease, LeaseLost, watchLease } from './request-lease.ts';

/** A request with its key. */
export interface IdempotentRequest<Answer extends Json = Json> {
  /** Of its sender's choice. */
  readonly key: string;
  /** Whose key it is: those of different owners have nothing to do with each other. */
  readonly owner: string;
  /** A text that is the same for the same request; see `fingerprintOf`. */
  readonly fingerprint: string;
  /** Whether an answer is the last word; absent means that every one is. After one that is not, the request may be run again. */
  readonly isFinal?: (answer: Answer) => boolean;
}

/** An answer, and whether it is that of an earlier run. */
export interface IdempotentAnswer<Answer extends Json> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/** The requests that may be sent again. */
export interface IdempotentRequests {
  /**
   * Runs `work` unless the request has been answered already; `work` must give the names reserved to all that it writes.
   *
   * What `work` resolves with is kept, if it is final, and answered again; when it rejects, the request may be run again.
   * Errors: idempotency_key_reused; those of `work`; store_busy, also when another run takes too long; store_failure.
   */
  run<Answer extends Json>(
    request: IdempotentRequest<Answer>,
    work: Work<Answer>,
  ): Promise<IdempotentAnswer<Answer>>;
}

/** How long a request waits for another run of it. */
const patienceMs = 10_000;
const giveUpMs = 500;
const firstPauseMs = 20;
const longestPauseMs = 200;

type Work<Answer> = (reserved: PreAssignedIds) => Promise<Answer>;

/** A request on its way to an answer. */
interface Attempt<Answer extends Json> {
  /** Of its record. */
  readonly id: string;
  readonly request: IdempotentRequest<Answer>;
  readonly work: Work<Answer>;
}

/** A text that is the same for the same operation with the same body. */
export const fingerprintOf = (operation: string, body: Json) =>
  hash('sha256', `${operation} ${JSON.stringify(body)}`, 'hex');

/** Keeps keyed requests in the system's content service. */
export function createIdempotentRequests({
  system,
  clock,
  ids,
  logger,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
}): IdempotentRequests {
  const records = createIdempotencyRecords({ system, clock, ids });
  /** Of each key the latest run in this process. */
  const underWay = new Map<string, Promise<unknown>>();

  async function run<Answer extends Json>(
    request: IdempotentRequest<Answer>,
    work: Work<Answer>,
  ): Promise<IdempotentAnswer<Answer>> {
    const id = toRecordId(request);
    const running = runAfter(underWay.get(id), { id, request, work });
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(id, ended);
    try {
      return await running;
    } finally {
      if (underWay.get(id) === ended) underWay.delete(id);
    }
  }

  /** Waits for the earlier run in this process; the record tells of those in others. */
  async function runAfter<Answer extends Json>(
    earlier: Promise<unknown> | undefined,
    attempt: Attempt<Answer>,
  ): Promise<IdempotentAnswer<Answer>> {
    const patience = createPatience();
    if (earlier) await patience.waitFor(earlier);
    const isAbandoned = watchLease();
    for (;;) {
      const claim = await records.claim(attempt, isAbandoned);
      // It was kept as what `work` gave for the same request.
      if (claim.kind === 'answered') return { answer: claim.answer as Answer, isReplayed: true };
      if (claim.kind === 'taken') {
        await patience.waitABit();
        continue;
      }
      try {
        return { answer: await runNow(attempt, claim), isReplayed: false };
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        logger.warn({}, 'another process has taken over a keyed request; its answer is awaited');
      }
    }
  }

  async function runNow<Answer extends Json>(
    { request, work }: Attempt<Answer>,
    { stored, holder, run }: HeldRecord,
  ): Promise<Answer> {
    const lease = holdLease({ system, holder }, stored);
    const seed = { seed: String(stored.asset.seed), reservedAtMs: Number(stored.asset.reservedAt) };
    try {
      const answer = await work(preAssignIds({ ...seed, run, assertCurrent: lease.assertHeld }, ids));
      if (request.isFinal?.(answer) ?? true) await keep(lease, answer);
      else await giveUp(lease);
      return answer;
    } catch (error) {
      if (!(error instanceof LeaseLost)) await giveUp(lease);
      throw error;
    }
  }

  /**
   * Gives up a lease, so that the next run need not wait; not for long, since a store that failed may take long to fail again.
   * Errors: LeaseLost, of a run that failed because it hung while another one took over: the answer of that one holds.
   */
  async function giveUp(lease: Lease): Promise<void> {
    const ended = lease.end({ holder: null }).catch((error: unknown) => error);
    const error = await Promise.race([ended, sleep(giveUpMs)]);
    if (error instanceof LeaseLost) throw error;
  }

  /** What is done is done: without its answer, the request that comes again meets what it has written. */
  async function keep(lease: Lease, answer: Json): Promise<void> {
    try {
      await lease.end({ answer, holder: null });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      logger.warn({ err: error }, 'the answer to a keyed request was not kept');
    }
  }

  return { run };
}

/** How long a request still waits for other runs of it. Errors: store_busy when that is over. */
function createPatience() {
  const endMs = performance.now() + patienceMs;
  const tooLong = () => storeBusy('the request with this Idempotency-Key is still under way');
  let pauseMs = firstPauseMs;
  return {
    async waitFor(run: Promise<unknown>): Promise<void> {
      const timeout = new AbortController();
      const late = sleep(patienceMs, 'late', { signal: timeout.signal, ref: false }).catch(() => {});
      const first = await Promise.race([run, late]);
      timeout.abort();
      if (first === 'late') throw tooLong();
    },
    async waitABit(): Promise<void> {
      if (performance.now() >= endMs) throw tooLong();
      await sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    },
  };
}
