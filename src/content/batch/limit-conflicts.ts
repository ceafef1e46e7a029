/**
 * Limits the size of the edit conflicts that a batch reports, since each may have two values as large as its asset.
 */
import { type EditConflict, editConflict, isDomainError } from '../../base/errors.ts';
import { jsonBytes } from '../../base/json-bytes.ts';
import type { OperationOutcome } from './batch.ts';

/** How many bytes of conflicts one response may contain. */
const maxConflictBytes = 16 * 1024 * 1024;

/** Leaves out the values of the conflicts beyond a number of bytes. */
export function limitConflicts(
  conflicts: readonly EditConflict[],
  maxBytes = maxConflictBytes,
): EditConflict[] {
  let left = maxBytes;
  return conflicts.map((conflict) => {
    left -= jsonBytes(conflict, left);
    return left < 0 ? { path: conflict.path, omitted: true } : conflict;
  });
}

/** Does the same for the conflicts of all operations together. */
export function limitConflictsOf(
  outcomes: readonly OperationOutcome[],
  maxBytes = maxConflictBytes,
): readonly OperationOutcome[] {
  const all = outcomes.flatMap(conflictsOf);
  if (all.length === 0) return outcomes;
  const limited = limitConflicts(all, maxBytes);
  let start = 0;
  return outcomes.map((outcome) => {
    if (outcome.kind === 'done' || !isDomainError(outcome.error, 'edit_conflict')) return outcome;
    const { id, conflicts } = outcome.error.details;
    const own = limited.slice(start, start + conflicts.length);
    start += conflicts.length;
    return { ...outcome, error: editConflict(id, own) };
  });
}

function conflictsOf(outcome: OperationOutcome): readonly EditConflict[] {
  const isConflict = outcome.kind === 'refused' && isDomainError(outcome.error, 'edit_conflict');
  return isConflict ? outcome.error.details.conflicts : [];
}
