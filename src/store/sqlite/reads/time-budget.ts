/**
 * The budget of time of the searches on a reader thread. It begins when a search begins: waiting does not count.
 */
import { queryTooCostly } from '../../../base/errors.ts';

/** The budget of one thread, which runs one search at a time. */
export interface TimeBudget {
  /** Runs a search, which may take `moreMs` longer than others. Errors: query_too_costly when it was stopped for lack of time, those of `search`. */
  spend<Found>(search: () => Found, moreMs?: number): Found;
  /** Whether the running search has used up its time and must stop. */
  isUsedUp(): boolean;
}

/** Creates the budget; each search may run for `queryMs`. */
export function createTimeBudget(queryMs: number, now: () => number = () => performance.now()): TimeBudget {
  let endMs = 0;
  let isOver = false;
  return {
    spend(search, moreMs = 0) {
      [endMs, isOver] = [now() + queryMs + moreMs, false];
      try {
        return search();
      } catch (error) {
        throw isOver ? queryTooCostly() : error;
      }
    },
    isUsedUp() {
      isOver ||= now() > endMs;
      return isOver;
    },
  };
}
