/**
 * What independent and transactional batches share: the state of a running batch, the check of references, and the treatment of
 * writes that the store refused or that other writers have overtaken.
 */

import { type DomainError, invalidBody, isDomainError, notFound } from '../../base/errors.ts';
import { keyName } from '../../model/field-path.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import type { WriteOutcome } from '../../store/port.ts';
import type { WriteBudget } from '../../store/write-options.ts';
import { checkTargets } from '../check-references.ts';
import { recallChange } from '../recall-change.ts';
import { nameReferrers } from '../restricting-references.ts';
import {
  mayCreate,
  type OperationOutcome,
  type ReadOperation,
  type Refusal,
  refuse,
  type Target,
} from './batch.ts';
import {
  type BatchStore,
  findAsset,
  findTargetType,
  isTaken,
  loadAssets,
  type Needs,
} from './batch-assets.ts';
import {
  findWritten,
  type OperationEffect,
  type PlannedOperation,
  type Preparation,
} from './plan-operation.ts';

/** A running batch. */
export interface BatchRun extends Preparation {
  readonly store: BatchStore;
  /** `unchecked`: the targets of references are not looked up at all. */
  readonly references: 'checked' | 'deferred' | 'unchecked';
  readonly budget: WriteBudget;
}

/** Lists what must be loaded before the operations are planned. */
export function needsOf(operations: readonly ReadOperation[], { reserved }: BatchRun): Needs {
  if (reserved.run !== 'repeat') return { operations };
  const createIds = operations
    .filter(({ action }) => action === 'create' || mayCreate(action))
    .flatMap(({ index, input }) => [
      reserved.of(index).assetId(),
      ...(typeof input._id === 'string' ? [input._id.toLowerCase()] : []),
    ]);
  return { operations, createIds };
}

/**
 * Finds the references of an operation whose targets do not exist yet.
 *
 * Errors: invalid_body for targets that must exist or are of another type, unless the operation has been written already.
 */
export function findUnresolved(
  { references, isKept, write }: Pick<PlannedOperation, 'references' | 'isKept' | 'write'>,
  { typeOf, mode }: { typeOf: (id: string) => string | undefined; mode: BatchRun['references'] },
): FoundReference[] {
  if (mode === 'unchecked') return [];
  const missing = references.filter(({ reference }) => typeOf(reference._ref) === undefined);
  const unresolved = mode === 'deferred' ? missing : [];
  if (!write) return unresolved;
  const resolved = references.filter((found) => !unresolved.includes(found));
  const problems = checkTargets({ references: resolved, isKept }, typeOf);
  if (problems.length > 0) throw invalidBody(problems);
  return unresolved;
}

/** Converts the effect of a written operation to its outcome. */
export function toDone(
  { effect, id, version, type, change, unfit = [] }: OperationEffect,
  unresolved: readonly FoundReference[],
): OperationOutcome {
  return {
    kind: 'done',
    effect,
    id,
    unresolved,
    unfit,
    ...(version !== undefined && { version }),
    ...(type !== undefined && { type }),
    ...(change !== undefined && { change }),
  };
}

/**
 * Completes the outcomes with the changes that earlier runs of the request have logged. A store without a change log has none.
 */
export async function recallChanges(
  outcomes: readonly OperationOutcome[],
  { store, reserved }: BatchRun,
): Promise<readonly OperationOutcome[]> {
  const completed: OperationOutcome[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'refused') completed.push(outcome);
    else {
      const { change: known, ...rest } = outcome;
      const change = store.capabilities.changes
        ? (known ?? (await recallChange(store, { id: outcome.id, index, reserved })))
        : undefined;
      completed.push(change === undefined ? rest : { ...rest, change });
    }
  }
  return completed;
}

/** Gives the effect of a write the version that the asset has, where the store has given it another one. */
export const withStoredVersion = <Effect extends OperationEffect>(
  effect: Effect,
  outcome: WriteOutcome | undefined,
): Effect =>
  outcome?.kind === 'done' && outcome.version !== undefined
    ? { ...effect, version: outcome.version }
    : effect;

/** Leaves those targets to a write that the store has and that the batch does not change: of others, the end state decides. */
export function withStoredTargets<Planned extends Pick<PlannedOperation, 'write'>>(
  planned: Planned,
  { assets }: Pick<BatchRun, 'assets'>,
): Planned {
  const { write } = planned;
  if (!write || write.kind === 'delete' || !write.targets) return planned;
  const isStored = (id: string) => !assets.overlay.isChanged(id) && findTargetType(assets, id) !== undefined;
  return { ...planned, write: { ...write, targets: write.targets.filter(({ id }) => isStored(id)) } };
}

/** Converts the store's outcome of a write to a refusal; `undefined` when the store carried the write out. */
export async function toRefusal(
  id: string,
  outcome: WriteOutcome | undefined,
  { assets }: Pick<BatchRun, 'assets'>,
): Promise<Refusal | undefined> {
  switch (outcome?.kind) {
    case 'done':
    case 'undone':
      return undefined;
    case 'absent':
      return refuse(notFound(id));
    case 'failed':
      return refuse(await nameReferrers(outcome.error, assets));
    default:
      throw new Error('The store has not reported the outcome of a write');
  }
}

/** Finds those refused operations that another run of the same request has written already, by index. */
export async function recallWritten(
  refused: readonly (PlannedOperation & { readonly operation: ReadOperation })[],
  run: BatchRun,
): Promise<ReadonlyMap<number, OperationEffect>> {
  if (run.reserved.run === 'only' || refused.length === 0) return new Map();
  const operations = refused.map(({ operation }) => operation);
  await loadAssets(run.assets, { operations, createIds: refused.map(({ id }) => id) });
  const isGone = ({ id }: PlannedOperation) => findAsset(run.assets, { kind: 'id', id }) === undefined;
  return new Map(
    refused.flatMap((one) => {
      const written = one.effect === 'deleted' && isGone(one) ? one : findWritten(one, run);
      return written ? [[one.index, written] as const] : [];
    }),
  );
}

/** An operation whose write the store has refused. */
interface RefusedWrite {
  readonly one: Pick<PlannedOperation, 'index' | 'effect' | 'write'> & { readonly operation: ReadOperation };
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
  const candidates = refused.filter(mayBeOvertaken);
  if (candidates.length === 0) return new Set();
  const operations = candidates.map(({ one }) => one.operation);
  await loadAssets(run.assets, needsOf(operations, run));
  return new Set(candidates.filter((candidate) => isOvertaken(candidate, run)).map(({ one }) => one.index));
}

function mayBeOvertaken({ one, refusal: { error } }: RefusedWrite): boolean {
  const { action, ifVersions } = one.operation;
  if (isDomainError(error, 'precondition_failed')) {
    const { write } = one;
    return write !== undefined && 'ifVersion' in write && !ifVersions;
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
