/**
 * Decides which variant of a picture is made next. Senders take turns, so that one who asks for many pictures delays no other by more than
 * the variant that is being made.
 *
 * Several senders may wait for one variant. It is made in the turn that comes first, and counts as the work of that sender.
 */
import { tooManyRequests } from '../../base/errors.ts';
import { createFairQueue, type QueuedCall, type RunObserver } from '../../base/fair-queue.ts';

/** A variant that waits or is being made. */
export interface Making<Result> {
  readonly result: Promise<Result>;
  /** Makes it in a turn of this sender if that comes first. */
  join(sender: string): void;
}

/** The turns of a process. */
export interface VariantTurns {
  /** Runs a task in a turn of the sender. Errors: too_many_requests when too many of its tasks wait. */
  begin<Result>(sender: string, task: () => Promise<Result>): Making<Result>;
  /** Returns how many tasks wait. */
  waiting(): number;
}

/** How turns are given. */
export interface TurnRules {
  /** How many tasks run at once. */
  readonly maxRunning: number;
  /** How many turns of one sender may wait. */
  readonly maxWaiting: number;
  /** Receives how long each task has run. */
  readonly onRun?: RunObserver | undefined;
}

interface Turn extends QueuedCall {
  readonly start: (turn: Turn) => void;
}

/** Creates the turns. */
export function createVariantTurns({ maxRunning, maxWaiting, onRun }: TurnRules): VariantTurns {
  const queue = createFairQueue<Turn>(maxWaiting, onRun);
  let running = 0;
  let waiting = 0;

  function dispatch(): void {
    for (; running < maxRunning; running++) {
      const turn = queue.take();
      if (!turn) return;
      turn.start(turn);
    }
  }

  function begin<Result>(sender: string, task: () => Promise<Result>): Making<Result> {
    const { promise: result, resolve } = Promise.withResolvers<Result>();
    let turns: readonly Turn[] | undefined = [];

    async function run(turn: Turn): Promise<Result> {
      try {
        return await task();
      } finally {
        queue.finish(turn);
        running--;
        dispatch();
      }
    }

    function start(turn: Turn): void {
      for (const other of turns ?? []) if (other !== turn) queue.remove(other);
      turns = undefined;
      waiting--;
      resolve(run(turn));
    }

    function join(client: string): boolean {
      if (!turns || turns.some((turn) => turn.client === client)) return true;
      const turn = { client, isPreempted: false, start };
      turns = [...turns, turn];
      return queue.add(turn);
    }

    if (!join(sender)) throw tooManyRequests();
    waiting++;
    dispatch();
    // A sender with a full queue waits for the turns of the others.
    return { result, join: (client) => void join(client) };
  }

  return { begin, waiting: () => waiting };
}
