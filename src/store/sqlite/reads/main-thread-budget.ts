/**
 * Limits how long the searches of one round of the event loop run on the main thread together. Each of them is short, but one request
 * may start many at once, as a GraphQL query with many lists does.
 */
import { createEventLoopTurns } from '../threads/event-loop-turns.ts';

/** The budget of the main thread. */
export interface MainThreadBudget {
  /** Returns a promise to wait for before the next search; `undefined` while this round has time left. */
  wait(): Promise<void> | undefined;
  /** Runs a search and counts its time. */
  spend<Found>(search: () => Found): Found;
}

/** How long the searches of a round may run; a search that has begun ends whatever it takes. */
const maxMs = 10;
/** Searches that take less are not counted: a round has room for many of them. */
const leastMs = 0.5;

/** Creates the budget; `nowMs` is a clock in milliseconds. */
export function createMainThreadBudget(nowMs: () => number = () => performance.now()): MainThreadBudget {
  const takeTurn = createEventLoopTurns();
  let spentMs = 0;
  const beginRound = () => {
    spentMs = 0;
  };
  return {
    wait: () => (spentMs > maxMs ? takeTurn() : undefined),
    spend(search) {
      const startedMs = nowMs();
      try {
        return search();
      } finally {
        const ms = nowMs() - startedMs;
        if (ms >= leastMs) {
          if (spentMs === 0) setImmediate(beginRound);
          spentMs += ms;
        }
      }
    },
  };
}
