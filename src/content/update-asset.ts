/**
 * Updates one asset. An asset whose type is known is not read first: the store checks the type and the version when it writes.
 */
import { LRUCache } from 'lru-cache';
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { IdSource } from '../base/runtime.ts';
import type { Catalog, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import type { TargetCheck } from './check-references.ts';
import { assertMergeable, assertMergesSupported, readBase } from './merge-changes.ts';
import type { WritePreparer } from './prepare-write.ts';
import type { AssetFinder, Caller } from './reading/find-assets.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from './repeat-write.ts';
import { changeOf, type WrittenText } from './written-asset.ts';

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
  /** The version that the caller has changed; what others have changed since is merged. Absent means the present one. */
  readonly baseVersion?: string;
}

/** Updates assets. */
export interface AssetUpdater {
  update(update: AssetUpdate, caller: Caller): Promise<WrittenText>;
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
}

const maxKnownTypes = 10_000;

/** Creates the updater. */
export function createAssetUpdater(parts: UpdaterParts): AssetUpdater {
  const { store, catalog, finder, preparer, ids, assertTargets } = parts;
  /** The class names of assets that were written lately, by `_id`. Others may have deleted or replaced an asset since. */
  const knownTypes = new LRUCache<string, string>({ max: maxKnownTypes });

  async function update(change: AssetUpdate, caller: Caller): Promise<WrittenText> {
    if (change.baseVersion !== undefined) assertMergesSupported(store);
    for (let attempts = 1; ; attempts++) {
      const updated = (await updateUnread(change, caller)) ?? (await tryUpdate(change, caller));
      if (updated !== 'overtaken') return updated;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
  }

  /**
   * Updates an asset of a known type without reading it. Returns nothing when that is not possible or has failed, so that the
   * update that reads the asset finds out why.
   */
  async function updateUnread(
    { id: givenId, body, baseVersion, ...condition }: AssetUpdate,
    caller: Caller,
  ): Promise<WrittenText | undefined> {
    const id = givenId.toLowerCase();
    const input = toObject(body);
    const type = findType(id, input);
    if (type === undefined || baseVersion !== undefined || preparer.needsPresent(condition, caller)) return;
    try {
      const present = { asset: { _id: id, _type: type } };
      const { write, references } = preparer.update({ present, input, ids, ...condition }, caller);
      await assertTargets(references);
      const changed = await store.texts.patch(write);
      if (changed) return toWritten(changed);
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

  /** Updates an asset, unless the update is based on a version and others write between reading and writing. */
  async function tryUpdate(
    { id, body, baseVersion, ...condition }: AssetUpdate,
    caller: Caller,
  ): Promise<WrittenText | 'overtaken'> {
    const input = toObject(body);
    const present = await finder.get(id, caller);
    const ifUnchanged = baseVersion !== undefined;
    const prepared = preparer.update({ present, input, ids, ifUnchanged, ...condition }, caller);
    const { write, references } = prepared;
    if (baseVersion !== undefined && baseVersion !== present.version) {
      const base = await readBase(store, { id: write.id, version: baseVersion });
      assertMergeable({ base, present, write }, caller);
    }
    await assertTargets(references);
    try {
      const changed = await store.texts.patch(write);
      if (!changed) throw notFound(id);
      remember(present.asset);
      return toWritten(changed);
    } catch (error) {
      if (ifUnchanged && isDomainError(error, 'precondition_failed')) return 'overtaken';
      throw error;
    }
  }

  const toWritten: (text: WrittenText) => WrittenText = (text) => ({
    ...text,
    ...changeOf(store, text.version),
  });

  const remember: AssetUpdater['remember'] = ({ _id, _type }) => void knownTypes.set(_id, _type);

  return { update, remember };
}

/** Returns a body that is an object. Errors: invalid_body. */
export function toObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}
