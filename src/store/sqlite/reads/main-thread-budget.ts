/**
 * Limits how long the searches of one round of the event loop run on the main thread together. Each of them is short, but one request
 * may start many at once, as a GraphQL query with many lists does.
 *
 * New searches and those that wait have a part each: a short search need not wait for many long ones, and none waits forever. Those
 * that wait run in their order.
 */

/** The budget of the main thread. */
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
