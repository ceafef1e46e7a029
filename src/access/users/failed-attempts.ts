/**
 * Counts failed attempts under keys, such as an account or a network address, and decides how long the next one must wait.
 *
 * The counts are records in the store, shared by all its processes. Each change requires the version that was read, so that any
 * number of simultaneous attempts cannot exceed the limit.
 */
import { isDomainError, tooManyAttempts } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { deleteExpired, deleteRecord } from '../expiring-records.ts';

/** What attempts are counted under; `free` of them may fail before the next has to wait. */
export interface AttemptKey {
  readonly name: string;
  readonly free: number;
}

/** The failed attempts of many keys. */
export interface FailedAttempts {
  /** Counts an attempt in advance, as if it failed. Errors: too_many_attempts when it must wait; then it is not counted. */
  begin(key: AttemptKey): Promise<void>;
  /** Subtracts an attempt that did not fail. */
  takeBack(key: AttemptKey): Promise<void>;
  /** Forgets all attempts of a key. */
  forget(key: AttemptKey): Promise<void>;
}

/** How long after the last failed attempt, and after any wait for it, all attempts of a key are forgotten. */
const memoryMs = 15 * 60 * 1000;
/** How long the first attempt beyond the limit must wait; each further one waits twice as long. */
const firstWaitMs = 30 * 1000;
/** The longest wait. */
const longestWaitMs = 15 * 60 * 1000;

/** How often a change is tried when other attempts of the same key interfere; then there are too many attempts. */
const maxTries = 20;

const attemptsType = 'com.colophon.system.FailedAttempts';

/** Creates the counter, which keeps its records in the system's content service. */
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

  return { begin, takeBack, forget: (key) => deleteRecord(system, toRecordId(key)) };
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
