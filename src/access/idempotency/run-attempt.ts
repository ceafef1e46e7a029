/**
 * One attempt to answer an idempotent request: returns the kept response, waits for a run in another process, or runs the request
 * under the lease of its record.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { type PreAssignedIds, preAssignIds } from '../../content/pre-assigned-ids.ts';
import type { Json } from '../../model/content-type.ts';
import type { HeldRecord, IdempotencyRecords } from './idempotency-records.ts';
import { holdLease, type Lease, LeaseLost, watchLease } from './request-lease.ts';
import type { ResponseQuota } from './response-quota.ts';
import type { WaitLimit } from './wait-limit.ts';

/** A request with its key. */
export interface IdempotentRequest<Result extends Json = Json> {
  /** Chosen by the sender. */
  readonly key: string;
  /** Whose key it is: equal keys of different owners are different requests. */
  readonly owner: string;
  /** The same text for the same request; see `fingerprintOf` in `idempotent-requests.ts`. */
  readonly fingerprint: string;
  /** Checks whether a response is final; absent means that every response is. After one that is not, the request may run again. */
  readonly isFinal?: (response: Result) => boolean;
  /** Returns what is kept of a response, and given when the request is repeated; absent means the response itself. */
  readonly keep?: (response: Result) => Result;
  /** Lists the `_id`s of the assets that a response contains, so that erasing one of them erases the response as well. */
  readonly assetsIn?: (response: Result) => readonly string[];
}

/** A response; `isReplayed` says that an earlier run gave it, and that it is what was kept of it. */
export interface IdempotentResponse<Result extends Json> {
  readonly response: Result;
  readonly isReplayed: boolean;
}

/** Runs a request with the IDs that everything it writes must get. */
export type Work<Result> = (reserved: PreAssignedIds) => Promise<Result>;

/** A request to answer. */
export interface Attempt<Result extends Json> {
  /** The ID of the request's record. */
  readonly id: string;
  readonly request: IdempotentRequest<Result>;
  readonly work: Work<Result>;
}

/** The data and services that an attempt needs. */
export interface AttemptContext {
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
export async function runAttempt<Result extends Json>(
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
  // Each renewal is a sign.
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
