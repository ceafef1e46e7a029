/**
 * The errors of the client: one class for each kind of refusal and failure, all subclasses of `ColophonError`.
 *
 * Each has the status, a stable code, and the place of the mistake in the request. Other errors are a mistake in the call itself,
 * or the reason of an aborted signal.
 */
import type { EditConflict, ErrorCode, Problem, Referrers } from './cma/types.gen.ts';

/**
 * A stable code of the API or of GraphQL. For a response without one it is `http_` with the status; without a response it is
 * `connection_failed` or `timeout`; it is `unexpected_answer` for a response that does not come from Colophon, and `not_modified` for a
 * response of an operation that has not changed since `If-None-Match`.
 */
export type ColophonErrorCode =
  | ErrorCode
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_answer'
  | 'not_modified'
  | `http_${number}`
  | (string & {});

/** One of the `errors` of a mapped route. */
export interface RouteError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [fact: string]: unknown };
}

/** The properties of an error beside its message. */
export interface ErrorFacts {
  readonly code: ColophonErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly path?: string | undefined;
  readonly column?: number | undefined;
  readonly problems?: readonly Problem[] | undefined;
  readonly conflicts?: readonly EditConflict[] | undefined;
  readonly referrers?: Referrers | undefined;
  readonly errors?: readonly RouteError[] | undefined;
  readonly data?: unknown;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A call that did not succeed. */
export class ColophonError extends Error {
  override readonly name: string = 'ColophonError';
  readonly code: ColophonErrorCode;
  /** The status of the response; absent without a response. */
  readonly status: number | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** The parameter, or the field by its JSON name, that is wrong; the first, when there are several. */
  readonly path: string | undefined;
  /** Where in the predicate the mistake is, counted in characters from 1. */
  readonly column: number | undefined;
  /** Everything that is wrong with the body. */
  readonly problems: readonly Problem[];
  /** The fields that others have changed, too, since the base version of a change. */
  readonly conflicts: readonly EditConflict[];
  /** The assets that keep one from being deleted. */
  readonly referrers: Referrers | undefined;
  /** All errors of a mapped route. */
  readonly errors: readonly RouteError[];
  /** The data of a mapped route that has errors as well, if any. */
  readonly data: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** The response's body: parsed JSON, or else its text. */
  readonly body: unknown;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.path = facts.path;
    this.column = facts.column;
    this.problems = facts.problems ?? [];
    this.conflicts = facts.conflicts ?? [];
    this.referrers = facts.referrers;
    this.errors = facts.errors ?? [];
    this.data = facts.data;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.body = facts.body;
  }
}

/**
 * 200: some stored content does not fit its content type, which has changed since. Each of `errors` names a value that is null
 * for this reason; `data` is whole otherwise.
 */
export class UnfitContentError extends ColophonError {
  override readonly name = 'UnfitContentError';
  declare readonly status: 200;
}

/** 400: something about the request is wrong. */
export class BadRequestError extends ColophonError {
  override readonly name: string = 'BadRequestError';
  declare readonly status: 400;
}

/** 400: the body is not what its content type says; `problems` has each mistake with its path. */
export class ValidationError extends BadRequestError {
  override readonly name = 'ValidationError';
}

/** 400: the predicate or its values are wrong; `column` says where. */
export class PredicateError extends BadRequestError {
  override readonly name = 'PredicateError';
}

/** 401: the credentials are missing or wrong. */
export class UnauthorizedError extends ColophonError {
  override readonly name = 'UnauthorizedError';
  declare readonly status: 401;
}

/** 403: the API client may not do this. */
export class ForbiddenError extends ColophonError {
  override readonly name = 'ForbiddenError';
  declare readonly status: 403;
}

/** 404: there is no such asset, or nothing is served at the path. */
export class NotFoundError extends ColophonError {
  override readonly name = 'NotFoundError';
  declare readonly status: 404;
}

/** 405: the path does not have this method. */
export class MethodNotAllowedError extends ColophonError {
  override readonly name = 'MethodNotAllowedError';
  declare readonly status: 405;
}

/** 409: an `_id`, the value of a unique field, or an idempotency key is in use, or others have changed the same fields. */
export class ConflictError extends ColophonError {
  override readonly name = 'ConflictError';
  declare readonly status: 409;
}

/** 412: the asset has changed since the state that `ifMatch` names. */
export class PreconditionFailedError extends ColophonError {
  override readonly name = 'PreconditionFailedError';
  declare readonly status: 412;
}

/** 413: the body is larger than the server takes. */
export class PayloadTooLargeError extends ColophonError {
  override readonly name = 'PayloadTooLargeError';
  declare readonly status: 413;
}

/** 415: the body is not sent as the server takes it. */
export class UnsupportedMediaTypeError extends ColophonError {
  override readonly name = 'UnsupportedMediaTypeError';
  declare readonly status: 415;
}

/** 429: too many requests; `retryAfterSeconds` says when to ask again, if the server does. */
export class TooManyRequestsError extends ColophonError {
  override readonly name = 'TooManyRequestsError';
  declare readonly status: 429;
}

/** 500 to 599: the server failed, is busy, or what stands before it could not reach it. */
export class ServerError extends ColophonError {
  override readonly name = 'ServerError';
  declare readonly status: number;
}

/** No whole response came, as the connection failed or was lost; the request may have been carried out. */
export class ConnectionError extends ColophonError {
  override readonly name = 'ConnectionError';
  declare readonly status: undefined;
}

/** No whole response came in time; the request may have been carried out. */
export class TimeoutError extends ColophonError {
  override readonly name = 'TimeoutError';
  declare readonly status: undefined;
}
