/**
 * Measures for whom the event loop works. All time that it is busy counts for the one that began or continued last, so the sum is exact,
 * and the parts are about right: what several continue in one round of the loop is told apart, what timers do is not.
 */

/** The work that was done for one request, in milliseconds. */
export interface Work {
  ms: number;
}

/** Measures the work of one process. */
export type WorkMeter = ReturnType<typeof createWorkMeter>;

/** Creates the meter. `busyMs` returns for how long the event loop has been busy. */
export function createWorkMeter(busyMs: () => number = () => performance.eventLoopUtilization().active) {
  let current: Work | undefined;
  let sinceMs = 0;
  /** Counts the time until now, so that all work is up to date. */
  function update(): void {
    const nowMs = busyMs();
    if (current) current.ms += nowMs - sinceMs;
    sinceMs = nowMs;
  }
  return {
    /** Counts the time from now on for this work. */
    continue(work: Work) {
      update();
      current = work;
    },
    update,
  };
}
