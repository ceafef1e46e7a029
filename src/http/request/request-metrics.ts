/**
 * Counts requests by route, method and status, with their durations.
 *
 * A route is a path of an OpenAPI document, of a GraphQL endpoint or of a mapping, never what a client sent. The number of histograms is
 * limited, since every one takes 20 lines of `/metrics`. Recording a request allocates nothing once its route, method and status have
 * occurred.
 */
import {
  durationBounds,
  Histogram,
  type HistogramMetric,
  type HistogramSample,
  type Labels,
  type Metric,
  toNumberMetric,
} from '../../base/metrics/metric.ts';

/** A finished request. */
export interface FinishedRequest {
  /** Absent when no route was found. */
  readonly route: string | undefined;
  readonly method: string | undefined;
  /** Absent when the client disconnected before the end of the response. */
  readonly status: number | undefined;
  /** The code of what went wrong though the status is that of a success, as in responses of GraphQL. */
  readonly errorCode?: string | undefined;
  readonly ms: number;
}

/** The requests of a process. */
export interface RequestMetrics {
  begin(): void;
  end(request: FinishedRequest): void;
  collect(): Metric[];
  /** Returns the requests so far, for `durationsSince`. */
  count(): RequestCounts;
  /** Returns the durations of the requests that have ended since, without their sum. */
  durationsSince(before: RequestCounts): HistogramMetric;
}

/** How many requests a process has counted, by duration. */
export type RequestCounts = ReadonlyMap<Histogram, readonly number[]>;

/** The route under which requests are counted together when too many routes were used. */
export const otherRoutes = '(other)';

/** How many combinations of a route, a method and a status have a histogram. */
const defaultMaxHistograms = 500;

/** By status; 0 for an aborted request, and with a code behind it for a response of GraphQL with errors. */
type ByStatus = Map<number | string, Histogram>;

/** Creates the counts. */
export function createRequestMetrics({ maxHistograms = defaultMaxHistograms } = {}): RequestMetrics {
  const routes = new Map<string, Map<string, ByStatus>>();
  let histograms = 0;
  let active = 0;

  function histogramOf(route: string, method: string, status: number | string): Histogram {
    const known = routes.get(route)?.get(method)?.get(status);
    if (known) return known;
    const isLimited = histograms >= maxHistograms && route !== otherRoutes;
    if (isLimited) return histogramOf(otherRoutes, method, status);
    histograms++;
    const byMethod = findOrAdd(routes, route, () => new Map<string, ByStatus>());
    const byStatus = findOrAdd(byMethod, method, () => new Map<number, Histogram>());
    return findOrAdd(byStatus, status, () => new Histogram(durationBounds));
  }

  const all = () =>
    [...routes].flatMap(([route, byMethod]) =>
      [...byMethod].flatMap(([method, byStatus]) =>
        [...byStatus].map(([status, histogram]) => {
          const labels: Labels = {
            http_request_method: method,
            http_route: route,
            ...outcomeOf(status),
          };
          return { histogram, labels };
        }),
      ),
    );

  const toDurations = (samples: readonly HistogramSample[]): HistogramMetric => ({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests by route, method and status.',
    type: 'histogram',
    bounds: durationBounds,
    samples,
  });

  return {
    begin() {
      active++;
    },
    end({ route = '', method = '', status = 0, errorCode, ms }) {
      active--;
      const isHidden = errorCode !== undefined && status > 0 && status < 400;
      histogramOf(route, method, isHidden ? `${status} ${errorCode}` : status).record(ms / 1000);
    },
    collect: () => [
      toDurations(all().map(({ histogram, labels }) => histogram.toSample(labels))),
      toNumberMetric({
        name: 'http_server_active_requests',
        help: 'HTTP requests in progress.',
        type: 'gauge',
        combine: 'sum',
        value: active,
      }),
    ],
    count: () => new Map(all().map(({ histogram }) => [histogram, histogram.counts()])),
    durationsSince: (before) =>
      toDurations(
        all().map(({ histogram, labels }) => {
          const earlier = before.get(histogram) ?? [];
          const counts = histogram.counts().map((count, bucket) => count - (earlier[bucket] ?? 0));
          return { labels, counts, sum: 0 };
        }),
      ),
  };
}

function outcomeOf(status: number | string): Labels {
  if (status === 0) return { error_type: 'aborted' };
  const [code = '', errorCode] = String(status).split(' ');
  return { http_response_status_code: code, ...(errorCode !== undefined && { error_type: errorCode }) };
}

function findOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let found = map.get(key);
  if (found === undefined) {
    found = create();
    map.set(key, found);
  }
  return found;
}
