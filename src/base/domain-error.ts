/**
 * The one error class of Colophon and the closed list of its codes.
 *
 * A code names what went wrong; `http/error-map.ts` maps it to an HTTP status. Each code has
 * typed details; the functions that build errors are in `errors.ts`.
 */
import type { EditConflict, Problem, PublicationFinding, Referrers, SourceProblem } from './problems.ts';

/** The closed list of error codes, each with its details. */
export interface ErrorDetails {
  invalid_json: { reason: string };
  invalid_body: { problems: readonly Problem[] };
  missing_file: { problems: readonly Problem[] };
  unsupported_media_type: { received: string | undefined; accepted: readonly string[] };
  body_too_large: { maxBodyBytes: number };
  too_many_values: { maxValues: number; maxMembers: number };
  body_too_slow: Record<never, never>;
  unauthorized: { reason: string };
  forbidden: { reason: string };
  too_many_attempts: { retryAfterSeconds: number };
  rate_limited: { retryAfterSeconds: number };
  not_found: { id: string };
  route_not_found: { url: string };
  /** `patchTypes` are the media types of a PATCH, where it is allowed. */
  method_not_allowed: { method: string; allowed: readonly string[]; patchTypes?: readonly string[] };
  /** `at` is the place in the parameter's value. */
  invalid_parameter: { parameter: string; reason: string; at?: readonly (string | number)[] };
  unknown_type: { type: string; path: string };
  /** `column` is set when a predicate names the field. */
  unknown_field: { path: string; type: string; column?: number };
  predicate_syntax: { column: number; expected: string };
  predicate_type: { column: number; expected: string; value?: number };
  cursor_mismatch: Record<never, never>;
  cursor_expired: { reason: string };
  values_mismatch: { placeholders: number; values: number };
  id_in_use: { id: string };
  value_in_use: { field: string; value: string; reason?: string };
  precondition_failed: { id: string };
  test_failed: { path: string };
  idempotency_key_reused: { key: string };
  atomic_unsupported: Record<never, never>;
  query_too_costly: { path?: string };
  batch_too_costly: Record<never, never>;
  edit_conflict: { id: string; conflicts: readonly EditConflict[] };
  /** `found` are the assets that refer to it, at most 1,000; `referrers` those that the caller sees, once it is known who that is. */
  referenced: { id: string; found: readonly { _id: string; _type: string }[]; referrers?: Referrers };
  release_full: { release: string; drafts: number; bytes: number };
  publication_refused: { findings: readonly PublicationFinding[] };
  run_foreign: { run: string };
  run_closed: { run: string };
  run_active: { run: string };
  run_irreversible: { run: string };
  history_removed: { id: string };
  not_supported: { reason: string };
  last_admin: { email: string };
  user_disabled: { email: string };
  invitation_ended: Record<never, never>;
  openid_user: { email: string };
  provider_failed: { reason: string };
  in_use: { id: string; users: readonly string[] };
  limit_exceeded: { limit: string; max: number; actual: number };
  answer_too_large: { maxAnswerBytes: number; written?: readonly string[] };
  broken_mapping: { mapping: string };
  bad_types: { problems: readonly SourceProblem[] };
  bad_config: { problems: readonly Problem[] };
  check_failed: { reason: string };
  check_running: Record<never, never>;
  cannot_generate: { reason: string };
  usage: { reason: string };
  transfer_failed: { reason: string };
  too_many_requests: Record<never, never>;
  too_many_streams: { max: number };
  store_busy: { reason: string };
  store_full: Record<never, never>;
  store_gone: { file: string };
  store_failure: { operation: string };
}

/** One of the closed list of error codes. */
export type ErrorCode = keyof ErrorDetails;

/** The class of every domain error. Other files use the union `DomainError` instead. */
class ErrorOf<Code extends ErrorCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: Code;
  readonly details: ErrorDetails[Code];
  /** The problems of all operations; set only on the error of a batch. */
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
 * An expected failure, whose message may be shown to the caller.
 *
 * A union over the codes: a `switch` over `error.code` narrows `error.details` to the details of that code.
 */
export type DomainError<Code extends ErrorCode = ErrorCode> = { [Each in Code]: ErrorOf<Each> }[Code];

/** Constructs an error. The cast is needed because a class cannot declare that its constructor returns a member of the union. */
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

/** Returns what a call returns; `undefined` where it fails with one of these codes. Errors: the others of the call. */
export async function unlessError<Result>(
  call: Promise<Result>,
  ...codes: readonly ErrorCode[]
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isDomainError(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}
