/**
 * What became of the operations of a batch, as openapi/cma.yaml writes it.
 */
import type { BatchResult, BatchResults } from '../../../generated/server/cma.ts';
import type { DomainError } from '../../base/errors.ts';
import type { OperationOutcome } from '../../content/batch/batch.ts';
import { statusOf, toReason } from '../error-map.ts';
import { toEntityTag } from './entity-tag.ts';

/** The result of a batch: how many operations were refused, and what became of each. */
export function toBatchResults(outcomes: readonly OperationOutcome[]): BatchResults {
  const failed = outcomes.filter(({ kind }) => kind === 'refused').length;
  return { failed, results: outcomes.map(toResult) };
}

/** The first error of an operation that failed through no fault of the request. */
export function findFailure(outcomes: readonly OperationOutcome[]): DomainError | undefined {
  const failed = outcomes.find((outcome) => outcome.kind === 'refused' && statusOf(outcome.error) >= 500);
  return failed?.kind === 'refused' ? failed.error : undefined;
}

function toResult(outcome: OperationOutcome): BatchResult {
  // Of all errors an operation meets those alone that the document has for it; the tests judge every answer.
  if (outcome.kind === 'refused') return toReason(outcome.error) as BatchResult;
  const { effect, id, version, unresolved, unfit } = outcome;
  return {
    status: 200,
    outcome: effect,
    _id: id,
    ...(version === undefined ? {} : { etag: toEntityTag(version) }),
    ...(unresolved.length === 0
      ? {}
      : { unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })) }),
    ...(unfit.length === 0 ? {} : { unfit: unfit.map(({ path, message }) => ({ _id: id, path, message })) }),
  };
}
