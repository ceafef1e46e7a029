/**
 * The requests of the last hour as metrics, which one process may send to another, and what they say about routes.
 */
import type { HistogramMetric, Metric, NumberMetric } from '../../base/metrics/metric.ts';
import { hourBoundsMs, slotCount, slotMs } from './hour-ring.ts';

/** The metrics, as plain data. They are for the admin API; `/metrics` has counters since the start instead. */
export type HourMetrics = readonly Metric[];

/** The requests of a route, or of several. */
export interface RouteTraffic {
  readonly requests: number;
  readonly errors: number;
  /** The time that half of them took at most, estimated; absent without requests. */
  readonly medianMs?: number;
}

/** The requests of the last hour of all processes that were asked. */
export interface HourTraffic {
  /** From when on requests are counted. */
  readonly sinceMs: number;
  /** Requests that are counted for no route, because too many routes were used. */
  readonly uncounted: number;
  /** The requests to a route with some methods together. A method GET includes HEAD. */
  of(routes: readonly { readonly path: string; readonly methods: readonly string[] }[]): RouteTraffic;
}

const names = { durations: 'durations', errors: 'errors', age: 'age' };

/** Converts the counts of a process, which has counted since `sinceMs`; `slot` is the current step. */
export function toHourMetrics(
  counted: readonly { route: string; method: string; counts: readonly number[]; errors: number }[],
  { sinceMs, slot }: { sinceMs: number; slot: number },
): HourMetrics {
  const firstMs = Math.max(sinceMs, (slot - slotCount + 1) * slotMs);
  const used = counted.filter(({ counts }) => counts.some((count) => count > 0));
  const labelsOf = ({ route, method }: { route: string; method: string }) => ({ route, method });
  return [
    {
      name: names.durations,
      help: 'Requests by duration in milliseconds.',
      type: 'histogram',
      bounds: hourBoundsMs,
      // Nobody reads their sum.
      samples: used.map((one) => ({ labels: labelsOf(one), counts: one.counts, sum: 0 })),
    },
    {
      name: names.errors,
      help: 'Responses with a status of 400 or above.',
      type: 'gauge',
      combine: 'sum',
      samples: used.map((one) => ({ labels: labelsOf(one), value: one.errors })),
    },
    {
      name: names.age,
      help: 'The negative of the time from which on requests are counted, so that the earliest one is the greatest.',
      type: 'gauge',
      combine: 'max',
      samples: [{ labels: {}, value: -firstMs }],
    },
  ];
}

/** Reads the combined metrics of some processes. */
export function readHourMetrics(metrics: HourMetrics): HourTraffic {
  const counts = new Map<string, readonly number[]>();
  const errors = new Map<string, number>();
  for (const { labels, counts: own } of findMetric<HistogramMetric>(metrics, names.durations)?.samples ?? [])
    counts.set(toKey(labels.route, labels.method), own);
  for (const { labels, value } of findMetric<NumberMetric>(metrics, names.errors)?.samples ?? [])
    errors.set(toKey(labels.route, labels.method), value);
  const age = findMetric<NumberMetric>(metrics, names.age)?.samples[0]?.value ?? 0;
  return {
    sinceMs: -age,
    uncounted: total(counts.get(toKey('', '')) ?? []),
    of(routes) {
      const keys = routes.flatMap(({ path, methods }) =>
        withHead(methods).map((method) => toKey(path, method)),
      );
      const sums = new Array<number>(hourBoundsMs.length + 1).fill(0);
      for (const key of keys)
        counts.get(key)?.forEach((count, bucket) => {
          sums[bucket] = (sums[bucket] ?? 0) + count;
        });
      const medianMs = medianOf(sums);
      return {
        requests: total(sums),
        errors: total(keys.map((key) => errors.get(key) ?? 0)),
        ...(medianMs === undefined ? {} : { medianMs }),
      };
    },
  };
}

/** The type of a metric follows from its name. */
const findMetric = <Kind extends Metric>(metrics: HourMetrics, name: string) =>
  metrics.find((metric) => metric.name === name) as Kind | undefined;

const toKey = (route = '', method = '') => `${method} ${route}`;

const withHead = (methods: readonly string[]) => (methods.includes('GET') ? [...methods, 'HEAD'] : methods);

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Estimates the median: within its bucket, durations are taken to be spread evenly. */
function medianOf(counts: readonly number[]): number | undefined {
  const half = total(counts) / 2;
  if (half === 0) return undefined;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (before + count >= half) {
      const low = hourBoundsMs[bucket - 1] ?? 0;
      // No bound limits the durations of the last bucket.
      const high = hourBoundsMs[bucket] ?? low;
      return toRounded(low + (high - low) * ((half - before) / count));
    }
    before += count;
  }
  return undefined;
}

/** Three digits say all that an estimate can. */
const toRounded = (ms: number) => Number(ms.toPrecision(3));
