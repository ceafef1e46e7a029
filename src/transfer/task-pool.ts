/**
 * Runs a limited number of tasks at once, until one fails or a signal stops the pool. Tasks under way are always awaited.
 */

/** A pool of running tasks. */
export interface TaskPool {
  /** Waits until the pool has room and `isReady` holds. Returns false when the pool is stopping. */
  waitForRoom(isReady: () => boolean): Promise<boolean>;
  start(task: () => Promise<void>): void;
  /** Stops the pool with this error. */
  fail(error: unknown): void;
  isStopping(): boolean;
  /** Waits for the running tasks. Errors: the first that stopped the pool. */
  end(): Promise<void>;
}

/** Creates a pool. `isReady` may only change when a running task ends. */
export function createTaskPool(limit: number, signal: AbortSignal): TaskPool {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const isStopping = () => failures.length > 0 || signal.aborted;
  const fail = (error: unknown) => void failures.push(error);
  return {
    async waitForRoom(isReady) {
      while (!isStopping() && (underWay.size >= limit || !isReady())) await Promise.race(underWay);
      return !isStopping();
    },
    start(task) {
      const ended = task()
        .catch(fail)
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
    },
    fail,
    isStopping,
    async end() {
      await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
  };
}
