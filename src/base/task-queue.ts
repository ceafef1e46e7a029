/**
 * Limits how many tasks run at once; further tasks wait in the order they arrived.
 */

/** Tasks that run and wait. */
export interface TaskQueue {
  /** Returns how many tasks wait. */
  waiting(): number;
  /** Runs a task in its turn. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Creates an empty queue. */
export function createTaskQueue(maxRunning: number): TaskQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    waiting: () => waiting.length,
    async run(task) {
      if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await task();
      } finally {
        // The next task inherits the place, so that none can slip in between.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
