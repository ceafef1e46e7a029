/**
 * The entry of a reader thread: runs the queries whose time grows with the store, so that they do not block the event loop.
 */
import { type ChangesRequest, readChanges } from '../changes/read-changes.ts';
import { createQueryRunner, openConnection, type Query } from '../connection.ts';
import { definePredicateFunctions } from '../reads/predicate-functions.ts';
import { type DocumentRequest, readDocuments } from '../reads/read-documents.ts';
import { createTimeBudget } from '../reads/time-budget.ts';
import { serveCalls } from './worker-calls.ts';

/** The start data of the thread. */
export interface ReaderData {
  readonly file: string;
  /** How many bytes one statement may keep in memory, besides its result. */
  readonly maxKeptBytes: number;
  /** How long one request may take. */
  readonly queryMs: number;
}

/** A request to the thread: for the rows of queries, for documents, or to the change log. */
export type ReadRequest = readonly Query[] | DocumentRequest | ChangesRequest;

const busyMs = 5_000;
/** Requests run one at a time, so that no answer waits for another query. */
const limits = { calls: 1, bytes: 0, sizeOf: () => 0 };

serveCalls<ReadRequest, ReaderData>({
  limits,
  start({ data: { file, maxKeptBytes, queryMs }, isStopped: isAbandoned }) {
    const database = openConnection({ file, busyMs, mustExist: true });
    const budget = createTimeBudget(queryMs);
    const isStopped = () => isAbandoned() || budget.isUsedUp();
    const functions = definePredicateFunctions(database, { isStopped, maxKeptBytes });
    const { run, inSnapshot, close } = createQueryRunner(database, functions);
    const answer = (request: ReadRequest) => {
      if ('maxBytes' in request) return inSnapshot((all) => readDocuments(all, request));
      return 'kind' in request ? inSnapshot((all) => readChanges(all, request)) : run(request);
    };
    return {
      ready: true,
      run: (requests) => requests.map((request) => settle(() => budget.spend(() => answer(request)))),
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
