/**
 * Calls to worker threads that all do the same: which thread gets which call, and what becomes of the calls of one that ended.
 *
 * No call hangs, and none that nobody waits for is begun. A call that waits behind a long one moves on to a thread that is idle.
 */
import type { ResourceLimits } from 'node:worker_threads';
import { type DomainError, queryTooCostly, storeBusy, storeFailure } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import { type SupervisedThread, superviseThread } from './supervised-thread.ts';
import { type Call, heldUpMs, type ThreadEnd, type ThreadStart, type WorkerThread } from './worker-thread.ts';

/** Threads that answer calls. */
export interface WorkerPool<Request, Result, Ready> {
  /** What the first thread told when it was ready. */
  readonly ready: Ready;
  /** Errors: those of the service; store_busy while no thread runs; the signal's reason once it is aborted. */
  call(request: Request, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
  /** Whether a thread runs. */
  isRunning(): boolean;
  /** Whether none runs and only a new process may help. */
  isLost(): boolean;
  /** Lets all calls finish, then ends the threads; no call may follow. */
  stop(): Promise<void>;
}

/** Which threads to start. */
export interface PoolPlan {
  readonly entry: ThreadStart['entry'];
  /** What a service is started with, worked out anew for each start. */
  readonly data: () => unknown;
  readonly threads: number;
  /** How many calls a thread has at most; others wait until there is room. */
  readonly maxCalls: number;
  readonly resourceLimits: ResourceLimits;
  /**
   * What becomes of a call that a thread had begun when it ended: it is run again, once, or is answered store_busy, because
   * nobody knows what came of it.
   */
  readonly whenLost: 'run again' | 'outcome unknown';
}

interface PoolCall<Request> extends Call<Request> {
  isSettled(): boolean;
  /** How many threads have ended over it. */
  losses: number;
}

/** Starts the threads. Errors: what a service threw at its start. */
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
  let moving: NodeJS.Timeout | undefined;

  const running = (): WorkerThread<Item, Ready>[] => threads.flatMap((thread) => thread.running() ?? []);

  /** The thread with the fewest calls, if it has room for one more. */
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
    if (threads.length > 1 && unsettled.size > 1) moving ??= setTimeout(moveOn, heldUpMs);
  }

  /** Takes calls away from threads that are at a long one, for threads that are not. */
  function moveOn(): void {
    moving = undefined;
    const heldUp = running().filter((thread) => thread.isHeldUp());
    if (heldUp.length < threads.length) queue.unshift(...heldUp.flatMap((thread) => thread.takeWaiting()));
    dispatch();
  }

  function onEnd({ reason, begun, waiting }: ThreadEnd<Item>): void {
    for (const call of begun.filter((each) => !each.isSettled())) {
      call.losses++;
      const error = plan.whenLost === 'run again' ? whyNotAgain(call, reason) : outcomeUnknown(reason);
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
    // What comes from a thread has the types its entry declares.
    return new Promise<unknown>((resolve, reject) => {
      const settle = (how: () => void) => {
        if (!unsettled.delete(item)) return;
        signal?.removeEventListener('abort', leave);
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
      const leave = () => {
        withdraw(item);
        item.reject(signal?.reason);
      };
      unsettled.add(item);
      signal?.addEventListener('abort', leave);
      queue.push(item);
      dispatch();
    }) as Promise<Result>;
  }

  /** Has a call that nobody waits for not begun, or stopped. */
  function withdraw(item: Item): void {
    const place = queue.indexOf(item);
    if (place >= 0) queue.splice(place, 1);
    else for (const thread of running()) if (!thread.takeBack(item)) thread.stop(item);
  }

  async function stop(): Promise<void> {
    if (unsettled.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    clearTimeout(moving);
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

/** Why a call is not run again after a thread has ended over it. */
function whyNotAgain({ losses }: { readonly losses: number }, reason: unknown): DomainError | undefined {
  if (losses < 2) return undefined;
  return isOutOfMemory(reason) ? queryTooCostly() : storeFailure('a thread', reason);
}

const isOutOfMemory = (reason: unknown) =>
  reason instanceof Error && 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY';

const outcomeUnknown = (reason: unknown) =>
  storeBusy('its thread has ended before it told what came of the work', reason);

const notRunning = (entry: PoolPlan['entry']) => storeBusy(`its ${entry} does not run at present`);
