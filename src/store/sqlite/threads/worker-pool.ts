/**
 * A pool of worker threads that all run the same service: assigns calls to threads, and handles the calls of a thread that ended.
 *
 * Every call is answered, and a cancelled call is not begun. A call that waits behind a long one moves to an idle thread.
 */
import type { ResourceLimits } from 'node:worker_threads';
import { type DomainError, queryTooCostly, storeBusy, storeFailure } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import { type SupervisedThread, superviseThread } from './supervised-thread.ts';
import { type Call, heldUpMs, type ThreadEnd, type ThreadStart, type WorkerThread } from './worker-thread.ts';

/** A pool of threads that answer calls. */
export interface WorkerPool<Request, Result, Ready> {
  /** The value that the first thread sent when it was ready. */
  readonly ready: Ready;
  /** Sends a call. Errors: those of the service; store_busy while no thread runs; the signal's reason when it is aborted. */
  call(request: Request, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
  /** Whether a thread runs. */
  isRunning(): boolean;
  /** Whether no thread runs and only a new process may help. */
  isLost(): boolean;
  /** Waits for all calls, then ends the threads; later calls fail. */
  stop(): Promise<void>;
}

/** The threads to start. */
export interface PoolPlan {
  readonly entry: ThreadStart['entry'];
  /** Returns the start data of a service; called for each start. */
  readonly data: () => unknown;
  readonly threads: number;
  /** The greatest number of calls that a thread has; other calls wait in the queue. */
  readonly maxCalls: number;
  readonly resourceLimits: ResourceLimits;
  /**
   * How to handle a call that a thread had begun when it ended: run it again, once, or answer store_busy, because its outcome
   * is unknown.
   */
  readonly whenLost: 'run again' | 'outcome unknown';
}

interface PoolCall<Request> extends Call<Request> {
  isSettled(): boolean;
  /** How many threads have ended while they ran the call. */
  losses: number;
}

/** Starts the threads. Errors: those of a service at its start. */
export async function createWorkerPool<Request, Result, Ready>(
  plan: PoolPlan,
  logger: Logger,
): Promise<WorkerPool<Request, Result, Ready>> {
  type Item = PoolCall<Request>;
  const { entry, data, resourceLimits, maxCalls } = plan;
  const queue: Item[] = [];
  const unsettled = new Set<Item>();
  const threads: SupervisedThread<Item, Ready>[] = [];
  let stopping: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;
  let rebalanceTimer: NodeJS.Timeout | undefined;

  const running = (): WorkerThread<Item, Ready>[] => threads.flatMap((thread) => thread.running() ?? []);

  /** Finds the thread with the fewest calls that has room for one more. */
  function findRoom(): WorkerThread<Item, Ready> | undefined {
    let found: WorkerThread<Item, Ready> | undefined;
    for (const supervised of threads) {
      const thread = supervised.running();
      if (thread && thread.size() < (found?.size() ?? maxCalls)) found = thread;
    }
    return found;
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const thread = findRoom();
      if (!thread) break;
      const call = queue.shift();
      if (call) thread.send(call);
    }
    if (threads.length > 1 && unsettled.size > 1) rebalanceTimer ??= setTimeout(rebalance, heldUpMs);
  }

  /** Moves the waiting calls of threads that are busy with a long call to other threads. */
  function rebalance(): void {
    rebalanceTimer = undefined;
    const heldUp = running().filter((thread) => thread.isHeldUp());
    if (heldUp.length < threads.length) queue.unshift(...heldUp.flatMap((thread) => thread.removeWaiting()));
    dispatch();
  }

  function onEnd({ reason, begun, waiting }: ThreadEnd<Item>): void {
    for (const call of begun.filter((each) => !each.isSettled())) {
      call.losses++;
      const error =
        plan.whenLost === 'run again' ? toRepeatedLossError(call, reason) : outcomeUnknown(reason);
      if (error) call.reject(error);
      else queue.unshift(call);
    }
    queue.unshift(...waiting);
    dispatch();
  }

  function onDown(): void {
    if (isExpected()) return;
    for (const call of queue.splice(0)) call.reject(notRunning(entry));
  }

  const isExpected = () => threads.some((thread) => thread.isExpected());

  function call(request: Request, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Result> {
    if (stopping) return Promise.reject(new Error(`The ${entry} has been stopped`));
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!isExpected()) return Promise.reject(notRunning(entry));
    // The answers of a thread have the types that its entry declares.
    return new Promise<unknown>((resolve, reject) => {
      const settle = (how: () => void) => {
        if (!unsettled.delete(item)) return;
        signal?.removeEventListener('abort', onAbort);
        how();
        if (unsettled.size === 0) onIdle?.();
      };
      const item: Item = {
        request,
        losses: 0,
        isSettled: () => !unsettled.has(item),
        resolve: (value) => settle(() => resolve(value)),
        reject: (reason) => settle(() => reject(reason)),
      };
      const onAbort = () => {
        cancel(item);
        item.reject(signal?.reason);
      };
      unsettled.add(item);
      signal?.addEventListener('abort', onAbort);
      queue.push(item);
      dispatch();
    }) as Promise<Result>;
  }

  /** Cancels an abandoned call: removes it from its queue, or asks the thread that runs it to stop. */
  function cancel(item: Item): void {
    const position = queue.indexOf(item);
    if (position >= 0) queue.splice(position, 1);
    else for (const thread of running()) if (!thread.cancelWaiting(item)) thread.stop(item);
  }

  async function stop(): Promise<void> {
    if (unsettled.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    clearTimeout(rebalanceTimer);
    await Promise.all(threads.map((thread) => thread.end()));
  }

  const supervise = (number: number) =>
    superviseThread<Request, Item, Ready>({
      name: plan.threads > 1 ? `${entry} ${number}` : `${entry}`,
      plan: () => ({ entry, data: data(), resourceLimits, maxCalls }),
      events: { onRoom: dispatch, onEnd, onDown },
      logger,
    });

  const first = await supervise(1);
  threads.push(first);
  const ready = first.running()?.ready;
  if (ready === undefined) throw new Error(`The ${entry} has ended at once`);
  try {
    while (threads.length < plan.threads) threads.push(await supervise(threads.length + 1));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ready,
    call,
    isRunning: () => running().length > 0,
    isLost: () => threads.every((thread) => thread.isLost()),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Returns the error of a call that has ended two threads; `undefined` when it may run again. */
function toRepeatedLossError(
  { losses }: { readonly losses: number },
  reason: unknown,
): DomainError | undefined {
  if (losses < 2) return undefined;
  return isOutOfMemory(reason) ? queryTooCostly() : storeFailure('a thread', reason);
}

const isOutOfMemory = (reason: unknown) =>
  reason instanceof Error && 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY';

const outcomeUnknown = (reason: unknown) =>
  storeBusy('the thread that ran it ended before it reported the outcome', reason);

const notRunning = (entry: PoolPlan['entry']) => storeBusy(`its ${entry} does not run at present`);
