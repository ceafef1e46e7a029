/**
 * What the two ways of carrying out a batch have in common: who runs it with what, and what they make of references.
 */
import { type DomainError, invalidBody, isDomainError, type Problem } from '../base/errors.ts';
import type { FoundReference } from '../model/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import type { OperationOutcome } from './batch.ts';
import type { Needs } from './batch-view.ts';
import { checkTarget } from './check-references.ts';
import { findWritten, type Preparation, type PreparedOperation } from './prepare-operation.ts';
import type { ReadOperation } from './read-operations.ts';

/** A batch that is being carried out. */
export interface BatchRun extends Preparation {
  readonly store: ContentStore;
  /** `unchecked`: nobody wants to know whether the targets are there. */
  readonly references: 'checked' | 'deferred' | 'unchecked';
}

/** What operations need to be known before they are prepared. */
export function needsOf(operations: readonly ReadOperation[], { reserved }: BatchRun): Needs {
  if (reserved.run !== 'repeat') return { operations, allVersions: false };
  const made = operations
    .filter(({ action }) => action === 'create' || action === 'upsert')
    .flatMap(({ index, input }) => [
      reserved.of(index).assetId(),
      ...(typeof input._id === 'string' ? [input._id.toLowerCase()] : []),
    ]);
  return { operations, allVersions: true, made };
}

/** The references of an operation that lead nowhere as yet. Errors: invalid_body for those that must not. */
export function findUnresolved(
  references: readonly FoundReference[],
  { typeOf, mode }: { typeOf: (id: string) => string | undefined; mode: BatchRun['references'] },
): FoundReference[] {
  if (mode === 'unchecked') return [];
  const unresolved: FoundReference[] = [];
  const problems: Problem[] = [];
  for (const found of references) {
    const type = typeOf(found.reference._ref);
    if (type === undefined && mode === 'deferred') unresolved.push(found);
    else problems.push(...checkTarget(found, type));
  }
  if (problems.length > 0) throw invalidBody(problems);
  return unresolved;
}

/** The outcome of an operation that is carried out. */
export function toDone(
  { made, id, version }: PreparedOperation,
  unresolved: readonly FoundReference[],
): OperationOutcome {
  return { kind: 'done', made, id, unresolved, ...(version === undefined ? {} : { version }) };
}

/** Whether an error is of the store and not of what was to be written. */
export const isStoreError = (error: unknown): error is DomainError =>
  isDomainError(error, 'store_busy') || isDomainError(error, 'store_failure');

/** Which of the operations that a store has refused another run of the same request has carried out, by their places. */
export async function recallWritten(
  refused: readonly (PreparedOperation & { readonly operation: ReadOperation })[],
  run: BatchRun,
): Promise<ReadonlyMap<number, PreparedOperation>> {
  if (run.reserved.run === 'only' || refused.length === 0) return new Map();
  const operations = refused.map(({ operation }) => operation);
  await run.view.load({ operations, made: refused.map(({ id }) => id), allVersions: true });
  const written = refused.flatMap(({ id, operation }) => findWritten(operation, id, run) ?? []);
  return new Map(written.map((one) => [one.index, one]));
}
