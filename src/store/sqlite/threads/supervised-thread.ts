/**
 * Keeps a worker thread running: restarts it whenever it ends.
 *
 * The first restart happens at once, so that callers hardly notice it. After a restart that fails, or a thread that ends before
 * it has answered a call, the wait before the next restart doubles each time, because the file or the disk may be broken.
 */
import type { Logger } from '../../../base/runtime.ts';
import {
  type Call,
  startThread,
  type ThreadEnd,
  type ThreadEvents,
  type ThreadStart,
  type WorkerThread,
} from './worker-thread.ts';

/** A thread and its replacements. */
export interface SupervisedThread<Item, Ready> {
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
export interface Supervision<Item> {
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
export function superviseThread<Request, Item extends Call<Request>, Ready>({
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
