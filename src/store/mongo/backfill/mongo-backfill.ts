/**
 * The calls of a backfill on MongoDB, apart from the replacement of documents.
 */
import type { BackfillCalls } from '../../backfill-calls.ts';
import type { Database } from '../database.ts';
import { cleanupLeaseId } from '../indexes/remove-unused.ts';
import { readBackfillState, writeBackfillState } from './backfill-state.ts';
import type { DocumentRewriter } from './rewrite-documents.ts';

/** What the calls need of their store. */
export interface MongoBackfillOptions {
  readonly rewrite: DocumentRewriter;
  /** The time without a report after which a process no longer counts as serving. */
  readonly expiryMs: number;
}

/** Creates the calls over an open database. Their errors: the driver's, and those of `rewrite`. */
export function createMongoBackfill(
  database: Database,
  { rewrite, expiryMs }: MongoBackfillOptions,
): BackfillCalls {
  const { store, serving } = database;
  return {
    readState: () => readBackfillState(store),
    writeState: (state) => writeBackfillState(store, state),
    rewrite,
    async readServing() {
      const seen = { $gte: new Date((await database.readClock()).getTime() - expiryMs) };
      const running = { _id: { $ne: cleanupLeaseId }, stopped: { $ne: true }, seen };
      const records = await serving.find(running, { projection: { types: 1 } }).toArray();
      return records.flatMap(({ types }) => types ?? []);
    },
  };
}
