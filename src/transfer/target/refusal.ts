/**
 * Turns an expected error into the refusal of one operation.
 */
import { type DomainError, isDomainError, isStoreError, locateError } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import type { Refusal } from './content-target.ts';

/** The refusal of one operation. */
export function toRefusal(error: DomainError): Refusal {
  // Sent again, such a batch goes on where it has stopped.
  const isTransient = isDomainError(error, 'batch_too_costly') || isStoreError(error);
  return { code: error.code, isTransient, problems: toProblems(error) };
}

function toProblems(error: DomainError): readonly Problem[] {
  const { path, problems } = locateError(error);
  // An operation refers to an asset by its `_id`, so a missing asset is a problem of that member.
  const own = error.code === 'not_found' ? '_id' : path;
  return problems ?? [{ path: own ?? '', message: error.message }];
}
