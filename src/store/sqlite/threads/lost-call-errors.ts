/**
 * The errors of calls whose thread has ended, or that no thread can run.
 */
import { type DomainError, queryTooCostly, storeBusy, storeFailure } from '../../../base/errors.ts';
import type { ThreadStart } from './worker-thread.ts';

/** Returns the error of a call that has ended two threads; `undefined` when it may run again. */
export function toRepeatedLossError(
  { losses }: { readonly losses: number },
  reason: unknown,
): DomainError | undefined {
  if (losses < 2) return undefined;
  return isOutOfMemory(reason) ? queryTooCostly() : storeFailure('a thread', reason);
}

const isOutOfMemory = (reason: unknown) =>
  reason instanceof Error && 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The error of a write that a thread had begun when it ended. */
export const outcomeUnknown = (reason: unknown) =>
  storeBusy('the thread that ran it ended before it reported the outcome', reason);

/** The error of a call while no thread of the pool runs. */
export const notRunning = (entry: ThreadStart['entry']) => storeBusy(`its ${entry} does not run at present`);
