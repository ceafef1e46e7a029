/**
 * Limits how long the searches of one round of the event loop run on the main thread together. Each of them is short, but one request
 * may start many at once, as a GraphQL query with many lists does.
 *
 * New searches and those that wait have a part each: a short search need not wait for many long ones, and none waits forever. Those
 * that wait run in their order.
 */

import { queryTooCostly } from '../../../base/errors.ts';

export interface MainThreadBudget {
  /** Runs a search: at once while this round has time left for new ones, otherwise in a later round. Errors: those of the search. */
  run<Found>(search: () => Found): Promise<Found>;
}

/** How long the searches of each part may run in a round; a search that has begun ends whatever it takes. */
const maxMs = 5;
/** Searches that take less are not counted: a round has room for many of them. */
const leastMs = 0.5;

/** Creates the budget; `nowMs` is a clock in milliseconds. */
export function createMainThreadBudget(nowMs: () => number = () => performance.now()): MainThreadBudget {
  const waiting: (() => void)[] = [];
  const spentMs = { fresh: 0, waiting: 0 };
  let isRoundDue = false;

  function requestRound(): void {
    if (!isRoundDue) setImmediate(beginRound);
    isRoundDue = true;
  }

  function beginRound(): void {
    isRoundDue = false;
    Object.assign(spentMs, { fresh: 0, waiting: 0 });
    while (spentMs.waiting <= maxMs) {
      const begin = waiting.shift();
      if (!begin) return;
      begin();
    }
    requestRound();
  }

  function spend<Found>(part: keyof typeof spentMs, search: () => Found): Found {
    const startedMs = nowMs();
    try {
      return search();
    } finally {
      const ms = nowMs() - startedMs;
      if (ms >= leastMs) {
        spentMs[part] += ms;
        requestRound();
      }
    }
  }

  return {
    async run(search) {
      if (spentMs.fresh <= maxMs) return spend('fresh', search);
      requestRound();
      const begin = async () => spend('waiting', search);
      return new Promise((resolve) => waiting.push(() => resolve(begin())));
    },
  };
}

// Limits the work of a search on the main thread, which must not be occupied for more than a few milliseconds.
//
// Every compiled statement calls `go_on()` at one in eight of the rows that it visits, in whatever index or table; see
// `value-test.ts`. A search that exceeds the ceiling is stopped and runs again on a reader thread.

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
const maxReadMs = 100;
/** Looking for words in a text of this size takes some milliseconds. */
const maxTestedCharacters = 32_768;

/** The clocks of a thread, in milliseconds. */
interface ThreadClocks {
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
    return ms > maxReadMs || (ms > maxCpuMs && cpuMs() - timed.startedCpuMs > maxCpuMs);
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

/** The budget of one thread, which runs one search at a time. */
interface TimeBudget {
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
