/**
 * Transactions, tried again while others are in their way, for no longer than `time-limits.ts` allows.
 *
 * The driver's own way tries for two minutes, and has no limit on what it waits for.
 */
import type { ClientSession, MongoClient } from 'mongodb';
import { isOutOfTime, isTransient, isUnknownCommit } from '../map-error.ts';
import { createRetries, operationLimitMs, withinLimit } from './time-limits.ts';

/** Runs work in a transaction, unless the work has ended it itself. Errors: those of the work; the driver's; store_busy. */
export async function inTransaction<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const retries = createRetries();
  for (;;) {
    try {
      return await runOnce(client, work);
    } catch (error) {
      if (!isTransient(error) || !retries.mayTryAgain()) throw error;
      await retries.pause();
    }
  }
}

async function runOnce<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = client.startSession();
  try {
    session.startTransaction({ maxCommitTimeMS: operationLimitMs });
    const result = await work(session);
    if (session.inTransaction()) await commit(session);
    return result;
  } finally {
    // What is left open is undone; a server that does not answer does so by itself later on.
    await withinLimit(() => session.endSession(), abortLimitMs).catch(() => {});
  }
}

const abortLimitMs = 1_000;

async function commit(session: ClientSession): Promise<void> {
  const retries = createRetries();
  for (;;) {
    try {
      await withinLimit(() => session.commitTransaction());
      return;
    } catch (error) {
      const isOpen = isUnknownCommit(error) && !isOutOfTime(error) && retries.mayTryAgain();
      if (!isOpen) throw error;
      await retries.pause();
    }
  }
}
