/**
 * Clients that disconnect before they have the response: work done only for them is aborted, and is not reported as a failure.
 */
import type { ServerResponse } from 'node:http';
import { isAbort } from '../../base/runtime.ts';

/** Creates a signal that aborts when the connection closes before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
}

/** Tells whether an error was only caused by the disconnection of the client. */
export const isClientDisconnect = (response: ServerResponse, error: unknown) =>
  response.destroyed && isAbort(error);
