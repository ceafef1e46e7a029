/**
 * Converts the outcomes of a batch to the response that openapi/cma.yaml describes.
 */
import type { BatchResult, BatchResults } from '../../../generated/server/cma.ts';
import { type DomainError, isStoreError } from '../../base/errors.ts';
import type { OperationOutcome } from '../../content/batch/batch.ts';
import { isFailure, toOperationError } from '../error-map.ts';
import { toEntityTag } from './entity-tag.ts';

/**
 * Builds the result of a batch: the number of refused operations, and the outcome of each operation. `shapeOf` returns the shape of
 * a content type, for ETags.
 */
export function toBatchResults(
  outcomes: readonly OperationOutcome[],
  shapeOf: (className: string) => string,
): BatchResults {
  const failed = outcomes.filter(({ kind }) => kind === 'refused').length;
  return { failed, results: outcomes.map((outcome) => toResult(outcome, shapeOf)) };
}

/** Lists the class names of the assets that a batch has written; those of deletions are not known. */
export const typesOf = (outcomes: readonly OperationOutcome[]): readonly string[] => [
  ...new Set(outcomes.flatMap((outcome) => (outcome.kind === 'done' ? (outcome.type ?? []) : []))),
];

/** Finds the first error that the service caused, not the request. */
export function findFailure(outcomes: readonly OperationOutcome[]): DomainError | undefined {
  const failed = outcomes.find(
    (outcome) => outcome.kind === 'refused' && (isFailure(outcome.error) || isStoreError(outcome.error)),
  );
  return failed?.kind === 'refused' ? failed.error : undefined;
}

function toResult(outcome: OperationOutcome, shapeOf: (className: string) => string): BatchResult {
  // The types cannot show that only documented errors occur; the tests validate every response against the document.
  if (outcome.kind === 'refused') return toOperationError(outcome.error) as BatchResult;
  const { effect, id, version, type, change, unresolved, unfit, drafts } = outcome;
  return {
    status: 200,
    outcome: effect,
    _id: id,
    ...(version === undefined || type === undefined ? {} : { etag: toEntityTag(version, shapeOf(type)) }),
    ...(change === undefined ? {} : { change }),
    ...(unresolved.length === 0
      ? {}
      : { unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })) }),
    ...(drafts && { drafts: [...drafts] }),
    ...(unfit.length === 0 ? {} : { unfit: unfit.map(({ path, message }) => ({ _id: id, path, message })) }),
  };
}
