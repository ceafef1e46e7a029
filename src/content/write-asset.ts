/**
 * Creates, updates and deletes one asset: prepares the write, checks the targets of its references, and has the store write it.
 */
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { ContentStore, StoredAsset } from '../store/port.ts';
import { findDangling } from './check-references.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import type { ContentRules, PreparedWrite, WritePreparer } from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { recallChange } from './recall-change.ts';

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
}

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
  /** Updates the fields given. Errors: invalid_body, unknown_type, not_found, forbidden, value_in_use, precondition_failed. */
  update(update: AssetUpdate, caller: Caller): Promise<WrittenAsset>;
  /** Deletes an asset. Errors: not_found, precondition_failed. */
  delete(deletion: Omit<AssetUpdate, 'body'>, caller: Caller): Promise<Written>;
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

  async function update({ id, body, ...condition }: AssetUpdate, caller: Caller): Promise<WrittenAsset> {
    const input = toObject(body);
    const present = await finder.get(id, caller);
    const prepared = preparer.update({ present, input, ids, ...condition }, caller);
    await assertTargets(prepared);
    const changed = await store.patch(prepared.write);
    if (!changed) throw notFound(id);
    return { ...changed, ...changeOf(changed.version) };
  }

  async function remove({ id, ...condition }: Omit<AssetUpdate, 'body'>, caller: Caller): Promise<Written> {
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
