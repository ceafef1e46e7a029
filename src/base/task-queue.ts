/**
 * Limits how many tasks run at once; other tasks wait in the order of their arrival.
 */

/** A queue of running and waiting tasks. */
export interface TaskQueue {
  /** Returns how many tasks wait. */
  waiting(): number;
  /** Runs a task as soon as fewer than the maximum are running. */
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
        // The next task takes over the slot, so that no new task can overtake it.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
