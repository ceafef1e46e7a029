/**
 * Errors as `application/problem+json` (RFC 9457), which is how the admin API answers them.
 *
 * Statuses, headers and places come from `error-map.ts`; here they only get another form.
 */
import { STATUS_CODES } from 'node:http';
import { type DomainError, isDomainError, type Problem } from '../../base/errors.ts';
import { failureMessage, type HttpAnswer, headersOf, placeOf, statusOf } from '../error-map.ts';

/**
 * The answer to an error, as openapi/admin.yaml has it.
 *
 * Shapes: `{type, title, status, detail, code?, problems?}`; from 500 on there is no `code`, and `detail` is the same whatever
 * happened. `problems` says where in the request it lies, also when that is one place.
 */
export function toProblemAnswer(error: unknown): HttpAnswer {
  const status = statusOf(error);
  const isRefusal = isDomainError(error) && status < 500;
  const reason = isRefusal
    ? { detail: error.message, code: error.code, ...problemsOf(error) }
    : { detail: failureMessage(status) };
  return {
    status,
    headers: { ...headersOf(error), 'Content-Type': 'application/problem+json' },
    body: { type: 'about:blank', title: STATUS_CODES[status], status, ...reason },
  };
}

function problemsOf(error: DomainError): { problems?: readonly Problem[] } {
  if (isDomainError(error, 'invalid_body')) return { problems: error.details.problems };
  const { path, column } = placeOf(error);
  if (typeof path !== 'string') return {};
  const message = isDomainError(error, 'invalid_parameter') ? error.details.reason : error.message;
  return { problems: [{ path, message, ...(typeof column === 'number' ? { line: 1, column } : {}) }] };
}
