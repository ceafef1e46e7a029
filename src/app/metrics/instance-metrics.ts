/**
 * The metrics of an instance: its requests, its live feeds, its store, its process, the sessions of its users, and deliveries to webhooks.
 */

import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { countSessions } from '../../access/users/user-record.ts';
import { type Metric, toNumberMetric } from '../../base/metrics/metric.ts';
import { readVersion } from '../../base/package-root.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import { createRecentTraffic, snapshotMs } from '../../http/request/recent-traffic.ts';
import { createRequestMetrics, type RequestMetrics } from '../../http/request/request-telemetry.ts';
import type { RouteCache } from '../../http/routes/route-answers.ts';

export interface InstanceMetrics {
  /** Counts the requests. */
  readonly requests: RequestMetrics;
  /** While the store fails, the metrics that need it are missing. */
  collect(): Promise<Metric[]>;
  /** Collects the requests of the last hour; `readRecentTraffic` reads them. */
  collectRecentTraffic(): Metric[];
  stop(): void;
}

/** Starts to measure. */
export function createInstanceMetrics({
  collectStore,
  routeCache,
  liveFeeds,
  system,
  webhookSender,
  collectFiles,
  collectReleases,
  dataDir,
  clock,
}: {
  collectStore: () => Metric[];
  routeCache: Pick<RouteCache, 'byteLength'>;
  liveFeeds: Pick<LiveFeeds, 'count'>;
  system: ContentService;
  webhookSender: { collect(): Metric[] };
  collectFiles: () => Metric[];
  /** Collects the metrics of scheduled releases, and of the clock that they follow. */
  collectReleases: () => Metric[];
  dataDir: string;
  clock: Clock;
}): InstanceMetrics {
  const requests = createRequestMetrics();
  const recentTraffic = createRecentTraffic(requests, clock);
  const timer = setInterval(recentTraffic.takeSnapshot, snapshotMs).unref();
  const ownProcess = createProcessMetrics();

  async function collectSessions(): Promise<Metric> {
    const value = await countSessions(system, clock.nowMs()).catch(() => undefined);
    return {
      name: 'colophon_sessions',
      help: 'Sessions of signed-in users that have not ended.',
      type: 'gauge',
      // Every process counts all of them.
      combine: 'max',
      samples: value === undefined ? [] : [{ labels: {}, value }],
    };
  }

  /** The space of the disk that ordinary users may fill; no sample where there is no data folder, as with MongoDB. */
  async function collectSpace(): Promise<Metric> {
    const disk = await statfs(dataDir).catch(() => undefined);
    return {
      name: 'colophon_data_free_bytes',
      help: 'Free space of the disk with the data folder.',
      type: 'gauge',
      // The processes of a server share the folder.
      combine: 'max',
      samples: disk ? [{ labels: {}, value: disk.bavail * disk.bsize }] : [],
    };
  }

  const collectRouteCache = (): Metric =>
    toNumberMetric({
      name: 'colophon_route_cache_bytes',
      help: 'Memory of the responses of REST routes that are kept.',
      type: 'gauge',
      combine: 'sum',
      value: routeCache.byteLength(),
    });

  const collectStreams = (): Metric =>
    toNumberMetric({
      name: 'colophon_feed_streams',
      help: 'Live feeds that are open.',
      type: 'gauge',
      combine: 'sum',
      value: liveFeeds.count(),
    });

  return {
    requests,
    async collect() {
      const [sessions, space] = await Promise.all([collectSessions(), collectSpace()]);
      const own = [...ownProcess.collect(), ...requests.collect(), ...collectStore()];
      return [
        ...own,
        collectRouteCache(),
        collectStreams(),
        sessions,
        space,
        ...webhookSender.collect(),
        ...collectFiles(),
        ...collectReleases(),
      ];
    },
    collectRecentTraffic: recentTraffic.collect,
    stop() {
      clearInterval(timer);
      ownProcess.stop();
    },
  };
}

/** The measurements of a process. */
interface ProcessMetrics {
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
    // Node.js measures the time between two runs of a timer, which includes the time for which it is set.
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
