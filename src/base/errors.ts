/**
 * The one error class of Colophon and the closed list of its codes.
 *
 * A code says what went wrong in the domain's words; which HTTP status it gets is `http/error-map.ts`'s affair.
 * Each code has typed details and one small function that builds it, so a message is worded in one place.
 */
import { count, describeProblems, type Problem, shownOf } from './problems.ts';

export type { Problem } from './problems.ts';

/** The closed list of error codes, each with the facts that belong to it. */
export interface ErrorDetails {
  invalid_json: { reason: string };
  invalid_body: { problems: readonly Problem[] };
  unsupported_media_type: { received: string | undefined };
  body_too_large: { maxBodyBytes: number };
  unauthorized: { reason: string };
  forbidden: { reason: string };
  too_many_attempts: { retryAfterSeconds: number };
  not_found: { id: string };
  route_not_found: { url: string };
  method_not_allowed: { method: string; allowed: readonly string[] };
  invalid_parameter: { parameter: string; reason: string };
  unknown_type: { type: string; path: string };
  unknown_field: { path: string; type: string };
  predicate_syntax: { column: number; expected: string };
  predicate_type: { column: number; expected: string };
  values_mismatch: { placeholders: number; values: number };
  id_in_use: { id: string };
  value_in_use: { field: string; value: string };
  precondition_failed: { id: string };
  idempotency_key_reused: { key: string };
  atomic_unsupported: Record<never, never>;
  in_use: { id: string; users: readonly string[] };
  limit_exceeded: { limit: string; max: number; actual: number };
  broken_mapping: { mapping: string };
  bad_types: { problems: readonly SourceProblem[] };
  bad_config: { problems: readonly Problem[] };
  check_failed: { reason: string };
  cannot_generate: { reason: string };
  usage: { reason: string };
  transfer_failed: { reason: string };
  store_busy: { reason: string };
  store_failure: { operation: string };
}

/** One thing wrong with an SDL source; `line` and `column` count from 1. */
export interface SourceProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** One of the closed list of error codes. */
export type ErrorCode = keyof ErrorDetails;

/** An expected failure, with its code and the facts that belong to it; the message is fit for the caller to read. */
export class DomainError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: Code;
  readonly details: ErrorDetails[Code];
  /** Of an error of one part of a body: everything that is wrong with the whole. */
  readonly problems?: readonly Problem[];

  constructor(code: Code, message: string, details: ErrorDetails[Code], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** Whether `error` is a domain error, and, when `code` is given, one of that code. */
export function isDomainError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is DomainError<Code> {
  return error instanceof DomainError && (code === undefined || error.code === code);
}

export const invalidJson = (reason: string) =>
  new DomainError('invalid_json', `The body is not valid JSON: ${reason}`, { reason });

export const invalidBody = (problems: readonly Problem[]) =>
  new DomainError('invalid_body', describeProblems(problems), { problems: shownOf(problems) });

export const unsupportedMediaType = (
  received: string | undefined,
  accepted: readonly string[] = ['application/json'],
) =>
  new DomainError(
    'unsupported_media_type',
    `The body must be ${accepted.join(' or ')} in UTF-8, not ${received === undefined ? 'of no stated type' : quote(received)}`,
    { received },
  );

export const bodyTooLarge = (maxBodyBytes: number) =>
  new DomainError('body_too_large', `The body is larger than ${maxBodyBytes} bytes`, { maxBodyBytes });

export const unauthorized = (reason: string) => new DomainError('unauthorized', reason, { reason });

export const forbidden = (reason: string) => new DomainError('forbidden', reason, { reason });

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new DomainError(
    'too_many_attempts',
    `There were too many attempts to sign in; try again in ${count(retryAfterSeconds, 'second')}`,
    { retryAfterSeconds },
  );

/** What there can be none of. */
export type Kind =
  | 'asset'
  | 'API client'
  | 'API key'
  | 'content type'
  | 'GraphQL endpoint'
  | 'REST endpoint'
  | 'version'
  | 'user';

export const notFound = (id: string, kind: Kind = 'asset') =>
  new DomainError('not_found', `There is no ${kind} ${quote(id)}`, { id });

export const routeNotFound = (url: string) =>
  new DomainError('route_not_found', `Nothing is served at ${quote(url)}`, { url });

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed.join(', ')}`, {
    method,
    allowed,
  });

export const invalidParameter = (parameter: string, reason: string) =>
  new DomainError('invalid_parameter', `${quote(parameter)} ${reason}`, {
    parameter: shorten(parameter),
    reason,
  });

/** `path` is the name of the parameter or member that names the type. */
export const unknownType = (type: string, path: string) =>
  new DomainError('unknown_type', `There is no content type ${quote(type)}`, { type, path });

export const unknownField = (path: string, type: string) =>
  new DomainError('unknown_field', `${type} has no field ${quote(path)}`, { path, type });

/** `column` counts characters of the predicate from 1. */
export const predicateSyntax = (column: number, expected: string, found: string) =>
  new DomainError('predicate_syntax', `Column ${column}: expected ${expected}, found ${found}`, {
    column,
    expected,
  });

/** `column` counts characters of the predicate from 1. */
export const predicateType = (column: number, expected: string) =>
  new DomainError('predicate_type', `Column ${column}: ${expected}`, { column, expected });

export const valuesMismatch = (placeholders: number, values: number) =>
  new DomainError(
    'values_mismatch',
    `The predicate has ${count(placeholders, 'placeholder')} and the request ${count(values, 'value')}`,
    { placeholders, values },
  );

export const idInUse = (id: string) =>
  new DomainError('id_in_use', `There is an asset ${quote(id)} already`, { id });

export const valueInUse = (field: string, value: string) =>
  new DomainError('value_in_use', `${quote(value)} is in use already: ${quote(field)} is unique`, {
    field,
    value,
  });

export const preconditionFailed = (id: string) =>
  new DomainError('precondition_failed', `${quote(id)} has changed in the meantime`, {
    id,
  });

export const idempotencyKeyReused = (key: string) =>
  new DomainError('idempotency_key_reused', 'The Idempotency-Key was used for another request', { key });

export const atomicUnsupported = () =>
  new DomainError('atomic_unsupported', 'This store has no transactions, so a batch cannot be atomic', {});

/** `what` names the thing that cannot go, such as `GraphQL endpoint "delivery"`; `users` name what would be left without it. */
export const inUse = (what: string, { id, users }: ErrorDetails['in_use']) =>
  new DomainError('in_use', `${what} is used by ${users.map(quote).join(', ')}`, { id, users });

/** A query that asks for more than a request may cost; `limit` names the limit, such as `depth`. */
export const limitExceeded = (limit: string, { max, actual }: { max: number; actual: number }) =>
  new DomainError('limit_exceeded', `The query's ${limit} is ${actual}; the limit is ${max}`, {
    limit,
    max,
    actual,
  });

/** A published mapping whose query the content types no longer allow. */
export const brokenMapping = (mapping: string) =>
  new DomainError(
    'broken_mapping',
    `The route ${quote(mapping)} is broken: its query no longer fits the content types`,
    { mapping },
  );

export const badTypes = (problems: readonly SourceProblem[]) =>
  new DomainError(
    'bad_types',
    problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'),
    { problems },
  );

export const badConfig = (problems: readonly Problem[]) =>
  new DomainError('bad_config', describeProblems(problems), { problems });

/** What a command was to check is not as it should be; what exactly has been printed. */
export const checkFailed = (reason: string) => new DomainError('check_failed', reason, { reason });

/** A client package that a command was to make, and why it was not made. */
export const cannotGenerate = (reason: string) =>
  new DomainError('cannot_generate', `The client is not made: ${reason}`, { reason });

/** Content cannot be moved, or not all of it; what was moved stays. */
export const transferFailed = (reason: string, cause?: unknown) =>
  new DomainError('transfer_failed', reason, { reason }, cause);

export const usage = (reason: string) => new DomainError('usage', reason, { reason });

/** The store is there but cannot take the work now; trying again later is right. */
export const storeBusy = (reason: string, cause?: unknown) =>
  new DomainError('store_busy', `The store is busy: ${reason}`, { reason }, cause);

/** A driver's error that has no meaning of its own here; the cause is logged and shown to nobody. */
export const storeFailure = (operation: string, cause: unknown) =>
  new DomainError('store_failure', `The store failed in ${operation}`, { operation }, cause);

const quote = (text: string) => JSON.stringify(shorten(text));

/** What a caller sent can be as long as a request. */
const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
