/**
 * Counts failed attempts under keys, such as an account or a network address, and says how long the next one must wait.
 *
 * The counts are records in the store, so that all processes on it count together. Each change is conditional on the state
 * that was read: of any number of attempts at once, no more are let through than the limit allows.
 */
import { isDomainError, tooManyAttempts } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { deleteExpired, deleteRecord } from '../expiring-records.ts';

/** What attempts are counted under: `free` of them may fail before the next has to wait. */
export interface AttemptKey {
  readonly name: string;
  readonly free: number;
}

/** The failed attempts of many keys. */
export interface FailedAttempts {
  /** Counts an attempt before it is made, as if it failed. Errors: too_many_attempts, when it must wait; then it is not counted. */
  begin(key: AttemptKey): Promise<void>;
  /** Takes back an attempt that did not fail. */
  takeBack(key: AttemptKey): Promise<void>;
  /** Forgets all attempts of a key. */
  forget(key: AttemptKey): Promise<void>;
}

/** How long after the last failed attempt all of a key are forgotten; time spent waiting does not count. */
const memoryMs = 15 * 60 * 1000;
/** How long the first attempt beyond the limit must wait; each further one waits twice as long. */
const firstWaitMs = 30 * 1000;
/** The longest wait. */
const longestWaitMs = 15 * 60 * 1000;

/** How often a change is tried again when another attempt of the same key came between; beyond that, there are too many. */
const maxTries = 20;

const attemptsType = 'com.colophon.system.FailedAttempts';

/** Counts in the system's content service. */
export function createFailedAttempts({
  system,
  clock,
}: {
  system: ContentService;
  clock: Clock;
}): FailedAttempts {
  async function find(key: AttemptKey): Promise<StoredAsset | undefined> {
    try {
      return await system.get(toRecordId(key), {});
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  async function begin(key: AttemptKey): Promise<void> {
    await deleteExpired(system, attemptsType, clock.nowMs());
    await change(key, (failed) => {
      const waitMs = waitAfter(failed, key) - (clock.nowMs() - failed.lastAtMs);
      if (failed.count >= key.free && waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000));
      return { count: failed.count + 1, lastAtMs: clock.nowMs() };
    });
  }

  async function takeBack(key: AttemptKey): Promise<void> {
    await change(key, ({ count, lastAtMs }) => ({ count: Math.max(0, count - 1), lastAtMs }));
  }

  /** Replaces the count of a key by what `next` makes of it, unless another attempt came between; then tries again. */
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

  return { begin, takeBack, forget: (key) => deleteRecord(system, toRecordId(key)) };
}

/** How many attempts failed, and when the last one was made. */
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

/** How long the attempt after these has to wait, in milliseconds from the last one. */
function waitAfter({ count }: Failed, { free }: AttemptKey): number {
  return count < free ? 0 : Math.min(firstWaitMs * 2 ** (count - free), longestWaitMs);
}

/** The record of a key: made from its hash, so that no email or address is stored. */
const toRecordId = ({ name }: AttemptKey) => toHashedUuid(`failed attempts: ${name}`);
