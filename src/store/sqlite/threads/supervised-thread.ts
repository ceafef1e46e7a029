/**
 * A worker thread that is started again whenever it has ended.
 *
 * The first new start follows at once, so that callers hardly notice. One that fails, or ends before it has answered anything, is
 * followed by longer and longer waits: with the file gone or the disk broken, starting is not repeated without pause.
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

/** A thread and its successors. */
export interface SupervisedThread<Item, Ready> {
  /** The thread that runs now; absent while none does. */
  running(): WorkerThread<Item, Ready> | undefined;
  /** Whether a new one is to be waited for: not once its start has failed. */
  isExpected(): boolean;
  /** Whether new starts have failed so often that only a new process may help. */
  isLost(): boolean;
  /** Ends the thread when it has answered what it was sent; none is started any more. */
  end(): Promise<void>;
}

/** Which thread to keep running. */
export interface Supervision<Item> {
  /** For the log. */
  readonly name: string;
  /** Tells what to start, each time anew; what it throws is a start that failed. */
  readonly plan: () => ThreadStart;
  readonly events: ThreadEvents<Item> & {
    /** No new one is to be waited for. */
    onDown(): void;
  };
  readonly logger: Logger;
}

const maxWaitMs = 5_000;
/** Waits add up to some ten seconds by then. */
const lostAfter = 8;

/** Starts the thread for the first time. Errors: what its service threw at its start. */
export async function superviseThread<Request, Item extends Call<Request>, Ready>({
  name,
  plan,
  events,
  logger,
}: Supervision<Item>): Promise<SupervisedThread<Item, Ready>> {
  let failures = 0;
  let hasAnswered = false;
  let isEnding = false;
  let timer: NodeJS.Timeout | undefined;
  let thread: WorkerThread<Item, Ready> | undefined;

  const start = () =>
    startThread<Request, Item, Ready>(plan(), {
      onRoom() {
        hasAnswered = true;
        events.onRoom();
      },
      onEnd,
    });

  function onEnd(end: ThreadEnd<Item>): void {
    thread = undefined;
    failures = hasAnswered ? 0 : failures + 1;
    if (!isEnding) {
      logger.error(
        { thread: name, err: end.reason, begun: end.begun.length },
        'A thread of the store has ended',
      );
      startLater();
    }
    events.onEnd(end);
  }

  function startLater(): void {
    const waitMs = failures > 1 ? Math.min(maxWaitMs, 100 * 2 ** (failures - 2)) : 0;
    timer = setTimeout(startAgain, waitMs);
  }

  async function startAgain(): Promise<void> {
    try {
      const started = await start();
      [thread, hasAnswered] = [started, false];
      if (isEnding) await started.end();
      else {
        logger.info({ thread: name }, 'The thread of the store runs again');
        events.onRoom();
      }
    } catch (error) {
      failures++;
      if (isEnding) return;
      logger.error({ thread: name, err: error, failures }, 'A thread of the store cannot be started');
      startLater();
      events.onDown();
    }
  }

  thread = await start();
  return {
    running: () => thread,
    isExpected: () => thread !== undefined || failures <= 1,
    isLost: () => thread === undefined && failures >= lostAfter,
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await thread?.end();
    },
  };
}
