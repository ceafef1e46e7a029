/**
 * The thread's side of calls to a worker thread; the caller's side is `worker-thread.ts`.
 *
 * Calls that queued up while the thread was at work are taken together, so that work can be shared among them. A call that was
 * taken back meanwhile is never begun.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { begin, type CallStates, isStopped } from './call-states.ts';
import { type SerializedError, serializeError } from './serialized-error.ts';

/** What every thread is started with. */
export interface ThreadData<Data> {
  readonly states: CallStates;
  readonly data: Data;
}

/** A call as it goes to the thread; the last one of all asks it to end. */
export type CallMessage<Request> = { readonly number: number; readonly request: Request } | 'end';

/** How one call ended, or, without a number, the thread's own start. */
export type OutcomeMessage = { readonly number?: number } & (
  | { readonly value: unknown }
  | { readonly error: SerializedError }
  | { readonly takenBack: true }
);

/** What a thread does for its callers. */
export interface Service<Request> {
  /** What the caller is told once the service is ready. */
  readonly ready: unknown;
  /** Answers requests that came together, one result for each; must not throw. */
  run(requests: readonly Request[]): PromiseSettledResult<unknown>[];
  close(): void;
}

/** What a service is started with. */
export interface ServiceStart<Data> {
  readonly data: Data;
  /** Whether nobody waits any more for what is being run. */
  readonly isStopped: () => boolean;
}

/** How many calls are begun together: at most `calls`, and no more once they weigh `bytes`. */
export interface BatchLimits<Request> {
  readonly calls: number;
  readonly bytes: number;
  sizeOf(request: Request): number;
}

/** Starts a service and has it answer all calls to this thread. */
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
      const messages = drain(port, first, limits);
      const sent = messages.filter((message) => message !== 'end');
      const calls = sent.filter(({ number }) => begin(states, number));
      running = calls.map(({ number }) => number);
      const results = calls.length > 0 ? service.run(calls.map(({ request }) => request)) : [];
      const takenBack = sent.filter((call) => !calls.includes(call));
      post([
        ...calls.map(({ number }, index) => toOutcome(number, results[index])),
        ...takenBack.map(({ number }) => ({ number, takenBack: true }) as const),
      ]);
      if (sent.length === messages.length) return;
      service.close();
      port.close();
    });
  } catch (error) {
    post([{ error: serializeError(error) }]);
  }
}

function drain<Request>(
  port: MessagePort,
  first: CallMessage<Request>,
  { calls, bytes, sizeOf }: BatchLimits<Request>,
): CallMessage<Request>[] {
  const weigh = (message: CallMessage<Request>) => (message === 'end' ? 0 : sizeOf(message.request));
  const messages = [first];
  let total = weigh(first);
  while (messages.length < calls && total < bytes) {
    const received: { message: CallMessage<Request> } | undefined = receiveMessageOnPort(port);
    if (received === undefined) break;
    messages.push(received.message);
    total += weigh(received.message);
  }
  return messages;
}

function toOutcome(number: number, result: PromiseSettledResult<unknown> | undefined): OutcomeMessage {
  if (result?.status === 'fulfilled') return { number, value: result.value };
  return { number, error: serializeError(result?.reason) };
}
