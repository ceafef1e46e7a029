/**
 * Logs and counts requests: one line for each finished request, the sender on every other line about a request, and the durations by route,
 * method and status.
 *
 * The query string is not logged, because predicates and values are content and may be confidential. A route is a path of an OpenAPI
 * document, of a GraphQL endpoint or of a mapping, never what a client sent. The number of histograms is limited, since every one takes 20
 * lines of `/metrics`. Recording a request allocates nothing once its route, method and status have occurred.
 */

import { randomUUID } from 'node:crypto';
import { isDomainError, isStoreError } from '../../base/errors.ts';
import {
  durationBounds,
  Histogram,
  type HistogramMetric,
  type HistogramSample,
  type Labels,
  type Metric,
  toNumberMetric,
} from '../../base/metrics/metric.ts';
import type { Logger } from '../../base/runtime.ts';
import type { GraphqlResponse, PreparedOperation } from '../../graphql/operation.ts';
import { isFailure } from '../error-map.ts';
import { isClientDisconnect, type Request, type RequestLocals, type Response } from './request-head.ts';

/** The fields of a log line that identify a request and its sender. */
export interface SenderFields {
  readonly requestId: string;
  /** The trace that the caller has begun. */
  readonly traceId: string | undefined;
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
  /** ID of the API client whose credentials or key the request contains. */
  readonly clientId: string | undefined;
  /** ID of the signed-in user. */
  readonly userId: string | undefined;
}

/** Limits for texts that senders choose freely. */
const maxAgentLength = 200;
const maxPathLength = 1000;

/** Returns the fields that identify the sender of a request, as far as they are already known. */
export function toSenderFields(locals: RequestLocals): SenderFields {
  const { requestId, traceId, clientAddress, userAgent, client, user } = locals;
  return { requestId, traceId, clientAddress, userAgent, clientId: client?.clientId, userId: user?.id };
}

/** Returns the request ID that the caller sent if it is safe to log, and a new ID otherwise. */
export function readRequestId({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Reads the header `User-Agent`, shortened and without control characters. */
export function readUserAgent({ headers }: Request): string | undefined {
  const given = headers['user-agent'];
  return given === undefined ? undefined : toLoggable(given, maxAgentLength);
}

/** Reads the ID of the trace from the header `traceparent` of W3C Trace Context; a malformed header is ignored, as the standard says. */
export function readTraceId({ headers }: Request): string | undefined {
  const given = headers.traceparent;
  return typeof given === 'string' ? traceparent.exec(given)?.[1] : undefined;
}

/** The version, the ID of the trace and that of the span, none of them all zeros, and the flags. Later versions may add parts. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Logs a finished request. */
export function logRequest(
  logger: Logger,
  response: Response,
  { status = 'aborted', ms }: { status: number | 'aborted' | undefined; ms: number },
): void {
  // The application sets the locals. The sender's fields are written out, because this is done for every request.
  const { path, requestId, traceId, clientAddress, userAgent, client, user, failed, ...work } =
    response.locals as RequestLocals;
  const fields = {
    method: response.req.method,
    path: toLoggable(path, maxPathLength),
    route: work.route,
    operation: failed && work.operation,
    status,
    errorCode: failed?.code,
    unindexed: failed?.unindexed,
    ms: Math.round(ms * 10) / 10,
    requestId,
    traceId,
    clientAddress,
    userAgent,
    clientId: client?.clientId,
    userId: user?.id,
  };
  logger.info(fields, 'request');
}

/** Keeps the first error of a request for its line in the log and for the metrics. */
function noteError({ locals }: Response, error: unknown): void {
  // The application sets the locals.
  const known = locals as RequestLocals;
  if (!isDomainError(error)) return;
  const unindexed = isDomainError(error, 'query_too_costly') ? error.details.path : undefined;
  known.failed ??= { code: error.code, unindexed: unindexed && toLoggable(unindexed, maxPathLength) };
}

/** Keeps the first error of a GraphQL operation that has run, and the name of the operation. */
export function noteFailures(
  response: Response,
  {
    result: { errors = [] },
    operation: { name },
  }: { result: Pick<GraphqlResponse, 'errors'>; operation: Pick<PreparedOperation, 'name'> },
): void {
  const locals = response.locals as RequestLocals;
  for (const { cause } of errors) noteError(response, cause);
  if (name !== undefined) locals.operation = toLoggable(name, maxAgentLength);
}

/**
 * Notes the error that ended a request, and logs it unless the caller or the limit of requests caused it; the request's own line shows
 * those.
 */
export function logFailedRequest(logger: Logger, response: Response, error: unknown): void {
  noteError(response, error);
  // A failure of another server, of which somebody should know all the same.
  if (isDomainError(error, 'provider_failed')) {
    const sender = toSenderFields(response.locals as RequestLocals);
    logger.warn({ ...sender, err: error }, 'OpenID Connect provider failed');
    return;
  }
  const isOwn = isFailure(error) || isStoreError(error);
  if (!isOwn || isDomainError(error, 'too_many_requests')) return;
  if (isClientDisconnect(response, error)) return;
  const locals = response.locals as RequestLocals;
  const path = toLoggable(locals.path, maxPathLength);
  logger.error({ ...toSenderFields(locals), path, err: error }, 'request failed');
}

/** Replaces control characters: terminals execute them, and JSON escapes only some. */
function toLoggable(text: string, maxLength: number): string {
  const shortened = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  // Most texts have none, and a test is cheaper than a replacement.
  return controlCharacter.test(shortened) ? shortened.replaceAll(controlCharacters, '\ufffd') : shortened;
}

const controlCharacter = /\p{Cc}/u;
const controlCharacters = /\p{Cc}/gu;

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
export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

/** How many requests a process has counted, by duration. */
export type RequestCounts = ReadonlyMap<Histogram, readonly number[]>;

/** The route under which requests are counted together when too many routes were used. */
export const otherRoutes = '(other)';

/** How many combinations of a route, a method and a status have a histogram. */
const defaultMaxHistograms = 500;

/** By status; 0 for an aborted request, and with a code behind it for a response of GraphQL with errors. */
type ByStatus = Map<number | string, Histogram>;

/** Creates the counts. */
export function createRequestMetrics({ maxHistograms = defaultMaxHistograms } = {}) {
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
    end({ route = '', method = '', status = 0, errorCode, ms }: FinishedRequest) {
      active--;
      const isHidden = errorCode !== undefined && status > 0 && status < 400;
      histogramOf(route, method, isHidden ? `${status} ${errorCode}` : status).record(ms / 1000);
    },
    collect: (): Metric[] => [
      toDurations(all().map(({ histogram, labels }) => histogram.toSample(labels))),
      toNumberMetric({
        name: 'http_server_active_requests',
        help: 'HTTP requests in progress.',
        type: 'gauge',
        combine: 'sum',
        value: active,
      }),
    ],
    /** Returns the requests so far, for `durationsSince`. */
    count: (): RequestCounts => new Map(all().map(({ histogram }) => [histogram, histogram.counts()])),
    /** Returns the durations of the requests that have ended since, without their sum. */
    durationsSince: (before: RequestCounts): HistogramMetric =>
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
