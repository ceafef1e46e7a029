/**
 * Assets whose changes are on hold for a webhook, because the delivery of one of them failed. A record names the next change to
 * deliver; those behind it are found in the change log.
 *
 * Only the holder of the lease deletes a record: it takes all records over with its fencing number, and none with a greater number is
 * deleted. Otherwise a former holder could delete a record for which changes wait that the cursor has passed since, and they would be lost.
 */
import { deleteRecords } from '../../access/expiring-records.ts';
import { isDomainError } from '../../base/errors.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { LeaseTakenOver } from './cursor-records.ts';

/** An asset on hold. */
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

/** The records of one webhook that this process may write. */
export interface OwnedHolds {
  save(held: HeldAsset): Promise<void>;
  /** Errors: LeaseTakenOver when another process has taken the record over. */
  delete(assetId: string): Promise<void>;
}

/** Reads and writes the records. */
export interface HeldAssets {
  /** Takes over the records of a webhook; returns them in no order. */
  own(
    webhookId: string,
    fence: number,
  ): Promise<{ readonly found: readonly HeldAsset[]; readonly owned: OwnedHolds }>;
  count(webhookId: string): Promise<number>;
  deleteOfWebhook(webhookId: string): Promise<void>;
}

/** How many assets can be on hold for one webhook; further changes then wait in the log. */
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
  async function save(held: HeldAsset, fence: number): Promise<void> {
    const id = toId(held.webhookId, held.assetId);
    const body = { ...toFields(held), fence };
    try {
      await system.update({ id, body }, {});
    } catch (error) {
      if (!isDomainError(error, 'not_found')) throw error;
      await system.create({ _id: id, _type: heldClass, ...body }, {});
    }
  }

  async function remove(id: string, fence: number): Promise<void> {
    try {
      const { asset, version } = await system.get(id, {});
      if (Number(asset.fence) > fence) throw new LeaseTakenOver();
      await system.delete({ id, ifVersions: [version] }, {});
    } catch (error) {
      if (isDomainError(error, 'precondition_failed')) throw new LeaseTakenOver();
      if (!isDomainError(error, 'not_found')) throw error;
    }
  }

  return {
    async own(webhookId, fence) {
      const request = { ...query(webhookId), limit: maxHeldAssets, withCount: false };
      const found: HeldAsset[] = [];
      for (const { asset } of (await system.find(request, {})).items) {
        const held = toHeld(asset);
        found.push(held);
        if (asset.fence !== fence) await save(held, fence);
      }
      return {
        found,
        owned: {
          save: (held) => save(held, fence),
          delete: (assetId) => remove(toId(webhookId, assetId), fence),
        },
      };
    },
    async count(webhookId) {
      const { count = 0 } = await system.find({ ...query(webhookId), limit: 0, withCount: true }, {});
      return count;
    },
    async deleteOfWebhook(webhookId) {
      while (await deleteRecords(system, { from: heldClass, where: 'webhookId = ?', value: webhookId }));
    },
  };
}

const toId = (webhookId: string, assetId: string) => toHashedUuid(`held ${webhookId} ${assetId}`);

function toFields({ webhookId, assetId, seq, attempts, firstAttemptAtMs, nextAttemptAtMs }: HeldAsset) {
  const times = { firstAttemptAt: firstAttemptAtMs, nextAttemptAt: nextAttemptAtMs };
  return { webhookId, assetId, seq, attempts, ...times };
}

const toHeld = (asset: Asset): HeldAsset => ({
  webhookId: String(asset.webhookId),
  assetId: String(asset.assetId),
  seq: Number(asset.seq),
  attempts: Number(asset.attempts),
  firstAttemptAtMs: Number(asset.firstAttemptAt),
  nextAttemptAtMs: Number(asset.nextAttemptAt),
});
