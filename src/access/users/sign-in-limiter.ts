/**
 * Limits password attempts by account and address, and the number of scrypt computations at a time.
 *
 * Failed attempts are counted by account, whether it exists or not, and by client address. An address may be shared by an office,
 * so its limit is five times as high. A known device is counted separately, so that no stranger can lock its user out.
 */

import { isDomainError, tooManyAttempts, unlessError } from '../../base/errors.ts';
import { createTaskQueue } from '../../base/fair-queue.ts';
import { networkOf } from '../../base/request-origin.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { deleteExpired, deleteRecord } from '../expiring-records.ts';
import { toEmail } from './user-record.ts';

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

// Counts failed attempts under keys, such as an account or a network address, and decides how long the next one must wait.
//
// The counts are records in the store, shared by all its processes. Each change requires the version that was read, so that any
// number of simultaneous attempts cannot exceed the limit.

/** What attempts are counted under; `free` of them may fail before the next has to wait. */
interface AttemptKey {
  readonly name: string;
  readonly free: number;
}

/** The failed attempts of many keys. */
export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/** How long after the last failed attempt, and after any wait for it, all attempts of a key are forgotten. */
const memoryMs = 15 * 60 * 1000;
/** How long the first attempt beyond the limit must wait; each further one waits twice as long. */
const firstWaitMs = 30 * 1000;
const longestWaitMs = 15 * 60 * 1000;

/** How often a change is tried when other attempts of the same key interfere; then there are too many attempts. */
const maxTries = 20;

const attemptsType = 'com.colophon.system.FailedAttempts';

/** Creates the counter, which keeps its records in the system's content service. */
export function createFailedAttempts({ system, clock }: { system: ContentService; clock: Clock }) {
  async function find(key: AttemptKey): Promise<StoredAsset | undefined> {
    return unlessError(system.get(toRecordId(key), {}), 'not_found');
  }

  /** Counts an attempt in advance, as if it failed. Errors: too_many_attempts when it must wait; then it is not counted. */
  async function begin(key: AttemptKey): Promise<void> {
    await deleteExpired(system, attemptsType, clock.nowMs());
    await change(key, (failed) => {
      const waitMs = waitAfter(failed, key) - (clock.nowMs() - failed.lastAtMs);
      if (failed.count >= key.free && waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000));
      return { count: failed.count + 1, lastAtMs: clock.nowMs() };
    });
  }

  /** Subtracts an attempt that did not fail. */
  async function takeBack(key: AttemptKey): Promise<void> {
    await change(key, ({ count, lastAtMs }) => ({ count: Math.max(0, count - 1), lastAtMs }));
  }

  /** Changes the count of a key by `next`; tries again when another attempt has changed it meanwhile. */
  async function change(key: AttemptKey, next: (failed: Failed) => Failed): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      const stored = await find(key);
      if (await isKept(key, stored, next(toFailed(stored, clock)))) return;
    }
    throw tooManyAttempts(1);
  }

  async function isKept(key: AttemptKey, stored: StoredAsset | undefined, failed: Failed): Promise<boolean> {
    const { count, lastAtMs } = failed;
    const fields = { count, lastAt: lastAtMs, expiresAt: lastAtMs + waitAfter(failed, key) + memoryMs };
    try {
      if (stored) {
        await system.update({ id: stored.asset._id, body: fields, ifVersions: [stored.version] }, {});
      } else await system.create({ _id: toRecordId(key), _type: attemptsType, ...fields }, {});
      return true;
    } catch (error) {
      const others = ['precondition_failed', 'not_found', 'id_in_use'] as const;
      if (others.some((code) => isDomainError(error, code))) return false;
      throw error;
    }
  }

  return {
    begin,
    takeBack,
    forget: (key: AttemptKey): Promise<void> => deleteRecord(system, toRecordId(key)),
  };
}

/** How many attempts failed, and when the last one was. */
interface Failed {
  readonly count: number;
  readonly lastAtMs: number;
}

function toFailed(stored: StoredAsset | undefined, clock: Clock): Failed {
  const isRemembered = stored !== undefined && Number(stored.asset.expiresAt) > clock.nowMs();
  return isRemembered
    ? { count: Number(stored.asset.count), lastAtMs: Number(stored.asset.lastAt) }
    : { count: 0, lastAtMs: clock.nowMs() };
}

/** Returns how long the next attempt has to wait, in milliseconds from the last one. */
function waitAfter({ count }: Failed, { free }: AttemptKey): number {
  return count < free ? 0 : Math.min(firstWaitMs * 2 ** (count - free), longestWaitMs);
}

/** Returns the record ID of a key. It is made from a hash, so that no email or address is stored. */
const toRecordId = ({ name }: AttemptKey) => toHashedUuid(`failed attempts: ${name}`);
