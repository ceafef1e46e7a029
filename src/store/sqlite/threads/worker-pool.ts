/**
 * A pool of worker threads that all run the same service: assigns calls to threads, and handles the calls of a thread that ended.
 *
 * Every call is answered, and a cancelled call is not begun. Clients take turns, and none holds several threads while another waits.
 */

import type { ResourceLimits } from 'node:worker_threads';
import { isDomainError, storeBusy } from '../../../base/errors.ts';
import { createFairQueue, type QueuedCall, type RunObserver } from '../../../base/fair-queue.ts';
import { Histogram, type HistogramSample } from '../../../base/metrics/metric.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { ReadCaller } from '../../read-caller.ts';
import { batchBounds } from '../../store-load.ts';
import {
  type Call,
  notRunning,
  outcomeUnknown,
  startThread,
  type ThreadEnd,
  type ThreadEvents,
  type ThreadStart,
  toRepeatedLossError,
  type WorkerThread,
} from './worker-thread.ts';

/** Threads that answer calls. */
export interface WorkerPool<Request, Result> {
  /**
   * Sends a call. Errors: those of the service; store_busy while no thread runs, or when too many calls of the client wait; the
   * signal's reason when it is aborted.
   */
  call(request: Request, caller?: ReadCaller): Promise<Result>;
  /** Returns the calls of the pool at this moment, and the sizes of the batches that its threads have answered. */
  load(): PoolLoad;
  /** Whether a thread runs, or none has been needed so far. */
  isRunning(): boolean;
  /** Whether no thread runs and only a new process may help. */
  isLost(): boolean;
  /** Waits for all calls, then ends the threads; later calls fail. */
  stop(): Promise<void>;
}

interface PoolLoad {
  /** Calls that the threads have. */
  readonly running: number;
  /** Calls in the queue. */
  readonly waiting: number;
  readonly batchSizes: HistogramSample;
}

/** A pool whose first thread has been started. */
export interface StartedPool<Request, Result, Ready> extends WorkerPool<Request, Result> {
  /** The value that this thread sent when it was ready. */
  readonly ready: Ready;
}

export interface PoolPlan {
  readonly entry: ThreadStart['entry'];
  /** Returns the start data of a service; called for each start. */
  readonly data: () => unknown;
  /** The greatest number of threads. Each starts when a call needs it. */
  readonly threads: number;
  /** The greatest number of calls that a thread has; other calls wait in the queue. */
  readonly maxCalls: number;
  /** The greatest number of calls of one client that wait in the queue, absent for any; what receives how long each has run. */
  readonly maxWaiting?: number;
  readonly onRun?: RunObserver | undefined;
  readonly resourceLimits: ResourceLimits;
  /** What becomes of a call that a thread had begun when it ended: it runs again, once, or is store_busy, since its outcome is unknown. */
  readonly whenLost: 'run again' | 'outcome unknown';
}

interface PoolCall<Request> extends Call<Request>, QueuedCall {
  isSettled(): boolean;
  /** How many threads have ended while they ran the call. */
  losses: number;
}

/** Creates a pool and starts its first thread; calls start the others. Errors: those of the service at its start. */
export async function startWorkerPool<Request, Result, Ready>(
  plan: PoolPlan,
  logger: Logger,
): Promise<StartedPool<Request, Result, Ready>> {
  const { start, ...pool } = createPool<Request, Result, Ready>(plan, logger);
  return { ...pool, ready: await start() };
}

/** Creates a pool that starts each thread when a call needs it. */
export function createWorkerPool<Request, Result>(
  plan: PoolPlan,
  logger: Logger,
): WorkerPool<Request, Result> {
  return createPool<Request, Result, unknown>(plan, logger);
}

function createPool<Request, Result, Ready>(
  plan: PoolPlan,
  logger: Logger,
): WorkerPool<Request, Result> & { start(): Promise<Ready> } {
  type Item = PoolCall<Request>;
  const { entry, data, resourceLimits, maxCalls } = plan;
  const queue = createFairQueue<Item>(plan.maxWaiting, plan.onRun);
  const batchSizes = new Histogram(batchBounds);
  const unsettled = new Set<Item>();
  const threads: SupervisedThread<Item, Ready>[] = [];
  let stopping: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  const running = (): WorkerThread<Item, Ready>[] => threads.flatMap((thread) => thread.running() ?? []);

  const countRunning = () => running().reduce((sum, thread) => sum + thread.size(), 0);
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
    for (let thread = findRoom(); thread; thread = findRoom()) {
      const call = queue.take();
      if (!call) return;
      thread.send(call);
    }
    startNeeded();
    if (plan.whenLost === 'run again') preempt();
  }

  /** Starts another thread unless the threads that will soon run suffice for the calls that wait. */
  function startNeeded(): void {
    const soon = threads.filter((thread) => !thread.running() && thread.isExpected());
    if (threads.length === plan.threads || queue.size() <= soon.length) return;
    const added = supervise(threads.length + 1);
    threads.push(added);
    added.startInBackground();
  }

  /** Stops a call of a client that holds several threads, for one that waits and holds none. The call runs again later. */
  function preempt(): void {
    const item = queue.findExcess();
    if (!item) return;
    item.isPreempted = true;
    if (cancelSent(item)) onStopped(item);
  }

  function onStopped(item: Item): void {
    item.isPreempted = false;
    queue.putBack([item]);
    dispatch();
  }

  function onEnd({ reason, begun, waiting }: ThreadEnd<Item>): void {
    for (const call of begun.filter((each) => !each.isSettled())) {
      call.losses++;
      const error =
        plan.whenLost === 'run again' ? toRepeatedLossError(call, reason) : outcomeUnknown(reason);
      if (error) call.reject(error);
      else queue.putBack([call]);
    }
    queue.putBack(waiting);
    dispatch();
  }

  function onAnswers(batchSize: number): void {
    batchSizes.record(batchSize);
    dispatch();
  }

  function onDown(): void {
    if (isExpected()) dispatch();
    else for (const call of queue.removeAll()) call.reject(notRunning(entry));
  }

  const isExpected = () => threads.length < plan.threads || threads.some((thread) => thread.isExpected());

  function call(request: Request, { signal, client = '' }: ReadCaller = {}): Promise<Result> {
    if (stopping) return Promise.reject(new Error(`The ${entry} has been stopped`));
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!isExpected()) return Promise.reject(notRunning(entry));
    // The answers of a thread have the types that its entry declares.
    return new Promise<unknown>((resolve, reject) => {
      const settle = (how: () => void) => {
        if (!unsettled.delete(item)) return;
        signal?.removeEventListener('abort', onAbort);
        queue.finish(item);
        how();
        if (unsettled.size === 0) onIdle?.();
      };
      const item: Item = {
        request,
        client,
        losses: 0,
        isPreempted: false,
        isSettled: () => !unsettled.has(item),
        resolve: (value) => settle(() => resolve(value)),
        reject(reason) {
          // A search whose time was used up would only use it up again.
          const mayRunAgain = !item.isSettled() && !isDomainError(reason);
          if (item.isPreempted && mayRunAgain) onStopped(item);
          else settle(() => reject(reason));
        },
      };
      const onAbort = () => {
        if (!queue.remove(item)) cancelSent(item);
        settle(() => reject(signal?.reason));
      };
      unsettled.add(item);
      signal?.addEventListener('abort', onAbort);
      if (queue.add(item)) dispatch();
      else item.reject(storeBusy('too many searches of one client wait'));
    }) as Promise<Result>;
  }

  /** Cancels a call that a thread has; returns false when the thread has begun it, and asks the thread to stop it. */
  function cancelSent(item: Item): boolean {
    if (running().some((thread) => thread.cancelWaiting(item))) return true;
    for (const thread of running()) thread.stop(item);
    return false;
  }

  async function stop(): Promise<void> {
    if (unsettled.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    await Promise.all(threads.map((thread) => thread.end()));
  }

  const supervise = (number: number) =>
    superviseThread<Request, Item, Ready>({
      name: plan.threads > 1 ? `${entry} ${number}` : `${entry}`,
      plan: () => ({ entry, data: data(), resourceLimits, maxCalls }),
      events: { onAnswers, onStarted: dispatch, onEnd, onDown },
      logger,
    });

  async function start(): Promise<Ready> {
    const first = supervise(1);
    const ready = await first.start();
    threads.push(first);
    return ready;
  }

  return {
    start,
    call,
    load: () => ({ running: countRunning(), waiting: queue.size(), batchSizes: batchSizes.toSample({}) }),
    isRunning: () => threads.length === 0 || threads.some((thread) => thread.isAvailable()),
    isLost: () => threads.length === plan.threads && threads.every((thread) => thread.isLost()),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

// Keeps a worker thread running: restarts it whenever it ends.
//
// The first restart happens at once, so that callers hardly notice it. After a restart that fails, or a thread that ends before
// it has answered a call, the wait before the next restart doubles each time, because the file or the disk may be broken.

/** A thread and its replacements. */
interface SupervisedThread<Item, Ready> {
  /** Starts the thread. Errors: those of its service at the start, after which the thread is not started again. */
  start(): Promise<Ready>;
  /** Starts the thread in the background, and again if that fails. */
  startInBackground(): void;
  /** Returns the running thread; `undefined` while none runs. */
  running(): WorkerThread<Item, Ready> | undefined;
  /** Whether the thread runs or is starting for the first time. */
  isAvailable(): boolean;
  /** Whether calls may wait for a thread: one runs or is restarting, and no restart has failed. */
  isExpected(): boolean;
  /** Whether restarts have failed so often that only a new process may help. */
  isLost(): boolean;
  /** Ends the thread after it has answered its calls, and starts no other. */
  end(): Promise<void>;
}

/** The thread to keep running. */
interface Supervision<Item> {
  /** The name of the thread in the log. */
  readonly name: string;
  /** Called before every start for the options of the thread. When it throws, the start has failed. */
  readonly plan: () => ThreadStart;
  readonly events: ThreadEvents<Item> & {
    /** A thread runs, and has room for calls. */
    onStarted(): void;
    /** A restart has failed: calls should no longer wait for a thread. */
    onDown(): void;
  };
  readonly logger: Logger;
}

const maxWaitMs = 5_000;
/** The waits before this many failures add up to some ten seconds. */
const maxFailures = 8;

/** Creates a supervised thread, which does not run yet. */
function superviseThread<Request, Item extends Call<Request>, Ready>({
  name,
  plan,
  events,
  logger,
}: Supervision<Item>): SupervisedThread<Item, Ready> {
  let failures = 0;
  let hasAnswered = false;
  let hasRun = false;
  let isEnding = false;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  let thread: WorkerThread<Item, Ready> | undefined;

  async function start(): Promise<Ready> {
    const started = await startThread<Request, Item, Ready>(plan(), {
      onAnswers(batchSize) {
        hasAnswered = true;
        events.onAnswers(batchSize);
      },
      onEnd,
    });
    [thread, hasAnswered, hasRun] = [started, false, true];
    return started.ready;
  }

  function onEnd(end: ThreadEnd<Item>): void {
    thread = undefined;
    failures = hasAnswered ? 0 : failures + 1;
    if (!isEnding) {
      logger.error(
        { thread: name, err: end.reason, begun: end.begun.length },
        'A thread of the store has ended',
      );
      scheduleRestart();
    }
    events.onEnd(end);
  }

  function scheduleRestart(): void {
    const waitMs = failures > 1 ? Math.min(maxWaitMs, 100 * 2 ** (failures - 2)) : 0;
    timer = setTimeout(startInBackground, waitMs);
  }

  function startInBackground(): void {
    starting = tryStart();
  }

  async function tryStart(): Promise<void> {
    try {
      const isRestart = hasRun;
      await start();
      if (isEnding) return;
      if (isRestart) logger.info({ thread: name }, 'A thread of the store has restarted');
      events.onStarted();
    } catch (error) {
      failures++;
      if (isEnding) return;
      logger.error({ thread: name, err: error, failures }, 'A thread of the store cannot be started');
      scheduleRestart();
      events.onDown();
    }
  }

  return {
    start,
    startInBackground,
    running: () => thread,
    isAvailable: () => thread !== undefined || (!hasRun && failures === 0),
    isExpected: () => thread !== undefined || failures <= 1,
    isLost: () => thread === undefined && failures >= maxFailures,
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await starting;
      await thread?.end();
    },
  };
}
