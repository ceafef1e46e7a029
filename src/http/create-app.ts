/**
 * The application: what every request passes, then the handler of its path.
 *
 * In order: request limit, request ID, log line, security headers, the Host header that HTTP/1.1 requires; then the APIs with their
 * authentication, GraphQL endpoints, files, mapped routes. Express serves the rest: health checks and the pages of the UI.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler as ExpressHandler } from 'express';
import type { UsageCounts } from '../access/usage/usage-counts.ts';
import { isDamagedStore, isDomainError, routeNotFound } from '../base/errors.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Logger } from '../base/runtime.ts';
import type { Tracing } from '../base/tracing.ts';
import { isAtOrBelow, type MountedApi, Mounts, mountApi } from './api.ts';
import { toErrorResponse } from './error-map.ts';
import type { RateLimiter } from './request/limit-requests.ts';
import { assertWithinRequestLimit, beginRequest, createRequestCounter } from './request/limit-requests.ts';
import type {
  Request,
  RequestHandler,
  RequestLocals,
  Response,
  TrustedProxies,
} from './request/request-head.ts';
import {
  createBasePathRemover,
  isClientDisconnect,
  readClientAddress,
  refuseHead,
  requestPath,
  type TrustProxy,
} from './request/request-head.ts';
import type { RequestMetrics } from './request/request-telemetry.ts';
import {
  logFailedRequest,
  logRequest,
  readRequestId,
  readTraceId,
  readUserAgent,
} from './request/request-telemetry.ts';
import { sendResponse, setAddedHeaders } from './response/send-response.ts';

/** The parts of an application, and its settings. */
export interface AppOptions {
  readonly apis: readonly MountedApi[];
  /** They serve the paths under `/files`, `/graphql` and `/metrics`. */
  readonly files: RequestHandler;
  readonly graphql: RequestHandler;
  readonly metrics: RequestHandler;
  readonly pages: ExpressHandler;
  /** Serves the mapped routes, and passes on requests to other paths. */
  readonly routes: RequestHandler;
  /** The path of the public URL, such as `/cms`; empty or absent if it has none. */
  readonly basePath?: string | undefined;
  /** The proxies that may report client addresses. */
  readonly trustedProxies?: TrustedProxies | undefined;
  /** Limits the work of each sender; absent means no limits. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** How many requests may run at the same time. */
  readonly maxRequests: number;
  /** The header `Strict-Transport-Security` of every response. */
  readonly hsts?: string | undefined;
  /** Rejects while the service cannot work. */
  readonly checkReady: () => Promise<void>;
  /** Rejects if only a restart may help. */
  readonly checkHealth: () => Promise<void>;
  /** Records the senders of requests to the APIs; `graphql` and `routes` record their own. */
  readonly origins: RequestOrigins;
  /** Counts the requests. */
  readonly requests: RequestMetrics;
  /** Counts the requests to routes by API client. */
  readonly usage: Pick<UsageCounts, 'add'>;
  /** Makes spans; absent without an SDK of OpenTelemetry. */
  readonly tracing?: Tracing | undefined;
  readonly logger: Logger;
}

/** Creates the application. */
export function createApp(options: AppOptions): RequestListener {
  const { apis, graphql, routes, basePath = '', rateLimiter, origins, logger } = options;
  const rest = createExpressApp(options);
  const start = createStart(options, rest.get('trust proxy fn'));
  const mounts = new Mounts();
  for (const api of apis) mounts.use(api.basePath, mountApi(api, { origins, basePath, rateLimiter }));
  mounts.use('/graphql', graphql);
  mounts.use('/files', options.files);
  mounts.use('/metrics', options.metrics);

  function serveRest(request: Request, response: Response): void {
    setAddedHeaders(response);
    // Express replaces the prototype of responses, and with it the method of the server.
    Object.assign(response, { writeHead: response.writeHead });
    rest(request, response);
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const fail = (error: unknown) => answerError(logger, response, error);
    try {
      const { path, span } = start(request, response);
      const refusal = refuseHead(request);
      if (refusal) return sendResponse(response, refusal);
      const serve = mounts.find(path) ?? routes;
      const work = () =>
        serve(request, response, (error) => (error ? fail(error) : serveRest(request, response)));
      await (span ? span.run(work) : work());
    } catch (error) {
      fail(error);
    }
  }

  return (request: IncomingMessage, response: ServerResponse) =>
    // A server sets the method and the URL of each request; `start` sets the locals.
    void answer(request as Request, response as Response);
}

/** Returns the route of a path that Express serves; `undefined` for other paths. */
function routeOfPage(path: string): string | undefined {
  if (path === '/healthz' || path === '/readyz' || path === '/') return path;
  return ['/admin', '/docs', '/_debug'].find((above) => isAtOrBelow(path, above))?.concat('/*');
}

/** Creates the application of Express for health checks, pages and unknown paths. */
function createExpressApp({
  pages,
  trustedProxies = 0,
  checkHealth,
  checkReady,
  logger,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies);
  app.get('/healthz', serveHealth(checkHealth));
  app.get('/readyz', serveHealth(checkReady));
  app.use(rejectOverLimit, pages);
  app.use((request) => {
    throw routeNotFound(request.path);
  });
  // Express recognizes handlers of errors by their four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: unknown) =>
    answerError(logger, response, error),
  );
  return app;
}

/** The security headers of JSON responses, alternating names and values. Pages have more and other ones. */
const securityHeaders = [
  'Content-Security-Policy',
  "default-src 'none';frame-ancestors 'none'",
  'X-Content-Type-Options',
  'nosniff',
] as const;

/**
 * Creates the start of every request: it counts the request, assigns the request ID, sets the headers of every response, and logs
 * a line when the request ends.
 */
function createStart(options: AppOptions, isTrusted: TrustProxy) {
  const { maxRequests, hsts, basePath = '', rateLimiter, requests: metrics, tracing, logger } = options;
  const removeBasePath = createBasePathRemover(basePath);
  const requests = createRequestCounter(maxRequests);
  const headers = [...securityHeaders, ...(hsts === undefined ? [] : ['Strict-Transport-Security', hsts])];
  return (request: Request, response: Response): RequestLocals => {
    const startedMs = performance.now();
    removeBasePath(request);
    const requestId = readRequestId(request);
    const locals: RequestLocals = {
      requestId,
      path: requestPath(request),
      headers: ['X-Request-Id', requestId, ...headers],
      clientAddress: readClientAddress(request, isTrusted),
      userAgent: readUserAgent(request),
      traceId: readTraceId(request),
      ...beginRequest(requests),
    };
    response.locals = locals;
    if (tracing) traceRequest(tracing, request, locals);
    rateLimiter?.begin(response);
    metrics.begin();
    response.once('close', () => {
      locals.leaveRequestLimit();
      const ms = performance.now() - startedMs;
      const status = response.writableFinished ? response.statusCode : undefined;
      countRequest(options, { method: request.method, locals, status, ms });
      logRequest(logger, response, { status, ms });
    });
    return locals;
  };
}

/** Begins the span of a request, and puts its trace into the log. */
function traceRequest(tracing: Tracing, { method, headers }: Request, locals: RequestLocals): void {
  const { path, clientAddress, userAgent } = locals;
  locals.span = tracing.beginRequest({ method, path, headers, clientAddress, userAgent });
  locals.traceId = locals.span.traceId;
}

/** Counts a finished request: in the metrics, in its span, and if it has a route by its API client as well. */
function countRequest(
  { requests, usage }: AppOptions,
  finished: { method: string; locals: RequestLocals; status: number | undefined; ms: number },
): void {
  const { method, locals, status, ms } = finished;
  const { route, client, span, failed } = locals;
  const known = route ?? routeOfPage(locals.path);
  requests.end({ route: known, method, status, errorCode: failed?.code, ms });
  span?.end({ route: known, status });
  if (route === undefined || route.endsWith('/*')) return;
  usage.add({
    method,
    route,
    clientId: client?.clientId,
    keyId: client?.keyId,
    types: locals.usedTypes,
    isError: status !== undefined && status >= 400,
    ms,
  });
}

function serveHealth(check: () => Promise<void>): ExpressHandler {
  return async (_request, response) => {
    const status = await check().then(
      () => 'ok',
      (error: unknown) => (isDamagedStore(error) ? 'damaged' : 'unavailable'),
    );
    // What is whole in a damaged file is still served, and no other server has it.
    sendResponse(response, { status: status === 'unavailable' ? 503 : 200, body: { status } });
  };
}

const rejectOverLimit: ExpressHandler = (_request, response, next) => {
  assertWithinRequestLimit(response);
  next();
};

function answerError(logger: Logger, response: Response, error: unknown): void {
  if (isClientDisconnect(response, error)) return;
  const { path, toErrorResponse: toResponse = toErrorResponse } = response.locals as RequestLocals;
  const cause = isMalformedUrl(error) ? routeNotFound(path) : error;
  logFailedRequest(logger, response, cause);
  if (response.headersSent) response.destroy();
  else sendResponse(response, toResponse(cause));
}

/** Recognizes the error of decoding a path with broken percent-encoding. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError && !isDomainError(error);
}
