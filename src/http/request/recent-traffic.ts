/**
 * The requests of the last hour to each route: what the counters of `/metrics` have grown by since the oldest of twelve snapshots.
 *
 * A process takes a snapshot every five minutes. The result has the form of metrics, so that those of several processes can be combined.
 */
import {
  durationBounds,
  type HistogramMetric,
  type Metric,
  toNumberMetric,
} from '../../base/metrics/metric.ts';
import type { Clock } from '../../base/runtime.ts';
import { otherRoutes, type RequestCounts, type RequestMetrics } from './request-telemetry.ts';

/** How often to take a snapshot. */
export const snapshotMs = 300_000;
const snapshotCount = 12;

/** The requests of the last hour of this process. */
export function createRecentTraffic(
  requests: Pick<RequestMetrics, 'count' | 'durationsSince'>,
  clock: Clock,
) {
  const takeSnapshot = (): Snapshot => ({ atMs: clock.nowMs(), counts: requests.count() });
  let oldest = takeSnapshot();
  const later: Snapshot[] = [];
  return {
    takeSnapshot() {
      later.push(takeSnapshot());
      if (later.length === snapshotCount) oldest = later.shift() ?? oldest;
    },
    collect: (): Metric[] => [
      requests.durationsSince(oldest.counts),
      toNumberMetric({
        name: startName,
        help: 'The negative of the time from which on requests are counted, so that the earliest one is the greatest.',
        type: 'gauge',
        combine: 'max',
        value: -oldest.atMs,
      }),
    ],
  };
}

interface Snapshot {
  readonly atMs: number;
  readonly counts: RequestCounts;
}

const startName = 'start';

/** The requests of a route, or of several. */
export interface RouteTraffic {
  readonly requests: number;
  /** Responses with a status of 400 or above. */
  readonly errors: number;
  /** The time that half of them took at most, estimated; absent without requests. */
  readonly medianMs?: number;
}

/** The requests of the last hour of all processes that were asked. */
export type TrafficReport = ReturnType<typeof readRecentTraffic>;

/** Reads what `collect` has returned, in one process or combined from several. */
export function readRecentTraffic(metrics: readonly Metric[]) {
  /** From when on requests are counted. */
  let sinceMs = 0;
  let samples: HistogramMetric['samples'] = [];
  for (const metric of metrics) {
    if (metric.type === 'histogram') samples = metric.samples;
    else sinceMs = -(metric.samples[0]?.value ?? 0);
  }
  const byRoute = Map.groupBy(samples, ({ labels }) => labels.http_route);
  return {
    sinceMs,
    /** Requests that are counted for no route, because too many routes were used. */
    uncounted: total((byRoute.get(otherRoutes) ?? []).flatMap(({ counts }) => counts)),
    /** The requests to a route with some methods together. A method GET includes HEAD. */
    of(routes: readonly { readonly path: string; readonly methods: readonly string[] }[]): RouteTraffic {
      const found = routes.flatMap(({ path, methods }) => {
        const counted = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
        return (byRoute.get(path) ?? []).filter(({ labels: { http_request_method: method = '' } }) =>
          counted.includes(method),
        );
      });
      const sums = Array.from({ length: durationBounds.length + 1 }, (_, bucket) =>
        total(found.map(({ counts }) => counts[bucket] ?? 0)),
      );
      const failed = found.filter(({ labels }) => Number(labels.http_response_status_code) >= 400);
      const medianMs = medianOf(sums);
      return {
        requests: total(sums),
        errors: total(failed.flatMap(({ counts }) => counts)),
        ...(medianMs !== undefined && { medianMs }),
      };
    },
  };
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Estimates the median: within its bucket, durations are taken to be spread evenly. */
function medianOf(counts: readonly number[]): number | undefined {
  const half = total(counts) / 2;
  if (half === 0) return undefined;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (before + count >= half) {
      const low = durationBounds[bucket - 1] ?? 0;
      // No bound limits the durations of the last bucket.
      const high = durationBounds[bucket] ?? low;
      return toRoundedMs(low + (high - low) * ((half - before) / count));
    }
    before += count;
  }
  return undefined;
}

/** Three digits say all that an estimate can. */
const toRoundedMs = (seconds: number) => Number((seconds * 1000).toPrecision(3));
