/**
 * The Express application: what every request passes on its way in and out.
 *
 * In order: request ID, log line, security headers, the Host that HTTP/1.1 asks for, each API with its credentials and its
 * operations, GraphQL endpoints, health checks, mapped routes, the pages of the UI. Whatever is thrown on the way is answered
 * once, at the end.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { invalidParameter, isDomainError, routeNotFound } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { Identity, RequestLocals } from './api.ts';
import { type HttpAnswer, statusOf, toErrorAnswer } from './error-map.ts';
import { parseQuery } from './parse-query.ts';
import { requestPath } from './request-path.ts';
import { sendAnswer } from './send-answer.ts';

/** An API behind credentials, served under a base path. */
export interface MountedApi {
  readonly basePath: string;
  /** Tells who sends a request. Errors: unauthorized, forbidden. */
  readonly authenticate: (request: Request) => Identity | Promise<Identity>;
  readonly serve: RequestHandler;
  readonly toErrorAnswer: (error: unknown) => HttpAnswer;
  /** Set on every answer, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the application. `graphql` serves what is below `/graphql`; `checkReady` rejects while the service cannot work. */
export function createApp({
  apis,
  graphql,
  pages,
  routes,
  checkReady,
  logger,
}: {
  apis: readonly MountedApi[];
  graphql: RequestHandler;
  pages: RequestHandler;
  routes: RequestHandler;
  checkReady: () => Promise<void>;
  logger: Logger;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.use(admitRequest(logger), secureApi);
  for (const api of apis) app.use(api.basePath, mount(api));
  app.use('/graphql', graphql);
  app.get('/healthz', (_request, response) => sendAnswer(response, { status: 200, body: { status: 'ok' } }));
  app.get('/readyz', answerReadiness(checkReady));
  app.use(routes);
  app.use(pages);
  app.use((request) => {
    throw routeNotFound(request.path);
  });
  app.use(answerError(logger));
  return app;
}

/** What protects answers that are JSON; the headers that are for pages only are left out. */
const secureApi = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Gives the request an ID and the log a line about it. */
function admitRequest(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    // Express types locals as anything; this is where they begin.
    const locals = response.locals as RequestLocals;
    locals.requestId = readRequestId(request);
    response.setHeader('X-Request-Id', locals.requestId);
    response.once('close', () => logger.info(describeRequest(request, response, startedMs), 'request'));
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      throw invalidParameter('Host', 'is required by HTTP/1.1');
    }
    next();
  };
}

/** The caller's own ID, when it can stand in a log. */
function readRequestId({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The query string stays out: predicates and values are content, and may be confidential. */
function describeRequest(request: Request, response: Response, startedMs: number): object {
  const { requestId, client, userId } = response.locals as RequestLocals;
  return {
    requestId,
    method: request.method,
    path: requestPath(request),
    status: response.writableFinished ? response.statusCode : 'aborted',
    ms: Math.round((performance.now() - startedMs) * 10) / 10,
    clientId: client?.clientId,
    userId,
  };
}

function answerReadiness(checkReady: () => Promise<void>): RequestHandler {
  return async (_request, response) => {
    const isReady = await checkReady().then(
      () => true,
      () => false,
    );
    sendAnswer(
      response,
      isReady ? { status: 200, body: { status: 'ok' } } : { status: 503, body: { status: 'unavailable' } },
    );
  };
}

function mount(api: MountedApi): RequestHandler {
  const headers = new Map(Object.entries(api.headers ?? {}));
  return async (request, response, next) => {
    response.setHeaders(headers);
    const locals = response.locals as RequestLocals;
    locals.toErrorAnswer = api.toErrorAnswer;
    // Credentials come before anything else is looked at, the query string and the body included.
    Object.assign(locals, await api.authenticate(request));
    api.serve(request, response, next);
  };
}

function answerError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { requestId, toErrorAnswer: toAnswer = toErrorAnswer } = response.locals as RequestLocals;
    const known = isMalformedUrl(error) ? routeNotFound(request.path) : error;
    if (statusOf(known) >= 500) logger.error({ requestId, err: known }, 'request failed');
    if (response.headersSent) response.destroy();
    else sendAnswer(response, toAnswer(known));
  };
}

/** What decoding a path throws when its percent-encoding is broken. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError && !isDomainError(error);
}
