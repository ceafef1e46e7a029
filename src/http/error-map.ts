/**
 * Maps errors to HTTP responses. Only this file decides the status, headers and body of an error.
 *
 * The compiler checks that the table has every error code. Errors that are not domain errors, and failures of the store, are
 * answered as internal failures: the log has their causes with the request's ID, and the response does not.
 */

import { STATUS_CODES } from 'node:http';
import {
  type DomainError,
  type EditConflict,
  type ErrorCode,
  type ErrorLocation,
  isDomainError,
  locateError,
  type Problem,
  type PublicationFinding,
} from '../base/errors.ts';
import type { Referrers } from '../base/problems.ts';
import { isOutOfFiles } from '../base/system-error.ts';

const statuses: Record<ErrorCode, number> = {
  invalid_json: 400,
  invalid_body: 400,
  missing_file: 400,
  invalid_parameter: 400,
  unknown_type: 400,
  unknown_field: 400,
  predicate_syntax: 400,
  predicate_type: 400,
  values_mismatch: 400,
  cursor_mismatch: 400,
  limit_exceeded: 400,
  query_too_costly: 400,
  batch_too_costly: 400,
  answer_too_large: 400,
  atomic_unsupported: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  id_in_use: 409,
  value_in_use: 409,
  in_use: 409,
  last_admin: 409,
  user_disabled: 409,
  openid_user: 409,
  edit_conflict: 409,
  test_failed: 409,
  publication_refused: 409,
  run_foreign: 409,
  release_full: 409,
  referenced: 409,
  run_closed: 409,
  run_active: 409,
  run_irreversible: 409,
  history_removed: 410,
  cursor_expired: 410,
  invitation_ended: 410,
  not_supported: 501,
  provider_failed: 502,
  idempotency_key_reused: 409,
  body_too_slow: 408,
  precondition_failed: 412,
  body_too_large: 413,
  too_many_values: 413,
  unsupported_media_type: 415,
  too_many_attempts: 429,
  rate_limited: 429,
  too_many_streams: 429,
  bad_types: 500,
  bad_config: 500,
  check_failed: 500,
  cannot_generate: 500,
  usage: 500,
  transfer_failed: 500,
  broken_mapping: 500,
  store_failure: 500,
  too_many_requests: 503,
  store_busy: 503,
  check_running: 503,
  store_gone: 503,
  store_full: 507,
};

/** An HTTP response. `body` is sent as JSON; without it the response has no body. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

/** Returns the HTTP status of the response to an error. */
export function statusOf(error: unknown): number {
  if (isDomainError(error)) return statuses[error.code];
  // The store makes a domain error of this one; here a page or a file could not be opened.
  return isOutOfFiles(error) ? statuses.store_busy : 500;
}

/**
 * Tells whether an error is a failure of the server. Its cause is for the log, and its response says only that it happened. The
 * others with a status of 500 or above say why in their responses: `not_supported`, `provider_failed`, which is a failure of another
 * server, and `store_full` and `store_gone`, which only an operator can end.
 */
export function isFailure(error: unknown): boolean {
  return !isDomainError(error) || (statuses[error.code] >= 500 && !toldErrors.includes(error.code));
}

const toldErrors: readonly ErrorCode[] = ['not_supported', 'provider_failed', 'store_full', 'store_gone'];

/**
 * Builds the response to an error, in the envelope of openapi/cma.yaml.
 *
 * Shapes: `{status, result: null, error: {code, message, path?, column?, problems?}}`; for a failure
 * `{status, result: {message}}`, with the message of `failureMessage`.
 */
export function toErrorResponse(error: unknown): HttpResponse {
  const status = statusOf(error);
  if (!isDomainError(error) || isFailure(error)) {
    return {
      status,
      headers: headersOf(error),
      body: { status: 'error', result: { message: failureMessage(error) } },
    };
  }
  const { code, message } = error;
  return {
    status,
    headers: headersOf(error),
    body: { status: 'error', result: null, error: { code, message, ...locationOf(error) } },
  };
}

/** Builds the result of a failed operation of a batch. From status 500 on, it does not reveal the cause. */
export function toOperationError(error: DomainError) {
  const status = statusOf(error);
  const { code, message } = error;
  if (isFailure(error)) return { status, error: { code, message: failureMessage(error) } };
  return { status, error: { code, message, ...locationOf(error) } };
}

/**
 * Returns the message of the response to a failure. It depends on the status only, so that it does not reveal the cause; what another
 * request of the same kind causes is no secret.
 */
export function failureMessage(error: unknown): string {
  if (isDomainError(error, 'check_running')) return error.message;
  return statusOf(error) === 503 ? 'The service is busy; try again' : 'The service failed; its log says why';
}

/** Returns the headers of the response to an error. */
export function headersOf(error: unknown): Record<string, string> {
  if (statusOf(error) === 503) return { 'Retry-After': '1' };
  if (isDomainError(error, 'store_full')) return { 'Retry-After': '10' };
  if (isDomainError(error, 'too_many_attempts') || isDomainError(error, 'rate_limited'))
    return { 'Retry-After': String(error.details.retryAfterSeconds) };
  if (isDomainError(error, 'too_many_streams')) return { 'Retry-After': '5' };
  if (isDomainError(error, 'method_not_allowed')) {
    const { allowed, patchTypes } = error.details;
    return { Allow: allowed.join(', '), ...(patchTypes && { 'Accept-Patch': patchTypes.join(', ') }) };
  }
  if (isDomainError(error, 'unsupported_media_type')) {
    const patchTypes = error.details.accepted.filter((type) => type.includes('patch'));
    if (patchTypes.length > 0) return { 'Accept-Patch': patchTypes.join(', ') };
  }
  if (isDomainError(error, 'unauthorized'))
    return { 'WWW-Authenticate': 'Bearer realm="colophon", X-Client-Secret realm="colophon"' };
  return {};
}

/** Returns where in the request an error is, as the errors of the CMA and of GraphQL say it. */
export function locationOf(error: DomainError): Omit<ErrorLocation, 'reason'> {
  const { reason: _, ...location } = locateError(error);
  return location;
}

// Errors as `application/problem+json` (RFC 9457), which is how the admin API answers them.
//
// Statuses and headers are those of the functions above, and places come from `base/locate-error.ts`: here they only get another form.

/**
 * Builds the response to an error, in the format of openapi/admin.yaml.
 *
 * Shapes: `{type, title, status, detail, code?, problems?, conflicts?, referrers?, findings?}`; from 500 on there is no `code`, and `detail` does not
 * reveal the cause. `problems` has the positions of the error in the request, even if there is only one.
 */
export function toProblemResponse(error: unknown): HttpResponse {
  const status = statusOf(error);
  const isRefusal = isDomainError(error) && !isFailure(error);
  const reason = isRefusal
    ? { detail: error.message, code: error.code, ...placesOf(error) }
    : { detail: failureMessage(error) };
  return {
    status,
    headers: { ...headersOf(error), 'Content-Type': 'application/problem+json' },
    body: { type: 'about:blank', title: STATUS_CODES[status], status, ...reason },
  };
}

/** Lists what an error says about the request; one that has no place in the request concerns all of it. */
export function problemsOf(error: DomainError): readonly Problem[] {
  return placesOf(error).problems ?? [{ path: '', message: error.message }];
}

function placesOf(error: DomainError): {
  problems?: readonly Problem[];
  conflicts?: readonly EditConflict[];
  referrers?: Referrers;
  findings?: readonly PublicationFinding[];
} {
  const { path, column, problems, conflicts, referrers, findings } = locateError(error);
  if (findings) return { findings };
  if (conflicts) return { conflicts };
  if (referrers) return { referrers };
  if (problems) return { problems };
  if (path === undefined) return {};
  const message = error.code === 'invalid_parameter' ? error.details.reason : error.message;
  return { problems: [{ path, message, ...(column === undefined ? {} : { line: 1, column }) }] };
}
