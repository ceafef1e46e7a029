/**
 * The caller's side of one worker thread; the thread's side is `worker-calls.ts`.
 *
 * This module tracks which calls the thread has and which of them it has begun. `worker-pool.ts` assigns calls to threads and
 * handles the calls that a thread leaves unanswered when it ends.
 */

import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { type DomainError, queryTooCostly, storeBusy, storeFailure } from '../../../base/errors.ts';
import type { CallMessage, OutcomeMessage, ThreadData } from './worker-calls.ts';
import {
  cancelWaiting,
  createCallStates,
  deserializeError,
  isBegun,
  markWaiting,
  requestStop,
} from './worker-calls.ts';

/** The functions that settle a call. */
interface Answerable {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface Call<Request> extends Answerable {
  readonly request: Request;
}

/** A running thread. */
export interface WorkerThread<Item, Ready> {
  /** The value that the thread sent when it was ready. */
  readonly ready: Ready;
  /** Returns the number of calls, including cancelled ones that the thread has not yet skipped. */
  size(): number;
  /** Sends a call, which settles when the thread answers it. */
  send(call: Item): void;
  /** Cancels a call that the thread has not begun; returns whether it was cancelled. */
  cancelWaiting(call: Item): boolean;
  /** Asks the thread to stop a call that it has begun. */
  stop(call: Item): void;
  /** Ends the thread after it has answered its calls. */
  end(): Promise<void>;
}

/** The reason why a thread ended, and the calls that it had. */
export interface ThreadEnd<Item> {
  readonly reason: unknown;
  readonly begun: readonly Item[];
  readonly waiting: readonly Item[];
}

/** The options to start a thread. */
export interface ThreadStart {
  /** The `reader` or `writer` entry beside this file, or the URL of another file. */
  readonly entry: 'reader' | 'writer' | URL;
  /** The start data of its service. */
  readonly data: unknown;
  readonly resourceLimits: ResourceLimits;
  /** The greatest number of calls that the thread has. */
  readonly maxCalls: number;
}

/** The events of a thread that was ready. */
export interface ThreadEvents<Item> {
  /** The thread has answered a batch of so many calls, and has room for others. */
  onAnswers(batchSize: number): void;
  /** The thread has ended, by itself or on request. */
  onEnd(end: ThreadEnd<Item>): void;
}

/** Starts a thread, and resolves when its service is ready. Errors: those of the service at its start. */
export async function startThread<Request, Item extends Call<Request>, Ready>(
  { entry, data, resourceLimits, maxCalls }: ThreadStart,
  { onAnswers, onEnd }: ThreadEvents<Item>,
): Promise<WorkerThread<Item, Ready>> {
  const board = createCallBoard<Item>(maxCalls);
  const workerData: ThreadData<unknown> = { states: board.states, data };
  const worker = new Worker(fileOf(entry), { workerData, resourceLimits });
  const started = Promise.withResolvers<unknown>();
  let isReady = false;
  let reason: unknown;
  worker.on('error', (error) => {
    reason ??= error;
  });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      reason ??= new Error(`The thread has ended with exit code ${code}`);
      started.reject(reason);
      if (isReady) onEnd({ reason, ...board.unanswered() });
      resolve();
    });
  });
  worker.on('message', (outcomes: OutcomeMessage[]) => {
    for (const outcome of outcomes) {
      answer(outcome.number === undefined ? started : board.remove(outcome.number), outcome);
    }
    if (isReady) onAnswers(outcomes.length);
  });
  // The messages of a thread have the types that its entry declares; nothing checks this.
  const ready = (await started.promise) as Ready;
  isReady = true;
  const post = (message: CallMessage<Request>) => worker.postMessage(message);
  return {
    ready,
    ...board,
    send(call) {
      post({ number: board.add(call), request: call.request });
    },
    async end() {
      post('end');
      await exited;
    },
  };
}

function fileOf(entry: ThreadStart['entry']): URL {
  // The entry has the same extension as this file, `.ts` or `.js`.
  return entry instanceof URL
    ? entry
    : new URL(`./${entry}-entry${extname(import.meta.url)}`, import.meta.url);
}

function answer(call: Answerable | undefined, outcome: OutcomeMessage): void {
  if ('error' in outcome) call?.reject(deserializeError(outcome.error));
  else if ('value' in outcome) call?.resolve(outcome.value);
}

/** Tracks the calls of one thread by their numbers. */
function createCallBoard<Item>(maxCalls: number) {
  const states = createCallStates(maxCalls);
  const free = Array.from({ length: maxCalls }, (_, index) => maxCalls - 1 - index);
  const calls = new Map<number, Item>();
  const removeIfWaiting = (number: number, call: Item): Item | undefined => {
    if (!cancelWaiting(states, number)) return undefined;
    // The number stays in use until the thread has skipped the call.
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
    /** Removes and returns the call with this number, and frees the number. */
    remove(number: number): Item | undefined {
      const call = calls.get(number);
      calls.delete(number);
      free.push(number);
      return call;
    },
    cancelWaiting(call: Item): boolean {
      const number = numberOf(call);
      return number !== undefined && removeIfWaiting(number, call) !== undefined;
    },
    stop(call: Item): void {
      const number = numberOf(call);
      if (number !== undefined) requestStop(states, number);
    },
    unanswered(): Pick<ThreadEnd<Item>, 'begun' | 'waiting'> {
      const { begun = [], waiting = [] } = Object.groupBy(calls, ([number]) =>
        isBegun(states, number) ? 'begun' : 'waiting',
      );
      return { begun: begun.map(([, call]) => call), waiting: waiting.map(([, call]) => call) };
    },
  };
}

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
