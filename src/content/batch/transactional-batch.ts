/**
 * Carries out the operations of a batch all together or not at all.
 *
 * Each is prepared as if those before it were done, so that everything wrong with any of them is known before the store is
 * asked to write. When others have written in between what the store then refuses, all are prepared anew.
 */
import { isDomainError } from '../../base/errors.ts';
import { afterStep } from '../../base/runtime.ts';
import type { FoundReference } from '../../model/validate-asset.ts';
import { type OperationOutcome, type Refusal, refuse } from './batch.ts';
import { refuseBatch } from './batch-refusal.ts';
import { type BatchRun, findUnresolved, needsOf, recallWritten, toDone, toRefusal } from './batch-run.ts';
import { findOvertaken, mayTryAgain, overtakenTooOften, pauseAfter } from './concurrent-changes.ts';
import { type OperationEffect, type PlannedOperation, planOperation } from './plan-operation.ts';
import type { ReadOperation } from './read-operations.ts';

/** Carries the operations out. Errors: that of the first operation refused, with the problems of all; the store's. */
export async function writeTransactionally(
  read: readonly (ReadOperation | Refusal)[],
  run: BatchRun,
): Promise<OperationOutcome[]> {
  for (let attempts = 1; ; attempts++) {
    const outcomes = await tryTransaction(read, run);
    if (outcomes !== 'overtaken') return outcomes;
    if (!mayTryAgain(attempts)) throw overtakenTooOften();
    await pauseAfter(attempts);
    run.view.forgetAll();
  }
}

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
  await run.view.load(needsOf(operations, run));
  await run.reserved.assertCurrent();
  const ready = await prepareAll(operations, { run, refusals });
  const unresolved = resolveAll(ready, { run, refusals });
  if (refusals.size > 0) throw refuseBatch(refusals);
  const written = await write(ready, run);
  if (written === 'overtaken') return written;
  return written.map((one) => toDone(one, unresolved.get(one.index) ?? []));
}

/** An operation that is ready; of its references those whose targets were not there when its turn came. */
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
        ({ reference }) => run.view.typeOf(reference._ref) !== reference._type,
      );
      if (one.write) run.view.assume(one.write);
      ready.push({ ...one, operation, references });
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusals.set(operation.index, refuse(error));
    }
    await afterStep(n);
  }
  return ready;
}

/** What was not there when its turn came may have been made since. */
function resolveAll(
  ready: readonly Ready[],
  { run, refusals }: Progress,
): ReadonlyMap<number, readonly FoundReference[]> {
  const unresolved = new Map<number, readonly FoundReference[]>();
  for (const one of ready) {
    try {
      unresolved.set(one.index, findUnresolved(one, { typeOf: run.view.typeOf, mode: run.references }));
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusals.set(one.index, refuse(error));
    }
  }
  return unresolved;
}

async function write(
  ready: readonly Ready[],
  run: BatchRun,
): Promise<readonly OperationEffect[] | 'overtaken'> {
  const writing = ready.flatMap(({ write, ...one }) => (write ? [{ ...one, write }] : []));
  // All or none: where an earlier run has left one, it has done all.
  if (writing.length === 0 || ready.some(({ write, effect }) => !write && effect !== 'deleted')) return ready;
  const ended = await run.store.write(
    writing.map((one) => one.write),
    { atomic: true },
  );
  const refusals = new Map<number, Refusal>();
  for (const [n, { index, id }] of writing.entries()) {
    const refusal = toRefusal(id, ended[n]);
    if (refusal) refusals.set(index, refusal);
  }
  if (refusals.size === 0) return ready;
  // What was taken for done is not there: it has to be read again.
  run.view.forgetAll();
  const recalled = await recallWritten(ready, run);
  // What is gone may have been deleted by others.
  const isDone =
    recalled.size === ready.length || [...recalled.values()].some(({ effect }) => effect !== 'deleted');
  if (isDone) return ready.map((one) => ({ ...one, ...recalled.get(one.index) }));
  const refused = ready.flatMap((one) => {
    const refusal = refusals.get(one.index);
    return refusal ? [{ one, refusal }] : [];
  });
  if ((await findOvertaken(refused, run)).size > 0) return 'overtaken';
  throw refuseBatch(refusals);
}
