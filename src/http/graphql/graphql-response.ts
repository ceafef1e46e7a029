/**
 * From what a GraphQL operation came to, to the body and the status HTTP gives it.
 *
 * Every error carries `extensions.code`: the code of the domain error behind it with where it lies, or one of GraphQL's own
 * named below. What nobody outside should know is `internal`, with one message for all of it.
 */
import { type DomainError, isDomainError } from '../../base/errors.ts';
import type { GraphqlAnswer, GraphqlFailure, RefusedDocument } from '../../graphql/operation.ts';
import { failureMessage, placeOf, statusOf } from '../error-map.ts';

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

/** The status that errors ask for: of the first that asks for one, else 400. Content that does not fit its type asks for none. */
export function statusOfBody({ errors = [] }: GraphqlBody): number {
  if (errors.every(({ extensions }) => extensions.code === unfitCode)) return 200;
  return errors.find(({ extensions }) => extensions.http)?.extensions.http?.status ?? 400;
}

/**
 * The failure of the store behind an answer's errors, if there is one: it decides what the whole answer is, whatever else there
 * is in it. One that may pass comes before one that may not.
 */
export function findStoreFailure({ errors = [] }: GraphqlAnswer): DomainError | undefined {
  const causes = errors.map(({ cause }) => cause);
  return (
    causes.find((cause) => isDomainError(cause, 'store_busy')) ??
    causes.find((cause) => isDomainError(cause, 'store_failure'))
  );
}

/** The errors of an answer that are failures of the service, which its log is to tell of. */
export function findServiceFailures({ errors = [] }: GraphqlAnswer): unknown[] {
  // One failure can be behind many errors, such as those of all references that were read together.
  const causes = new Set(errors.map(({ cause }) => cause));
  return [...causes].filter((cause) => cause !== undefined && statusOf(cause) >= 500);
}

/** The code of an error over stored content that does not fit its type. */
const unfitCode = 'unfit_content';

/** `fallback` is the code of an error of GraphQL's own, which has no cause. */
function toGraphqlError(
  { message, locations, path, cause, isUnfit }: GraphqlFailure,
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
  if (!isDomainError(cause) || (status >= 500 && cause.code !== 'broken_mapping')) {
    const isPassing = isDomainError(cause, 'store_busy') || isDomainError(cause, 'too_many_requests');
    const code = isPassing ? cause.code : 'internal';
    return { message: failureMessage(status), ...place, extensions: { code, ...http } };
  }
  const { code, message: reason } = cause;
  const facts = isLimit(cause) ? cause.details : placeOf(cause);
  return { message: reason, ...place, extensions: { code, ...facts, ...http } };
}

const isLimit = (error: unknown) =>
  isDomainError(error, 'limit_exceeded') || isDomainError(error, 'answer_too_large');
