/**
 * What independent and transactional batches share: the state of a running batch, the check of references, and the treatment of
 * writes that the store refused.
 */
import { invalidBody, notFound } from '../../base/errors.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import type { WriteOutcome } from '../../store/port.ts';
import type { WriteBudget } from '../../store/write-options.ts';
import { checkTargets } from '../check-references.ts';
import { recallChange } from '../recall-change.ts';
import { type OperationOutcome, type Refusal, refuse } from './batch.ts';
import { type BatchStore, findAsset, loadAssets, type Needs } from './batch-assets.ts';
import {
  findWritten,
  type OperationEffect,
  type PlannedOperation,
  type Preparation,
} from './plan-operation.ts';
import { mayCreate, type ReadOperation } from './read-operations.ts';

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

/** Converts the store's outcome of a write to a refusal; `undefined` when the store carried the write out. */
export function toRefusal(id: string, outcome: WriteOutcome | undefined): Refusal | undefined {
  switch (outcome?.kind) {
    case 'done':
    case 'undone':
      return undefined;
    case 'absent':
      return refuse(notFound(id));
    case 'failed':
      return refuse(outcome.error);
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
