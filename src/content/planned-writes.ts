/**
 * Carries out planned writes: in one transaction or one after the other, and planned again while others keep overtaking them.
 *
 * A plan follows from what was read. Each of its writes requires that its asset is still as it was then, so a plan that others have
 * overtaken is refused, and a new one may succeed.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainError, type ErrorCode, storeBusy, unlessError } from '../base/errors.ts';
import { randomFraction } from '../base/runtime.ts';
import { type AssetWrite, type ContentStore, idOfWrite, type WriteOutcome } from '../store/port.ts';
import type { WriteOptions } from '../store/write-options.ts';

/** A write that the store has refused. */
export interface RefusedWrite {
  readonly id: string;
  /** Absent where there was no asset to change. */
  readonly error?: DomainError;
}

/**
 * Writes what was planned, and returns the writes that others have overtaken, by these codes; when `atomic`, nothing is written if there is one.
 * Errors: of the first write that was refused for another reason; the store's.
 */
export async function writePlanned(
  store: Pick<ContentStore, 'write'>,
  writes: readonly AssetWrite[],
  { codes = overtaking, ...options }: WriteOptions & { readonly codes?: readonly ErrorCode[] } = {},
): Promise<readonly RefusedWrite[]> {
  if (writes.length === 0) return [];
  return assertOvertaken(findRefused(writes, await store.write(writes, options)), codes);
}

/** Finds the writes that the store has refused. */
export const findRefused = (
  writes: readonly AssetWrite[],
  outcomes: readonly WriteOutcome[],
): readonly RefusedWrite[] =>
  writes.flatMap((write, n): RefusedWrite[] => {
    const outcome = outcomes[n];
    if (outcome?.kind === 'absent') return [{ id: idOfWrite(write) }];
    return outcome?.kind === 'failed' ? [{ id: idOfWrite(write), error: outcome.error }] : [];
  });

/** Returns the refused writes. Errors: of the first that was refused for another reason than the writes of others. */
export function assertOvertaken(
  refused: readonly RefusedWrite[],
  codes: readonly ErrorCode[] = overtaking,
): readonly RefusedWrite[] {
  for (const { error } of refused) if (error && !codes.includes(error.code)) throw error;
  return refused;
}

export const overtaking: readonly ErrorCode[] = ['precondition_failed', 'id_in_use', 'value_in_use'];

/** Returns what a write returns, or that others have overtaken it. Errors: the others of the write. */
export async function unlessOvertaken<Result extends object>(
  write: Promise<Result>,
): Promise<Result | 'overtaken'> {
  return (await unlessError(write, ...overtaking)) ?? 'overtaken';
}

/** Plans and writes until nobody overtakes it. Errors: those of the attempts; store_busy after the last one. */
export async function untilWritten<Result>(attempt: () => Promise<Result | 'overtaken'>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt();
    if (result !== 'overtaken') return result;
    if (!mayTryAgain(attempts)) throw overtakenTooOften();
    await pauseAfter(attempts);
  }
}

/** How often a write is tried in all; each further attempt means that somebody else has written the same asset. */
const maxAttempts = 10;
const longestWaitMs = 200;

/** Checks whether another attempt is allowed after so many. */
export const mayTryAgain = (attempts: number) => attempts < maxAttempts;

/** Creates the error after the last attempt. */
export const overtakenTooOften = () => storeBusy('others keep writing the same asset');

/** Waits a random time before another attempt, longer after more attempts, so that competing writers spread out. */
export async function pauseAfter(attempts: number): Promise<void> {
  if (attempts > 1) await sleep(randomFraction() * Math.min(longestWaitMs, 5 * 2 ** attempts));
}
