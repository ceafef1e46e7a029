/**
 * How far each webhook is in the change log. Only the holder of the lease writes a cursor: it takes the record over with its fencing
 * number, and each further write requires the version of its last one, so that a former holder can write nothing any more.
 */

import { deleteRecord, deleteRecords } from '../../access/expiring-records.ts';
import { isDomainError, unlessError } from '../../base/errors.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import { unlessOvertaken, untilWritten } from '../../content/planned-writes.ts';
import type { Asset } from '../../model/content-type.ts';

/** How far a webhook is, and how its receiver does. */
export interface CursorState {
  /** The decision from where to send that it follows. */
  readonly startMark: string;
  readonly epoch: string;
  /** All changes up to this one are sent, do not match, or are on hold. */
  readonly seq: number;
  /** The changes before this one were removed from the log before they could be sent. */
  readonly missedBefore?: number | undefined;
  /** Since when the receiver fails as a whole, how often it was tried since, and when the next attempt is. */
  readonly failingSinceMs?: number | undefined;
  readonly failures?: number | undefined;
  readonly retryAtMs?: number | undefined;
  readonly lastSuccessAtMs?: number | undefined;
  /** Why the last purge failed. */
  readonly lastError?: string | undefined;
  /** Whether all assets must be purged, because changes are not known. */
  readonly isWholeDue?: boolean | undefined;
}

/** A cursor that this process may write. */
export interface OwnedCursor {
  readonly state: CursorState;
  /** Errors: LeaseTakenOver when another process has taken the cursor over. */
  save(state: CursorState): Promise<void>;
}

/** The error of a process whose work another process has taken over. */
export class LeaseTakenOver extends Error {
  constructor() {
    super('Another process sends to webhooks now');
  }
}

/** Reads and writes cursors. */
export type CursorRecords = ReturnType<typeof createCursorRecords>;

const cursorClass = 'com.colophon.system.WebhookCursor';

/** Creates the records of a system's content service. */
export function createCursorRecords(system: ContentService) {
  const read = async (webhookId: string) => {
    return unlessError(system.get(toId(webhookId), {}), 'not_found');
  };

  async function takeOver(webhookId: string, fence: number, initial: CursorState) {
    const present = await read(webhookId);
    if (!present) {
      const record = { _id: toId(webhookId), _type: cursorClass, webhookId, fence, ...toFields(initial) };
      const { version } = await system.create(record, {});
      return { version, state: initial };
    }
    if (Number(present.asset.fence) > fence) throw new LeaseTakenOver();
    const body = { fence };
    const { version } = await system.update(
      { id: present.asset._id, body, ifVersions: [present.version] },
      {},
    );
    return { version, state: toState(present.asset) };
  }

  /** Takes a cursor over; creates it with the `initial` state if there is none. Errors: LeaseTakenOver. */
  async function own(webhookId: string, fence: number, initial: CursorState): Promise<OwnedCursor> {
    const { version, state } = await untilWritten(() => unlessOvertaken(takeOver(webhookId, fence, initial)));
    return { state, save: createSave(webhookId, version) };
  }

  function createSave(webhookId: string, first: string): OwnedCursor['save'] {
    let version = first;
    return async (state) => {
      const change = { id: toId(webhookId), body: toFields(state), ifVersions: [version] };
      const saved = await unlessError(system.update(change, {}), 'precondition_failed', 'not_found');
      if (!saved) throw new LeaseTakenOver();
      ({ version } = saved);
    };
  }

  return {
    find: async (webhookId: string): Promise<CursorState | undefined> => {
      const present = await read(webhookId);
      return present && toState(present.asset);
    },
    own,
    delete: (webhookId: string): Promise<void> => deleteRecord(system, toId(webhookId)),
  };
}

const toId = (webhookId: string) => toHashedUuid(`cursor ${webhookId}`);

function toFields(state: CursorState): object {
  return {
    startMark: state.startMark,
    epoch: state.epoch,
    seq: state.seq,
    missedBefore: state.missedBefore ?? null,
    failingSince: state.failingSinceMs ?? null,
    failures: state.failures ?? null,
    retryAt: state.retryAtMs ?? null,
    lastSuccessAt: state.lastSuccessAtMs ?? null,
    lastError: state.lastError ?? null,
    isWholeDue: state.isWholeDue ?? null,
  };
}

function toState(asset: Asset): CursorState {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return {
    startMark: String(asset.startMark),
    epoch: String(asset.epoch),
    seq: Number(asset.seq),
    missedBefore: numberOf(asset.missedBefore),
    failingSinceMs: numberOf(asset.failingSince),
    failures: numberOf(asset.failures),
    retryAtMs: numberOf(asset.retryAt),
    lastSuccessAtMs: numberOf(asset.lastSuccessAt),
    lastError: typeof asset.lastError === 'string' ? asset.lastError : undefined,
    isWholeDue: asset.isWholeDue === true ? true : undefined,
  };
}

// Assets whose changes are on hold for a webhook, because the delivery of one of them failed. A record names the next change to
// deliver; those behind it are found in the change log.
//
// Only the holder of the lease deletes a record: it takes all records over with its fencing number, and none with a greater number is
// deleted. Otherwise a former holder could delete a record for which changes wait that the cursor has passed since, and they would be lost.

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
export type HeldAssets = ReturnType<typeof createHeldAssets>;

/** How many assets can be on hold for one webhook; further changes then wait in the log. */
export const maxHeldAssets = 1_000;

const heldClass = 'com.colophon.system.WebhookHeldAsset';

/** Creates the records of a system's content service. */
export function createHeldAssets(system: ContentService) {
  const query = (webhookId: string) => ({
    from: heldClass,
    where: 'webhookId = ?',
    values: [webhookId],
    offset: 0,
  });
  async function save(held: HeldAsset, fence: number): Promise<void> {
    const id = toHeldId(held.webhookId, held.assetId);
    const body = { ...toHeldFields(held), fence };
    if (!(await unlessError(system.update({ id, body }, {}), 'not_found')))
      await system.create({ _id: id, _type: heldClass, ...body }, {});
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
    /** Takes over the records of a webhook; returns them in no order. */
    async own(
      webhookId: string,
      fence: number,
    ): Promise<{ readonly found: readonly HeldAsset[]; readonly owned: OwnedHolds }> {
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
          delete: (assetId) => remove(toHeldId(webhookId, assetId), fence),
        },
      };
    },
    async count(webhookId: string): Promise<number> {
      const { count = 0 } = await system.find({ ...query(webhookId), limit: 0, withCount: true }, {});
      return count;
    },
    async deleteOfWebhook(webhookId: string): Promise<void> {
      while (await deleteRecords(system, { from: heldClass, where: 'webhookId = ?', value: webhookId }));
    },
  };
}

const toHeldId = (webhookId: string, assetId: string) => toHashedUuid(`held ${webhookId} ${assetId}`);

function toHeldFields({ webhookId, assetId, seq, attempts, firstAttemptAtMs, nextAttemptAtMs }: HeldAsset) {
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
