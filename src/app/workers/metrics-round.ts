/**
 * Collects the metrics of all workers of a parent, or their requests of the last hour. Of metrics, what a worker had counted when it was
 * last asked still counts after its end, so that counters never decrease.
 */
import { combineMetrics, keepCounted } from '../../base/metrics/combine-metrics.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { WorkerProcess } from './worker-process.ts';

/** The rounds of a parent. */
export interface MetricsRounds {
  /** Collects the metrics of the workers; of one that does not respond, those of the last round. */
  run(workers: Iterable<WorkerProcess>): Promise<Metric[]>;
  /** A worker has answered the message with this number. */
  collected(
    worker: WorkerProcess,
    answer: { readonly number: number; readonly metrics: readonly Metric[] },
  ): void;
  /** A worker has ended. */
  ended(worker: WorkerProcess): void;
}

/** A worker that does not answer for so long is not waited for. */
const maxWaitMs = 2_000;

/** Creates the rounds. `collectOwn` returns what the parent itself has collected. */
export function createMetricsRounds(what: Collected, collectOwn: () => readonly Metric[]): MetricsRounds {
  const latest = new Map<WorkerProcess, readonly Metric[]>();
  const pending = new Map<number, () => void>();
  let counted: readonly Metric[] = [];
  let lastNumber = 0;

  async function ask(worker: WorkerProcess): Promise<void> {
    const number = ++lastNumber;
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.set(number, resolve);
    const timer = setTimeout(resolve, maxWaitMs);
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
