/**
 * Runs transactions, and repeats them after conflicts with others, within the time limits of writes.
 *
 * The driver's own `withTransaction` repeats them for two minutes and does not limit the time of one operation.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, MongoClient } from 'mongodb';
import { storeBusy } from '../../../base/errors.ts';
import { randomFraction } from '../../../base/runtime.ts';
import { isOutOfTime, isTransient, isUnknownCommit } from '../map-error.ts';

/** Where a transaction runs. */
interface TransactionPlace {
  readonly client: MongoClient;
  readonly session?: ClientSession | undefined;
}

/**
 * Runs work in a transaction and commits it unless the work ended it. Uses the given session, or starts one.
 *
 * Errors: those of the work; the driver's; store_busy.
 */
export async function inTransaction<Result>(
  { client, session }: TransactionPlace,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const retries = createRetries();
  for (;;) {
    try {
      return await runOnce({ client, session }, work);
    } catch (error) {
      if (!isTransient(error) || !retries.mayTryAgain()) throw error;
      await retries.pause();
    }
  }
}

async function runOnce<Result>(
  { client, session: given }: TransactionPlace,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = given ?? client.startSession();
  try {
    session.startTransaction({ maxCommitTimeMS: operationLimitMs });
    const result = await work(session);
    if (session.inTransaction()) await commit(session);
    return result;
  } finally {
    // This rolls back an open transaction; a server that does not answer rolls it back later by itself.
    const end = () => (given ? abort(given) : session.endSession());
    await withinLimit(end, abortLimitMs).catch(() => {});
  }
}

async function abort(session: ClientSession): Promise<void> {
  if (session.inTransaction()) await session.abortTransaction();
}

const abortLimitMs = 1_000;

async function commit(session: ClientSession): Promise<void> {
  const retries = createRetries();
  for (;;) {
    try {
      await withinLimit(() => session.commitTransaction());
      return;
    } catch (error) {
      const mayRetry = isUnknownCommit(error) && !isOutOfTime(error) && retries.mayTryAgain();
      if (!mayRetry) throw error;
      await retries.pause();
    }
  }
}

// Limits how long a write waits for MongoDB: for other transactions, for a majority, for an answer.
//
// MongoDB lets a write wait as long as another transaction holds the document; the transaction of a killed process holds it for
// `transactionLifetimeLimitSeconds`. Each limit is sent to the server and also enforced here, in case the server does not
// answer. A write that ran out of time may still have been applied.

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
function createRetries(): { mayTryAgain(): boolean; pause(): Promise<void> } {
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
