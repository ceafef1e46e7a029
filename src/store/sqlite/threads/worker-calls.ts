/**
 * The worker's side of calls to a worker thread; the caller's side is `worker-thread.ts`.
 *
 * Calls that arrived while the thread was busy run in batches, so that they can share work such as a commit. The thread skips
 * a call that was cancelled in the meantime.
 */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DomainError, type ErrorCode, type ErrorDetails, isDomainError } from '../../../base/errors.ts';

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
interface Service<Request> {
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
interface ServiceStart<Data> {
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

// The calls that a thread has received and not begun. It takes them in batches, in which the senders take turns: whose turn is longest
// ago comes first. The calls of one sender keep their order.

/** The limits of a batch: at most `calls` calls, and no further one with which it would have more than `bytes` bytes. */
interface BatchLimits<Request> {
  readonly calls: number;
  readonly bytes: number;
  /** Absent means that calls have no size. */
  readonly sizeOf?: (request: Request) => number;
  /** Absent means that all calls have one sender. */
  readonly senderOf?: (request: Request) => string;
}

interface CallQueue<Call> {
  add(call: Call): void;
  /** Takes the next batch; it is empty only if the queue is. */
  take(): Call[];
  size(): number;
}

function createCallQueue<Request, Call extends { readonly request: Request }>({
  calls: maxCalls,
  bytes: maxBytes,
  sizeOf = () => 0,
  senderOf = () => '',
}: BatchLimits<Request>): CallQueue<Call> {
  /** By sender, the one whose turn is longest ago first. */
  const waiting = new Map<string, Call[]>();
  let size = 0;

  return {
    add(call) {
      const sender = senderOf(call.request);
      const calls = waiting.get(sender);
      if (calls) calls.push(call);
      else waiting.set(sender, [call]);
      size++;
    },
    take() {
      const batch: Call[] = [];
      let bytes = 0;
      /** Takes the first call of a sender, if there is room for it. A lone call needs no measuring. */
      const takeFrom = (sender: string, calls: Call[]): boolean => {
        const [first] = calls;
        if (!first || batch.length === maxCalls) return false;
        const added = size === 1 ? 0 : sizeOf(first.request);
        if (batch.length > 0 && bytes + added > maxBytes) return false;
        calls.shift();
        batch.push(first);
        bytes += added;
        size--;
        waiting.delete(sender);
        if (calls.length > 0) waiting.set(sender, calls);
        return true;
      };
      let isTaken = true;
      while (isTaken) {
        isTaken = false;
        for (const [sender, calls] of [...waiting]) isTaken = takeFrom(sender, calls) || isTaken;
      }
      return batch;
    },
    size: () => size,
  };
}

// The states of the calls to one worker thread, in memory that both sides share. A busy thread reads no messages, but it reads
// this memory at any time.

/** The shared memory: one cell for each call that a thread can have at the same time. */
type CallStates = Int32Array<SharedArrayBuffer>;

const waiting = 0;
const cancelled = 1;
const begun = 2;
const stopped = 3;

/** Allocates the memory for calls numbered from 0 to `size - 1`. */
export const createCallStates = (size: number): CallStates =>
  new Int32Array(new SharedArrayBuffer(size * Int32Array.BYTES_PER_ELEMENT));

/** Marks a new call as waiting, before it is sent. */
export const markWaiting = (states: CallStates, call: number) => void Atomics.store(states, call, waiting);

/** Marks a call as begun unless it was cancelled; returns whether it has begun. */
const begin = (states: CallStates, call: number) =>
  Atomics.compareExchange(states, call, waiting, begun) === waiting;

/** Cancels a call that the thread has not begun; returns whether it was cancelled. */
export const cancelWaiting = (states: CallStates, call: number) =>
  Atomics.compareExchange(states, call, waiting, cancelled) === waiting;

/** Asks the thread to stop a call that it has begun. */
export const requestStop = (states: CallStates, call: number) =>
  void Atomics.compareExchange(states, call, begun, stopped);

/** Whether the thread has begun the call, even if it should stop. */
export const isBegun = (states: CallStates, call: number) => Atomics.load(states, call) >= begun;

/** Whether the thread should stop the call. */
const isStopped = (states: CallStates, call: number) => Atomics.load(states, call) === stopped;

/** An error with the properties that a message between threads would lose. */
export interface SerializedError {
  readonly error: unknown;
  readonly domain?: { readonly code: ErrorCode; readonly details: ErrorDetails[ErrorCode] };
  /** SQLite's result code. */
  readonly errcode?: unknown;
}

export function serializeError(error: unknown): SerializedError {
  if (isDomainError(error)) return { error, domain: { code: error.code, details: error.details } };
  if (error instanceof Error && 'errcode' in error) return { error, errcode: error.errcode };
  return { error };
}

/** Restores the error that was serialized. */
export function deserializeError({ error, domain, errcode }: SerializedError): unknown {
  if (!(error instanceof Error)) return error;
  if (domain) return new DomainError(domain.code, error.message, domain.details, { cause: error.cause });
  return errcode === undefined ? error : Object.assign(error, { errcode });
}
