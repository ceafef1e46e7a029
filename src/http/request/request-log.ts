/**
 * Writes requests to the log: one line for each finished request, and the sender on every other line about a request.
 *
 * The query string is not logged, because predicates and values are content and may be confidential.
 */
import { randomUUID } from 'node:crypto';
import { isDomainError, isStoreError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { GraphqlResponse, PreparedOperation } from '../../graphql/operation.ts';
import { isFailure } from '../error-map.ts';
import { isClientDisconnect } from './client-disconnect.ts';
import type { Request, Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';

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
