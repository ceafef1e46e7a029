/**
 * Creates, updates and deletes one asset: prepares the write, checks the targets of its references, and has the store write it.
 */
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { ContentStore, StoredAsset } from '../store/port.ts';
import { findDangling } from './check-references.ts';
import { assertMergeable, assertMergesSupported, readBase } from './merge-changes.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import type { ContentRules, PreparedWrite, WritePreparer } from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { recallChange } from './recall-change.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from './repeat-write.ts';

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
  /** The version that the caller has changed; what others have changed since is merged. Absent means the present one. */
  readonly baseVersion?: string;
}

/** A deletion of one asset. */
export type AssetDeletion = Omit<AssetUpdate, 'body' | 'baseVersion'>;

/** What a write has done. */
export interface Written {
  /** The `id` of the entry in the change log; absent when the store keeps none. */
  readonly change?: string;
}

/** An asset after a write. */
export type WrittenAsset = StoredAsset & Written;

/** The half of the content service that writes one asset. */
export interface AssetWriter {
  /**
   * Creates an asset. `reserved` holds the pre-assigned IDs of a request that may run again.
   * Errors: invalid_body, unknown_type, forbidden, id_in_use, value_in_use.
   */
  create(body: unknown, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenAsset>;
  /**
   * Updates the fields given. Errors: invalid_body, unknown_type, not_found, forbidden, value_in_use, precondition_failed; with a
   * base version also edit_conflict, not_supported, store_busy.
   */
  update(update: AssetUpdate, caller: Caller): Promise<WrittenAsset>;
  /** Deletes an asset. Errors: not_found, precondition_failed. */
  delete(deletion: AssetDeletion, caller: Caller): Promise<Written>;
}

/** Creates the writer. */
export function createAssetWriter({
  store,
  finder,
  preparer,
  ids,
  rules,
}: {
  store: ContentStore;
  finder: AssetFinder;
  preparer: WritePreparer;
  ids: IdSource;
  rules: ContentRules;
}): AssetWriter {
  const fresh = createFreshIds(ids);

  async function create(body: unknown, caller: Caller, reserved = fresh): Promise<WrittenAsset> {
    const prepared = preparer.create({ input: toObject(body), ids: reserved.of(0) }, caller);
    const { asset, version } = prepared.write;
    if (reserved.run === 'repeat') {
      const written = await findWritten(asset._id, reserved);
      if (written) return written;
    }
    await assertTargets(prepared);
    await reserved.assertCurrent();
    try {
      await store.insert(prepared.write);
      return { asset, version, ...changeOf(version) };
    } catch (error) {
      const written = isDomainError(error, 'id_in_use') && (await findWritten(asset._id, reserved));
      if (written) return written;
      throw error;
    }
  }

  /** Finds what another run of the same request has written already. */
  async function findWritten(id: string, reserved: PreAssignedIds): Promise<WrittenAsset | undefined> {
    if (reserved.run === 'only') return undefined;
    const stored = await store.get(id);
    const isOurs = stored && (id === reserved.of(0).assetId() || reserved.findWriter(stored.version));
    if (!isOurs) return undefined;
    // Others may have changed it since.
    const change = await recallChange(store, { id, index: 0, reserved });
    return change === undefined ? stored : { ...stored, change };
  }

  async function update(change: AssetUpdate, caller: Caller): Promise<WrittenAsset> {
    if (change.baseVersion !== undefined) assertMergesSupported(store);
    for (let attempts = 1; ; attempts++) {
      const updated = await tryUpdate(change, caller);
      if (updated !== 'overtaken') return updated;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
  }

  /** Updates an asset, unless the update is based on a version and others write between reading and writing. */
  async function tryUpdate(
    { id, body, baseVersion, ...condition }: AssetUpdate,
    caller: Caller,
  ): Promise<WrittenAsset | 'overtaken'> {
    const input = toObject(body);
    const present = await finder.get(id, caller);
    const ifUnchanged = baseVersion !== undefined;
    const prepared = preparer.update({ present, input, ids, ifUnchanged, ...condition }, caller);
    const { write } = prepared;
    if (baseVersion !== undefined && baseVersion !== present.version) {
      const base = await readBase(store, { id: write.id, version: baseVersion });
      assertMergeable({ base, present, write }, caller);
    }
    await assertTargets(prepared);
    try {
      const changed = await store.patch(write);
      if (!changed) throw notFound(id);
      return { ...changed, ...changeOf(changed.version) };
    } catch (error) {
      if (ifUnchanged && isDomainError(error, 'precondition_failed')) return 'overtaken';
      throw error;
    }
  }

  async function remove({ id, ...condition }: AssetDeletion, caller: Caller): Promise<Written> {
    const present = await finder.get(id, caller);
    const { write } = preparer.delete({ present, ids, ...condition });
    if (!(await store.delete(write))) throw notFound(id);
    return changeOf(write.change);
  }

  const changeOf = (change: string | undefined): Written =>
    change !== undefined && store.capabilities.changes ? { change } : {};

  async function assertTargets({ references }: PreparedWrite): Promise<void> {
    if (!rules.referencesChecked) return;
    const dangling = await findDangling(store, references);
    if (dangling.length > 0) throw invalidBody(dangling);
  }

  return { create, update, delete: remove };
}

/** Returns a body that is an object. Errors: invalid_body. */
function toObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}
