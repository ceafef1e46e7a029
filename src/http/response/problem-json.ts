/**
 * Errors as `application/problem+json` (RFC 9457), which is how the admin API answers them.
 *
 * Statuses and headers come from `error-map.ts`, places from `base/locate-error.ts`; here they only get another form.
 */
import { STATUS_CODES } from 'node:http';
import {
  type DomainError,
  type EditConflict,
  isDomainError,
  locateError,
  type Problem,
  type PublicationFinding,
} from '../../base/errors.ts';
import { failureMessage, type HttpResponse, headersOf, isFailure, statusOf } from '../error-map.ts';

/**
 * Builds the response to an error, in the format of openapi/admin.yaml.
 *
 * Shapes: `{type, title, status, detail, code?, problems?, conflicts?, findings?}`; from 500 on there is no `code`, and `detail` does not
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
  findings?: readonly PublicationFinding[];
} {
  const { path, column, problems, conflicts, findings } = locateError(error);
  if (findings) return { findings };
  if (conflicts) return { conflicts };
  if (problems) return { problems };
  if (path === undefined) return {};
  const message = error.code === 'invalid_parameter' ? error.details.reason : error.message;
  return { problems: [{ path, message, ...(column === undefined ? {} : { line: 1, column }) }] };
}
