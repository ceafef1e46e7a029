/**
 * Delivers the changes of a webhook and records the outcome of each: delivered, on hold until the next attempt, or given up.
 *
 * Everything that later work depends on is stored before the queue goes on, so that a crash loses no change.
 */
import type { CompiledWebhook } from '../compiled-webhook.ts';
import { type Attempt, type Attempts, toDelivery } from '../delivery/attempt.ts';
import type { OwnedCursor, OwnedHolds } from '../records/cursor-records.ts';
import type { Delivery, DeliveryRecords } from '../records/delivery-records.ts';
import type { Webhook } from '../records/webhook.ts';
import { DeliveryQueue, type NextDelivery, type QueuedChange, type QueuedHold } from './delivery-queue.ts';
import { createHeldChanges, createMatchingChanges } from './matching-changes.ts';
import { retryWaitsMs } from './receiver-health.ts';
import type { TaskParts, WorkerContext, WorkerTask } from './webhook-worker.ts';

/** What deliveries use. */
export interface DeliveriesContext extends WorkerContext {
  readonly attempts: Attempts;
  readonly deliveries: DeliveryRecords;
}

/** A webhook whose changes are delivered, from where its cursor stands. */
interface DeliveriesStart {
  readonly webhook: Webhook;
  readonly compiled: CompiledWebhook;
  readonly cursor: OwnedCursor;
  readonly holds: readonly QueuedHold[];
  readonly held: OwnedHolds;
}

const trimEvery = 200;

/** Creates the task that delivers the changes of a webhook, in order for each asset, and keeps what fails for later. */
export function createDeliveries(
  context: DeliveriesContext,
  { webhook, compiled, cursor, holds, held }: DeliveriesStart,
  { health, signal, disable }: TaskParts,
): WorkerTask {
  const { attempts, deliveries, clock, logger, isLeaseHeld, onAttempt } = context;
  const { epoch, seq } = cursor.state;
  const queue = new DeliveryQueue(seq, holds);
  const matching = createMatchingChanges(context, { webhook, compiled });
  const heldChanges = createHeldChanges(matching, queue);
  let recorded = 0;

  async function readMore(): Promise<boolean> {
    const page = await matching.readAfter(queue.scanned);
    queue.add(page.changes, page.upTo);
    return page.isEnd;
  }

  /** A failing receiver is tried with a new change, or else with one on hold. */
  function take(): (() => Promise<void>) | undefined {
    const next =
      queue.takeHeld(clock.nowMs()) ??
      queue.takeNew() ??
      (health.isFailing ? queue.takeHeld(Infinity) : undefined);
    return next && (() => deliver(next));
  }

  async function deliver(next: NextDelivery): Promise<void> {
    if (next.kind === 'new') return deliverNew(next.change);
    const change = await heldChanges.findFirst(next.held);
    if (change) return deliverHeld(change, next.held);
    return advance({ asset: next.held.assetId, seq: next.held.seq });
  }

  async function attempt(change: QueuedChange): Promise<Attempt | undefined> {
    if (!isLeaseHeld()) return undefined;
    const isProbe = health.isFailing;
    const made = await attempts.send(webhook, change, { epoch, signal });
    if (signal.aborted && !made.isDelivered) return undefined;
    // The process may have been stopped meanwhile. Then another one sends this change, and records what comes of it.
    if (!isLeaseHeld()) return undefined;
    onAttempt(webhook, made);
    const nowMs = clock.nowMs();
    const { retryAfterMs } = made;
    if (!made.isDelivered) health.fail({ assetId: change.asset, nowMs, isProbe, retryAfterMs });
    else if (health.succeed(nowMs)) queue.makeDue(nowMs);
    return made;
  }

  async function deliverNew(change: QueuedChange): Promise<void> {
    const made = await attempt(change);
    if (!made) return queue.putBack(change);
    if (made.isDelivered) {
      await record(change, made, { state: 'delivered', attempts: 1 });
      return queue.endNew(change);
    }
    const hold = toHold({ change, made, attempts: 1, firstAttemptAtMs: made.atMs });
    // The cursor passes this change only after it is recorded as on hold.
    await held.save(hold);
    await record(change, made, { state: 'waiting', attempts: 1, nextAttemptAtMs: hold.nextAttemptAtMs });
    if (queue.held === 0) {
      const facts = { webhook: webhook.name, asset: change.asset, status: made.status, error: made.error };
      logger.warn(facts, 'A delivery to a webhook has failed and will be tried again');
    }
    queue.endNew(change, { ...hold, heldUpTo: change.seq });
    if (made.isGone) await disable('gone');
    else if (health.isExhausted) await disable('failing');
  }

  async function deliverHeld(change: QueuedChange, hold: QueuedHold): Promise<void> {
    const earlier = await deliveries.find(webhook.id, change.seq);
    // Somebody has sent it again by hand.
    if (earlier?.state === 'delivered' && earlier.attemptedAtMs > hold.firstAttemptAtMs)
      return advance(change);
    const made = await attempt(change);
    if (!made) return queue.endHeld(hold.assetId, hold);
    const count = hold.attempts + 1;
    if (made.isDelivered) {
      await record(change, made, { state: 'delivered', attempts: count });
      await advance(change);
      if (queue.held === 0)
        logger.info({ webhook: webhook.name }, 'All failed deliveries to a webhook have been made');
      return;
    }
    const next = toHold({ change, made, attempts: count, firstAttemptAtMs: hold.firstAttemptAtMs });
    const isLast = count > retryWaitsMs.length;
    const hasSucceeded = (health.stored.lastSuccessAtMs ?? 0) > hold.firstAttemptAtMs;
    if (isLast && hasSucceeded && !made.isGone) {
      await record(change, made, { state: 'failed', attempts: count });
      logger.warn(
        { webhook: webhook.name, seq: change.seq, asset: change.asset },
        'A delivery to a webhook has failed for three days and was given up',
      );
      return advance(change);
    }
    await held.save(next);
    await record(change, made, { state: 'waiting', attempts: count, nextAttemptAtMs: next.nextAttemptAtMs });
    queue.endHeld(hold.assetId, next);
    if (made.isGone) await disable('gone');
    else if (isLast || health.isExhausted) await disable('failing');
  }

  /** Continues with the next change of an asset on hold, or takes it off hold. */
  async function advance({ asset, seq }: Pick<QueuedChange, 'asset' | 'seq'>): Promise<void> {
    for (;;) {
      const reach = queue.findHold(asset)?.heldUpTo;
      const following = await heldChanges.findNext(asset, seq);
      if (following) return waitFor(following);
      // Further changes may have been put on hold meanwhile.
      if (queue.release(asset, reach)) break;
    }
    await held.delete(asset);
    queue.endHeld(asset);
  }

  /** Makes a change the next one of its asset. */
  async function waitFor({ asset, seq }: QueuedChange): Promise<void> {
    const nowMs = clock.nowMs();
    const times = { firstAttemptAtMs: nowMs, nextAttemptAtMs: nowMs };
    const next = { webhookId: webhook.id, assetId: asset, seq, attempts: 0, ...times };
    await held.save(next);
    queue.endHeld(asset, next);
  }

  function toHold(facts: {
    change: QueuedChange;
    made: Attempt;
    attempts: number;
    firstAttemptAtMs: number;
  }) {
    const { change, made, attempts: count, firstAttemptAtMs } = facts;
    const waitMs = Math.max(retryWaitsMs[count - 1] ?? retryWaitsMs.at(-1) ?? 0, made.retryAfterMs ?? 0);
    const nextAttemptAtMs = clock.nowMs() + waitMs;
    const { asset: assetId, seq } = change;
    return { webhookId: webhook.id, assetId, seq, attempts: count, firstAttemptAtMs, nextAttemptAtMs };
  }

  async function record(
    change: QueuedChange,
    made: Attempt,
    state: Pick<Delivery, 'state' | 'attempts' | 'nextAttemptAtMs'>,
  ): Promise<void> {
    await deliveries.save(toDelivery({ webhook, change, epoch }, made, state));
    if (++recorded % trimEvery === 1) await deliveries.trim(webhook.id, clock.nowMs());
  }

  return {
    scanned: () => queue.scanned,
    position: () => queue.position,
    held: () => queue.held,
    hasRoom: () => queue.hasRoom,
    readMore,
    take,
    dueInMs: () => (queue.nextDueMs() ?? Infinity) - clock.nowMs(),
    state: () => ({}),
  };
}
