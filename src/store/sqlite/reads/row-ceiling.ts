/**
 * Limits the work of a search on the main thread, which must not be occupied for more than a few milliseconds.
 *
 * Every compiled statement calls `go_on()` at every eighth row that it visits, in whatever index or table; see
 * `predicate-functions.ts`. A search that exceeds the ceiling is stopped and runs again on a reader thread.
 */

/** The ceiling of the search that runs on the main thread. */
export interface RowCeiling {
  /** Runs a search. Returns `undefined` when it was stopped because it would visit more rows. Errors: those of `search`. */
  within<Found>(maxRows: number, search: () => Found): Found | undefined;
  /** Counts eight more rows, and the characters of a document that will be tested; returns whether the search must stop. */
  isExceeded(testedCharacters?: number): boolean;
}

const rowsPerCheck = 8;
/** So few rows never take long, so a search of them runs whatever the clock says. */
const untimedRows = 256;
/** How long a search with more rows may take. */
const maxMs = 10;
/** Looking for words in a text of this size takes some ten milliseconds. */
const maxTestedCharacters = 262_144;

/** Creates the ceiling of one connection. */
export function createRowCeiling(now: () => number = () => performance.now()): RowCeiling {
  let [maxRows, rows, characters, startedMs] = [0, 0, 0, 0];
  let isOver = false;
  return {
    within(limit, search) {
      [maxRows, rows, characters, startedMs, isOver] = [limit, 0, 0, now(), false];
      try {
        return search();
      } catch (error) {
        if (!isOver) throw error;
        return undefined;
      }
    },
    isExceeded(testedCharacters) {
      if (testedCharacters === undefined) rows += rowsPerCheck;
      else characters += testedCharacters;
      isOver ||= rows > maxRows || characters > maxTestedCharacters;
      isOver ||= rows > untimedRows && now() - startedMs > maxMs;
      return isOver;
    },
  };
}
