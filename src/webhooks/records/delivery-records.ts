/**
 * The log of deliveries: one record for each change that was sent to a webhook, with its last attempt and the response to it.
 *
 * The request is no part of the record: it follows from the change, so that nothing of an erased asset remains here. Records are kept
 * for some days, and at most some thousands for each webhook.
 */
import { deleteRecord, deleteRecords } from '../../access/expiring-records.ts';
import { isDomainError, unlessError } from '../../base/errors.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { type PayloadKind, type WebhookAction, webhookActions } from './webhook.ts';

/** Whether a delivery succeeded, will be tried again, or was given up. */
export const deliveryStates = ['delivered', 'waiting', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery with its last attempt. */
export interface Delivery {
  readonly webhookId: string;
  readonly seq: number;
  readonly assetId: string;
  /** Class name. */
  readonly assetType: string;
  readonly action: WebhookAction;
  readonly messageId: string;
  readonly payload: PayloadKind;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly attemptedAtMs: number;
  readonly tookMs: number;
  readonly url: string;
  /** Absent when there was no response. */
  readonly status?: number;
  /** Why the last attempt failed. */
  readonly error?: string;
  readonly responseType?: string;
  /** The beginning of the body. */
  readonly responseBody?: string;
  readonly nextAttemptAtMs?: number;
}

/** Which deliveries to list, the newest change first. */
export interface DeliveryPage {
  readonly webhookId: string;
  readonly state?: DeliveryState | undefined;
  readonly assetId?: string | undefined;
  /** Only changes before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Reads and writes the log. */
export interface DeliveryRecords {
  find(webhookId: string, seq: number): Promise<Delivery | undefined>;
  list(page: DeliveryPage): Promise<readonly Delivery[]>;
  save(delivery: Delivery): Promise<void>;
  deleteOfAsset(assetId: string): Promise<void>;
  deleteOfWebhook(webhookId: string): Promise<void>;
  /** Deletes some of what is too old or too much. */
  trim(webhookId: string, nowMs: number): Promise<void>;
}

const deliveryClass = 'com.colophon.system.WebhookDelivery';
const keptMs = 14 * 86_400_000;
const maxRecords = 10_000;
/** How much of a response is kept. */
const maxCharacters = 4_096;

/** Creates the records of a system's content service. */
export function createDeliveryRecords(system: ContentService): DeliveryRecords {
  async function find(webhookId: string, seq: number): Promise<Delivery | undefined> {
    const stored = await unlessError(system.get(toId(webhookId, seq), {}), 'not_found');
    return stored && toDelivery(stored.asset);
  }

  async function list({ webhookId, state, assetId, before, limit }: DeliveryPage) {
    const conditions = [
      ['webhookId = ?', webhookId],
      ...(state === undefined ? [] : [['state = ?', state]]),
      ...(assetId === undefined ? [] : [['assetId = ?', assetId]]),
      ...(before === undefined ? [] : [['seq < ?', before]]),
    ];
    const { items } = await system.find(
      {
        from: deliveryClass,
        where: conditions.map(([text]) => text).join(' and '),
        values: conditions.map(([, value]) => value),
        sort: [{ field: 'seq', descending: true }],
        offset: 0,
        limit,
        withCount: false,
      },
      {},
    );
    return items.map(({ asset }) => toDelivery(asset));
  }

  async function save(delivery: Delivery): Promise<void> {
    const id = toId(delivery.webhookId, delivery.seq);
    const body = toRecord(delivery);
    try {
      if (delivery.attempts > 1) await system.update({ id, body }, {});
      else await system.create({ _id: id, _type: deliveryClass, ...body }, {});
    } catch (error) {
      if (isDomainError(error, 'id_in_use')) await system.update({ id, body }, {});
      else if (isDomainError(error, 'not_found'))
        await system.create({ _id: id, _type: deliveryClass, ...body }, {});
      else throw error;
    }
  }

  const deleteAll = async (where: string, value: string) => {
    while (await deleteRecords(system, { from: deliveryClass, where, value }));
  };

  async function trim(webhookId: string, nowMs: number): Promise<void> {
    await deleteRecords(system, { from: deliveryClass, where: 'expiresAt <= ?', value: nowMs });
    const query = {
      from: deliveryClass,
      where: "webhookId = ? and state = 'delivered'",
      values: [webhookId],
    };
    const sort = [{ field: 'seq', descending: true }];
    const { items } = await system.find(
      { ...query, sort, offset: maxRecords, limit: 300, withCount: false },
      {},
    );
    await Promise.all(items.map(({ asset }) => deleteRecord(system, asset._id)));
  }

  return {
    find,
    list,
    save,
    deleteOfAsset: (assetId) => deleteAll('assetId = ?', assetId),
    deleteOfWebhook: (webhookId) => deleteAll('webhookId = ?', webhookId),
    trim,
  };
}

const toId = (webhookId: string, seq: number) => toHashedUuid(`delivery ${webhookId} ${seq}`);

/** Texts that a receiver has sent may have characters that no store takes. */
const toStorable = (text: string) =>
  text.slice(0, maxCharacters).toWellFormed().replaceAll('\u0000', '\ufffd');

function toRecord({ attemptedAtMs, nextAttemptAtMs = null, ...delivery }: Nullable<Delivery>): object {
  const { status = null, error = null, responseType = null, responseBody = null } = delivery;
  return {
    ...delivery,
    payload: delivery.payload?.toUpperCase(),
    attemptedAt: attemptedAtMs,
    nextAttemptAt: nextAttemptAtMs,
    status,
    error: error && toStorable(error),
    responseType: responseType && toStorable(responseType),
    responseBody: responseBody && toStorable(responseBody),
    expiresAt: Number(attemptedAtMs) + keptMs,
  };
}

type Nullable<Type> = { [Member in keyof Type]: Type[Member] | null };

function toDelivery(asset: Asset): Delivery {
  const { status, error, responseType, responseBody, nextAttemptAt } = asset;
  return {
    webhookId: String(asset.webhookId),
    seq: Number(asset.seq),
    assetId: String(asset.assetId),
    assetType: String(asset.assetType),
    action: webhookActions.find((action) => action === asset.action) ?? 'update',
    messageId: String(asset.messageId),
    payload: asset.payload === 'ASSET' ? 'asset' : 'thin',
    state: deliveryStates.find((state) => state === asset.state) ?? 'failed',
    attempts: Number(asset.attempts),
    attemptedAtMs: Number(asset.attemptedAt),
    tookMs: Number(asset.tookMs),
    url: String(asset.url),
    ...(typeof status === 'number' && { status }),
    ...(typeof error === 'string' && { error }),
    ...(typeof responseType === 'string' && { responseType }),
    ...(typeof responseBody === 'string' && { responseBody }),
    ...(typeof nextAttemptAt === 'number' && { nextAttemptAtMs: nextAttemptAt }),
  };
}
