/**
 * Entry of a reader thread: runs queries, whose time grows with the store, away from the event loop.
 */
import { createQueryRunner, openConnection, type Query } from '../connection.ts';
import { definePredicateFunctions } from '../reads/predicate-functions.ts';
import { type DocumentRequest, readDocuments } from '../reads/read-documents.ts';
import { serveCalls } from './worker-calls.ts';

/** What the thread is started with. */
export interface ReaderData {
  readonly file: string;
  /** How much one statement may keep in memory, beside what it answers. */
  readonly maxKeptBytes: number;
}

/** What the thread is asked: the rows of queries, or documents. */
export type ReadRequest = readonly Query[] | DocumentRequest;

const busyMs = 5_000;
/** A long query shares its time with no other one. */
const limits = { calls: 1, bytes: 0, sizeOf: () => 0 };

serveCalls<ReadRequest, ReaderData>({
  limits,
  start({ data: { file, maxKeptBytes }, isStopped }) {
    const database = openConnection({ file, busyMs, mustExist: true });
    const functions = definePredicateFunctions(database, { isStopped, maxKeptBytes });
    const { run, inOneState, close } = createQueryRunner(database, functions);
    const answer = (request: ReadRequest) =>
      'maxBytes' in request ? inOneState((all) => readDocuments(all, request)) : run(request);
    return {
      ready: true,
      run: (requests) => requests.map((request) => settle(() => answer(request))),
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
