/**
 * The dependencies of the handlers of GraphQL endpoints and mapped routes. Also logs failures that a response does not explain.
 */
import type { IdempotentRequests } from '../access/idempotency/idempotent-requests.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Logger } from '../base/runtime.ts';
import type { GraphqlResponse } from '../graphql/operation.ts';
import type { PublishedApis } from '../mapping/routes/published-apis.ts';
import type { ReleaseServices } from './credentials/choose-release.ts';
import { findServiceFailures } from './graphql/graphql-response.ts';
import { isClientDisconnect } from './request/client-disconnect.ts';
import type { BodyLimits } from './request/collect-body.ts';
import type { Response } from './request/http-request.ts';
import type { RateLimiter } from './request/rate-limiter.ts';
import type { RequestLocals } from './request/request-locals.ts';
import { toSenderFields } from './request/request-log.ts';

/** The dependencies of handlers that run operations. */
export interface ServingContext extends ReleaseServices {
  readonly publishedApis: PublishedApis;
  readonly requests: IdempotentRequests;
  readonly limits: BodyLimits;
  readonly origins: RequestOrigins;
  /** Limits the work of each sender; absent means no limits. */
  readonly rateLimiter?: RateLimiter | undefined;
  readonly logger: Logger;
}

/** Logs the failures of the service that caused errors of an operation, except those caused by the client's disconnection. */
export function logFailures(logger: Logger, response: Response, result: GraphqlResponse): void {
  const sender = toSenderFields(response.locals as RequestLocals);
  const failures = findServiceFailures(result).filter((failure) => !isClientDisconnect(response, failure));
  for (const err of failures) logger.error({ ...sender, err }, 'resolver failed');
}
