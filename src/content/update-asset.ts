/**
 * Updates one asset. An asset whose type is known is not read first: the store checks the type and the version when it writes.
 */
import { LRUCache } from 'lru-cache';
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { Catalog, JsonObject } from '../model/content-type.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { AssetPatch, ContentStore, StoredAsset, StoredText } from '../store/port.ts';
import type { TargetCheck } from './check-references.ts';
import { assertMergeable, assertMergesSupported, readBase } from './merge-changes.ts';
import type { ResolverOf } from './named-references.ts';
import type { PatchAsset } from './patch/patch-asset.ts';
import { createFreshIds, type PreAssignedIds } from './pre-assigned-ids.ts';
import type { WritePreparer } from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { recallWrite } from './recall-change.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from './repeat-write.ts';
import { assertVersion, type Condition } from './write-condition.ts';
import { changeOf, type WrittenText } from './written-asset.ts';

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
  /** The version that the caller has changed; what others have changed since is merged. Absent means the present one. */
  readonly baseVersion?: string;
}

/** A change that depends on the present asset. */
export interface AssetPatching extends Omit<AssetUpdate, 'body' | 'baseVersion'> {
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

/** Updates assets. */
export interface AssetUpdater {
  update(update: AssetUpdate, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenText>;
  patch(patching: AssetPatching, caller: Caller, reserved?: PreAssignedIds): Promise<WrittenText>;
  /** Remembers the class name of an asset that was just written, so that an update need not read the asset. */
  remember(asset: { readonly _id: string; readonly _type: string }): void;
}

/** The parts of a content service that updates need. */
export interface UpdaterParts {
  readonly store: ContentStore;
  readonly catalog: Catalog;
  readonly finder: AssetFinder;
  readonly preparer: WritePreparer;
  readonly ids: IdSource;
  readonly assertTargets: TargetCheck;
  readonly resolverOf: ResolverOf;
}

const maxKnownTypes = 10_000;

/** Creates the updater. */
export function createAssetUpdater(parts: UpdaterParts): AssetUpdater {
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
    return repeat(
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
    return repeat(() => tryUpdate({ ...change, changesOf, ifUnchanged: true, reserved }, caller));
  }

  /** Runs a change until no other writer overtakes it. */
  async function repeat(attempt: () => Promise<WrittenText | 'overtaken'>): Promise<WrittenText> {
    for (let attempts = 1; ; attempts++) {
      const updated = await attempt();
      if (updated !== 'overtaken') return updated;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
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
    if (type === undefined || needsVersion || preparer.needsPresent({ input, ...condition }, caller)) return;
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
      if (ifUnchanged && isDomainError(error, 'precondition_failed')) return 'overtaken';
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
export function toObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}
