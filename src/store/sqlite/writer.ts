/**
 * Entry of the writer thread: prepares the database file, then runs every write of this process.
 *
 * Writes that came in while the last commit was being synced share the next one: durability costs one sync for many.
 */
import { workerData } from 'node:worker_threads';
import type { WriteRequest } from './asset-writer.ts';
import { openConnection } from './connection.ts';
import { prepareSchema } from './schema.ts';
import { createStoredTypes, type TypeToStore } from './stored-types.ts';
import { type IndexChange, syncIndexes } from './sync-indexes.ts';
import { attemptMs } from './transaction.ts';
import { serveCalls } from './worker-serve.ts';
import { createWriteBatch, type SeveralWrites } from './write-batch.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly file: string;
  readonly types: readonly TypeToStore[];
}

/** What it tells when it is ready: the number of each class name, and what it did to the indexes. */
export interface WriterReady {
  readonly numbers: ReadonlyMap<string, number>;
  readonly changes: readonly IndexChange[];
}

const maxBatch = 256;

serveCalls<WriteRequest | SeveralWrites>({
  maxBatch,
  start() {
    const { file, types }: WriterData = workerData;
    const database = openConnection({ file, busyMs: attemptMs });
    const numbers = prepareSchema(database, { file, classes: types.map((type) => type.class) });
    const stored = createStoredTypes(types, numbers);
    const changes = syncIndexes(database, [...stored.values()]);
    return {
      ready: { numbers, changes } satisfies WriterReady,
      run: createWriteBatch(database, { types: stored }),
      close() {
        database.exec('PRAGMA wal_checkpoint(PASSIVE)');
        database.close();
      },
    };
  },
});
