/**
 * Operations that others have overtaken: between reading an asset and writing it, somebody else has written it.
 *
 * Such an operation is looked at again, so that the result is as if the writes had come one after the other: an upsert of a
 * value that somebody else has just taken becomes an update. A conflict about anything else is a refusal as ever.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainError, isDomainError, storeBusy } from '../../base/errors.ts';
import { randomFraction } from '../../base/runtime.ts';
import type { Refusal } from './batch.ts';
import { type BatchRun, needsOf } from './batch-run.ts';
import type { PlannedOperation } from './plan-operation.ts';
import type { ReadOperation, Target } from './read-operations.ts';

/** An operation whose write the store has refused. */
export interface RefusedWrite {
  readonly one: Pick<PlannedOperation, 'index' | 'effect'> & { readonly operation: ReadOperation };
  readonly refusal: Refusal;
}

/** How often an operation is tried in all; each further attempt means that somebody else has written the same. */
const maxAttempts = 10;
const longestWaitMs = 200;

/** Whether another attempt is due after so many. */
export const mayTryAgain = (attempts: number) => attempts < maxAttempts;

/** Why an operation is refused after the last attempt. */
export const overtakenTooOften = () => storeBusy('others keep writing the same asset');

/** Waits before another attempt, for longer after more of them, so that rivals part. */
export async function pauseAfter(attempts: number): Promise<void> {
  if (attempts > 1) await sleep(randomFraction() * Math.min(longestWaitMs, 5 * 2 ** attempts));
}

/**
 * The places of those refused operations that others have overtaken.
 *
 * The view must have forgotten what they were about: it is read again here, so that they can be prepared anew.
 */
export async function findOvertaken(
  refused: readonly RefusedWrite[],
  run: BatchRun,
): Promise<ReadonlySet<number>> {
  const candidates = refused.filter((one) => mayBeOvertaken(one, run));
  if (candidates.length === 0) return new Set();
  const operations = candidates.map(({ one }) => one.operation);
  await run.view.load(needsOf(operations, run));
  return new Set(candidates.filter((one) => isOvertaken(one, run)).map(({ one }) => one.index));
}

function mayBeOvertaken({ one, refusal: { error } }: RefusedWrite, { reserved }: BatchRun): boolean {
  const { action, ifVersions } = one.operation;
  if (isDomainError(error, 'precondition_failed')) return reserved.run !== 'only' && !ifVersions;
  if (action !== 'upsert') return false;
  return one.effect === 'created' ? isConflict(error) : isDomainError(error, 'not_found');
}

function isOvertaken({ one, refusal: { error } }: RefusedWrite, { view }: BatchRun): boolean {
  if (!isConflict(error)) return true;
  const { target } = one.operation;
  if (view.find(target)) return true;
  // Whoever took it is gone again, unless it is an asset that the caller does not see.
  return !view.isTaken(target) && isAbout(error, target);
}

const isConflict = (error: DomainError) =>
  isDomainError(error, 'id_in_use') || isDomainError(error, 'value_in_use');

/** Whether a conflict is about what tells which asset is meant. */
function isAbout(error: DomainError, target: Target): boolean {
  if (isDomainError(error, 'id_in_use')) return target.kind === 'id';
  if (!isDomainError(error, 'value_in_use')) return false;
  return target.kind === 'key' && error.details.field === target.key.path.text;
}
