/**
 * How often, and after which pauses, a write is tried again that other writers have overtaken.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../base/errors.ts';
import { randomFraction } from '../base/runtime.ts';

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
