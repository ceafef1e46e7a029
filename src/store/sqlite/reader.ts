/**
 * Entry of a reader thread: runs queries, whose time grows with the store, away from the event loop.
 */
import { workerData } from 'node:worker_threads';
import { createQueryRunner, openConnection, type Query } from './connection.ts';
import { definePredicateFunctions } from './predicate-functions.ts';
import { serveCalls } from './worker-serve.ts';

/** What the thread is started with. */
export interface ReaderData {
  readonly file: string;
}

const busyMs = 5_000;

serveCalls<readonly Query[]>({
  maxBatch: 1,
  start() {
    const { file }: ReaderData = workerData;
    const database = openConnection({ file, busyMs });
    definePredicateFunctions(database);
    const { run, close } = createQueryRunner(database);
    return {
      ready: undefined,
      run: (requests) => requests.map((queries) => settle(() => run(queries))),
      close,
    };
  },
});

function settle<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
