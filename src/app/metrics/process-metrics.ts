/**
 * Measures this process: processor time, memory, and how long its event loop was blocked.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Metric, toNumberMetric } from '../../base/metrics/metric.ts';
import { readVersion } from '../../base/package-root.ts';

/** The measurements of a process. */
export interface ProcessMetrics {
  collect(): Metric[];
  stop(): void;
}

/** How often the delay of the event loop is measured. */
const resolutionMs = 20;

/** Starts to measure. The delays are those since the metrics were last collected. */
export function createProcessMetrics(): ProcessMetrics {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const version = readVersion();

  function collectDelays(): Metric[] {
    // Node.js measures the time between two turns of a timer, which includes the time for which it is set.
    const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
    const measured = [
      ['p50', delays.percentile(50)],
      ['p90', delays.percentile(90)],
      ['p99', delays.percentile(99)],
      ['max', delays.count > 0 ? delays.max : 0],
    ] as const;
    delays.reset();
    return measured.map(([name, nanoseconds]) =>
      toNumberMetric({
        name: `nodejs_eventloop_delay_${name}_seconds`,
        help: `How long the event loop was delayed since the last collection: ${name}.`,
        type: 'gauge',
        combine: 'max',
        value: toSeconds(nanoseconds),
      }),
    );
  }

  return {
    collect() {
      const memory = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const gauge = (name: string, help: string, value: number) =>
        toNumberMetric({ name, help, type: 'gauge', combine: 'sum', value });
      return [
        {
          name: 'target_info',
          help: 'The program.',
          type: 'gauge',
          combine: 'max',
          samples: [{ labels: { service_name: 'colophon', service_version: version }, value: 1 }],
        },
        {
          name: 'process_cpu_time_seconds_total',
          help: 'Processor time, of all threads.',
          type: 'counter',
          combine: 'sum',
          samples: [
            { labels: { cpu_mode: 'user' }, value: user / 1e6 },
            { labels: { cpu_mode: 'system' }, value: system / 1e6 },
          ],
        },
        gauge('process_memory_usage_bytes', 'Memory that the process occupies.', memory.rss),
        gauge(
          'v8js_memory_heap_used_bytes',
          'Memory that JavaScript values of the main thread use.',
          memory.heapUsed,
        ),
        gauge('colophon_processes', 'Processes that serve requests.', 1),
        toNumberMetric({
          name: 'process_uptime_seconds',
          help: 'Time since the start of the process that has run longest.',
          type: 'gauge',
          combine: 'max',
          value: performance.now() / 1000,
        }),
        ...collectDelays(),
      ];
    },
    stop: () => delays.disable(),
  };
}
