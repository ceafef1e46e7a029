/**
 * Repeats an attempt that failed. The waits in between grow and are random, so that many callers do not return at the same moment.
 */
import { randomFraction, sleep } from './clock-and-random.ts';

/** How long to wait between two attempts. */
export interface RetryWaits {
  /** The upper limit of the first random wait; it doubles with each attempt. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** The most that `Retry-After` may add. */
  readonly longestRetryAfterSeconds: number;
}

/** The waits of a client that sets none. */
const defaultWaits: RetryWaits = {
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  longestRetryAfterSeconds: 60,
};

/** When to repeat an attempt. */
export interface RetryRules {
  /** How often to repeat at most. */
  readonly retries: number;
  readonly waits?: RetryWaits | undefined;
  /** The seconds that the other side asks to wait, 0 when it does not; `undefined` when the error is final. */
  secondsToWait(error: unknown): number | undefined;
  /** Ends the waiting, with the signal's reason; does not end an attempt. */
  readonly signal?: AbortSignal | undefined;
}

/** Attempts until it succeeds. Throws the last attempt's error, or the signal's reason. */
export async function retry<Result>(attempt: () => Promise<Result>, rules: RetryRules): Promise<Result> {
  const { retries, waits = defaultWaits, signal } = rules;
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt();
    } catch (error) {
      const retryAfterSeconds = rules.secondsToWait(error);
      if (retryAfterSeconds === undefined || repeats >= retries) throw error;
      await pause(waitMs(repeats, retryAfterSeconds, waits), signal);
    }
  }
}

/** Waits. Throws the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await sleep(ms, signal);
}

/** How long to wait before the next attempt: as long as the server asks, plus a random time up to a limit that doubles. */
export function waitMs(repeats: number, retryAfterSeconds = 0, waits: RetryWaits = defaultWaits): number {
  const asked = Math.min(retryAfterSeconds, waits.longestRetryAfterSeconds) * 1000;
  return asked + randomFraction() * Math.min(waits.firstWaitMs * 2 ** repeats, waits.longestWaitMs);
}
