/**
 * The one error class of Colophon and the closed list of its codes.
 *
 * A code says what went wrong in the domain's words; which HTTP status it gets is decided in `http/error-map.ts`. Each code has
 * typed details; the functions that build errors are in `errors.ts`.
 */
import type { Problem, SourceProblem } from './problems.ts';

/** The closed list of error codes, each with its details. */
export interface ErrorDetails {
  invalid_json: { reason: string };
  invalid_body: { problems: readonly Problem[] };
  unsupported_media_type: { received: string | undefined };
  body_too_large: { maxBodyBytes: number };
  body_too_slow: Record<never, never>;
  unauthorized: { reason: string };
  forbidden: { reason: string };
  too_many_attempts: { retryAfterSeconds: number };
  not_found: { id: string };
  route_not_found: { url: string };
  method_not_allowed: { method: string; allowed: readonly string[] };
  invalid_parameter: { parameter: string; reason: string };
  unknown_type: { type: string; path: string };
  /** `column` where the field stands in a predicate. */
  unknown_field: { path: string; type: string; column?: number };
  predicate_syntax: { column: number; expected: string };
  predicate_type: { column: number; expected: string };
  values_mismatch: { placeholders: number; values: number };
  id_in_use: { id: string };
  value_in_use: { field: string; value: string };
  precondition_failed: { id: string };
  idempotency_key_reused: { key: string };
  atomic_unsupported: Record<never, never>;
  query_too_costly: { path?: string };
  in_use: { id: string; users: readonly string[] };
  limit_exceeded: { limit: string; max: number; actual: number };
  answer_too_large: { maxAnswerBytes: number; written?: readonly string[] };
  broken_mapping: { mapping: string };
  bad_types: { problems: readonly SourceProblem[] };
  bad_config: { problems: readonly Problem[] };
  check_failed: { reason: string };
  cannot_generate: { reason: string };
  usage: { reason: string };
  transfer_failed: { reason: string };
  too_many_requests: Record<never, never>;
  store_busy: { reason: string };
  store_failure: { operation: string };
}

/** One of the closed list of error codes. */
export type ErrorCode = keyof ErrorDetails;

/** The class behind every domain error; code elsewhere names the union `DomainError`. */
class ErrorOf<Code extends ErrorCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: Code;
  readonly details: ErrorDetails[Code];
  /** Set on the error of a batch: everything that is wrong in all its operations. */
  readonly problems?: readonly Problem[];

  constructor(code: Code, message: string, details: ErrorDetails[Code], options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = details;
    if (options.problems) this.problems = options.problems;
  }
}

interface ErrorOptions {
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
}

/**
 * An expected failure; its message is fit for the caller to read.
 *
 * A union over the codes: a `switch` over `error.code` narrows `error.details` to the facts of that code.
 */
export type DomainError<Code extends ErrorCode = ErrorCode> = { [Each in Code]: ErrorOf<Each> }[Code];

/** The constructor gives a member of the union, which a class cannot say of itself: hence the cast. */
export const DomainError = ErrorOf as new <Code extends ErrorCode>(
  code: Code,
  message: string,
  details: ErrorDetails[Code],
  options?: ErrorOptions,
) => DomainError<Code>;

/** Tells whether `error` is a domain error and, when `code` is given, one of that code. */
export function isDomainError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is DomainError<Code> {
  return error instanceof ErrorOf && (code === undefined || error.code === code);
}
