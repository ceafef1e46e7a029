/**
 * Carries out either all operations of a batch or none.
 *
 * Each is planned as if those before it were applied, so that all problems are known before the store is asked to write. When the
 * store refuses the writes because others have changed the same assets meanwhile, all operations are planned again.
 */
import { DomainError, editConflict, isDomainError, locateError } from '../../base/errors.ts';
import { describeProblems, firstProblems, type Problem } from '../../base/problems.ts';
import { yieldEvery32Steps } from '../../base/runtime.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import { untilWritten } from '../planned-writes.ts';
import type { ReadOperation } from './batch.ts';
import { type OperationOutcome, type Refusal, refuse } from './batch.ts';
import { findTargetType, forgetAssets, loadAssets } from './batch-assets.ts';
import {
  type BatchRun,
  findOvertaken,
  findUnresolved,
  needsOf,
  recallWritten,
  toDone,
  toRefusal,
  withStoredTargets,
  withStoredVersion,
} from './batch-run.ts';
import { limitConflicts } from './limit-conflicts.ts';
import { type OperationEffect, type PlannedOperation, planOperation } from './plan-operation.ts';

/** Carries the operations out. Errors: that of the first refused operation, with the problems of all; the store's. */
export const writeTransactionally = (
  read: readonly (ReadOperation | Refusal)[],
  run: BatchRun,
): Promise<OperationOutcome[]> => untilWritten(() => tryTransaction(read, run));

async function tryTransaction(
  read: readonly (ReadOperation | Refusal)[],
  run: BatchRun,
): Promise<OperationOutcome[] | 'overtaken'> {
  const refusals = new Map<number, Refusal>();
  const operations = read.flatMap((one, index) => {
    if (!('kind' in one)) return [one];
    refusals.set(index, one);
    return [];
  });
  await loadAssets(run.assets, needsOf(operations, run));
  await run.reserved.assertCurrent();
  const ready = await prepareAll(operations, { run, refusals });
  const unresolved = resolveAll(ready, { run, refusals });
  if (refusals.size > 0) throw refuseBatch(refusals);
  const written = await write(ready, run);
  if (written === 'overtaken') return written;
  return written.map((one) => toDone(one, unresolved.get(one.index) ?? []));
}

/** A planned operation; `references` are those whose targets did not exist yet when it was planned. */
interface Ready extends PlannedOperation {
  readonly operation: ReadOperation;
}

interface Progress {
  readonly run: BatchRun;
  readonly refusals: Map<number, Refusal>;
}

async function prepareAll(
  operations: readonly ReadOperation[],
  { run, refusals }: Progress,
): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const [n, operation] of operations.entries()) {
    try {
      const one = planOperation(operation, run);
      const references = one.references.filter(
        ({ reference }) => findTargetType(run.assets, reference._ref) !== reference._type,
      );
      if (one.write) run.assets.overlay.put(one.write);
      ready.push({ ...one, operation, references });
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusals.set(operation.index, refuse(error, withinOf(operation)));
    }
    await yieldEvery32Steps(n);
  }
  return ready;
}

/** Checks the references again: later operations may have created their targets. */
function resolveAll(
  ready: readonly Ready[],
  { run, refusals }: Progress,
): ReadonlyMap<number, readonly FoundReference[]> {
  const unresolved = new Map<number, readonly FoundReference[]>();
  const typeOf = (id: string) => findTargetType(run.assets, id);
  for (const one of ready) {
    try {
      unresolved.set(one.index, findUnresolved(one, { typeOf, mode: run.references }));
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusals.set(one.index, refuse(error, withinOf(one.operation)));
    }
  }
  return unresolved;
}

async function write(
  ready: readonly Ready[],
  run: BatchRun,
): Promise<readonly OperationEffect[] | 'overtaken'> {
  const writing = ready.flatMap((one) => {
    const { write } = withStoredTargets(one, run);
    return write ? [{ ...one, write }] : [];
  });
  // All or none: when an earlier run has written one operation, it has written all.
  if (writing.length === 0 || ready.some(isWrittenEarlier)) return ready;
  const ended = await run.store.write(
    writing.map((one) => one.write),
    { atomic: true, budget: run.budget, signal: run.caller.signal },
  );
  const refusals = new Map<number, Refusal>();
  for (const [n, { index, id }] of writing.entries()) {
    const refusal = await toRefusal(id, ended[n], run);
    if (refusal) refusals.set(index, refusal);
  }
  if (refusals.size === 0) {
    const outcomes = new Map(writing.map(({ index }, n) => [index, ended[n]]));
    return ready.map((one) => withStoredVersion(one, outcomes.get(one.index)));
  }
  // The planned writes have failed, so all assets must be loaded again.
  forgetAssets(run.assets);
  const recalled = await recallWritten(ready, run);
  // A deleted asset proves nothing, since others may have deleted it.
  const isDone =
    recalled.size === ready.length || [...recalled.values()].some(({ effect }) => effect !== 'deleted');
  if (isDone) return ready.map((one) => ({ ...one, ...recalled.get(one.index) }));
  const refused = ready.flatMap((one) => {
    const refusal = refusals.get(one.index);
    return refusal ? [{ one, refusal }] : [];
  });
  if ((await findOvertaken(refused, run)).size === 0) throw refuseBatch(refusals);
  forgetAssets(run.assets);
  return 'overtaken';
}

/** Checks whether an earlier run has written an operation. That an asset is deleted, or unchanged, proves nothing. */
const isWrittenEarlier = ({ write, effect }: PlannedOperation) =>
  !write && effect !== 'deleted' && effect !== 'unchanged';

/** Makes the error of a batch from its refused operations, by their index: the code of the first, the problems of all. */
function refuseBatch(refusals: ReadonlyMap<number, Refusal>): DomainError {
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
      ? error.details.conflicts.map((conflict) => ({
          ...conflict,
          path: `operations[${index}].asset.${conflict.path}`,
        }))
      : [],
  );
  return editConflict(first.details.id, limitConflicts(conflicts)).details;
}

function toProblems(index: number, { error, within }: Refusal): Problem[] {
  const operation = `operations[${index}]`;
  const { path = '', reason, problems } = locateError(error);
  const own = problems ?? (reason === undefined ? [] : [{ path, message: reason }]);
  if (own.length === 0) return [{ path: operation, message: `is refused: ${error.message}` }];
  const prefix = within === 'operation' ? operation : `${operation}.${within}`;
  return own.map(({ path, message }) => ({ path: join(path === '' ? operation : prefix, path), message }));
}

const join = (prefix: string, path: string) =>
  path === '' || path.startsWith('[') ? prefix + path : `${prefix}.${path}`;

/** What the paths of errors of an operation that was read are relative to. */
const withinOf = ({ action }: ReadOperation) => (action === 'patch' ? 'patch' : 'asset');
