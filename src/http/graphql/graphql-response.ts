/**
 * Converts the result of a GraphQL operation to a body and an HTTP status.
 *
 * Every error has `extensions.code`: the code of the domain error that caused it, with its place in the request, or a code that only
 * GraphQL errors have. Failures whose details callers must not see have the code `internal` and one common message.
 */
import { type DomainError, isDomainError, isStoreError } from '../../base/errors.ts';
import type { GraphqlFailure, GraphqlResponse, RefusedDocument } from '../../graphql/operation.ts';
import { failureMessage, isFailure, locationOf, statusOf } from '../error-map.ts';

/** An error in the `errors` of a GraphQL response. */
export interface GraphqlError {
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
