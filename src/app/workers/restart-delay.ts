/**
 * Decides how long to wait before a worker is started again: not at all after one that has served for a while, else longer and longer.
 */

/** The delays of one worker. */
export interface RestartDelay {
  /** Records an end, and returns the time to wait in milliseconds. */
  next(servedMs: number): number;
  /** Whether the worker has ended so often without serving for a while that another start will hardly help. */
  isHopeless(): boolean;
}

/** A worker that has served for so long is not one that fails at once. */
const healthyMs = 10_000;
const maxWaitMs = 5_000;
/** The waits before this many failures add up to some ten seconds. */
const maxFailures = 8;

/** Creates the delays. */
export function createRestartDelay(): RestartDelay {
  let failures = 0;
  return {
    next(servedMs) {
      failures = servedMs >= healthyMs ? 0 : failures + 1;
      return failures > 1 ? Math.min(maxWaitMs, 100 * 2 ** (failures - 2)) : 0;
    },
    isHopeless: () => failures >= maxFailures,
  };
}
