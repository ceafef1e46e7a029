/**
 * How patient a transfer is with a target that fails for a reason that passes.
 */
import { isStoreError, transferFailed } from '../../base/errors.ts';
import { isAbort } from '../../base/runtime.ts';
import type { RetryWaits } from '../../client/connection.ts';
import { pause, retry, waitMs } from '../../client/send-request.ts';

/** How often to try, and how long to wait in between. */
export interface RetryPolicy extends RetryWaits {
  /** How often to try in all. */
  readonly attempts: number;
  /** Ends the waiting; an attempt under way finishes. */
  readonly signal: AbortSignal;
}

/** Waits before a batch is sent again; `tried` counts its attempts so far. Errors: transfer_failed when the signal is aborted. */
export async function pauseAfter(tried: number, policy: RetryPolicy): Promise<void> {
  try {
    await pause(waitMs(tried - 1, 0, policy), policy.signal);
  } catch (error) {
    throw toTransferError(error);
  }
}

/**
 * Repeats a call of the store while the store is busy or out of reach.
 *
 * Errors: transfer_failed after the last attempt or when the signal is aborted; others as `call` throws them.
 */
export async function withStoreRetries<Result>(
  policy: RetryPolicy,
  call: () => Promise<Result>,
): Promise<Result> {
  const { attempts, signal } = policy;
  const secondsToWait = (error: unknown) => (isStoreError(error) ? 0 : undefined);
  try {
    return await retry(call, { retries: attempts - 1, waits: policy, signal, secondsToWait });
  } catch (error) {
    throw isStoreError(error) ? gaveUp(error.message, attempts) : toTransferError(error);
  }
}

/** The error of a call that failed in every attempt. */
export const gaveUp = (reason: string, attempts: number) =>
  transferFailed(`${reason}; gave up after ${attempts} attempts`);

/** Turns the reason of an aborted signal into the error of a stopped transfer. */
export const toTransferError = (error: unknown) => (isAbort(error) ? transferFailed('stopped') : error);
