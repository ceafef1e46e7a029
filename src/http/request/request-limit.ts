/**
 * Limits the number of requests in progress, and so the memory that they need. Health checks are not limited.
 */
import { tooManyRequests } from '../../base/errors.ts';
import type { Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';

/** Counts the requests in progress. */
export interface RequestCounter {
  /** Counts a request that begins. Returns whether it exceeds the limit. */
  begin(): boolean;
  end(): void;
}

/** Creates the counter. */
export function createRequestCounter(maxRequests: number): RequestCounter {
  let inProgress = 0;
  return {
    begin: () => ++inProgress > maxRequests,
    end() {
      inProgress--;
    },
  };
}

/** Counts a request that begins. Returns the members of its locals. */
export function beginRequest(
  counter: RequestCounter,
): Pick<RequestLocals, 'exceedsRequestLimit' | 'leaveRequestLimit'> {
  let isCounted = true;
  return {
    exceedsRequestLimit: counter.begin(),
    leaveRequestLimit() {
      if (isCounted) counter.end();
      isCounted = false;
    },
  };
}

/** Rejects a marked request. Each API calls it, so that the error has the form of the API. Errors: too_many_requests. */
export function assertWithinRequestLimit({ locals }: Pick<Response, 'locals'>): void {
  if ((locals as RequestLocals).exceedsRequestLimit) throw tooManyRequests();
}
