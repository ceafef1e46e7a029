/**
 * Assets whose changes are held up for a webhook, because the delivery of one of them failed. A record names the next change to
 * deliver; those behind it are found in the change log.
 */
import { deleteRecord, deleteRecords } from '../../access/expiring-records.ts';
import { isDomainError } from '../../base/errors.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';

/** A held-up asset. */
export interface HeldAsset {
  readonly webhookId: string;
  readonly assetId: string;
  /** The change to deliver next. */
  readonly seq: number;
  /** How often that change was tried. */
  readonly attempts: number;
  readonly firstAttemptAtMs: number;
  readonly nextAttemptAtMs: number;
}

/** Reads and writes the records. */
export interface HeldAssets {
  /** Lists those of a webhook, in no order. */
  list(webhookId: string): Promise<readonly HeldAsset[]>;
  count(webhookId: string): Promise<number>;
  save(held: HeldAsset): Promise<void>;
  delete(webhookId: string, assetId: string): Promise<void>;
  deleteOfWebhook(webhookId: string): Promise<void>;
}

/** How many assets can be held up for one webhook; further changes then wait in the log. */
export const maxHeldAssets = 1_000;

const heldClass = 'com.colophon.system.WebhookHeldAsset';

/** Creates the records of a system's content service. */
export function createHeldAssets(system: ContentService): HeldAssets {
  const query = (webhookId: string) => ({
    from: heldClass,
    where: 'webhookId = ?',
    values: [webhookId],
    offset: 0,
  });
  return {
    async list(webhookId) {
      const { items } = await system.find(
        { ...query(webhookId), limit: maxHeldAssets, withCount: false },
        {},
      );
      return items.map(({ asset }) => toHeld(asset));
    },
    async count(webhookId) {
      const { count = 0 } = await system.find({ ...query(webhookId), limit: 0, withCount: true }, {});
      return count;
    },
    async save(held) {
      const id = toId(held.webhookId, held.assetId);
      const body = toFields(held);
      try {
        await system.update({ id, body }, {});
      } catch (error) {
        if (!isDomainError(error, 'not_found')) throw error;
        await system.create({ _id: id, _type: heldClass, ...body }, {});
      }
    },
    delete: (webhookId, assetId) => deleteRecord(system, toId(webhookId, assetId)),
    async deleteOfWebhook(webhookId) {
      while (await deleteRecords(system, { from: heldClass, where: 'webhookId = ?', value: webhookId }));
    },
  };
}

const toId = (webhookId: string, assetId: string) => toHashedUuid(`held ${webhookId} ${assetId}`);

function toFields({ firstAttemptAtMs, nextAttemptAtMs, ...held }: HeldAsset): object {
  return { ...held, firstAttemptAt: firstAttemptAtMs, nextAttemptAt: nextAttemptAtMs };
}

const toHeld = (asset: Asset): HeldAsset => ({
  webhookId: String(asset.webhookId),
  assetId: String(asset.assetId),
  seq: Number(asset.seq),
  attempts: Number(asset.attempts),
  firstAttemptAtMs: Number(asset.firstAttemptAt),
  nextAttemptAtMs: Number(asset.nextAttemptAt),
});
