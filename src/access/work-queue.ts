/**
 * Lets a few tasks run at once and some more wait for their turn, so that work that is slow on purpose leaves room for other work.
 */

/** Tasks that run and wait. */
export interface WorkQueue {
  /** Whether as many wait already as may. */
  isFull(): boolean;
  /** Runs a task when its turn has come. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Makes a queue with nothing in it. */
export function createWorkQueue({
  maxRunning,
  maxWaiting,
}: {
  maxRunning: number;
  maxWaiting: number;
}): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    isFull: () => waiting.length >= maxWaiting,
    async run(task) {
      if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await task();
      } finally {
        // Whoever waits takes the place over, so nobody can come in between.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
