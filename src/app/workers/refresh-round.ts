/**
 * Asks workers to read their records again, and waits until each has done so or has ended.
 */
import type { WorkerProcess } from './worker-process.ts';

/** The rounds of a parent. */
export interface RefreshRounds {
  /** Resolves when all workers that serve, except `sender`, have read their records again; at the latest after some seconds. */
  run(sender: WorkerProcess, workers: Iterable<WorkerProcess>): Promise<void>;
  /** A worker has answered the message with this number. */
  answered(number: number): void;
}

/** A worker that does not answer for so long is not waited for. It reads its records within a second of its next turn. */
const maxWaitMs = 3_000;

/** Creates the rounds. */
export function createRefreshRounds(): RefreshRounds {
  const pending = new Map<number, () => void>();
  let lastNumber = 0;

  function ask(worker: WorkerProcess): Promise<unknown> {
    const number = ++lastNumber;
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.set(number, resolve);
    const timer = setTimeout(resolve, maxWaitMs);
    worker.send({ kind: 'refresh', number });
    // A worker that starts may have read its records already, but answers no requests yet.
    const answer = worker.isReady() ? Promise.race([promise, worker.ended]) : Promise.resolve();
    return answer.finally(() => {
      clearTimeout(timer);
      pending.delete(number);
    });
  }

  return {
    async run(sender, workers) {
      await Promise.all([...workers].filter((worker) => worker !== sender).map(ask));
    },
    answered: (number) => pending.get(number)?.(),
  };
}
