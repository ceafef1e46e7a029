/**
 * The states of the calls to one worker thread, in memory that both sides share. A busy thread reads no messages, but it reads
 * this memory at any time.
 */

/** The shared memory: one cell for each call that a thread can have at the same time. */
export type CallStates = Int32Array<SharedArrayBuffer>;

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
export const begin = (states: CallStates, call: number) =>
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
export const isStopped = (states: CallStates, call: number) => Atomics.load(states, call) === stopped;
