/**
 * From what a GraphQL operation came to, to the body and the status HTTP gives it.
 *
 * Every error carries `extensions.code`: the code of the domain error behind it with where it lies, or one of GraphQL's own
 * named below. What nobody outside should know is `internal`, with one message for all of it.
 */
import { isDomainError } from '../base/errors.ts';
import type { GraphqlAnswer, GraphqlFailure, RefusedDocument } from '../graphql/operation.ts';
import { failureMessage, placeOf, statusOf } from './error-map.ts';

/** An error in the `errors` of a GraphQL response. */
export interface GraphqlError {
  readonly message: string;
  readonly locations?: NonNullable<GraphqlFailure['locations']>;
  readonly path?: NonNullable<GraphqlFailure['path']>;
  readonly extensions: {
    readonly code: string;
    /** What the error asks a mapped route to answer, unless it is 400. */
    readonly http?: { readonly status: number };
    readonly [fact: string]: unknown;
  };
}

/** The body of a GraphQL response. */
export interface GraphqlBody {
  readonly errors?: readonly GraphqlError[];
  readonly data?: Exclude<GraphqlAnswer['data'], undefined>;
}

/** The body of an answer to an operation. */
export function toGraphqlBody({ data, errors }: GraphqlAnswer): GraphqlBody {
  if (!errors) return data === undefined ? {} : { data };
  const fallback = data === undefined ? 'invalid_variables' : 'internal';
  const body = { errors: errors.map((failure) => toGraphqlError(failure, fallback)) };
  return data === undefined ? body : { ...body, data };
}

/** The body that says why a document cannot be run. */
export function toRefusal({ problems, cause }: RefusedDocument): GraphqlBody {
  return {
    errors: problems.map(({ message, line, column }) =>
      toGraphqlError(
        { message, locations: [{ line, column }], ...(cause ? { cause } : {}) },
        'invalid_query',
      ),
    ),
  };
}

/** The body that says what went wrong before any operation was known. */
export function toFailureBody(error: unknown): GraphqlBody {
  const message = error instanceof Error ? error.message : '';
  return { errors: [toGraphqlError({ message, cause: error }, 'internal')] };
}

/** The status that errors ask for: of the first that asks for one, else 400. */
export function statusOfBody({ errors }: GraphqlBody): number {
  if (!errors) return 200;
  return errors.find(({ extensions }) => extensions.http)?.extensions.http?.status ?? 400;
}

/** The errors of an answer that are failures of the service, which its log is to tell of. */
export function findServiceFailures({ errors = [] }: GraphqlAnswer): unknown[] {
  // One failure can be behind many errors, such as those of all references that were read together.
  const causes = new Set(errors.map(({ cause }) => cause));
  return [...causes].filter((cause) => cause !== undefined && statusOf(cause) >= 500);
}

/** `fallback` is the code of an error of GraphQL's own, which has no cause. */
function toGraphqlError({ message, locations, path, cause }: GraphqlFailure, fallback: string): GraphqlError {
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  if (cause === undefined) {
    const http = fallback === 'internal' ? { http: { status: 500 } } : {};
    return { message, ...place, extensions: { code: fallback, ...http } };
  }
  const status = statusOf(cause);
  const http = status === 400 ? {} : { http: { status } };
  if (!isDomainError(cause) || (status >= 500 && cause.code !== 'broken_mapping')) {
    const code = isDomainError(cause, 'store_busy') ? 'store_busy' : 'internal';
    return { message: failureMessage(status), ...place, extensions: { code, ...http } };
  }
  const { code, message: reason } = cause;
  const facts = isDomainError(cause, 'limit_exceeded') ? cause.details : placeOf(cause);
  return { message: reason, ...place, extensions: { code, ...facts, ...http } };
}
