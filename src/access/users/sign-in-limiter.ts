/**
 * Limits password attempts by account and address, and the number of scrypt computations at a time.
 *
 * Failed attempts are counted by account, whether it exists or not, and by client address. An address may be shared by an office,
 * so its limit is five times as high. A known device is counted separately, so that no stranger can lock its user out.
 */

import { tooManyAttempts } from '../../base/errors.ts';
import { networkOf } from '../../base/network-of.ts';
import { createTaskQueue } from '../../base/task-queue.ts';
import { toEmail } from './email.ts';
import type { AttemptKey, FailedAttempts } from './failed-attempts.ts';

/** The origin of an attempt to sign in. */
export interface SignInOrigin {
  readonly email: string;
  /** The IP address of the client, if known. */
  readonly address?: string | undefined;
  /** The ID of a device from which the user of this email has signed in before. */
  readonly deviceId?: string | undefined;
}

/** Limits attempts to sign in. */
export interface SignInLimiter {
  /** Runs `verify`, which returns nothing for a wrong password. Errors: too_many_attempts, and those of `verify`. */
  run<User>(origin: SignInOrigin, verify: () => Promise<User | undefined>): Promise<User | undefined>;
}

/** How many attempts may fail for one account, or from one known device, before the next has to wait. */
export const freePerAccount = 5;
/** How many attempts may fail for one client address. */
export const freePerAddress = 25;

/** Passwords get half of Node's threads for slow work, which files and DNS use, too. */
const maxRunning = 2;
/** About five seconds of work. */
const maxWaiting = 50;
const queueSeconds = 5;

/** Creates a limiter over the failed attempts counted in a store. */
export function createSignInLimiter(attempts: FailedAttempts): SignInLimiter {
  const queue = createTaskQueue(maxRunning);

  /** Counts an attempt under each key, or under none if one of them has too many. */
  async function begin(keys: readonly AttemptKey[]): Promise<void> {
    const begun: AttemptKey[] = [];
    try {
      for (const key of keys) {
        await attempts.begin(key);
        begun.push(key);
      }
    } catch (error) {
      await takeBack(begun);
      throw error;
    }
  }

  async function takeBack(keys: readonly AttemptKey[]): Promise<void> {
    for (const key of keys) await attempts.takeBack(key);
  }

  return {
    async run(origin, verify) {
      const [own, ...shared] = keysOf(origin);
      // Counted as failed until it succeeds, so that simultaneous attempts count each.
      await begin([own, ...shared]);
      try {
        if (origin.deviceId === undefined && queue.waiting() >= maxWaiting)
          throw tooManyAttempts(queueSeconds);
        const user = await queue.run(verify);
        if (user) {
          await attempts.forget(own);
          await takeBack(shared);
        }
        return user;
      } catch (error) {
        await takeBack([own, ...shared]);
        throw error;
      }
    },
  };
}

/** Lists the keys an attempt is counted under: first the one of the user, then the one that others share. */
function keysOf({ email, address, deviceId }: SignInOrigin): [AttemptKey, ...AttemptKey[]] {
  if (deviceId !== undefined) return [{ name: `device ${deviceId}`, free: freePerAccount }];
  const account = { name: `account ${toEmail(email)}`, free: freePerAccount };
  if (address === undefined) return [account];
  return [account, { name: `address ${networkOf(address)}`, free: freePerAddress }];
}
