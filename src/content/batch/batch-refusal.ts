/**
 * The error of an atomic batch that is refused: it lists the problems of all operations, with their paths in the body.
 */
import { DomainError, editConflict, isDomainError, locateError } from '../../base/errors.ts';
import { describeProblems, firstProblems, type Problem } from '../../base/problems.ts';
import type { Refusal } from './batch.ts';
import { limitConflicts } from './limit-conflicts.ts';

/** Makes the error of a batch from its refused operations, by their index: the code of the first, the problems of all. */
export function refuseBatch(refusals: ReadonlyMap<number, Refusal>): DomainError {
  const inOrder = [...refusals].sort(([a], [b]) => a - b);
  const [[, first] = []] = inOrder;
  if (!first) throw new Error('A batch is refused only when an operation is');
  const { code, cause } = first.error;
  const problems = inOrder.flatMap(([index, refusal]) => toProblems(index, refusal));
  return new DomainError(code, describeProblems(problems), detailsOf(first.error, inOrder), {
    cause,
    problems: firstProblems(problems),
  });
}

/** Returns the details of the first error; of an edit conflict, the conflicts of all operations, with their paths in the body. */
function detailsOf(
  first: DomainError,
  refusals: readonly (readonly [number, Refusal])[],
): DomainError['details'] {
  if (!isDomainError(first, 'edit_conflict')) return first.details;
  const conflicts = refusals.flatMap(([index, { error }]) =>
    isDomainError(error, 'edit_conflict')
      ? error.details.conflicts.map((one) => ({ ...one, path: `operations[${index}].asset.${one.path}` }))
      : [],
  );
  return editConflict(first.details.id, limitConflicts(conflicts)).details;
}

function toProblems(index: number, { error, within }: Refusal): Problem[] {
  const operation = `operations[${index}]`;
  const { path = '', reason, problems } = locateError(error);
  const own = problems ?? (reason === undefined ? [] : [{ path, message: reason }]);
  if (own.length === 0) return [{ path: operation, message: `is refused: ${error.message}` }];
  const prefix = within === 'asset' ? `${operation}.asset` : operation;
  return own.map(({ path, message }) => ({ path: path === '' ? operation : `${prefix}.${path}`, message }));
}
