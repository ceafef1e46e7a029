/**
 * Limits the work of a search on the main thread, which must not be occupied for more than a few milliseconds.
 *
 * Every compiled statement calls `go_on()` at one in eight of the rows that it visits, in whatever index or table; see
 * `predicate-functions.ts`. A search that exceeds the ceiling is stopped and runs again on a reader thread.
 */

/** The ceiling of the search that runs on the main thread. */
export interface RowCeiling {
  /** Runs a search. Returns `undefined` when it was stopped because it would visit more rows. Errors: those of `search`. */
  within<Found>(maxRows: number, search: () => Found): Found | undefined;
  /** Counts eight more rows, and the characters of a document that will be tested; returns whether the search must stop; never outside of one. */
  isExceeded(testedCharacters?: number): boolean;
}

const rowsPerCheck = 8;
/** So few rows never take long, so their search runs whatever the clocks say. */
const untimedRows = 64;
/** How much processor time the other rows may take. The time alone would also stop a search that waits for a busy processor. */
const maxCpuMs = 10;
/** How much time they may take, in case the disk is slow. */
const maxMs = 100;
/** Looking for words in a text of this size takes some milliseconds. */
const maxTestedCharacters = 32_768;

/** The clocks of a thread, in milliseconds. */
export interface ThreadClocks {
  nowMs(): number;
  cpuMs(): number;
}

const threadClocks: ThreadClocks = {
  nowMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

/** Creates the ceiling of one connection. */
export function createRowCeiling({ nowMs, cpuMs }: ThreadClocks = threadClocks): RowCeiling {
  let [maxRows, rows, characters] = [Number.POSITIVE_INFINITY, 0, 0];
  let timed: { readonly startedMs: number; readonly startedCpuMs: number } | undefined;
  let isOver = false;
  /** Reads the processor time only when the time allows for so much of it, because that takes longer. */
  const isLate = () => {
    timed ??= { startedMs: nowMs(), startedCpuMs: cpuMs() };
    const ms = nowMs() - timed.startedMs;
    return ms > maxMs || (ms > maxCpuMs && cpuMs() - timed.startedCpuMs > maxCpuMs);
  };
  return {
    within(limit, search) {
      [maxRows, rows, characters, timed, isOver] = [limit, 0, 0, undefined, false];
      try {
        return search();
      } catch (error) {
        if (!isOver) throw error;
        return undefined;
      } finally {
        maxRows = Number.POSITIVE_INFINITY;
      }
    },
    isExceeded(testedCharacters) {
      if (maxRows === Number.POSITIVE_INFINITY) return false;
      if (testedCharacters === undefined) rows += rowsPerCheck;
      else characters += testedCharacters;
      isOver ||= rows > maxRows || characters > maxTestedCharacters || (rows > untimedRows && isLate());
      return isOver;
    },
  };
}
