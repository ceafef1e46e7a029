/**
 * Follows the change log for one webhook, until it is stopped: reads on behind the cursor, begins the work that is due, and saves the
 * cursor. What the work is, deliveries to a receiver or purges of a cache, its `WorkerTask` says.
 *
 * What a crash can lose is none of its state: the cursor is saved only up to changes whose work is done or recorded as on hold, so
 * after a crash some are worked on again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import type { Attempt } from '../delivery/attempt.ts';
import type { CursorState, OwnedCursor } from '../records/cursor-records.ts';
import type { DisabledReason, Webhook } from '../records/webhook.ts';
import type { SharedLog } from './matching-changes.ts';
import { ReceiverHealth } from './receiver-health.ts';

/** What workers and their tasks use. */
export interface WorkerContext {
  readonly log: LogFollower;
  readonly sharedLog: SharedLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether this process may send. */
  readonly isLeaseHeld: () => boolean;
  readonly onAttempt: (webhook: Webhook, attempt: Attempt) => void;
  /** Disables a webhook, which ends its worker. */
  readonly disable: (webhook: Webhook, reason: FailureReason) => Promise<void>;
  /** The `seq` of the last change that is known of. */
  readonly lastSeq: () => number;
  /** Resolves when the log has grown beyond `seq`, or at the abort. */
  readonly untilGrown: (seq: number, signal: AbortSignal) => Promise<void>;
}

/** Why a webhook is disabled by its worker. */
export type FailureReason = Exclude<DisabledReason, 'user'>;

/** What a worker does about the changes of the log. The work's errors are those of the store, and LeaseTakenOver. */
export interface WorkerTask {
  /** How far the log has been read. */
  scanned(): number;
  /** The work for all changes up to this one is done, or recorded as on hold. */
  position(): number;
  /** How many assets are on hold. */
  held(): number;
  /** Whether more changes should be read. */
  hasRoom(): boolean;
  /** Reads the next changes; returns whether there was nothing further. */
  readMore(): Promise<boolean>;
  /** Takes a piece of work that is due, if there is one. */
  take(): (() => Promise<void>) | undefined;
  /** In how many milliseconds the next piece is due that could not be taken yet. */
  dueInMs(): number;
  /** Returns what the task itself keeps with the cursor. */
  state(saved: CursorState): Partial<CursorState>;
}

export interface TaskParts {
  readonly health: ReceiverHealth;
  /** Ends the requests under way. */
  readonly signal: AbortSignal;
  readonly disable: (reason: FailureReason) => Promise<void>;
}

/** How a webhook is at this moment. */
export interface WorkerProgress {
  readonly position: number;
  readonly held: number;
  readonly isFailing: boolean;
}

export type WebhookWorker = ReturnType<typeof startWebhookWorker>;

const saveEveryMs = 500;
/** How often the cursor is saved while it only passes changes that lead to no work; after a crash they are examined again. */
const saveIdleEveryMs = 5_000;
/** The longest wait for something that nobody tells the worker, such as the lease. */
const maxWaitMs = 1_000;
/** How long work may take after the worker is stopped. */
const graceMs = 3_000;

/** Starts a worker at a cursor that this process owns. */
export function startWebhookWorker(
  context: WorkerContext,
  {
    webhook,
    cursor,
    createTask,
  }: { webhook: Webhook; cursor: OwnedCursor; createTask: (parts: TaskParts) => WorkerTask },
) {
  const { clock, logger, isLeaseHeld } = context;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const health = new ReceiverHealth(cursor.state);
  const task = createTask({ health, signal: aborting.signal, disable });
  const running = new Set<Promise<void>>();
  let saved: CursorState = cursor.state;
  let savedAtMs = performance.now();
  /** Whether work has ended since the cursor was saved. */
  let hasWorked = false;
  let isAtEnd = false;
  let failure: unknown;
  let wake = () => {};

  async function disable(reason: FailureReason): Promise<void> {
    stopping.abort();
    logger.warn({ webhook: webhook.name, reason }, 'A webhook was disabled');
    await context.disable(webhook, reason);
  }

  /** The state to save. After the webhook was disabled its receiver counts as untried. */
  function stateNow(): CursorState {
    const { failingSinceMs, failures, retryAtMs, lastSuccessAtMs } = health.stored;
    const trouble = health.isExhausted ? {} : { failingSinceMs, failures, retryAtMs };
    const own = { ...task.state(saved), lastSuccessAtMs, seq: task.position() };
    return { ...saved, ...noTrouble, ...trouble, ...own };
  }

  async function save(): Promise<void> {
    const state = stateNow();
    savedAtMs = performance.now();
    hasWorked = false;
    if (isSame(state, saved)) return;
    saved = state;
    await cursor.save(state);
  }

  function begin(work: () => Promise<void>): void {
    const ended = work()
      .catch((error: unknown) => {
        failure ??= error;
        stopping.abort();
      })
      .finally(() => {
        running.delete(ended);
        hasWorked = true;
        wake();
      });
    running.add(ended);
  }

  /** Begins as much work as may be under way. */
  function beginDue(): void {
    if (!isLeaseHeld()) return;
    for (let room = health.room(clock.nowMs(), running.size); room > 0; room--) {
      const work = task.take();
      if (!work) return;
      begin(work);
    }
  }

  /** Waits for the end of work, the time of the next piece, or growth of the log. */
  async function pause(): Promise<void> {
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, stopping.signal]);
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const mayBegin = isLeaseHeld() && health.room(Infinity, running.size) > 0;
    const dueInMs = mayBegin ? Math.max(0, task.dueInMs(), health.retryAtMs - clock.nowMs()) : Infinity;
    const waitMs = Math.min(dueInMs, running.size > 0 ? saveEveryMs : maxWaitMs);
    const timer = sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    const isWaitingForLog = isAtEnd && task.hasRoom();
    const grown = isWaitingForLog ? context.untilGrown(task.scanned(), signal) : timer;
    await Promise.race([ended, timer, grown]);
    waiting.abort();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const scanned = task.scanned();
      if (task.hasRoom() && (!isAtEnd || context.lastSeq() > scanned)) isAtEnd = await task.readMore();
      beginDue();
      if (performance.now() - savedAtMs >= (hasWorked ? saveEveryMs : saveIdleEveryMs)) await save();
      const hasMore = task.hasRoom() && !isAtEnd && task.scanned() > scanned;
      if (!hasMore && !stopping.signal.aborted) await pause();
    }
  }

  async function finish(): Promise<void> {
    const grace = sleep(graceMs, undefined, { ref: false });
    await Promise.race([Promise.all(running), grace]);
    aborting.abort();
    await Promise.all(running);
    if (failure === undefined && context.isLeaseHeld()) await save();
  }

  /** Resolves when it was stopped, or its webhook was disabled. Errors: LeaseTakenOver, the store's. */
  const ended = run()
    .catch((error: unknown) => {
      failure ??= error;
    })
    .then(finish)
    .then(() => {
      if (failure !== undefined) throw failure;
    });
  // The callers that wait for the end receive the error.
  ended.catch(() => undefined);

  return {
    ended,
    progress: (): WorkerProgress => ({
      position: task.position(),
      held: task.held(),
      isFailing: health.isFailing,
    }),
    /** Begins no further work, waits for what is under way for a while, and saves the cursor. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await ended.catch(() => undefined);
    },
  };
}

const noTrouble = { failingSinceMs: undefined, failures: undefined, retryAtMs: undefined };

const isSame = (one: CursorState, other: CursorState) => JSON.stringify(one) === JSON.stringify(other);
