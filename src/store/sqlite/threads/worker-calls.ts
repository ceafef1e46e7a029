/**
 * The worker's side of calls to a worker thread; the caller's side is `worker-thread.ts`.
 *
 * Calls that arrived while the thread was busy run in batches, so that they can share work such as a commit. The thread skips
 * a call that was cancelled in the meantime.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type BatchLimits, createCallQueue } from './call-queue.ts';
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
  readonly limits: BatchLimits<Request>;
  /** Answers a batch of requests with one result for each; must not throw. `isStopped` tells whether the caller of a request has stopped waiting. */
  run(
    requests: readonly Request[],
    isStopped: (request: Request) => boolean,
  ): PromiseSettledResult<unknown>[];
  /** Does a part of the work that is left after the answers; returns whether there is more. Runs between the batches; must not throw. */
  followUp?(): boolean;
  close(): void;
}

/** The arguments of a service's start. */
export interface ServiceStart<Data> {
  readonly data: Data;
  /** Whether the callers of all running calls have stopped waiting. */
  readonly isStopped: () => boolean;
}

/** Starts a service, which then answers all calls to this thread. */
export function serveCalls<Request, Data>({
  start,
}: {
  start: (given: ServiceStart<Data>) => Service<Request>;
}): void {
  if (parentPort === null) throw new Error('This module is the entry of a worker thread');
  const port = parentPort;
  const { states, data }: ThreadData<Data> = workerData;
  let running: readonly ReceivedCall<Request>[] = [];
  const post = (outcomes: readonly OutcomeMessage[]) => port.postMessage(outcomes);
  const isCallStopped = ({ number }: ReceivedCall<Request>) => isStopped(states, number);
  try {
    const service = start({ data, isStopped: () => running.every(isCallStopped) });
    const queue = createCallQueue<Request, ReceivedCall<Request>>(service.limits);
    let isEnding = false;
    let isBusy = false;
    const receive = (message: CallMessage<Request>) => {
      if (message === 'end') isEnding = true;
      else queue.add(message);
    };
    const runBatch = () => {
      for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port))
        receive(more.message);
      const taken = queue.take();
      running = taken.filter(({ number }) => begin(states, number));
      const results = runCalls(service, running, isCallStopped);
      const cancelled = taken.filter((call) => !running.includes(call));
      const outcomes = [
        ...running.map(({ number }, index) => toOutcome(number, results[index])),
        ...cancelled.map(({ number }) => ({ number, cancelled: true }) as const),
      ];
      if (outcomes.length > 0) post(outcomes);
      const isUnfinished = service.followUp?.() === true && !isEnding;
      isBusy = isUnfinished || queue.size() > 0;
      if (isBusy) setImmediate(runBatch);
      else if (isEnding) {
        service.close();
        port.close();
      }
    };
    post([{ value: service.ready }]);
    port.on('message', (message: CallMessage<Request>) => {
      receive(message);
      if (!isBusy) runBatch();
    });
  } catch (error) {
    post([{ error: serializeError(error) }]);
  }
}

/** A call that has arrived. */
type ReceivedCall<Request> = Exclude<CallMessage<Request>, 'end'>;

function runCalls<Request>(
  service: Service<Request>,
  calls: readonly ReceivedCall<Request>[],
  isCallStopped: (call: ReceivedCall<Request>) => boolean,
): PromiseSettledResult<unknown>[] {
  if (calls.length === 0) return [];
  const callOf = new Map(calls.map((call) => [call.request, call]));
  return service.run(
    calls.map(({ request }) => request),
    (request) => {
      const call = callOf.get(request);
      return call !== undefined && isCallStopped(call);
    },
  );
}

function toOutcome(number: number, result: PromiseSettledResult<unknown> | undefined): OutcomeMessage {
  if (result?.status === 'fulfilled') return { number, value: result.value };
  return { number, error: serializeError(result?.reason) };
}
