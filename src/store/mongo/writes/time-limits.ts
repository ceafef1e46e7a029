/**
 * Limits how long a write waits for MongoDB: for other transactions, for a majority, for an answer.
 *
 * MongoDB lets a write wait as long as another transaction holds the document; the transaction of a killed process holds it for
 * `transactionLifetimeLimitSeconds`. Each limit is sent to the server and also enforced here, in case the server does not
 * answer. A write that ran out of time may still have been applied.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../../base/errors.ts';
import { randomFraction } from '../../../base/runtime.ts';

/** The time limit of one operation on the server, and of the retries of a transaction that conflicts with others. */
export const operationLimitMs = 5_000;

/** The option that sends the limit to the server. */
export const limited = { maxTimeMS: operationLimitMs } as const;

/** The most assets that one command inserts. */
export const insertsAtOnce = 100;

/** The option for such a command, whose limit is longer. */
export const insertsLimited = { maxTimeMS: operationLimitMs + 20 * insertsAtOnce } as const;

/** This process waits a little longer than the server's limit, since the server's own error says more. */
const graceMs = 1_000;

/** Runs `work` and returns its result. Errors: those of `work`; store_busy when it takes longer than the limit. */
export async function withinLimit<Result>(
  work: () => Promise<Result>,
  limitMs: number = operationLimitMs + graceMs,
): Promise<Result> {
  const timer = new AbortController();
  const timeout = sleep(limitMs, undefined, { signal: timer.signal }).then(
    () => {
      throw storeBusy('MongoDB does not answer in time');
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    timer.abort();
  }
}

/** Like `withinLimit`, for a command that inserts at most `insertsAtOnce` assets. */
export const withinInsertsLimit = <Result>(work: () => Promise<Result>) =>
  withinLimit(work, insertsLimited.maxTimeMS + graceMs);

/** Limits the time of retries and pauses before each: longer each time, and randomly, so that rivals do not collide again. */
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
