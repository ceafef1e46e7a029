/**
 * Callers that leave before they are answered: what was begun for them alone is ended, and is no failure.
 */
import type { ServerResponse } from 'node:http';
import { isAbort } from '../../base/runtime.ts';

/** A signal that is aborted when the connection closes before the answer is complete. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
}

/** Whether an error says no more than that the caller of this response has left. */
export const isHangUp = (response: ServerResponse, error: unknown) => response.destroyed && isAbort(error);
