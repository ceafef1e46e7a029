/**
 * What the two ways of carrying out a batch have in common: who runs it with what, what they make of references, and of
 * writes that the store has refused.
 */
import { type DomainError, invalidBody, isDomainError, notFound } from '../../base/errors.ts';
import type { FoundReference } from '../../model/validate-asset.ts';
import type { ContentStore, WriteOutcome } from '../../store/port.ts';
import { checkTarget } from '../check-references.ts';
import { type OperationOutcome, type Refusal, refuse } from './batch.ts';
import type { Needs } from './batch-assets.ts';
import {
  findWritten,
  type OperationEffect,
  type PlannedOperation,
  type Preparation,
} from './plan-operation.ts';
import type { ReadOperation } from './read-operations.ts';

/** A batch that is being carried out. */
export interface BatchRun extends Preparation {
  readonly store: ContentStore;
  /** `unchecked`: nobody wants to know whether the targets are there. */
  readonly references: 'checked' | 'deferred' | 'unchecked';
}

/** What operations need to be known before they are prepared. */
export function needsOf(operations: readonly ReadOperation[], { reserved }: BatchRun): Needs {
  if (reserved.run !== 'repeat') return { operations, allVersions: reserved.run !== 'only' };
  const createIds = operations
    .filter(({ action }) => action === 'create' || action === 'upsert')
    .flatMap(({ index, input }) => [
      reserved.of(index).assetId(),
      ...(typeof input._id === 'string' ? [input._id.toLowerCase()] : []),
    ]);
  return { operations, allVersions: true, createIds };
}

/**
 * The references of an operation that lead nowhere as yet. Errors: invalid_body for those that must not, unless it is too late
 * to refuse the operation.
 */
export function findUnresolved(
  { references, write }: Pick<PlannedOperation, 'references' | 'write'>,
  { typeOf, mode }: { typeOf: (id: string) => string | undefined; mode: BatchRun['references'] },
): FoundReference[] {
  if (mode === 'unchecked') return [];
  const missing = references.filter(({ reference }) => typeOf(reference._ref) === undefined);
  const unresolved = mode === 'deferred' ? missing : [];
  if (!write) return unresolved;
  const problems = references
    .filter((found) => !unresolved.includes(found))
    .flatMap((found) => checkTarget(found, typeOf(found.reference._ref)));
  if (problems.length > 0) throw invalidBody(problems);
  return unresolved;
}

/** The outcome of an operation that is carried out. */
export function toDone(
  { effect, id, version, unfit = [] }: OperationEffect,
  unresolved: readonly FoundReference[],
): OperationOutcome {
  return { kind: 'done', effect, id, unresolved, unfit, ...(version === undefined ? {} : { version }) };
}

/** Why the store has refused the write of an asset, unless it has not. */
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
      throw new Error('The store has not told how a write ended');
  }
}

/** Whether an error is of the store and not of what was to be written. */
export const isStoreError = (error: unknown): error is DomainError =>
  isDomainError(error, 'store_busy') || isDomainError(error, 'store_failure');

/** Which of the operations that a store has refused another run of the same request has carried out, by their places. */
export async function recallWritten(
  refused: readonly (PlannedOperation & { readonly operation: ReadOperation })[],
  run: BatchRun,
): Promise<ReadonlyMap<number, OperationEffect>> {
  if (run.reserved.run === 'only' || refused.length === 0) return new Map();
  const operations = refused.map(({ operation }) => operation);
  await run.view.load({ operations, createIds: refused.map(({ id }) => id), allVersions: true });
  const isGone = ({ id }: PlannedOperation) => run.view.find({ kind: 'id', id }) === undefined;
  return new Map(
    refused.flatMap((one) => {
      const written = one.effect === 'deleted' && isGone(one) ? one : findWritten(one, run);
      return written ? [[one.index, written] as const] : [];
    }),
  );
}
