/**
 * What serving stored content takes, at GraphQL endpoints as at routes: the parts it is built from, and the log of what its callers
 * are not told.
 */
import type { Response } from 'express';
import type { Authenticator } from '../access/authenticator.ts';
import type { Logger } from '../base/runtime.ts';
import type { GraphqlAnswer } from '../graphql/operation.ts';
import type { Gateway } from '../mapping/gateway.ts';
import type { RequestLocals } from './api.ts';
import { statusOf } from './error-map.ts';
import { findServiceFailures } from './graphql-answer.ts';
import type { BodyLimits } from './read-body.ts';
import { requestPath } from './request-path.ts';

/** What operations are served with. */
export interface ServingParts {
  readonly gateway: Gateway;
  readonly authenticator: Authenticator;
  readonly limits: BodyLimits;
  readonly logger: Logger;
}

/** Logs the failures of the service behind an operation's errors, and gives them. */
export function logFailures(logger: Logger, response: Response, result: GraphqlAnswer): unknown[] {
  const { requestId } = response.locals as RequestLocals;
  const failures = findServiceFailures(result);
  for (const err of failures) logger.error({ requestId, err }, 'resolver failed');
  return failures;
}

/** Logs what ended a request, unless it was the caller's mistake. */
export function logFailedRequest(logger: Logger, response: Response, error: unknown): void {
  if (statusOf(error) < 500) return;
  const { requestId } = response.locals as RequestLocals;
  logger.error({ requestId, path: requestPath(response.req), err: error }, 'request failed');
}
