/**
 * Keeps the workers of a parent running: starts the first one alone, because it prepares the store and creates the first accounts, then
 * the others together, and replaces each that ends.
 */

import type { Collected, Metric } from '../../base/metrics/metric.ts';
import { combineMetrics, keepCounted } from '../../base/metrics/print-metrics.ts';
import type { Logger } from '../../base/runtime.ts';
import type { SharedWriter } from '../../store/store-adapter.ts';
import { createProcessMetrics } from '../metrics/instance-metrics.ts';
import type { FirstAccounts } from '../server/first-accounts.ts';
import type { ConnectionSpread } from './connection-spread.ts';
import type { MessageToParent, MessageToWorker, WorkerStart } from './messages.ts';
import { type Program, startWorkerProcess, type WorkerEnd, type WorkerProcess } from './worker-process.ts';

/** The workers to keep running. */
interface WorkerPlan {
  readonly count: number;
  readonly program: Program;
  readonly start: Omit<WorkerStart, 'isFirst'>;
  readonly spread: ConnectionSpread;
  /** The writer that the workers share; absent when each worker writes itself. */
  readonly writer?: Pick<SharedWriter, 'join' | 'collect'> | undefined;
  /** How long the requests in progress of a worker may take after it was told to stop. */
  readonly shutdownMs: number;
  readonly logger: Logger;
  /** No worker runs, and none can be started. */
  readonly onLost: () => void;
}

/** Running workers. */
interface Workers {
  /** The accounts that the first worker has created. */
  readonly made: FirstAccounts;
  /** Stops all workers after their requests in progress. */
  stop(): Promise<void>;
}

/** The first worker has ended before it was ready; its log says why. */
export class WorkerStartError extends Error {
  readonly end: WorkerEnd;

  constructor(end: WorkerEnd) {
    super(`The first worker ended before it was ready${end.signal === null ? '' : `, by ${end.signal}`}`);
    this.end = end;
  }
}

/** A worker that has not ended so long after its time to stop is killed. */
const graceMs = 5_000;

/** Starts the workers; resolves when the first one serves. Errors: WorkerStartError. */
export async function superviseWorkers(plan: WorkerPlan): Promise<Workers> {
  const { count, program, spread, logger, shutdownMs } = plan;
  const workers = new Set<WorkerProcess>();
  const delays = new Map<number, RestartDelay>();
  const rounds = createRefreshRounds();
  const own = createProcessMetrics();
  const collections = {
    metrics: createMetricsRounds('metrics', () => [...own.collect(), ...(plan.writer?.collect() ?? [])]),
    'recent traffic': createMetricsRounds('recent traffic', () => []),
  };
  const first = Promise.withResolvers<FirstAccounts>();
  let hasStarted = false;
  let isStopping = false;

  function run(number: number): void {
    const onMessage = (message: MessageToParent) => {
      if (message.kind === 'ready') onReady(message.made);
      else if (message.kind === 'leaving') stopWorker(worker);
      else if (message.kind === 'refreshed') rounds.answered(message.number);
      else if (message.kind === 'charges' || message.kind === 'credentials' || message.kind === 'conflict')
        sendToOthers(worker, message);
      else if (message.kind === 'collected') collections[message.what].collected(worker, message);
      else if (message.kind === 'collect') {
        const { number, what } = message;
        void collections[what]
          .run(workers)
          .then((metrics) => worker.send({ kind: 'collected', number, metrics }));
      } else if (message.kind === 'refresh') {
        const answer = { kind: 'refreshed', number: message.number } as const;
        void rounds.run(worker, workers).then(() => worker.send(answer));
      }
    };
    const worker = startWorkerProcess({ number, program, onMessage });
    let readyMs: number | undefined;
    workers.add(worker);
    if (worker.storeChannel) plan.writer?.join(worker.storeChannel);
    worker.send({ kind: 'start', start: { ...plan.start, isFirst: !hasStarted } });
    void worker.ended.then((end) => {
      workers.delete(worker);
      for (const collection of Object.values(collections)) collection.ended(worker);
      onEnd(worker, { ...end, servedMs: readyMs === undefined ? 0 : performance.now() - readyMs });
    });

    function onReady(made: FirstAccounts): void {
      readyMs = performance.now();
      logger.info({ worker: number, workerPid: worker.pid }, 'a worker serves');
      if (isStopping) worker.stop();
      else worker.join(spread);
      first.resolve(made);
    }
  }

  function sendToOthers(sender: WorkerProcess, message: MessageToWorker): void {
    for (const other of workers) if (other !== sender) other.send(message);
  }

  function onEnd(worker: WorkerProcess, { servedMs, ...end }: WorkerEnd & { servedMs: number }): void {
    if (isStopping) return;
    if (!hasStarted) {
      void worker.closed.then(() => first.reject(new WorkerStartError(end)));
      return;
    }
    const { number, pid } = worker;
    const delay = delays.get(number) ?? createRestartDelay();
    delays.set(number, delay);
    const waitMs = delay.next(servedMs);
    logger.error({ worker: number, workerPid: pid, ...end, waitMs }, 'a worker has ended and is replaced');
    const isServed = [...workers].some((one) => one.isReady());
    const areHopeless = delays.size === count && [...delays.values()].every((one) => one.isHopeless());
    if (!isServed && areHopeless) plan.onLost();
    else setTimeout(() => isStopping || run(number), waitMs);
  }

  function stopWorker(worker: WorkerProcess): void {
    worker.stop();
    const deadline = setTimeout(() => worker.kill(), shutdownMs + graceMs);
    void worker.ended.then(() => clearTimeout(deadline));
  }

  run(1);
  const made = await first.promise;
  hasStarted = true;
  for (let number = 2; number <= count; number++) run(number);
  return {
    made,
    async stop() {
      isStopping = true;
      spread.end();
      for (const worker of workers) stopWorker(worker);
      await Promise.all([...workers].map(({ closed }) => closed));
    },
  };
}

// Collects the metrics of all workers of a parent, or their requests of the last hour. Of metrics, what a worker had counted when it was
// last asked still counts after its end, so that counters never decrease.

/** The rounds of a parent. */
interface MetricsRounds {
  /** Collects the metrics of the workers; of one that does not respond, those of the last round. */
  run(workers: Iterable<WorkerProcess>): Promise<Metric[]>;
  /** A worker has answered the message with this number. */
  collected(
    worker: WorkerProcess,
    answer: { readonly number: number; readonly metrics: readonly Metric[] },
  ): void;
  ended(worker: WorkerProcess): void;
}

/** A worker that does not answer for so long is not waited for. */
const maxMetricsWaitMs = 2_000;

/** Creates the rounds. `collectOwn` returns what the parent itself has collected. */
function createMetricsRounds(what: Collected, collectOwn: () => readonly Metric[]): MetricsRounds {
  const latest = new Map<WorkerProcess, readonly Metric[]>();
  const pending = new Map<number, () => void>();
  let counted: readonly Metric[] = [];
  let lastNumber = 0;

  async function ask(worker: WorkerProcess): Promise<void> {
    const number = ++lastNumber;
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.set(number, resolve);
    const timer = setTimeout(resolve, maxMetricsWaitMs);
    worker.send({ kind: 'collect', number, what });
    await Promise.race([promise, worker.ended]);
    clearTimeout(timer);
    pending.delete(number);
  }

  return {
    async run(workers) {
      await Promise.all([...workers].filter((worker) => worker.isReady()).map(ask));
      return combineMetrics([collectOwn(), counted, ...latest.values()]);
    },
    collected(worker, { number, metrics }) {
      latest.set(worker, metrics);
      pending.get(number)?.();
    },
    ended(worker) {
      if (what === 'metrics') counted = combineMetrics([counted, keepCounted(latest.get(worker) ?? [])]);
      latest.delete(worker);
    },
  };
}

/** The rounds of a parent. */
interface RefreshRounds {
  /** Resolves when all workers that serve, except `sender`, have read their records again; at the latest after some seconds. */
  run(sender: WorkerProcess, workers: Iterable<WorkerProcess>): Promise<void>;
  /** A worker has answered the message with this number. */
  answered(number: number): void;
}

/** A worker that does not answer for so long is not waited for. It reads its records within a second of running again. */
const maxRefreshWaitMs = 3_000;

function createRefreshRounds(): RefreshRounds {
  const pending = new Map<number, () => void>();
  let lastNumber = 0;

  function ask(worker: WorkerProcess): Promise<unknown> {
    const number = ++lastNumber;
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.set(number, resolve);
    const timer = setTimeout(resolve, maxRefreshWaitMs);
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

// Decides how long to wait before a worker is started again: not at all after one that has served for a while, else longer and longer.

/** The delays of one worker. */
interface RestartDelay {
  /** Records an end, and returns the time to wait in milliseconds. */
  next(servedMs: number): number;
  /** Whether the worker has ended so often without serving for a while that another start will hardly help. */
  isHopeless(): boolean;
}

/** A worker that has served for so long is not one that fails at once. */
const healthyMs = 10_000;
const maxRestartWaitMs = 5_000;
/** The waits before this many failures add up to some ten seconds. */
const maxFailures = 8;

export function createRestartDelay(): RestartDelay {
  let failures = 0;
  return {
    next(servedMs) {
      failures = servedMs >= healthyMs ? 0 : failures + 1;
      return failures > 1 ? Math.min(maxRestartWaitMs, 100 * 2 ** (failures - 2)) : 0;
    },
    isHopeless: () => failures >= maxFailures,
  };
}
