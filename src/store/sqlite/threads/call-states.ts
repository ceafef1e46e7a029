/**
 * How far the calls of one worker thread are, in memory that both sides share: what is read and changed at once, while a thread
 * that is at work reads no messages.
 */

/** The shared memory: one cell for each call that a thread may have at a time. */
export type CallStates = Int32Array<SharedArrayBuffer>;

const waiting = 0;
const takenBack = 1;
const begun = 2;
const stopped = 3;

/** Makes the memory for calls numbered from 0 to `size - 1`. */
export const createCallStates = (size: number): CallStates =>
  new Int32Array(new SharedArrayBuffer(size * Int32Array.BYTES_PER_ELEMENT));

/** Marks a new call, before it is sent. */
export const markWaiting = (states: CallStates, call: number) => void Atomics.store(states, call, waiting);

/** Marks a call as begun, unless it was taken back; whether it was not. */
export const begin = (states: CallStates, call: number) =>
  Atomics.compareExchange(states, call, waiting, begun) === waiting;

/** Takes back a call that the thread has not begun; whether it had not. */
export const takeBack = (states: CallStates, call: number) =>
  Atomics.compareExchange(states, call, waiting, takenBack) === waiting;

/** Asks the thread to stop a call that it has begun. */
export const askToStop = (states: CallStates, call: number) =>
  void Atomics.compareExchange(states, call, begun, stopped);

/** Whether the call was begun, be it stopped or not. */
export const isBegun = (states: CallStates, call: number) => Atomics.load(states, call) >= begun;

/** Whether the call is to stop. */
export const isStopped = (states: CallStates, call: number) => Atomics.load(states, call) === stopped;
