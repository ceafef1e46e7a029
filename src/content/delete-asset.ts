/**
 * Deletes one asset. A request that runs again does not delete an asset that others have created since under the same `_id`.
 */
import { isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { ContentStore, StoredAsset } from '../store/port.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import type { WritePreparer } from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { recallEarlier } from './recall-change.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from './repeat-write.ts';
import type { AssetUpdate } from './update-asset.ts';
import { changeOf, type Written } from './written-asset.ts';

/** A deletion of one asset. An asset of another class than `type` is not found; absent means any class. */
export interface AssetDeletion extends Pick<AssetUpdate, 'id' | 'ifVersions'> {
  readonly type?: string;
}

/**
 * Deletes an asset. A request that runs again succeeds if the asset no longer exists. Errors: not_found, precondition_failed; for a
 * request that may run again also store_busy.
 */
export type AssetDeleter = (
  deletion: AssetDeletion,
  caller: Caller,
  reserved?: PreAssignedIds,
) => Promise<Written>;

/** Creates the function. */
export function createAssetDeleter({
  store,
  finder,
  preparer,
  ids,
}: {
  store: ContentStore;
  finder: AssetFinder;
  preparer: WritePreparer;
  ids: IdSource;
}): AssetDeleter {
  const fresh = createFreshIds(ids);

  /** Finds the asset to delete; `undefined` if it is gone and an earlier run of the request may have deleted it. */
  async function findPresent(
    { id, type }: AssetDeletion,
    caller: Caller,
    reserved: PreAssignedIds,
  ): Promise<StoredAsset | undefined> {
    try {
      const present = await finder.get(id, caller);
      if (type !== undefined && present.asset._type !== type) throw notFound(id);
      return present;
    } catch (error) {
      const isGone = isDomainError(error, 'not_found') && reserved.run === 'repeat';
      // An asset that the caller may not see still exists.
      if (isGone && !(await store.get(id.toLowerCase()))) return undefined;
      throw error;
    }
  }

  /** Deletes the asset, unless the deletion depends on the version that was read and others write meanwhile. */
  async function tryDelete(
    { id, type, ...condition }: AssetDeletion,
    caller: Caller,
    reserved: PreAssignedIds,
  ): Promise<Written | 'overtaken'> {
    const own = await recallEarlier(store, { id: id.toLowerCase(), reserved });
    if (own) return changeOf(store, own.id);
    const present = await findPresent({ id, ...(type !== undefined && { type }) }, caller, reserved);
    if (!present) return {};
    const ifUnchanged = reserved.run !== 'only';
    const { write } = preparer.delete({ present, ids: reserved.of(0), ifUnchanged, ...condition });
    await reserved.assertCurrent();
    try {
      if (await store.delete(write)) return changeOf(store, write.change);
    } catch (error) {
      if (ifUnchanged && isDomainError(error, 'precondition_failed')) return 'overtaken';
      throw error;
    }
    if (reserved.run === 'repeat') return 'overtaken';
    throw notFound(id);
  }

  return async (deletion, caller, reserved = fresh) => {
    for (let attempts = 1; ; attempts++) {
      const deleted = await tryDelete(deletion, caller, reserved);
      if (deleted !== 'overtaken') return deleted;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
  };
}
