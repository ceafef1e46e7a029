/**
 * Counts requests by route, method and status, with their durations.
 *
 * A route is a path of an OpenAPI document, of a GraphQL endpoint or of a mapping, never what a client sent, so the number of
 * histograms is bounded. Recording a request allocates nothing once its route, method and status have occurred.
 */
import { durationBounds, Histogram, type Metric, toNumberMetric } from '../../base/metrics/metric.ts';

/** A finished request. */
export interface FinishedRequest {
  /** Absent when no route was found. */
  readonly route: string | undefined;
  readonly method: string | undefined;
  /** Absent when the client disconnected before the end of the response. */
  readonly status: number | undefined;
  readonly ms: number;
}

/** The requests of a process. */
export interface RequestMetrics {
  begin(): void;
  end(request: FinishedRequest): void;
  collect(): Metric[];
}

/** Endpoints that are created and removed for ever must not fill the memory; requests of further routes count as without a route. */
const maxRoutes = 5_000;

type ByStatus = Map<number, Histogram>;

/** Creates the counts. */
export function createRequestMetrics(): RequestMetrics {
  const routes = new Map<string, Map<string, ByStatus>>();
  let active = 0;

  function histogramOf(route: string, method: string, status: number): Histogram {
    const byMethod = findOrAdd(routes, route, () => new Map<string, ByStatus>());
    const byStatus = findOrAdd(byMethod, method, () => new Map<number, Histogram>());
    return findOrAdd(byStatus, status, () => new Histogram(durationBounds));
  }

  return {
    begin() {
      active++;
    },
    end({ route = '', method = '', status = 0, ms }) {
      active--;
      const known = routes.has(route) || routes.size < maxRoutes ? route : '';
      histogramOf(known, method, status).record(ms / 1000);
    },
    collect: () => [
      {
        name: 'http_server_request_duration_seconds',
        help: 'Duration of HTTP requests by route, method and status.',
        type: 'histogram',
        bounds: durationBounds,
        samples: [...routes].flatMap(([route, byMethod]) =>
          [...byMethod].flatMap(([method, byStatus]) =>
            [...byStatus].map(([status, histogram]) =>
              histogram.toSample({
                http_request_method: method,
                http_route: route,
                ...(status === 0 ? { error_type: 'aborted' } : { http_response_status_code: String(status) }),
              }),
            ),
          ),
        ),
      },
      toNumberMetric({
        name: 'http_server_active_requests',
        help: 'HTTP requests in progress.',
        type: 'gauge',
        combine: 'sum',
        value: active,
      }),
    ],
  };
}

function findOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let found = map.get(key);
  if (found === undefined) {
    found = create();
    map.set(key, found);
  }
  return found;
}
