/**
 * Applies the rate limits to requests: measures the work of each, refuses those of senders without units, and describes the state in
 * the headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10).
 */
import type { RateLimits } from '../../access/rate-limits.ts';
import { rateLimited } from '../../base/errors.ts';
import { nameSender, type RequestOrigin } from '../../base/request-origin.ts';
import type { WorkMeter } from '../../base/work-meter.ts';
import { addHeader } from '../response/response-headers.ts';
import type { Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';

/** The limits and the meter of a process. */
export interface RateLimiterParts {
  readonly limits: RateLimits;
  readonly meter: WorkMeter;
}

/** The limits as requests use them. */
export interface RateLimiter {
  /** Measures the work of a request, and charges it when the response has ended. */
  begin(response: Response): void;
  /** Sets the headers. Errors: rate_limited when the sender has no units left. */
  assertWithin(response: Response, origin: RequestOrigin): void;
}

/** Creates the limiter. */
export function createRateLimiter({ limits, meter }: RateLimiterParts): RateLimiter {
  const { unitsPerSecond, burst } = limits.limit;
  const policy = `"work";q=${burst};qu="milliseconds";w=${Math.ceil(burst / unitsPerSecond)}`;
  return {
    begin(response) {
      const locals = localsOf(response);
      const work = { ms: 0 };
      locals.work = work;
      locals.continueWork = () => meter.continue(work);
      meter.continue(work);
      response.once('close', () => {
        meter.update();
        if (locals.rateLimited !== undefined) limits.charge(locals.rateLimited, work.ms);
      });
    },
    assertWithin(response, origin) {
      const sender = nameSender(origin);
      localsOf(response).rateLimited = sender;
      addHeader(response, 'RateLimit-Policy', policy);
      const { remaining, secondsToFull, secondsToWait } = limits.stateOf(sender);
      addHeader(response, 'RateLimit', `"work";r=${remaining};t=${secondsToFull}`);
      if (secondsToWait > 0) throw rateLimited(secondsToWait);
    },
  };
}

/** The application sets the locals before any handler runs. */
const localsOf = ({ locals }: Response) => locals as RequestLocals;
