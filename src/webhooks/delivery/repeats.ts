/**
 * Sends changes again: past deliveries, which it shows, and replays from a number or a time, of which it says what they would do.
 */

import { historyRemoved, invalidBody, notFound } from '../../base/errors.ts';
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import type { Delivery, DeliveryRecords } from '../records/delivery-records.ts';
import type { Webhook } from '../records/webhook.ts';
import { type Attempts, type ShownRequest, toDelivery } from './attempt.ts';

/** A delivery with its request; absent when the change is no longer known. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly request?: ShownRequest | undefined;
}

/** Shows and repeats deliveries. */
export function createRepeats({
  log,
  attempts,
  deliveries,
}: {
  log: LogFollower;
  attempts: Attempts;
  deliveries: DeliveryRecords;
}) {
  async function findDelivery(id: string, seq: number): Promise<Delivery> {
    const delivery = await deliveries.find(id, seq);
    if (!delivery) throw notFound(String(seq), 'delivery');
    return delivery;
  }

  async function showDelivery(delivery: Delivery): Promise<ShownDelivery> {
    const { epoch } = await log.ends();
    return { delivery, request: await attempts.show(delivery, epoch) };
  }

  /** Sends a change again now, and records the outcome. Errors: not_found, history_removed. */
  async function resend(webhook: Webhook, seq: number): Promise<ShownDelivery> {
    const former = await findDelivery(webhook.id, seq);
    const change = await log.find(seq);
    if (!change || change.asset !== former.assetId) throw historyRemoved(former.assetId);
    const { epoch } = await log.ends();
    const attempt = await attempts.send(webhook, change, { epoch });
    const { nextAttemptAtMs } = former;
    const state = attempt.isDelivered ? 'delivered' : former.state;
    const isWaiting = state === 'waiting' && nextAttemptAtMs !== undefined;
    const facts = { state, attempts: former.attempts + 1, ...(isWaiting && { nextAttemptAtMs }) } as const;
    const delivery = toDelivery({ webhook, change, epoch }, attempt, facts);
    await deliveries.save(delivery);
    return showDelivery(delivery);
  }

  return {
    /** Errors: not_found. */
    show: async (id: string, seq: number): Promise<ShownDelivery> =>
      showDelivery(await findDelivery(id, seq)),
    resend,
  };
}

/** From where to send again: from a change on, or from the first one at a time, in milliseconds since 1970, or later. */
export type ReplayFrom = { readonly fromSeq: number } | { readonly fromMs: number };

/** Finds the first change to send. Errors: invalid_body when the change log does not go back that far, or is not there yet. */
export async function findReplayStart(
  log: LogFollower,
  from: ReplayFrom,
): Promise<{ seq: number; epoch: string }> {
  const { epoch, first, last } = await log.ends();
  if ('fromMs' in from) {
    const seq = await log.findFrom(from.fromMs);
    if (seq === first && first > 1) {
      const oldest = await log.find(first);
      if (oldest && oldest.atMs > from.fromMs) throw tooOld('from', `change ${first}`);
    }
    return { seq, epoch };
  }
  const { fromSeq: seq } = from;
  if (seq < first) throw tooOld('fromSeq', `change ${first}`);
  if (seq > last + 1)
    throw invalidBody([{ path: 'fromSeq', message: `must be at most ${last + 1}, the next change` }]);
  return { seq, epoch };
}

const tooOld = (path: string, oldest: string) =>
  invalidBody([{ path, message: `is before ${oldest}, the oldest one in the change log` }]);

/** What a replay would do. */
export interface ReplayPlan {
  /** The first change to examine. It was written `atMs`, unless it is not in the log. */
  readonly fromSeq: number;
  readonly atMs?: number;
  /** The number of entries of the change log from there on. */
  readonly changes: number;
  /** The number of entries that come after `position` but before the first change to examine. */
  readonly skipped: number;
}

/** Plans a replay of a webhook that is at a position. Errors: those of `findReplayStart`. */
export async function planReplay(
  log: LogFollower,
  { from, position }: { readonly from: ReplayFrom; readonly position: number },
): Promise<ReplayPlan> {
  const { seq: fromSeq } = await findReplayStart(log, from);
  const { last } = await log.ends();
  const first = await log.find(fromSeq);
  return {
    fromSeq,
    ...(first && { atMs: first.atMs }),
    changes: Math.max(0, last - fromSeq + 1),
    skipped: Math.max(0, fromSeq - 1 - position),
  };
}
