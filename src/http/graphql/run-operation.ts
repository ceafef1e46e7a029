/**
 * The dependencies of the handlers of GraphQL endpoints and mapped routes. Also logs failures that a response does not explain.
 */

import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { type DomainError, invalidParameter, isDomainError, isStoreError } from '../../base/errors.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Logger } from '../../base/runtime.ts';
import type {
  GraphqlFailure,
  GraphqlResponse,
  PreparedOperation,
  RefusedDocument,
} from '../../graphql/operation.ts';
import type { PublishedApis } from '../../mapping/routes/published-apis.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { ReleaseServices } from '../credentials/authenticate.ts';
import { createIdempotencyKeyHandler, type StoredResponse } from '../credentials/idempotency-key.ts';
import { failureMessage, isFailure, locationOf, statusOf } from '../error-map.ts';
import type { RateLimiter } from '../request/limit-requests.ts';
import type { BodyLimits } from '../request/read-body.ts';
import {
  isClientDisconnect,
  type Request,
  type RequestLocals,
  type Response,
} from '../request/request-head.ts';
import { toSenderFields } from '../request/request-telemetry.ts';

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
function logFailures(logger: Logger, response: Response, result: GraphqlResponse): void {
  const sender = toSenderFields(response.locals as RequestLocals);
  const failures = findServiceFailures(result).filter((failure) => !isClientDisconnect(response, failure));
  for (const err of failures) logger.error({ ...sender, err }, 'resolver failed');
}

// Runs the operations of GraphQL endpoints and mapped routes: mutations with their `Idempotency-Key`, as in the content management API.
//
// A response is stored for 24 hours. What it contains of assets is erased with them, so the stored response names them.

/** The response to an operation, as a GraphQL endpoint or a route gives it. */
interface OperationResult {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a mutation, the body that GraphQL has. */
  readonly body: unknown;
}

interface OperationRequest<Result extends OperationResult> {
  readonly operation: PreparedOperation;
  /** Identifies the request among those with the same key: where it was sent, and its parameters. */
  readonly route: string;
  readonly parameters: JsonObject;
  readonly input: Omit<Parameters<PreparedOperation['run']>[0], 'reserved'>;
  toResult(response: GraphqlResponse): Result;
}

/**
 * Runs an operation, or returns the stored response of the same request. Queries ignore the header.
 *
 * Errors: invalid_parameter for a malformed key, a sender without credentials and a mutation with several fields;
 * idempotency_key_reused; rate_limited; not_found when an asset in the response was erased; store_busy.
 */
type OperationRunner = <Result extends OperationResult>(
  http: { readonly request: Request; readonly response: Response },
  request: OperationRequest<Result>,
) => Promise<Result>;

export function createOperationRunner({
  requests,
  logger,
}: {
  requests: IdempotentRequests;
  logger: Logger;
}): OperationRunner {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return async <Result extends OperationResult>(
    { request, response }: { request: Request; response: Response },
    { operation, route, parameters, input, toResult }: OperationRequest<Result>,
  ) => {
    const sender = readSender(request, response, operation);
    let sources: GraphqlResponse['sources'];
    return withIdempotencyKey<Result>(
      { operationId: route, body: parameters, ...sender },
      {
        async run(reserved) {
          const ran = await operation.run({ ...input, ...(reserved && { reserved }) });
          const result = toResult(ran);
          // The errors of a run whose work another run has taken over count for nothing.
          if (reserved && !isFinal(result)) await reserved.assertCurrent();
          logFailures(logger, response, ran);
          ({ sources } = ran);
          return result;
        },
        isFinal,
        assetsIn: () => [...(sources?.assets.keys() ?? [])],
        keep: (stored) => (sources?.hasMore || isLarge(stored) ? withoutData(stored) : stored),
      },
    );
  };
}

/** Reads the key of a mutation and whose it is. Errors: invalid_parameter. */
function readSender(
  request: Request,
  response: Response,
  { kind, isSingleMutation }: PreparedOperation,
): { readonly clientId: string; readonly key: string | undefined } {
  // The application sets the locals.
  const { clientId } = (response.locals as RequestLocals).client ?? {};
  const key = kind === 'mutation' ? request.headers[header.toLowerCase()]?.toString() : undefined;
  if (key === undefined) return { clientId: clientId ?? '', key };
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidParameter(header, 'must be 1 to 255 characters of ASCII, without spaces');
  if (clientId === undefined) throw invalidParameter(header, 'needs credentials, which are not used here');
  if (!isSingleMutation)
    throw invalidParameter(
      header,
      'is for a mutation with one field: send several mutations, each with a key',
    );
  return { clientId, key };
}

const header = 'Idempotency-Key';

/** Whether a response reports no failure of the service, and not that its run refuses it. */
function isFinal({ body }: OperationResult): boolean {
  // The operation is a mutation.
  const { errors = [] } = body as GraphqlBody;
  return errors.every(
    ({ extensions: { http, code } }) =>
      (http?.status ?? 400) < 500 && code !== 'run_closed' && code !== 'run_foreign',
  );
}

const maxStoredCharacters = 1_048_576;

const isLarge = ({ body }: StoredResponse) => JSON.stringify(body).length > maxStoredCharacters;

/** Replaces a response that is too large to be stored. The request, sent again, still changes nothing. */
function withoutData({ body, ...response }: StoredResponse): StoredResponse {
  // The body is that of an operation.
  const { extensions } = body as JsonObject;
  const message =
    'The mutation was carried out, but its response has more than 1,000 assets or 1 MiB, which is not kept: read the assets';
  const errors = [{ message, extensions: { code: 'answer_too_large' } }];
  return { ...response, status: 400, body: { errors, ...(extensions === undefined ? {} : { extensions }) } };
}

// Converts the result of a GraphQL operation to a body and an HTTP status.
//
// Every error has `extensions.code`: the code of the domain error that caused it, with its place in the request, or a code that only
// GraphQL errors have. Failures whose details callers must not see have the code `internal` and one common message.

/** An error in the `errors` of a GraphQL response. */
interface GraphqlError {
  readonly message: string;
  readonly locations?: NonNullable<GraphqlFailure['locations']>;
  readonly path?: NonNullable<GraphqlFailure['path']>;
  readonly extensions: {
    readonly code: string;
    /** The status with which a mapped route responds to the error, if it is not 400. */
    readonly http?: { readonly status: number };
    readonly [fact: string]: unknown;
  };
}

/** The body of a GraphQL response. */
export interface GraphqlBody {
  readonly errors?: readonly GraphqlError[];
  readonly data?: Exclude<GraphqlResponse['data'], undefined>;
  /** The `id`s of the entries that a mutation has in the change log, in order. */
  readonly extensions?: { readonly changes: readonly string[] };
}

/** Builds the whole body for the result of an operation. */
export function toGraphqlBody({ data, errors, changes }: GraphqlResponse): GraphqlBody {
  const fallback = data === undefined ? 'invalid_variables' : 'internal';
  return {
    ...(errors && { errors: errors.map((failure) => toGraphqlError(failure, fallback)) }),
    ...(data !== undefined && { data }),
    ...(changes && { extensions: { changes } }),
  };
}

/** Builds the body that says why a document cannot be run. */
export function toRefusedBody({ problems, cause }: RefusedDocument): GraphqlBody {
  return {
    errors: problems.map(({ message, line, column }) =>
      toGraphqlError(
        { message, locations: [{ line, column }], ...(cause ? { cause } : {}) },
        'invalid_query',
      ),
    ),
  };
}

/** Builds the body that says why no document can be run. */
export const toUnavailableBody = ({ code, message }: { code: string; message: string }): GraphqlBody => ({
  errors: [{ message, extensions: { code } }],
});

/** Builds the body for an error that occurred before the operation was known. */
export function toFailureBody(error: unknown): GraphqlBody {
  const message = error instanceof Error ? error.message : '';
  return { errors: [toGraphqlError({ message, cause: error }, 'internal')] };
}

/** Returns the status for errors: that of the first error with a status, otherwise 400. Content that does not fit its type is no error. */
export function statusOfBody({ errors = [] }: GraphqlBody): number {
  if (errors.every(({ extensions }) => extensions.code === unfitCode)) return 200;
  return errors.find(({ extensions }) => extensions.http)?.extensions.http?.status ?? 400;
}

/**
 * Finds the failure of the store that caused errors of an operation; it determines the status of the whole response. A temporary
 * failure takes precedence over others.
 */
export function findStoreFailure({ errors = [] }: GraphqlResponse): DomainError | undefined {
  const causes = errors.map(({ cause }) => cause);
  return causes.find((cause) => isDomainError(cause, 'store_busy')) ?? causes.find(isStoreError);
}

/** Lists the failures of the service that caused errors of an operation, for the log. */
export function findServiceFailures({ errors = [] }: GraphqlResponse): unknown[] {
  // One failure can cause many errors, such as those of all references that were read together.
  const causes = new Set(errors.map(({ cause }) => cause));
  return [...causes].filter((cause) => cause !== undefined && (isFailure(cause) || isStoreError(cause)));
}

/** The code of an error about stored content that does not fit its type. */
const unfitCode = 'unfit_content';

/** Converts one error. `fallback` is the code of an error without a cause, which comes from GraphQL.js. */
function toGraphqlError(
  { message, locations, path, cause, parameter, isUnfit }: GraphqlFailure,
  fallback: string,
): GraphqlError {
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  if (isUnfit) return { message, ...place, extensions: { code: unfitCode } };
  if (cause === undefined) {
    const http = fallback === 'internal' ? { http: { status: 500 } } : {};
    return { message, ...place, extensions: { code: fallback, ...http } };
  }
  const status = statusOf(cause);
  const http = status === 400 ? {} : { http: { status } };
  if (!isDomainError(cause) || (isFailure(cause) && cause.code !== 'broken_mapping')) {
    const isTemporary = isDomainError(cause, 'store_busy') || isDomainError(cause, 'too_many_requests');
    const code = isTemporary ? cause.code : 'internal';
    return { message: failureMessage(cause), ...place, extensions: { code, ...http } };
  }
  const { code } = cause;
  const facts = isLimit(cause) ? cause.details : locationOf(cause);
  const named = parameter === undefined ? {} : { path: parameter };
  return { message, ...place, extensions: { code, ...facts, ...named, ...http } };
}

const isLimit = (error: unknown) =>
  isDomainError(error, 'limit_exceeded') || isDomainError(error, 'answer_too_large');
