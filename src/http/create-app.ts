/**
 * The Express application: what every request passes on its way in and out.
 *
 * In order: request ID, log line, security headers, the Host that HTTP/1.1 asks for, each API with its credentials and its
 * operations, health checks. Whatever is thrown on the way is answered once, at the end.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { ApiClient } from '../access/api-clients.ts';
import type { Authenticator } from '../access/authenticator.ts';
import { invalidParameter, isDomainError, routeNotFound } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { RequestLocals } from './api.ts';
import { statusOf, toErrorAnswer } from './error-map.ts';
import { parseQuery } from './parse-query.ts';
import { requestPath } from './request-path.ts';
import { sendAnswer } from './send-answer.ts';

/** An API behind client credentials, served under a base path. */
export interface MountedApi {
  readonly basePath: string;
  readonly serve: RequestHandler;
}

/** Makes the application. `checkReady` rejects while the service cannot work. */
export function createApp({
  apis,
  authenticator,
  checkReady,
  logger,
}: {
  apis: readonly MountedApi[];
  authenticator: Authenticator;
  checkReady: () => Promise<void>;
  logger: Logger;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.use(admitRequest(logger), secureApi);
  for (const { basePath, serve } of apis) {
    app.use(basePath, (request, response, next) => {
      // Credentials come before anything else is looked at, the query string and the body included.
      (response.locals as RequestLocals).client = authenticateClient(authenticator, request);
      return serve(request, response, next);
    });
  }
  app.get('/healthz', (_request, response) => sendAnswer(response, { status: 200, body: { status: 'ok' } }));
  app.get('/readyz', answerReadiness(checkReady));
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
  const { requestId, client } = response.locals as RequestLocals;
  return {
    requestId,
    method: request.method,
    path: requestPath(request),
    status: response.writableFinished ? response.statusCode : 'aborted',
    ms: Math.round((performance.now() - startedMs) * 10) / 10,
    clientId: client?.clientId,
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

function authenticateClient(authenticator: Authenticator, { headers }: Request): ApiClient {
  const { 'x-client-id': id, 'x-client-secret': secret } = headers;
  return authenticator.authenticate(id?.toString(), secret?.toString());
}

function answerError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { requestId } = response.locals as RequestLocals;
    const known = isMalformedUrl(error) ? routeNotFound(request.path) : error;
    if (statusOf(known) >= 500) logger.error({ requestId, err: known }, 'request failed');
    if (response.headersSent) response.destroy();
    else sendAnswer(response, toErrorAnswer(known));
  };
}

/** What decoding a path throws when its percent-encoding is broken. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError && !isDomainError(error);
}
