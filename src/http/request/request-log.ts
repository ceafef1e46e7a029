/**
 * Writes requests to the log: one line for each finished request, and the sender on every other line about a request.
 *
 * The query string is not logged, because predicates and values are content and may be confidential.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { isFailure } from '../error-map.ts';
import { isClientDisconnect } from './client-disconnect.ts';
import type { Request, Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';
import { requestPath } from './request-path.ts';

/** The fields of a log line that identify a request and its sender. */
export interface SenderFields {
  readonly requestId: string;
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
  const { requestId, clientAddress, userAgent, client, user } = locals;
  return { requestId, clientAddress, userAgent, clientId: client?.clientId, userId: user?.id };
}

/** Reads the header `User-Agent`, shortened and without control characters. */
export function readUserAgent({ headers }: Request): string | undefined {
  const given = headers['user-agent'];
  return given === undefined ? undefined : toLoggable(given, maxAgentLength);
}

/** Logs a finished request. */
export function logRequest(logger: Logger, response: Response, startedMs: number): void {
  const fields = {
    method: response.req.method,
    path: toLoggable(requestPath(response.req), maxPathLength),
    status: response.writableFinished ? response.statusCode : 'aborted',
    ms: Math.round((performance.now() - startedMs) * 10) / 10,
    ...toSenderFields(response.locals as RequestLocals),
  };
  logger.info(fields, 'request');
}

/** Logs the error that ended a request, unless the caller or the limit of requests caused it; the request's own line shows those. */
export function logFailedRequest(logger: Logger, response: Response, error: unknown): void {
  if (!isFailure(error) || isDomainError(error, 'too_many_requests')) return;
  if (isClientDisconnect(response, error)) return;
  const path = toLoggable(requestPath(response.req), maxPathLength);
  logger.error({ ...toSenderFields(response.locals as RequestLocals), path, err: error }, 'request failed');
}

/** Replaces control characters: terminals execute them, and JSON escapes only some. */
function toLoggable(text: string, maxLength: number): string {
  const shortened = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return shortened.replace(/\p{Cc}/gu, '\ufffd');
}
