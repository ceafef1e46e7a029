/**
 * Idempotent requests: a request sent again with the same Idempotency-Key gets the same response, and nothing is done twice.
 *
 * Before a request writes, the IDs and versions of all its writes are pre-assigned under its key. When a process ends between a
 * write and the response, the next request with the key runs again and recognizes what is already written by those IDs. Responses are
 * kept for 24 hours, in the same store. One run at a time works on a request, in whichever process; the others wait.
 */
import { hash } from 'node:crypto';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Json } from '../../model/content-type.ts';
import { createIdempotencyRecords, toRecordId } from './idempotency-records.ts';
import { createResponseQuota } from './response-quota.ts';
import {
  type Attempt,
  type IdempotentRequest,
  type IdempotentResponse,
  runAttempt,
  type Work,
} from './run-attempt.ts';
import { createWaitLimit } from './wait-limit.ts';

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
