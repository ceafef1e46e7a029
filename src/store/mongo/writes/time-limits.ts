/**
 * How long a write may wait within MongoDB: for other transactions, for a majority, for an answer.
 *
 * MongoDB itself lets a write wait for as long as another transaction holds the document, which the transaction of a process
 * that was killed does for `transactionLifetimeLimitSeconds`. Each limit is told to the server, and kept here as well, in case
 * that the server does not answer; what was given up may have been done all the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../../base/errors.ts';
import { randomFraction } from '../../../base/runtime.ts';

/** How long the server may take for one operation, and how long transactions are tried again that others are in the way of. */
export const operationLimitMs = 5_000;

/** The option that tells the server. */
export const limited = { maxTimeMS: operationLimitMs } as const;

/** How many assets are inserted by one command, which has a limit of its own. */
export const insertsAtOnce = 100;
export const insertsLimited = { maxTimeMS: operationLimitMs + 20 * insertsAtOnce } as const;

/** The server's own word is waited for a little longer. */
const graceMs = 1_000;

/** What `work` gives, waited for no longer than its limit. Errors: those of `work`; store_busy when it takes longer. */
export async function withinLimit<Result>(
  work: () => Promise<Result>,
  limitMs: number = operationLimitMs + graceMs,
): Promise<Result> {
  const timer = new AbortController();
  const late = sleep(limitMs, undefined, { signal: timer.signal }).then(
    () => {
      throw storeBusy('MongoDB does not answer in time');
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work(), late]);
  } finally {
    timer.abort();
  }
}

/** As `withinLimit`, for a command of `insertsAtOnce` assets at most. */
export const withinInsertsLimit = <Result>(work: () => Promise<Result>) =>
  withinLimit(work, insertsLimited.maxTimeMS + graceMs);

/** Decides how long something may be tried again, and waits before it is: longer each time, so that rivals part. */
export function createRetries(): { mayTryAgain(): boolean; pause(): Promise<void> } {
  const endMs = performance.now() + operationLimitMs;
  let longestMs = 5;
  return {
    mayTryAgain: () => performance.now() < endMs,
    async pause() {
      longestMs = Math.min(500, 2 * longestMs);
      await sleep(randomFraction() * longestMs);
    },
  };
}
