/**
 * Repeats what failed for a reason that passes: longer and longer waits, each of a random length so that many callers do not come
 * back all at once, and never before the other side said it wants to be asked again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { transferFailed } from '../../base/errors.ts';

/** How patient to be. */
export interface Patience {
  /** How often to try in all. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A number from 0 up to 1, another each time. */
  random(): number;
  /** Ends the waiting when what is under way is to be given up. */
  readonly signal: AbortSignal;
}

/** What one attempt came to: a value, or why it is worth another; `afterMs` is the least to wait. */
export type Attempt<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly reason: string; readonly afterMs?: number };

/** The longest that anybody may make us wait. */
const maxAskedMs = 300_000;

/**
 * Attempts until it is done.
 *
 * Errors: transfer_failed, with the last reason, after the last attempt or when the signal comes; what `attempt` throws.
 */
export async function withRetries<Value>(
  patience: Patience,
  attempt: () => Promise<Attempt<Value>>,
): Promise<Value> {
  const { attempts, signal } = patience;
  for (let tried = 1; ; tried++) {
    const outcome = await attempt();
    if (outcome.done) return outcome.value;
    const { reason, afterMs = 0 } = outcome;
    if (tried >= attempts) throw transferFailed(`${reason}; gave up after ${attempts} attempts`);
    if (signal.aborted) throw transferFailed(`${reason}; stopped`);
    const waitMs = Math.max(Math.min(afterMs, maxAskedMs), waitAfter(tried, patience));
    await pause(waitMs, signal, `${reason}; stopped`);
  }
}

/** Waits as long as after so many attempts. Errors: transfer_failed when the signal comes. */
export function pauseAfter(tried: number, patience: Patience): Promise<void> {
  return pause(waitAfter(tried, patience), patience.signal, 'stopped');
}

async function pause(ms: number, signal: AbortSignal, whenStopped: string): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw transferFailed(whenStopped);
  });
}

/** Between half and the whole of a time that doubles with each attempt. */
function waitAfter(tried: number, { firstWaitMs, longestWaitMs, random }: Patience): number {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (tried - 1));
  return most / 2 + (most / 2) * random();
}
