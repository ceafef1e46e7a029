/**
 * Shows past deliveries of a webhook, and sends their changes again.
 */
import { historyRemoved, notFound } from '../../base/errors.ts';
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
export interface Repeats {
  /** Errors: not_found. */
  show(webhookId: string, seq: number): Promise<ShownDelivery>;
  /** Sends a change again now, and records the outcome. Errors: not_found, history_removed. */
  resend(webhook: Webhook, seq: number): Promise<ShownDelivery>;
}

/** Creates it. */
export function createRepeats({
  log,
  attempts,
  deliveries,
}: {
  log: LogFollower;
  attempts: Attempts;
  deliveries: DeliveryRecords;
}): Repeats {
  async function findDelivery(id: string, seq: number): Promise<Delivery> {
    const delivery = await deliveries.find(id, seq);
    if (!delivery) throw notFound(String(seq), 'delivery');
    return delivery;
  }

  async function showDelivery(delivery: Delivery): Promise<ShownDelivery> {
    const { epoch } = await log.ends();
    return { delivery, request: await attempts.show(delivery, epoch) };
  }

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

  return { show: async (id, seq) => showDelivery(await findDelivery(id, seq)), resend };
}
