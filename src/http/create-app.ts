/**
 * The Express application: what every request passes on its way in and out.
 *
 * In order: request ID, log line, security headers, the Host that HTTP/1.1 asks for, each API with its credentials and its
 * operations, health checks. Whatever is thrown on the way is answered once, at the end.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import helmet from 'helmet';
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
  app.use(identifyRequest, logRequest(logger), secureApi, requireHost);
  for (const { basePath, serve } of apis) {
    // Credentials come before anything else is looked at, the query string and the body included.
    app.use(basePath, authenticateClient(authenticator), serve);
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
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  (response.locals as RequestLocals).requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
};

function logRequest(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.once('close', () => {
      // The query string stays out: predicates and values are content, and may be confidential.
      const { requestId, client } = response.locals as RequestLocals;
      const facts = {
        requestId,
        method: request.method,
        path: requestPath(request),
        status: response.writableFinished ? response.statusCode : 'aborted',
        ms: Math.round((performance.now() - startedMs) * 10) / 10,
        clientId: client?.clientId,
      };
      logger.info(facts, 'request');
    });
    next();
  };
}

const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw invalidParameter('Host', 'is required by HTTP/1.1');
  }
  next();
};

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

function authenticateClient(authenticator: Authenticator): RequestHandler {
  return (request, response, next) => {
    const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
    (response.locals as RequestLocals).client = authenticator.authenticate(
      id?.toString(),
      secret?.toString(),
    );
    next();
  };
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
