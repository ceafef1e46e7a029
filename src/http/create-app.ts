/**
 * The Express application and its middleware.
 *
 * In order: request limit, request ID, log line, the Host header that HTTP/1.1 requires, security headers, the APIs with
 * their authentication, GraphQL endpoints, health checks, mapped routes, the pages of the UI. The last middleware answers
 * all errors.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import { invalidParameter, isDomainError, routeNotFound } from '../base/errors.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Logger } from '../base/runtime.ts';
import { type HttpResponse, toErrorResponse } from './error-map.ts';
import { readClientAddress } from './request/client-address.ts';
import { isClientDisconnect } from './request/client-disconnect.ts';
import { parseQuery } from './request/parse-query.ts';
import { assertWithinRequestLimit, countRequests } from './request/request-limit.ts';
import type { RequestLocals } from './request/request-locals.ts';
import { logFailedRequest, logRequest, readUserAgent } from './request/request-log.ts';
import { readOrigin } from './request/request-origin.ts';
import type { TrustedProxies } from './request/trusted-proxies.ts';
import { sendResponse } from './response/send-response.ts';

/** An API that requires authentication, served under a base path. */
export interface MountedApi {
  readonly basePath: string;
  /**
   * Returns what the handlers receive about the sender. Sets the identity in `locals` as soon as it is known, so that the
   * log has it even if the request is then rejected. Errors: unauthorized, forbidden.
   */
  readonly authenticate: (request: Request, locals: RequestLocals) => object | Promise<object>;
  readonly serve: RequestHandler;
  readonly toErrorResponse: (error: unknown) => HttpResponse;
  /** Set on every response, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the application. `graphql` serves the paths under `/graphql`. `checkReady` rejects while the service cannot work,
 * `checkHealth` if only a restart may help. `trustedProxies` may report client addresses. At most `maxRequests` requests run
 * at the same time. `hsts` is the header `Strict-Transport-Security` of every response. `origins` records the senders of requests
 * to the APIs; `graphql` and `routes` record their own.
 */
export function createApp({
  apis,
  graphql,
  pages,
  routes,
  trustedProxies = 0,
  maxRequests,
  hsts,
  checkReady,
  checkHealth,
  origins,
  logger,
}: {
  apis: readonly MountedApi[];
  graphql: RequestHandler;
  pages: RequestHandler;
  routes: RequestHandler;
  trustedProxies?: TrustedProxies | undefined;
  maxRequests: number;
  hsts?: string | undefined;
  checkReady: () => Promise<void>;
  checkHealth: () => Promise<void>;
  origins: RequestOrigins;
  logger: Logger;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.set('trust proxy', trustedProxies);
  app.use(countRequests(maxRequests), startRequest(logger), secureApi);
  if (hsts !== undefined) app.use(sendHsts(hsts));
  for (const api of apis) app.use(api.basePath, mount(api, origins));
  app.use('/graphql', graphql);
  app.get('/healthz', serveHealth(checkHealth));
  app.get('/readyz', serveHealth(checkReady));
  app.use(routes);
  app.use(rejectOverLimit, pages);
  app.use((request) => {
    throw routeNotFound(request.path);
  });
  app.use(sendError(logger));
  return app;
}

/** Sets the security headers for JSON answers. Headers that matter only for pages are omitted. */
const secureApi = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  // Configured separately by the operator, because HSTS makes the host reachable by HTTPS only.
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

function sendHsts(hsts: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader('Strict-Transport-Security', hsts);
    next();
  };
}

/** Assigns the request ID, and logs a line when the request ends. Errors: invalid_parameter without a Host. */
function startRequest(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    // Express types locals as any. This middleware sets their first members.
    const locals = response.locals as RequestLocals;
    locals.requestId = readRequestId(request);
    locals.clientAddress = readClientAddress(request);
    locals.userAgent = readUserAgent(request);
    response.setHeader('X-Request-Id', locals.requestId);
    response.once('close', () => logRequest(logger, response, startedMs));
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      throw invalidParameter('Host', 'is required by HTTP/1.1');
    }
    next();
  };
}

/** Returns the request ID that the caller sent if it is safe to log, and a new ID otherwise. */
function readRequestId({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

function serveHealth(check: () => Promise<void>): RequestHandler {
  return async (_request, response) => {
    const isHealthy = await check().then(
      () => true,
      () => false,
    );
    sendResponse(
      response,
      isHealthy ? { status: 200, body: { status: 'ok' } } : { status: 503, body: { status: 'unavailable' } },
    );
  };
}

const rejectOverLimit: RequestHandler = (_request, response, next) => {
  assertWithinRequestLimit(response);
  next();
};

function mount(api: MountedApi, origins: RequestOrigins): RequestHandler {
  const headers = new Map(Object.entries(api.headers ?? {}));
  return async (request, response, next) => {
    response.setHeaders(headers);
    const locals = response.locals as RequestLocals;
    locals.toErrorResponse = api.toErrorResponse;
    assertWithinRequestLimit(response);
    // Authentication runs before the server reads anything else, including the query string and the body.
    locals.sender = await api.authenticate(request, locals);
    origins.runAs(readOrigin(request, locals), () => api.serve(request, response, next));
  };
}

function sendError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (isClientDisconnect(response, error)) return;
    const { toErrorResponse: toResponse = toErrorResponse } = response.locals as RequestLocals;
    const cause = isMalformedUrl(error) ? routeNotFound(request.path) : error;
    logFailedRequest(logger, response, cause);
    if (response.headersSent) response.destroy();
    else sendResponse(response, toResponse(cause));
  };
}

/** Recognizes the error of decoding a path with broken percent-encoding. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError && !isDomainError(error);
}
