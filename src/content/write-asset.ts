/**
 * Creates, updates and deletes one asset: prepares the write, checks the targets of its references, and has the store write it.
 */
import { isDomainError } from '../base/errors.ts';
import type { UniqueKeys } from './batch/unique-keys.ts';
import { createTargetCheck } from './check-references.ts';
import { type AssetDeletion, createAssetDeleter } from './delete-asset.ts';
import { createResolverOf } from './named-references.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import type { ContentRules } from './prepare-write.ts';
import type { Caller } from './reading/find-assets.ts';
import { recallChange } from './recall-change.ts';
import {
  type AssetPatching,
  type AssetUpdate,
  createAssetUpdater,
  toObject,
  type UpdaterParts,
} from './update-asset.ts';
import {
  changeOf,
  parseWritten,
  type Written,
  type WrittenAsset,
  type WrittenText,
} from './written-asset.ts';

/** The half of the content service that writes one asset. */
export interface AssetWriter {
  /**
   * Creates an asset. `reserved` holds the pre-assigned IDs of a request that may run again.
   * Errors: invalid_body, unknown_type, forbidden, id_in_use, value_in_use.
   */
  create(body: unknown, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenAsset>;
  /**
   * Updates the fields given. Errors: invalid_body, unknown_type, not_found, forbidden, value_in_use, precondition_failed; with a
   * base version also edit_conflict, not_supported, store_busy; with `reserved` also store_busy.
   */
  update(update: AssetUpdate, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenAsset>;
  /** Does the same and returns the asset as JSON text. */
  updateText(update: AssetUpdate, caller: Caller): Promise<WrittenText>;
  /**
   * Changes the fields that a patch changes in the present asset, and does so anew when another write comes between. Errors: those of
   * `update`, test_failed, too_many_values, store_busy.
   */
  patch(patching: AssetPatching, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenAsset>;
  /** Deletes an asset. Errors: not_found, precondition_failed; with `reserved` also store_busy. */
  delete(deletion: AssetDeletion, caller: Caller, reserved?: PreAssignedIds): Promise<Written>;
}

/** Creates the writer. */
export function createAssetWriter({
  rules,
  keys,
  ...parts
}: Omit<UpdaterParts, 'assertTargets' | 'resolverOf'> & { keys: UniqueKeys } & {
  rules: ContentRules;
}): AssetWriter {
  const { store, preparer, ids } = parts;
  const fresh = createFreshIds(ids);
  const assertTargets = createTargetCheck({ store, catalog: parts.catalog, rules });
  const resolverOf = createResolverOf({ store, catalog: parts.catalog, keys });
  const updater = createAssetUpdater({ ...parts, assertTargets, resolverOf });

  async function create(body: unknown, caller: Caller, reserved = fresh): Promise<WrittenAsset> {
    const input = toObject(body);
    const resolve = await resolverOf(input, caller);
    const prepared = preparer.create({ input, ids: reserved.of(0), resolve }, caller);
    const { asset, version } = prepared.write;
    if (reserved.run === 'repeat') {
      const written = await findWritten(asset._id, reserved);
      if (written) return written;
    }
    await assertTargets(prepared, caller);
    await reserved.assertCurrent();
    try {
      const created = await store.insert(prepared.write);
      updater.remember(asset);
      return { asset: created.asset, version: created.version, ...changeOf(store, version) };
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

  return {
    create,
    update: async (update, caller, reserved) => parseWritten(await updater.update(update, caller, reserved)),
    patch: async (patching, caller, reserved) =>
      parseWritten(await updater.patch(patching, caller, reserved)),
    updateText: (update, caller) => updater.update(update, caller),
    delete: createAssetDeleter(parts),
  };
}
