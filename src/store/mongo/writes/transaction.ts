/**
 * Runs transactions, and repeats them after conflicts with others, within the limits of `time-limits.ts`.
 *
 * The driver's own `withTransaction` repeats them for two minutes and does not limit the time of one operation.
 */
import type { ClientSession, MongoClient } from 'mongodb';
import { isOutOfTime, isTransient, isUnknownCommit } from '../map-error.ts';
import { createRetries, operationLimitMs, withinLimit } from './time-limits.ts';

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
