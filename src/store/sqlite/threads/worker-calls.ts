/**
 * The worker's side of calls to a worker thread; the caller's side is `worker-thread.ts`.
 *
 * Calls that arrived while the thread was busy run as one batch, so that they can share work such as a commit. The thread skips
 * a call that was cancelled in the meantime.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { begin, type CallStates, isStopped } from './call-states.ts';
import { type SerializedError, serializeError } from './serialized-error.ts';

/** The start data of every thread. */
export interface ThreadData<Data> {
  readonly states: CallStates;
  readonly data: Data;
}

/** A message to the thread: a call, or the last message, which asks the thread to end. */
export type CallMessage<Request> = { readonly number: number; readonly request: Request } | 'end';

/** The outcome of a call, or, without a number, of the thread's start. */
export type OutcomeMessage = { readonly number?: number } & (
  | { readonly value: unknown }
  | { readonly error: SerializedError }
  | { readonly cancelled: true }
);

/** The work of a thread: answers the requests of its callers. */
export interface Service<Request> {
  /** The value that the caller receives when the service is ready. */
  readonly ready: unknown;
  /** Answers a batch of requests with one result for each; must not throw. */
  run(requests: readonly Request[]): PromiseSettledResult<unknown>[];
  close(): void;
}

/** The arguments of a service's start. */
export interface ServiceStart<Data> {
  readonly data: Data;
  /** Whether the callers of all running calls have stopped waiting. */
  readonly isStopped: () => boolean;
}

/** The limits of a batch: at most `calls` calls, and none is added once the batch has `bytes` bytes. */
export interface BatchLimits<Request> {
  readonly calls: number;
  readonly bytes: number;
  sizeOf(request: Request): number;
}

/** Starts a service, which then answers all calls to this thread. */
export function serveCalls<Request, Data>({
  limits,
  start,
}: {
  limits: BatchLimits<Request>;
  start: (given: ServiceStart<Data>) => Service<Request>;
}): void {
  if (parentPort === null) throw new Error('This module is the entry of a worker thread');
  const port = parentPort;
  const { states, data }: ThreadData<Data> = workerData;
  let running: readonly number[] = [];
  const post = (outcomes: readonly OutcomeMessage[]) => port.postMessage(outcomes);
  try {
    const isAllStopped = () => running.every((number) => isStopped(states, number));
    const service = start({ data, isStopped: isAllStopped });
    post([{ value: service.ready }]);
    port.on('message', (first: CallMessage<Request>) => {
      const messages = receiveBatch(port, first, limits);
      const sent = messages.filter((message) => message !== 'end');
      const calls = sent.filter(({ number }) => begin(states, number));
      running = calls.map(({ number }) => number);
      const results = calls.length > 0 ? service.run(calls.map(({ request }) => request)) : [];
      const cancelled = sent.filter((call) => !calls.includes(call));
      post([
        ...calls.map(({ number }, index) => toOutcome(number, results[index])),
        ...cancelled.map(({ number }) => ({ number, cancelled: true }) as const),
      ]);
      if (sent.length === messages.length) return;
      service.close();
      port.close();
    });
  } catch (error) {
    post([{ error: serializeError(error) }]);
  }
}

function receiveBatch<Request>(
  port: MessagePort,
  first: CallMessage<Request>,
  { calls, bytes, sizeOf }: BatchLimits<Request>,
): CallMessage<Request>[] {
  const bytesOf = (message: CallMessage<Request>) => (message === 'end' ? 0 : sizeOf(message.request));
  const messages = [first];
  let total = bytesOf(first);
  while (messages.length < calls && total < bytes) {
    const received: { message: CallMessage<Request> } | undefined = receiveMessageOnPort(port);
    if (received === undefined) break;
    messages.push(received.message);
    total += bytesOf(received.message);
  }
  return messages;
}

function toOutcome(number: number, result: PromiseSettledResult<unknown> | undefined): OutcomeMessage {
  if (result?.status === 'fulfilled') return { number, value: result.value };
  return { number, error: serializeError(result?.reason) };
}
