/**
 * Creates, updates and deletes one asset: prepares the write, checks the targets of its references, and has the store write it.
 * An asset whose type is known is not read before an update: the store checks the type and the version when it writes.
 */

import { LRUCache } from 'lru-cache';
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { Catalog, JsonObject } from '../model/content-type.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { AssetPatch, ContentStore, StoredAsset, StoredText } from '../store/port.ts';
import type { UniqueKeys } from './batch/unique-keys.ts';
import {
  createResolverOf,
  createTargetCheck,
  type ResolverOf,
  type TargetCheck,
} from './check-references.ts';
import { assertMergeable, assertMergesSupported, readBase } from './merge-changes.ts';
import type { PatchAsset } from './patch/patch-asset.ts';
import { untilWritten } from './planned-writes.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import {
  assertVersion,
  type Condition,
  type ContentRules,
  changeOf,
  parseWritten,
  type WritePreparer,
  type Written,
  type WrittenAsset,
  type WrittenText,
} from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { recallChange, recallEarlier, recallWrite } from './recall-change.ts';
import { nameReferrers } from './restricting-references.ts';

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
  /** Deletes an asset. Errors: not_found, precondition_failed, referenced; with `reserved` also store_busy. */
  delete(deletion: AssetDeletion, caller: Caller, reserved?: PreAssignedIds): Promise<Written>;
}

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

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
  /** The version that the caller has changed; what others have changed since is merged. Absent means the present one. */
  readonly baseVersion?: string;
}

/** A change that depends on the present asset. */
interface AssetPatching extends Omit<AssetUpdate, 'body' | 'baseVersion'> {
  readonly patch: PatchAsset;
}

/** The fields to change, with the targets that their references name. */
interface ResolvedChanges {
  readonly input: JsonObject;
  readonly resolve: ResolveReference;
}

/** A change as its attempts need it. */
interface Attempt extends Condition, Pick<AssetUpdate, 'id' | 'baseVersion'> {
  readonly reserved: PreAssignedIds;
}

interface AssetUpdater {
  update(update: AssetUpdate, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenText>;
  patch(patching: AssetPatching, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenText>;
  /** Remembers the class name of an asset that was just written, so that an update need not read the asset. */
  remember(asset: { readonly _id: string; readonly _type: string }): void;
}

/** The parts of a content service that updates need. */
interface UpdaterParts {
  readonly store: ContentStore;
  readonly catalog: Catalog;
  readonly finder: AssetFinder;
  readonly preparer: WritePreparer;
  readonly ids: IdSource;
  readonly assertTargets: TargetCheck;
  readonly resolverOf: ResolverOf;
}

const maxKnownTypes = 10_000;

function createAssetUpdater(parts: UpdaterParts): AssetUpdater {
  const { store, catalog, finder, preparer, ids, assertTargets, resolverOf } = parts;
  /** The class names of assets that were written lately, by `_id`. Others may have deleted or replaced an asset since. */
  const knownTypes = new LRUCache<string, string>({ max: maxKnownTypes });

  const fresh = createFreshIds(ids);

  async function update(
    { body, ...change }: AssetUpdate,
    caller: Caller,
    reserved = fresh,
  ): Promise<WrittenText> {
    if (change.baseVersion !== undefined) assertMergesSupported(store);
    const changes = await resolve(toObject(body), caller);
    const attempt = { ...change, reserved };
    return untilWritten(
      async () =>
        (await updateUnread({ ...attempt, ...changes }, caller)) ??
        (await tryUpdate({ ...attempt, changesOf: async () => changes }, caller)),
    );
  }

  function patch(
    { patch, ...change }: AssetPatching,
    caller: Caller,
    reserved = fresh,
  ): Promise<WrittenText> {
    const changesOf = (present: StoredAsset) => {
      assertVersion(change, present);
      return resolve(patch(present.asset), caller);
    };
    return untilWritten(() => tryUpdate({ ...change, changesOf, ifUnchanged: true, reserved }, caller));
  }

  const resolve = async (input: JsonObject, caller: Caller): Promise<ResolvedChanges> => ({
    input,
    resolve: await resolverOf(input, caller),
  });

  /**
   * Updates an asset of a known type without reading it. Returns nothing when that is not possible or has failed, so that the
   * update that reads the asset finds out why.
   */
  async function updateUnread(
    { id: givenId, input, resolve, baseVersion, reserved, ...condition }: Attempt & ResolvedChanges,
    caller: Caller,
  ): Promise<WrittenText | undefined> {
    const id = givenId.toLowerCase();
    const type = findType(id, input);
    const needsVersion = baseVersion !== undefined || reserved.run !== 'only';
    if (type === undefined || needsVersion) return;
    if (preparer.needsPresent({ type, input, ...condition }, caller)) return;
    try {
      const present = { asset: { _id: id, _type: type } };
      const prepared = preparer.update({ present, input, ids, resolve, ...condition }, caller);
      const { write } = prepared;
      await assertTargets(prepared, caller);
      const changed = await store.texts.patch(write);
      if (changed) return toWritten(changed, write);
      knownTypes.delete(id);
    } catch (error) {
      if (!isDomainError(error, 'invalid_body')) throw error;
    }
    return;
  }

  /** Finds the class name that an asset has, unless the body is wrong or others have replaced the asset. */
  function findType(id: string, { _type: name }: JsonObject): string | undefined {
    const type = typeof name === 'string' ? catalog.find(name) : undefined;
    return type?.kind === 'object' ? type.class : knownTypes.get(id);
  }

  /**
   * Updates an asset, unless the update depends on the version that was read and others write between reading and writing. An update
   * that another run of the request has made is not made again, whatever its condition.
   */
  async function tryUpdate(
    {
      id,
      changesOf,
      baseVersion,
      reserved,
      ...condition
    }: Attempt & { changesOf: (present: StoredAsset) => Promise<ResolvedChanges> },
    caller: Caller,
  ): Promise<WrittenText | 'overtaken'> {
    const present = await finder.get(id, caller);
    const { _id, _type } = present.asset;
    const written = await recallWrite(store, { id: _id, version: present.version }, reserved);
    if (written) {
      return {
        id: _id,
        type: _type,
        text: JSON.stringify(present.asset),
        version: present.version,
        ...written,
      };
    }
    const changes = await changesOf(present);
    const ifUnchanged =
      condition.ifUnchanged === true || baseVersion !== undefined || reserved.run !== 'only';
    const isMerge = baseVersion !== undefined && baseVersion !== present.version;
    const base = isMerge ? await readBase(store, { id: _id, version: baseVersion }) : undefined;
    const change = { present, base, ids: reserved.of(0), ...changes, ...condition, ifUnchanged };
    const prepared = preparer.update(change, caller);
    const { write } = prepared;
    if (isMerge) assertMergeable({ base, present, write }, caller);
    await assertTargets(prepared, caller);
    await reserved.assertCurrent();
    try {
      const changed = await store.texts.patch(write);
      if (!changed) throw notFound(id);
      remember(present.asset);
      return toWritten(changed, write);
    } catch (error) {
      // The next attempt finds whether the caller's own condition still holds.
      if (write.ifVersion !== undefined && isDomainError(error, 'precondition_failed')) return 'overtaken';
      throw error;
    }
  }

  /** A draft has another version than its write. */
  const toWritten = (text: StoredText, { version }: AssetPatch): WrittenText => ({
    ...text,
    ...changeOf(store, version),
  });

  const remember: AssetUpdater['remember'] = ({ _id, _type }) => void knownTypes.set(_id, _type);

  return { update, patch, remember };
}

/** Returns a body that is an object. Errors: invalid_body. */
function toObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}

/** A deletion of one asset. An asset of another class than `type` is not found; absent means any class. */
interface AssetDeletion extends Pick<AssetUpdate, 'id' | 'ifVersions'> {
  readonly type?: string;
}

/**
 * Deletes an asset. A request that runs again succeeds if the asset no longer exists. Errors: not_found, precondition_failed, referenced; for a
 * request that may run again also store_busy.
 */
export type AssetDeleter = (
  deletion: AssetDeletion,
  caller: Caller,
  reserved?: PreAssignedIds,
) => Promise<Written>;

function createAssetDeleter({
  store,
  catalog,
  finder,
  preparer,
  ids,
}: {
  store: ContentStore;
  catalog: Catalog;
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
      throw await nameReferrers(error, { store, catalog, caller });
    }
    if (reserved.run === 'repeat') return 'overtaken';
    throw notFound(id);
  }

  return (deletion, caller, reserved = fresh) => untilWritten(() => tryDelete(deletion, caller, reserved));
}
