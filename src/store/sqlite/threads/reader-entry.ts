/**
 * The entry of a reader thread: runs the queries whose time grows with the store, so that they do not block the event loop.
 */
import { type ChangesRequest, readChanges } from '../changes/read-changes.ts';
import { createQueryRunner, openConnection, type Query } from '../connection.ts';
import {
  type ExplainRequest,
  explainSearch,
  readWindow,
  type SearchRequest,
  type WindowRequest,
} from '../reads/explain-search.ts';
import { onThread, readPage } from '../reads/find-page.ts';
import { createRowCeiling, createTimeBudget } from '../reads/search-budget.ts';
import { definePredicateFunctions } from '../reads/value-test.ts';
import { serveCalls } from './worker-calls.ts';

/** The start data of the thread. */
export interface ReaderData {
  readonly file: string;
  /** How many bytes one statement may keep in memory, besides its result. */
  readonly maxKeptBytes: number;
  /** How long one request may take. */
  readonly queryMs: number;
}

/**
 * A request to the thread: for the rows of queries, for a page, for a window of a page by cursor, to explain a search, or to the
 * change log.
 */
export type ReadRequest =
  | readonly Query[]
  | (SearchRequest & { readonly kind: 'find' })
  | WindowRequest
  | ExplainRequest
  | ChangesRequest;

const busyMs = 5_000;
/** Requests run one at a time, so that no answer waits for another query. */
const limits = { calls: 1, bytes: 0 };

serveCalls<ReadRequest, ReaderData>({
  start({ data: { file, maxKeptBytes, queryMs }, isStopped: isAbandoned }) {
    const database = openConnection({ file, busyMs, mustExist: true });
    const budget = createTimeBudget(queryMs);
    const ceiling = createRowCeiling();
    let rowsVisited = 0;
    const isStopped = (testedCharacters?: number) => {
      if (testedCharacters === undefined) rowsVisited++;
      return isAbandoned() || budget.isUsedUp() || ceiling.isExceeded(testedCharacters);
    };
    const functions = definePredicateFunctions(database, { isStopped, maxKeptBytes });
    const { run, inSnapshot, close } = createQueryRunner(database, functions);
    const visited = { count: () => rowsVisited, within: ceiling.within };
    const answer = (request: ReadRequest) => {
      if (!('kind' in request)) return run(request);
      return inSnapshot((all) => {
        switch (request.kind) {
          case 'find':
            return { rows: [], rest: [], ...readPage(onThread(all), request.find, request.types) };
          case 'window':
            return readWindow(all, request);
          case 'explain':
            return explainSearch(all, request, visited);
          default:
            return readChanges(all, request);
        }
      });
    };
    return {
      ready: true,
      limits,
      run: (requests) =>
        requests.map((request) => settle(() => budget.spend(() => answer(request), moreMsFor(request)))),
      close,
    };
  },
});

/** How much longer than a search a window may take, so that every page by cursor gets ahead. */
const windowMs = 1_000;

const moreMsFor = (request: ReadRequest) =>
  'kind' in request && request.kind === 'window' && request.isPart ? windowMs : 0;

function settle<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
