/**
 * Sends the changes of one webhook, until it is stopped: reads the log behind the cursor, delivers in order for each asset, and keeps
 * what fails for later.
 *
 * What a crash can lose is none of its state: the cursor is saved only up to changes that are delivered or recorded as on hold, so
 * after a crash some changes are sent again, under the same message ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { CursorState, OwnedCursor, OwnedHolds } from '../records/cursor-records.ts';
import type { Webhook } from '../records/webhook.ts';
import { createDeliverer, type DelivererContext, type FailureReason } from './deliverer.ts';
import { DeliveryQueue, type NextDelivery, type QueuedHold } from './delivery-queue.ts';
import type { SharedLog } from './matching-changes.ts';
import { createHeldChanges, createMatchingChanges } from './matching-changes.ts';
import { ReceiverHealth } from './receiver-health.ts';

/** What a worker uses. */
export interface WorkerContext extends DelivererContext {
  readonly log: LogFollower;
  readonly sharedLog: SharedLog;
  /** Disables a webhook, which ends its worker. */
  readonly disable: (webhook: Webhook, reason: FailureReason) => Promise<void>;
  /** The `seq` of the last change that is known of. */
  readonly lastSeq: () => number;
  /** Resolves when the log has grown beyond `seq`, or at the abort. */
  readonly untilGrown: (seq: number, signal: AbortSignal) => Promise<void>;
}

/** How a webhook is at this moment. */
export interface WorkerProgress {
  readonly position: number;
  readonly held: number;
  readonly isFailing: boolean;
}

/** A worker. */
export interface WebhookWorker {
  /** Resolves when it was stopped, or its webhook was disabled. Errors: LeaseTakenOver, the store's. */
  readonly ended: Promise<void>;
  progress(): WorkerProgress;
  /** Begins no further delivery, waits for those under way for a while, and saves the cursor. */
  stop(): Promise<void>;
}

const saveEveryMs = 500;
/** How often the cursor is saved while it only passes changes that do not match; after a crash they are examined again. */
const saveIdleEveryMs = 5_000;
/** How long deliveries under way may take after the worker is stopped. */
const graceMs = 3_000;

/** Starts a worker at a cursor that this process owns. */
export function startWebhookWorker(
  context: WorkerContext,
  {
    webhook,
    compiled,
    cursor,
    holds,
    held,
  }: {
    webhook: Webhook;
    compiled: CompiledWebhook;
    cursor: OwnedCursor;
    holds: readonly QueuedHold[];
    held: OwnedHolds;
  },
): WebhookWorker {
  const { clock, logger } = context;
  const { epoch } = cursor.state;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const queue = new DeliveryQueue(cursor.state.seq, holds);
  const health = new ReceiverHealth(cursor.state);
  const running = new Set<Promise<void>>();
  let saved: CursorState = cursor.state;
  let savedAtMs = performance.now();
  /** Whether a delivery has ended since the cursor was saved. */
  let hasDelivered = false;
  let isAtEnd = false;
  let failure: unknown;
  let wake = () => {};

  const matching = createMatchingChanges(context, { webhook, compiled });
  const heldChanges = createHeldChanges(matching, queue);

  async function readMore(): Promise<void> {
    const page = await matching.readAfter(queue.scanned);
    queue.add(page.changes, page.upTo);
    isAtEnd = page.isEnd;
  }

  const deliver = createDeliverer(context, {
    webhook,
    epoch,
    queue,
    health,
    held,
    heldChanges,
    signal: aborting.signal,
    disable,
  });

  async function disable(reason: FailureReason): Promise<void> {
    stopping.abort();
    logger.warn({ webhook: webhook.name, reason }, 'A webhook was disabled');
    await context.disable(webhook, reason);
  }

  /** The state to save. After the webhook was disabled its receiver counts as untried. */
  function stateNow(): CursorState {
    const { failingSinceMs, failures, retryAtMs, lastSuccessAtMs } = health.stored;
    const trouble = health.isExhausted ? {} : { failingSinceMs, failures, retryAtMs };
    return { ...saved, ...noTrouble, ...trouble, lastSuccessAtMs, seq: queue.position };
  }

  async function save(): Promise<void> {
    const state = stateNow();
    savedAtMs = performance.now();
    hasDelivered = false;
    if (isSame(state, saved)) return;
    saved = state;
    await cursor.save(state);
  }

  function begin(next: NextDelivery): void {
    const work = deliver(next)
      .catch((error: unknown) => {
        failure ??= error;
        stopping.abort();
      })
      .finally(() => {
        running.delete(work);
        hasDelivered = true;
        wake();
      });
    running.add(work);
  }

  /** Begins as many deliveries as may be under way. A failing receiver is tried with a new change, or else with one on hold. */
  function beginDeliveries(): void {
    if (!context.isLeaseHeld()) return;
    const nowMs = clock.nowMs();
    for (let room = health.room(nowMs, queue.inFlight); room > 0; room--) {
      const next =
        queue.takeHeld(nowMs) ?? queue.takeNew() ?? (health.isFailing ? queue.takeHeld(Infinity) : undefined);
      if (!next) return;
      begin(next);
    }
  }

  /** Waits for the end of a delivery, the time of the next one, or growth of the log. */
  async function pause(): Promise<void> {
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, stopping.signal]);
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const dueMs = Math.max(queue.nextDueMs() ?? Infinity, health.retryAtMs);
    const waitMs = Math.min(
      Math.max(0, dueMs - clock.nowMs()),
      queue.inFlight > 0 ? saveEveryMs : Infinity,
      1_000,
    );
    const timer = sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    const isWaitingForLog = isAtEnd && queue.hasRoom;
    const grown = isWaitingForLog ? context.untilGrown(queue.scanned, signal) : timer;
    await Promise.race([ended, timer, grown]);
    waiting.abort();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const scanned = queue.scanned;
      if (queue.hasRoom && (!isAtEnd || context.lastSeq() > scanned)) await readMore();
      beginDeliveries();
      if (performance.now() - savedAtMs >= (hasDelivered ? saveEveryMs : saveIdleEveryMs)) await save();
      const hasMore = queue.hasRoom && !isAtEnd && queue.scanned > scanned;
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
    progress: () => ({ position: queue.position, held: queue.held, isFailing: health.isFailing }),
    async stop() {
      stopping.abort();
      wake();
      await ended.catch(() => undefined);
    },
  };
}

const noTrouble = { failingSinceMs: undefined, failures: undefined, retryAtMs: undefined };

const isSame = (one: CursorState, other: CursorState) => JSON.stringify(one) === JSON.stringify(other);
