/**
 * What limits the senders of an instance, which the workers of a server share.
 */

import { createWrongCredentials } from '../../access/authenticator.ts';
import { createRateLimits } from '../../access/rate-limits.ts';
import { createWorkMeter } from '../../base/work-meter.ts';
import { createUnseenConflicts } from '../../content/overlay/unseen-conflicts.ts';
import { createRateLimiter } from '../../http/request/limit-requests.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

/**
 * What limits the senders of an instance: the counts of their wrong credentials and of what they have found out about assets that they may
 * not see, and their rate limits if there is a setting.
 */
export type SenderLimits = ReturnType<typeof createSenderLimits>;

/** Creates the limits; `follow` returns the function that says that the work of the current request continues. */
export function createSenderLimits({ rateLimit }: Config, { origins }: Runtime) {
  const wrongCredentials = createWrongCredentials();
  const unseenConflicts = createUnseenConflicts();
  if (rateLimit === undefined) return { wrongCredentials, unseenConflicts };
  const rateLimits = createRateLimits(rateLimit);
  const rateLimiter = createRateLimiter({ limits: rateLimits, meter: createWorkMeter() });
  const follow = () => origins.current().continueWork;
  return { wrongCredentials, unseenConflicts, rateLimits, rateLimiter, follow };
}
