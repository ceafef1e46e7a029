/**
 * The caller's side of one worker thread; the thread's side is `worker-calls.ts`.
 *
 * It knows which calls the thread has, and when the thread ends, which of them it had begun. Which call goes to which thread,
 * and what becomes of those that a thread leaves behind, is for `worker-pool.ts` to decide.
 */
import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { askToStop, createCallStates, isBegun, markWaiting, takeBack } from './call-states.ts';
import { deserializeError } from './serialized-error.ts';
import type { CallMessage, OutcomeMessage, ThreadData } from './worker-calls.ts';

/** How a call is answered. */
export interface Answerable {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** One call, wherever it is. */
export interface Call<Request> extends Answerable {
  readonly request: Request;
}

/** A running thread. */
export interface WorkerThread<Item, Ready> {
  /** What the thread told when it was ready. */
  readonly ready: Ready;
  /** How many calls it has, those included that were taken back and not passed over yet. */
  size(): number;
  /** Sends a call, which is settled when the thread answers it. */
  send(call: Item): void;
  /** Takes back a call, if the thread has not begun it. */
  takeBack(call: Item): boolean;
  /** Whether calls wait for one that it has been at for a while. */
  isHeldUp(): boolean;
  /** Takes back all calls that the thread has not begun. */
  takeWaiting(): Item[];
  /** Has the thread stop a call that it has begun. */
  stop(call: Item): void;
  /** Ends the thread when it has answered what it was sent. */
  end(): Promise<void>;
}

/** The calls that a thread had when it ended, and why it did. */
export interface ThreadEnd<Item> {
  readonly reason: unknown;
  readonly begun: readonly Item[];
  readonly waiting: readonly Item[];
}

/** Which thread to start. */
export interface ThreadStart {
  /** `reader` or `writer` beside this file, or another file. */
  readonly entry: 'reader' | 'writer' | URL;
  /** What its service is started with. */
  readonly data: unknown;
  readonly resourceLimits: ResourceLimits;
  /** How many calls it has at most. */
  readonly maxCalls: number;
}

/** What happens to a thread that was ready. */
export interface ThreadEvents<Item> {
  /** It has room for another call. */
  onRoom(): void;
  /** It has ended, by itself or when it was told to. */
  onEnd(end: ThreadEnd<Item>): void;
}

/** How long a call takes before others are better off with another thread. */
export const heldUpMs = 5;

/** Starts a thread, and resolves when its service is ready. Errors: what the service threw at its start. */
export async function startThread<Request, Item extends Call<Request>, Ready>(
  { entry, data, resourceLimits, maxCalls }: ThreadStart,
  { onRoom, onEnd }: ThreadEvents<Item>,
): Promise<WorkerThread<Item, Ready>> {
  const board = createCallBoard<Item>(maxCalls);
  const workerData: ThreadData<unknown> = { states: board.states, data };
  const worker = new Worker(fileOf(entry), { workerData, resourceLimits });
  const started = Promise.withResolvers<unknown>();
  let isReady = false;
  let lastAnswerMs = performance.now();
  let reason: unknown;
  worker.on('error', (error) => {
    reason ??= error;
  });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      reason ??= new Error(`The thread has ended with exit code ${code}`);
      started.reject(reason);
      if (isReady) onEnd({ reason, ...board.left() });
      resolve();
    });
  });
  worker.on('message', (outcomes: OutcomeMessage[]) => {
    for (const outcome of outcomes) {
      answer(outcome.number === undefined ? started : board.take(outcome.number), outcome);
    }
    lastAnswerMs = performance.now();
    if (isReady) onRoom();
  });
  // What comes from a thread has the types its entry declares: here alone that is taken on trust.
  const ready = (await started.promise) as Ready;
  isReady = true;
  const post = (message: CallMessage<Request>) => worker.postMessage(message);
  return {
    ready,
    ...board,
    send(call) {
      if (board.size() === 0) lastAnswerMs = performance.now();
      post({ number: board.add(call), request: call.request });
    },
    isHeldUp: () => board.hasWaiting() && performance.now() - lastAnswerMs >= heldUpMs,
    async end() {
      post('end');
      await exited;
    },
  };
}

function fileOf(entry: ThreadStart['entry']): URL {
  // The entry is TypeScript or JavaScript, as this file is.
  return entry instanceof URL
    ? entry
    : new URL(`./${entry}-entry${extname(import.meta.url)}`, import.meta.url);
}

function answer(call: Answerable | undefined, outcome: OutcomeMessage): void {
  if ('error' in outcome) call?.reject(deserializeError(outcome.error));
  else if ('value' in outcome) call?.resolve(outcome.value);
}

/** The calls that one thread has, by their numbers. */
function createCallBoard<Item>(maxCalls: number) {
  const states = createCallStates(maxCalls);
  const free = Array.from({ length: maxCalls }, (_, index) => maxCalls - 1 - index);
  const calls = new Map<number, Item>();
  const tryTakeBack = (number: number, call: Item): Item | undefined => {
    if (!takeBack(states, number)) return undefined;
    // The number stays in use until the thread has passed over it.
    calls.delete(number);
    return call;
  };
  const numberOf = (call: Item) => [...calls].find(([, each]) => each === call)?.[0];
  return {
    states,
    size: () => maxCalls - free.length,
    add(call: Item): number {
      const number = free.pop();
      if (number === undefined) throw new Error('The thread has no room for another call');
      calls.set(number, call);
      markWaiting(states, number);
      return number;
    },
    /** The call that a number was for, which is free again. */
    take(number: number): Item | undefined {
      const call = calls.get(number);
      calls.delete(number);
      free.push(number);
      return call;
    },
    takeBack(call: Item): boolean {
      const number = numberOf(call);
      return number !== undefined && tryTakeBack(number, call) !== undefined;
    },
    hasWaiting: () => calls.size > 1,
    takeWaiting: () => [...calls].flatMap(([number, call]) => tryTakeBack(number, call) ?? []),
    stop(call: Item): void {
      const number = numberOf(call);
      if (number !== undefined) askToStop(states, number);
    },
    left(): Pick<ThreadEnd<Item>, 'begun' | 'waiting'> {
      const { begun = [], waiting = [] } = Object.groupBy(calls, ([number]) =>
        isBegun(states, number) ? 'begun' : 'waiting',
      );
      return { begun: begun.map(([, call]) => call), waiting: waiting.map(([, call]) => call) };
    },
  };
}
