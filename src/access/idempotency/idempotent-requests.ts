/**
 * Idempotent requests: a request sent again with the same Idempotency-Key gets the same response, and nothing is done twice.
 *
 * Before a request writes, the IDs and versions of all its writes are pre-assigned under its key. When a process ends between a
 * write and the response, the next request with the key runs again and recognizes what is already written by those IDs. Responses are
 * kept for 24 hours, in the same store. One run at a time works on a request, in whichever process; the others wait.
 */

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../base/errors.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { type PreAssignedIds, preAssignIds } from '../../content/pre-assigned-ids.ts';
import type { Json } from '../../model/content-type.ts';
import {
  createIdempotencyRecords,
  createResponseQuota,
  type HeldRecord,
  type IdempotencyRecords,
  type ResponseQuota,
  toRecordId,
} from './idempotency-records.ts';
import { holdLease, type Lease, LeaseLost, watchLease } from './request-lease.ts';

/** Runs requests that may be sent again. */
export interface IdempotentRequests {
  /**
   * Runs `work`, unless the request has been answered already.
   *
   * What is kept of a final response is given again; when `work` rejects, the request may run again.
   * Errors: idempotency_key_reused; rate_limited when too much is kept for the owner; those of `work`; not_found when an asset in the response was erased; store_busy, also when
   * another run takes too long; store_failure.
   */
  run<Result extends Json>(
    request: IdempotentRequest<Result>,
    work: Work<Result>,
  ): Promise<IdempotentResponse<Result>>;
  /** Removes the kept responses that contain an asset, which is being erased. Their requests are answered with not_found then. */
  eraseResponses(assetId: string): Promise<void>;
}

/** Returns the same text for the same operation with the same body. */
export const fingerprintOf = (operation: string, body: Json) =>
  hash('sha256', `${operation} ${JSON.stringify(body)}`, 'hex');

/** Creates the service, which keeps its records in the system's content service. */
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
  const context = {
    system,
    ids,
    logger,
    records: createIdempotencyRecords({ system, clock, ids }),
    responseQuota: createResponseQuota(clock),
  };
  /** The latest run of each request in this process, by the ID of its record. */
  const latestRuns = new Map<string, Promise<unknown>>();

  async function runInTurn<Result extends Json>(
    attempt: Attempt<Result>,
    earlier: Promise<unknown> | undefined,
  ): Promise<IdempotentResponse<Result>> {
    const limit = createWaitLimit();
    if (earlier) await limit.waitFor(earlier);
    return runAttempt(attempt, { ...context, limit });
  }

  return {
    async run(request, work) {
      const id = toRecordId(request);
      const running = runInTurn({ id, request, work }, latestRuns.get(id));
      const ended = running.then(
        () => undefined,
        () => undefined,
      );
      latestRuns.set(id, ended);
      try {
        return await running;
      } finally {
        if (latestRuns.get(id) === ended) latestRuns.delete(id);
      }
    },
    eraseResponses: context.records.eraseResponses,
  };
}

// One attempt to answer an idempotent request: returns the kept response, waits for a run in another process, or runs the request
// under the lease of its record.

/** A request with its key. */
interface IdempotentRequest<Result extends Json = Json> {
  /** Chosen by the sender. */
  readonly key: string;
  /** Whose key it is: equal keys of different owners are different requests. */
  readonly owner: string;
  /** The same text for the same request, made by `fingerprintOf`. */
  readonly fingerprint: string;
  /** Checks whether a response is final; absent means that every response is. After one that is not, the request may run again. */
  readonly isFinal?: (response: Result) => boolean;
  /** Returns what is kept of a response, and given when the request is repeated; absent means the response itself. */
  readonly keep?: (response: Result) => Result;
  /** Lists the `_id`s of the assets that a response contains, so that erasing one of them erases the response as well. */
  readonly assetsIn?: (response: Result) => readonly string[];
}

/** A response; `isReplayed` says that an earlier run gave it, and that it is what was kept of it. */
interface IdempotentResponse<Result extends Json> {
  readonly response: Result;
  readonly isReplayed: boolean;
}

/** Runs a request with the IDs that everything it writes must get. */
type Work<Result> = (reserved: PreAssignedIds) => Promise<Result>;

/** A request to answer. */
interface Attempt<Result extends Json> {
  /** The ID of the request's record. */
  readonly id: string;
  readonly request: IdempotentRequest<Result>;
  readonly work: Work<Result>;
}

/** The data and services that an attempt needs. */
interface AttemptContext {
  readonly system: ContentService;
  readonly records: IdempotencyRecords;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly limit: WaitLimit;
  readonly responseQuota: ResponseQuota;
}

/** How long giving up a lease may delay the response. */
const releaseMs = 500;

/** Answers a request. Errors: idempotency_key_reused; those of the request's work; store_busy; store_failure. */
async function runAttempt<Result extends Json>(
  attempt: Attempt<Result>,
  context: AttemptContext,
): Promise<IdempotentResponse<Result>> {
  const { records, limit, logger, responseQuota } = context;
  const watch = watchLease();
  for (;;) {
    const claim = await records.claim(attempt, watch, () => responseQuota.assertRoom(attempt.request.owner));
    // The record holds what was kept of a response to the same request.
    if (claim.kind === 'completed') return { response: claim.response as Result, isReplayed: true };
    if (claim.kind === 'taken') {
      await limit.pause();
      continue;
    }
    try {
      return { response: await runUnderLease(attempt, claim, context), isReplayed: false };
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.warn({}, 'another process has taken over an idempotent request; waiting for its response');
    }
  }
}

async function runUnderLease<Result extends Json>(
  { request, work }: Attempt<Result>,
  { stored, holder, run }: HeldRecord,
  { system, ids, logger, responseQuota }: AttemptContext,
): Promise<Result> {
  // A renewal shows that this run works, so it removes the quiet time that waiting runs have noted in the record.
  const lease = holdLease({ system, holder, facts: () => ({ quietMs: null }) }, stored);
  const { seed, reservedAt } = stored.asset;
  const assertCurrent = lease.assertHeld;
  const idSeed = { seed: String(seed), reservedAtMs: Number(reservedAt), run, assertCurrent };
  try {
    const response = await work(preAssignIds(idSeed, ids));
    const isFinal = request.isFinal?.(response) ?? true;
    const assets = request.assetsIn?.(response) ?? [];
    if (isFinal) {
      const answer = request.keep?.(response) ?? response;
      await keepResponse({ lease, logger }, { answer, assets: assets.length > 0 ? [...assets] : null });
      responseQuota.add(request.owner, JSON.stringify(answer).length);
    } else await releaseLease(lease);
    return response;
  } catch (error) {
    if (!(error instanceof LeaseLost)) await releaseLease(lease);
    throw error;
  }
}

/**
 * Releases a lease, so that the next run need not wait for it to expire. Does not wait long, since a failing store may answer
 * late.
 *
 * Errors: LeaseLost, when this run hung and another took over: then the response of that run counts.
 */
async function releaseLease(lease: Lease): Promise<void> {
  const ended = lease.end({ holder: null }).catch((error: unknown) => error);
  const error = await Promise.race([ended, sleep(releaseMs)]);
  if (error instanceof LeaseLost) throw error;
}

/** Keeps a response. When that fails the writes still stand: the request, sent again, recognizes them. */
async function keepResponse(
  { lease, logger }: { lease: Lease; logger: Logger },
  kept: { answer: Json; assets: string[] | null },
): Promise<void> {
  try {
    await lease.end({ ...kept, holder: null });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    logger.warn({ err: error }, 'the response to an idempotent request was not kept');
  }
}

type WaitLimit = ReturnType<typeof createWaitLimit>;

const limitMs = 10_000;
const firstPauseMs = 20;
const longestPauseMs = 200;

/** Starts the waiting of a request. */
function createWaitLimit() {
  const endMs = performance.now() + limitMs;
  const tooLong = () => storeBusy('the request with this Idempotency-Key is still under way');
  let pauseMs = firstPauseMs;
  return {
    /** Waits for a run in this process. Errors: store_busy when it takes too long. */
    async waitFor(run: Promise<unknown>): Promise<void> {
      const timeout = new AbortController();
      const late = sleep(limitMs, 'late', { signal: timeout.signal, ref: false }).catch(() => {});
      const first = await Promise.race([run, late]);
      timeout.abort();
      if (first === 'late') throw tooLong();
    },
    /** Waits before the record is read again, longer each time. Errors: store_busy when the time is used up. */
    async pause(): Promise<void> {
      if (performance.now() >= endMs) throw tooLong();
      await sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    },
  };
}
