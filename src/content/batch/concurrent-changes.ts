/**
 * Operations overtaken by other writers, who wrote the asset between its reading and its writing here.
 *
 * Such an operation is planned again, as if the writes had arrived one after the other: an upsert of a unique value that somebody
 * else has just claimed becomes an update. Any other conflict refuses the operation.
 */

import { type DomainError, isDomainError } from '../../base/errors.ts';
import { keyName } from '../../model/field-path.ts';
import type { Refusal } from './batch.ts';
import { findAsset, isTaken, loadAssets } from './batch-assets.ts';
import { type BatchRun, needsOf } from './batch-run.ts';
import { dependsOnPresent, type PlannedOperation } from './plan-operation.ts';
import { mayCreate, type ReadOperation, type Target } from './read-operations.ts';

/** An operation whose write the store has refused. */
export interface RefusedWrite {
  readonly one: Pick<PlannedOperation, 'index' | 'effect'> & { readonly operation: ReadOperation };
  readonly refusal: Refusal;
}

/**
 * Finds the refused operations that other writers have overtaken, by index.
 *
 * The batch must have forgotten their assets: they are loaded again here, so that the operations can be planned again.
 */
export async function findOvertaken(
  refused: readonly RefusedWrite[],
  run: BatchRun,
): Promise<ReadonlySet<number>> {
  const candidates = refused.filter((one) => mayBeOvertaken(one, run));
  if (candidates.length === 0) return new Set();
  const operations = candidates.map(({ one }) => one.operation);
  await loadAssets(run.assets, needsOf(operations, run));
  return new Set(candidates.filter((candidate) => isOvertaken(candidate, run)).map(({ one }) => one.index));
}

function mayBeOvertaken({ one, refusal: { error } }: RefusedWrite, run: BatchRun): boolean {
  const { action, ifVersions } = one.operation;
  if (isDomainError(error, 'precondition_failed')) {
    return (run.reserved.run !== 'only' || dependsOnPresent(one.operation, run)) && !ifVersions;
  }
  if (!mayCreate(action)) return false;
  return one.effect === 'created' ? isConflict(error) : isDomainError(error, 'not_found');
}

function isOvertaken({ one, refusal: { error } }: RefusedWrite, { assets }: BatchRun): boolean {
  if (!isConflict(error)) return true;
  const { target } = one.operation;
  if (findAsset(assets, target)) return true;
  // The conflicting asset has been deleted since, unless the caller may not see it.
  return !isTaken(assets, target) && isAbout(error, target);
}

const isConflict = (error: DomainError) =>
  isDomainError(error, 'id_in_use') || isDomainError(error, 'value_in_use');

/** Checks whether a conflict is about the `_id` or unique value that identifies the target. */
function isAbout(error: DomainError, target: Target): boolean {
  if (isDomainError(error, 'id_in_use')) return target.kind === 'id';
  if (!isDomainError(error, 'value_in_use')) return false;
  return target.kind === 'key' && error.details.field === keyName(target.key.paths);
}
