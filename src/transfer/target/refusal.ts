/**
 * What an expected error means for the one asset that it is about.
 */
import { type DomainError, isDomainError } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import type { Refusal } from './content-target.ts';

/** The refusal of one operation. */
export function toRefusal(error: DomainError): Refusal {
  const isPassing = isDomainError(error, 'store_busy') || isDomainError(error, 'store_failure');
  return { code: error.code, isPassing, problems: toProblems(error) };
}

function toProblems(error: DomainError): readonly Problem[] {
  if (isDomainError(error, 'invalid_body')) return error.details.problems;
  return [{ path: pathOf(error), message: error.message }];
}

function pathOf(error: DomainError): string {
  if (isDomainError(error, 'unknown_type') || isDomainError(error, 'unknown_field'))
    return error.details.path;
  if (isDomainError(error, 'value_in_use')) return error.details.field;
  if (isDomainError(error, 'id_in_use') || isDomainError(error, 'not_found')) return '_id';
  return '';
}
