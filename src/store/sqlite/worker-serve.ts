/**
 * The thread's side of calls to a worker thread; the caller's side is `worker-call.ts`.
 *
 * Calls that queued up while the thread was at work are taken together, so that work can be shared among them.
 */
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { type PackedError, packError } from './packed-error.ts';

/** A call as it goes to the thread; the last one of all asks it to stop. */
export type CallMessage<Request> = { readonly number: number; readonly request: Request } | 'stop';

/** How one call ended. Number 0 is the thread's own start. */
export type OutcomeMessage =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: PackedError };

/** What a thread does for its callers. */
export interface Service<Request> {
  /** What the caller is told once the service is ready. */
  readonly ready: unknown;
  /** Answers requests that came together, one result for each; must not throw. */
  run(requests: readonly Request[]): PromiseSettledResult<unknown>[];
  close(): void;
}

/** Starts a service and has it answer all calls to this thread, at most `maxBatch` of them at a time. */
export function serveCalls<Request>({
  maxBatch,
  start,
}: {
  maxBatch: number;
  start: () => Service<Request>;
}): void {
  if (parentPort === null) throw new Error('This module is the entry of a worker thread');
  const port = parentPort;
  try {
    const service = start();
    port.postMessage([{ number: 0, value: service.ready }] satisfies OutcomeMessage[]);
    port.on('message', (first: CallMessage<Request>) => {
      const messages = drain(port, first, maxBatch);
      const calls = messages.filter((message) => message !== 'stop');
      const results = calls.length > 0 ? service.run(calls.map(({ request }) => request)) : [];
      port.postMessage(calls.map(({ number }, index) => toOutcome(number, results[index])));
      if (calls.length === messages.length) return;
      service.close();
      port.close();
    });
  } catch (error) {
    port.postMessage([{ number: 0, error: packError(error) }] satisfies OutcomeMessage[]);
  }
}

function drain<Request>(
  port: MessagePort,
  first: CallMessage<Request>,
  maxBatch: number,
): CallMessage<Request>[] {
  const messages = [first];
  while (messages.length < maxBatch) {
    const received: { message: CallMessage<Request> } | undefined = receiveMessageOnPort(port);
    if (received === undefined) break;
    messages.push(received.message);
  }
  return messages;
}

function toOutcome(number: number, result: PromiseSettledResult<unknown> | undefined): OutcomeMessage {
  if (result?.status === 'fulfilled') return { number, value: result.value };
  return { number, error: packError(result?.reason) };
}
