/**
 * Builds what limits the senders of an instance: the counts of their wrong credentials, and their rate limits with the meter of the work
 * of their requests.
 */
import { createRateLimits, type RateLimits } from '../../access/rate-limits.ts';
import { createWrongCredentials, type WrongCredentials } from '../../access/wrong-credentials.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import { createWorkMeter } from '../../base/work-meter.ts';
import { createRateLimiter, type RateLimiter } from '../../http/request/rate-limiter.ts';
import type { Config } from '../config/config.ts';

/** The limits; those of rates are absent without the setting. */
export interface RateLimiting {
  /** The wrong credentials of API clients, which the workers of a server count together. */
  readonly wrongCredentials: WrongCredentials;
  readonly rateLimits?: RateLimits;
  readonly rateLimiter?: RateLimiter;
  /** Returns the function that says that the work of the current request continues. */
  readonly follow?: () => (() => void) | undefined;
}

/** Creates the parts. */
export function createRateLimiting({ rateLimit }: Config, origins: RequestOrigins): RateLimiting {
  const wrongCredentials = createWrongCredentials();
  if (rateLimit === undefined) return { wrongCredentials };
  const rateLimits = createRateLimits(rateLimit);
  const rateLimiter = createRateLimiter({ limits: rateLimits, meter: createWorkMeter() });
  return { wrongCredentials, rateLimits, rateLimiter, follow: () => origins.current().continueWork };
}
