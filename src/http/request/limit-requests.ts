/**
 * Limits requests: how many are in progress, how much work each sender causes, and how much memory their bodies take together.
 */

import type { RateLimits } from '../../access/rate-limits.ts';
import { rateLimited, tooManyRequests } from '../../base/errors.ts';
import { nameSender, type RequestOrigin } from '../../base/request-origin.ts';
import type { WorkMeter } from '../../base/work-meter.ts';
import { addHeader } from '../response/send-response.ts';
import type { RequestLocals, Response } from './request-head.ts';

/** Counts the requests in progress. */
type RequestCounter = ReturnType<typeof createRequestCounter>;

export function createRequestCounter(maxRequests: number) {
  let inProgress = 0;
  return {
    /** Counts a request that begins. Returns whether it exceeds the limit. */
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

// Applies the rate limits to requests: measures the work of each, refuses those of senders without units, and describes the state in
// the headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10).

/** The limits and the meter of a process. */
interface RateLimiterParts {
  readonly limits: RateLimits;
  readonly meter: WorkMeter;
}

/** The limits as requests use them. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function createRateLimiter({ limits, meter }: RateLimiterParts) {
  const { unitsPerSecond, burst } = limits.limit;
  const policy = `"work";q=${burst};qu="milliseconds";w=${Math.ceil(burst / unitsPerSecond)}`;
  return {
    /** Measures the work of a request, and charges it when the response has ended. */
    begin(response: Response) {
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
    /** Sets the headers. Errors: rate_limited when the sender has no units left. */
    assertWithin(response: Response, origin: RequestOrigin) {
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

// Bounds the memory of all bodies that a process holds together, each from its first byte until its request is answered.
//
// Beyond the bound, the body that began first, among those that have not ended, is refused: who sends slowly, or never to the end, does
// not keep others from sending. Small bodies are never refused, and very small ones that arrive at once not even counted, because the limit
// of requests in progress bounds them as well.

/** Bodies of at most this many bytes are never refused. */
const smallBytes = 65_536;

/** The memory of one body. */
export interface HeldBody {
  /** Changes the number of bytes held. */
  resize(bytes: number): void;
  /** Records that the body is complete, after which it is no longer refused. */
  complete(): void;
  /** Gives up the memory. */
  release(): void;
}

/** Counts the bytes of bodies. */
export type BodyMemory = ReturnType<typeof createBodyMemory>;

/** Creates the count. */
export function createBodyMemory({ maxBytes }: { maxBytes: number }) {
  let heldBytes = 0;
  /** In the order in which they began. */
  const incomplete = new Set<{ bytes: number; readonly refuse: () => void }>();

  function refuseOldest(): void {
    for (const body of incomplete) {
      if (body.bytes <= smallBytes) continue;
      body.refuse();
      return;
    }
  }

  return {
    /** Begins a body; `refuse` is called, once at most, when it must give up its memory. */
    hold(onRefused: () => void): HeldBody {
      const body = { bytes: 0, refuse };
      let isReleased = false;
      incomplete.add(body);

      function resize(bytes: number): void {
        if (isReleased) return;
        heldBytes += bytes - body.bytes;
        body.bytes = bytes;
        if (heldBytes > maxBytes) refuseOldest();
      }
      function release(): void {
        incomplete.delete(body);
        if (!isReleased) heldBytes -= body.bytes;
        isReleased = true;
      }
      function refuse(): void {
        release();
        onRefused();
      }
      return { resize, complete: () => incomplete.delete(body), release };
    },
  };
}
