/**
 * The metrics of an instance: its requests, its live feeds, its store, its process, the sessions of its users, and deliveries to webhooks.
 */
import { statfs } from 'node:fs/promises';
import { countSessions } from '../../access/users/session-records.ts';
import { type Metric, toNumberMetric } from '../../base/metrics/metric.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import { createLastHour, snapshotMs } from '../../http/request/last-hour.ts';
import { createRequestMetrics, type RequestMetrics } from '../../http/request/request-telemetry.ts';
import type { RouteCache } from '../../http/routes/route-answers.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** The metrics of an instance. */
export interface InstanceMetrics {
  /** Counts the requests. */
  readonly requests: RequestMetrics;
  /** While the store fails, the metrics that need it are missing. */
  collect(): Promise<Metric[]>;
  /** Collects the requests of the last hour; `readLastHour` reads them. */
  collectLastHour(): Metric[];
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
  /** Collects the metrics of the store. */
  collectStore: () => Metric[];
  routeCache: Pick<RouteCache, 'byteLength'>;
  liveFeeds: Pick<LiveFeeds, 'count'>;
  system: ContentService;
  webhookSender: { collect(): Metric[] };
  /** Collects the metrics of files. */
  collectFiles: () => Metric[];
  /** Collects the metrics of scheduled releases, and of the clock that they follow. */
  collectReleases: () => Metric[];
  dataDir: string;
  clock: Clock;
}): InstanceMetrics {
  const requests = createRequestMetrics();
  const lastHour = createLastHour(requests, clock);
  const timer = setInterval(lastHour.takeSnapshot, snapshotMs).unref();
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
    collectLastHour: lastHour.collect,
    stop() {
      clearInterval(timer);
      ownProcess.stop();
    },
  };
}
