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
  // The application sets the locals. The sender's fields are written out, because this is done for every request.
  const { path, requestId, clientAddress, userAgent, client, user } = response.locals as RequestLocals;
  const fields = {
    method: response.req.method,
    path: toLoggable(path, maxPathLength),
    status: response.writableFinished ? response.statusCode : 'aborted',
    ms: Math.round((performance.now() - startedMs) * 10) / 10,
    requestId,
    clientAddress,
    userAgent,
    clientId: client?.clientId,
    userId: user?.id,
  };
  logger.info(fields, 'request');
}

/** Logs the error that ended a request, unless the caller or the limit of requests caused it; the request's own line shows those. */
export function logFailedRequest(logger: Logger, response: Response, error: unknown): void {
  if (!isFailure(error) || isDomainError(error, 'too_many_requests')) return;
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
