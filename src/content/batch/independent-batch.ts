/**
 * Carries out the operations of a batch one after the other, each by itself.
 *
 * Operations that do not depend on each other go to the store together. An operation on an asset with a pending write, or with a
 * reference to one, waits for that write and is planned with the rest. So is one that other writers have overtaken.
 */
import { isDomainError, isStoreError } from '../../base/errors.ts';
import { yieldEvery32Steps } from '../../base/runtime.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../planned-writes.ts';
import type { ReadOperation } from './batch.ts';
import { type OperationOutcome, type Refusal, refuse } from './batch.ts';
import { findTargetType, forgetPending, isPending, loadAssets } from './batch-assets.ts';
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
import { type PlannedOperation, planOperation } from './plan-operation.ts';

/** The outcomes so far, by the index of the operation. */
type Outcomes = (OperationOutcome | undefined)[];

/** The progress of a running batch. */
interface Progress {
  readonly run: BatchRun;
  readonly outcomes: Outcomes;
  /** How often each operation was overtaken, by index. */
  readonly overtaken: Map<number, number>;
}

/** Carries the operations out. Errors: the store's, when its failure refused all of them. */
export async function writeIndependently(
  read: readonly (ReadOperation | Refusal)[],
  run: BatchRun,
): Promise<OperationOutcome[]> {
  const outcomes: Outcomes = read.map((one) => ('kind' in one ? one : undefined));
  const progress = { run, outcomes, overtaken: new Map() };
  let rest = read.flatMap((one) => ('kind' in one ? [] : [one]));
  while (rest.length > 0) {
    try {
      rest = await writeTogether(rest, progress);
      // A busy store is not asked again for each part of the batch, nor is one that has refused a batch as too costly.
      const last = outcomes.find((outcome) => outcome?.kind === 'refused' && isLast(outcome.error));
      if (last?.kind === 'refused') throw last.error;
    } catch (error) {
      if (!isStoreError(error) && !isTooCostly(error)) throw error;
      for (const { index } of rest) outcomes[index] ??= refuse(error);
      rest = [];
    }
  }
  return listOutcomes(outcomes);
}

/** Writes the first operations, as many as may go together, and returns the others. */
async function writeTogether(
  operations: readonly ReadOperation[],
  progress: Progress,
): Promise<ReadOperation[]> {
  const { run, outcomes } = progress;
  const { assets, caller } = run;
  caller.signal?.throwIfAborted();
  await loadAssets(assets, needsOf(operations, run));
  await run.reserved.assertCurrent();
  const ready: Ready[] = [];
  let count = 0;
  for (const operation of operations) {
    const one = mustWait(operation, run) ? 'wait' : prepare(operation, run);
    if (one === 'wait') break;
    if ('kind' in one) outcomes[operation.index] = one;
    else if (one.write && !assets.overlay.putUnclaimed(one.write)) break;
    else ready.push(one);
    await yieldEvery32Steps(count++);
  }
  const { ended, again } = await writeReady(ready, run);
  for (const [index, outcome] of ended) outcomes[index] = outcome;
  return [...(await tryAgain(again, progress)), ...operations.slice(count)];
}

/**
 * Checks whether an operation is about assets with a pending write. If targets of references need not exist, a key that names one
 * matters only where the asset that has it may change: a pending write releases the key, or claims one that is in use and is
 * refused. The asset that claims a free key has its `_id` already.
 */
function mustWait({ target, named }: ReadOperation, { assets, references }: BatchRun): boolean {
  const { overlay } = assets;
  if (isPending(assets, target)) return true;
  return named.some((key) => {
    if (!overlay.isMoved(key)) return false;
    const holder = overlay.findHolder(key);
    return (
      references === 'checked' || holder === undefined || holder !== (assets.named.get(key.text) ?? holder)
    );
  });
}

/** Returns the operations to try again, and refuses those that were overtaken too often. */
async function tryAgain(
  operations: readonly ReadOperation[],
  { outcomes, overtaken }: Progress,
): Promise<ReadOperation[]> {
  if (operations.length === 0) return [];
  for (const { index } of operations) overtaken.set(index, (overtaken.get(index) ?? 0) + 1);
  const attemptsOf = ({ index }: ReadOperation) => overtaken.get(index) ?? 0;
  await pauseAfter(Math.max(...operations.map(attemptsOf)));
  return operations.filter((operation) => {
    if (mayTryAgain(attemptsOf(operation))) return true;
    outcomes[operation.index] = refuse(overtakenTooOften());
    return false;
  });
}

/** An operation ready to be written, with its references whose targets do not exist. */
interface Ready extends PlannedOperation {
  readonly operation: ReadOperation;
  readonly unresolved: readonly FoundReference[];
}

function prepare(operation: ReadOperation, run: BatchRun): Ready | Refusal | 'wait' {
  const { assets, references: mode } = run;
  try {
    const ready = withStoredTargets(planOperation(operation, run), run);
    const isTargetPending = ({ reference }: FoundReference) => assets.overlay.isChanged(reference._ref);
    if (mode === 'checked' && ready.references.some(isTargetPending)) return 'wait';
    const typeOf = (id: string) => findTargetType(assets, id);
    return { ...ready, operation, unresolved: findUnresolved(ready, { typeOf, mode }) };
  } catch (error) {
    if (isDomainError(error)) return refuse(error);
    throw error;
  }
}

/** The outcomes of written operations by index, and the operations to try again. */
interface Written {
  readonly ended: readonly (readonly [index: number, outcome: OperationOutcome])[];
  readonly again: readonly ReadOperation[];
}

async function writeReady(ready: readonly Ready[], run: BatchRun): Promise<Written> {
  const writing = ready.flatMap(({ write, ...one }) => (write ? [{ ...one, write }] : []));
  const { store, budget, caller } = run;
  const ended =
    writing.length > 0
      ? await store.write(
          writing.map(({ write }) => write),
          { budget, signal: caller.signal },
        )
      : [];
  forgetPending(run.assets);
  const failures = new Map<number, { readonly one: Ready; readonly refusal: Refusal }>();
  for (const [n, one] of writing.entries()) {
    const refusal = await toRefusal(one.id, ended[n], run);
    if (refusal) failures.set(one.index, { one, refusal });
  }
  const recalled = await recallWritten(
    [...failures.values()].map(({ one }) => one),
    run,
  );
  const refused = [...failures.values()].filter(({ one }) => !recalled.has(one.index));
  const overtaken = await findOvertaken(refused, run);
  const lost = new Set([...failures.values()].filter(isLost).map(({ one }) => one.id));
  const outcomes = new Map(writing.map(({ index }, n) => [index, ended[n]]));
  const finished = ready.filter(({ index }) => !overtaken.has(index));
  return {
    again: ready.filter(({ index }) => overtaken.has(index)).map(({ operation }) => operation),
    ended: finished.map((one) => {
      const written = recalled.get(one.index);
      const refusal = written ? undefined : failures.get(one.index)?.refusal;
      return [
        one.index,
        refusal ??
          toDone(written ?? withStoredVersion(one, outcomes.get(one.index)), unresolvedOf(one, lost)),
      ];
    }),
  };
}

const isTooCostly = (error: unknown) => isDomainError(error, 'batch_too_costly');
const isLast = (error: unknown) => isDomainError(error, 'store_busy') || isTooCostly(error);

/** Checks whether an asset that other operations may reference was not created. */
const isLost = ({ one, refusal }: { readonly one: Ready; readonly refusal: Refusal }) =>
  one.effect === 'created' && !isDomainError(refusal.error, 'id_in_use');

function unresolvedOf(
  { unresolved, references }: Ready,
  lost: ReadonlySet<string>,
): readonly FoundReference[] {
  if (lost.size === 0) return unresolved;
  const gone = references.filter(({ reference }) => lost.has(reference._ref));
  return [...new Set([...unresolved, ...gone])];
}

/**
 * Returns all outcomes. Errors: the store's, when its failure refused every operation: then the whole batch may be sent again.
 */
function listOutcomes(outcomes: Outcomes): OperationOutcome[] {
  const listed = outcomes.filter((outcome) => outcome !== undefined);
  const [first] = listed;
  const isAllRefused = listed.every((outcome) => outcome.kind === 'refused' && isStoreError(outcome.error));
  if (isAllRefused && first?.kind === 'refused') throw first.error;
  return listed;
}
