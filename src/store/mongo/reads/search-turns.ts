/**
 * Limits how many searches of this process run on the database at once. Clients take turns in those that must wait.
 */
import { isDomainError, storeBusy } from '../../../base/errors.ts';
import { createFairQueue, type QueuedCall, type RunObserver } from '../../../base/fair-queue.ts';
import { maxWaitingReads, type ReadCaller } from '../../read-caller.ts';

export interface SearchTurns {
  /**
   * Runs a search in its client's turn, until the signal that it receives is aborted.
   *
   * Errors: those of the search; store_busy when too many searches of the client wait; the reason of the caller's signal.
   */
  run<Found>(search: (signal: AbortSignal | undefined) => Promise<Found>, caller: ReadCaller): Promise<Found>;
  /** Returns the searches at this moment. */
  load(): SearchLoad;
}

/** How many searches there are. */
export interface SearchLoad {
  readonly running: number;
  readonly waiting: number;
}

/** The turns of a store's reads. */
export type ReadTurns = ReturnType<typeof createReadTurns>;

/** Creates the turns of a store. Together they take fewer connections than the driver has, so that other reads always get one. */
export function createReadTurns(onRun?: RunObserver) {
  /** For what indexes bound, or another limit. */
  const short = createSearchTurns({ maxRunning: 24, preempts: false, onRun });
  /** For what may look through many assets. */
  const long = createSearchTurns({ maxRunning: 4, preempts: true, onRun });
  return {
    short,
    long,
    /** Returns the searches of both at this moment. */
    load(): SearchLoad {
      const [one, other] = [short.load(), long.load()];
      return { running: one.running + other.running, waiting: one.waiting + other.waiting };
    },
  };
}

export interface TurnRules {
  /** How many searches run at once. */
  readonly maxRunning: number;
  /**
   * Whether a client that runs several searches gives one up for a client that waits and runs none. That one is stopped and runs
   * again from its start. For searches that may take long.
   */
  readonly preempts: boolean;
  /** Receives how long each search has run. */
  readonly onRun?: RunObserver | undefined;
}

interface Turn extends QueuedCall {
  begin(): void;
  /** Stops the running search for another client; a new one for each time it runs. */
  stopping: AbortController;
}

export function createSearchTurns({ maxRunning, preempts, onRun }: TurnRules): SearchTurns {
  const queue = createFairQueue<Turn>(maxWaitingReads, onRun);
  let running = 0;

  function dispatch(): void {
    for (; running < maxRunning; running++) {
      const turn = queue.take();
      if (!turn) return;
      turn.begin();
    }
    const excess = preempts ? queue.findExcess() : undefined;
    if (!excess) return;
    excess.isPreempted = true;
    excess.stopping.abort();
  }

  /** Waits until the search may begin. Errors: store_busy, the signal's reason. */
  function waitForTurn(turn: Turn, { signal }: ReadCaller): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.remove(turn);
        reject(signal?.reason);
      };
      turn.begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (turn.isPreempted) queue.putBack([turn]);
      else if (!queue.add(turn)) throw storeBusy('too many searches of one client wait');
      turn.isPreempted = false;
      turn.stopping = new AbortController();
      signal?.addEventListener('abort', leave);
      dispatch();
    });
  }

  /** Runs a search until it is answered, stopped by its caller, or stopped for another client. */
  async function runOnce<Found>(
    search: (signal: AbortSignal | undefined) => Promise<Found>,
    turn: Turn,
    { signal }: ReadCaller,
  ): Promise<{ readonly found: Found } | 'stopped'> {
    const stop = preempts ? AbortSignal.any([turn.stopping.signal, ...(signal ? [signal] : [])]) : signal;
    try {
      stop?.throwIfAborted();
      return { found: await search(stop) };
    } catch (error) {
      // A search whose time was used up would only use it up again.
      if (turn.isPreempted && !signal?.aborted && !isDomainError(error)) return 'stopped';
      throw error;
    } finally {
      running--;
    }
  }

  return {
    load: () => ({ running, waiting: queue.size() }),
    async run(search, { client = '', signal }) {
      signal?.throwIfAborted();
      const turn: Turn = { client, isPreempted: false, begin() {}, stopping: new AbortController() };
      try {
        for (;;) {
          await waitForTurn(turn, { signal });
          const result = await runOnce(search, turn, { signal });
          if (result !== 'stopped') return result.found;
        }
      } finally {
        queue.finish(turn);
        dispatch();
      }
    },
  };
}
