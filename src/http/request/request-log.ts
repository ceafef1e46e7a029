/**
 * What the log says of a request: the line about it when it is over, and who sent it on every other line.
 *
 * The query string stays out: predicates and values are content, and may be confidential.
 */
import type { Request, Response } from 'express';
import { isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { statusOf } from '../error-map.ts';
import { isHangUp } from './client-disconnect.ts';
import type { RequestLocals } from './request-locals.ts';
import { requestPath } from './request-path.ts';

/** What names a request and its sender on a line of the log. */
export interface SenderFacts {
  readonly requestId: string;
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
  /** Of the API client whose credentials or key came with it. */
  readonly clientId: string | undefined;
  /** Of the user who has signed in. */
  readonly userId: string | undefined;
}

/** Senders choose these freely. */
const maxAgentLength = 200;
const maxPathLength = 1000;

/** The facts about the sender of a request, as far as they are known by now. */
export function senderFacts(locals: RequestLocals): SenderFacts {
  const { requestId, clientAddress, userAgent, client, userId } = locals;
  return { requestId, clientAddress, userAgent, clientId: client?.clientId, userId };
}

/** The name of the program that sends a request, fit for a log. */
export function readUserAgent({ headers }: Request): string | undefined {
  const given = headers['user-agent'];
  return given === undefined ? undefined : toLoggable(given, maxAgentLength);
}

/** Writes the line about a request that is over. */
export function logRequest(logger: Logger, response: Response, startedMs: number): void {
  const facts = {
    method: response.req.method,
    path: toLoggable(requestPath(response.req), maxPathLength),
    status: response.writableFinished ? response.statusCode : 'aborted',
    ms: Math.round((performance.now() - startedMs) * 10) / 10,
    ...senderFacts(response.locals as RequestLocals),
  };
  logger.info(facts, 'request');
}

/** Logs what ended a request, unless it was the caller's mistake, or there were too many: the line about the request tells of that. */
export function logFailedRequest(logger: Logger, response: Response, error: unknown): void {
  if (statusOf(error) < 500 || isDomainError(error, 'too_many_requests')) return;
  if (isHangUp(response, error)) return;
  const path = toLoggable(requestPath(response.req), maxPathLength);
  logger.error({ ...senderFacts(response.locals as RequestLocals), path, err: error }, 'request failed');
}

/** Terminals obey control characters, of which JSON escapes some only. */
function toLoggable(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(/\p{Cc}/gu, '\ufffd');
}
