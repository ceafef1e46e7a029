/**
 * Keeps several tasks under way at once, until one fails or all are to stop; what is under way then is awaited.
 */

/** Tasks under way. */
export interface TaskPool {
  /** Waits until there is room for one more and `isReady`; false says that there is to be no other. */
  waitForRoom(isReady: () => boolean): Promise<boolean>;
  start(task: () => Promise<void>): void;
  /** There is to be no other, for this reason. */
  fail(error: unknown): void;
  isStopping(): boolean;
  /** Waits for what is under way. Errors: the first that made it stop. */
  end(): Promise<void>;
}

/** Makes a pump; `isReady` of a waiting task may depend on nothing but the ends of others. */
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
