/**
 * The assets a batch reads: those it writes and those it references, loaded in a fixed number of queries whatever its size.
 *
 * This file holds what is known and looks it up; `load-assets.ts` fills it from the store, and `pending-writes.ts` records what
 * the batch itself changes.
 */
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import type { Target } from './read-operations.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** Where the assets of a batch are read from, and for whom. */
export interface AssetSource {
  readonly store: ContentStore;
  readonly catalog: Catalog;
  readonly keys: UniqueKeys;
  readonly caller: Caller;
}

/** The assets that a batch has loaded. A key that is absent from a map has not been looked up. */
export interface BatchAssets extends AssetSource {
  /** Assets by `_id`; `undefined` for an `_id` that no asset has. */
  readonly byId: Map<string, StoredAsset | undefined>;
  /** The `_id` of the asset that has a unique value, by the text of the key. */
  readonly owners: Map<string, string | undefined>;
  /** The states that operations are based on, by `baseKey`; `undefined` for one that is not known. */
  readonly bases: Map<string, Asset | undefined>;
  /** The class names of referenced assets, by `_id`. */
  readonly types: Map<string, string | undefined>;
  /** The `_id`s of the assets that references name by a unique value, by the text of the key; `undefined` for none. */
  readonly named: Map<string, string | undefined>;
  /** The class names that pending writes will give their assets; null for a deletion. */
  readonly pendingTypes: Map<string, string | null>;
  /** The `_id`s that pending writes give to unique keys they claim, by the text of the key; null for those they release. */
  readonly pendingKeys: Map<string, string | null>;
}

/** Creates the state of a batch that has read nothing yet. */
export function createBatchAssets(source: AssetSource): BatchAssets {
  return {
    ...source,
    byId: new Map(),
    owners: new Map(),
    bases: new Map(),
    types: new Map(),
    named: new Map(),
    pendingTypes: new Map(),
    pendingKeys: new Map(),
  };
}

/** Finds the asset that an operation targets, if it exists for the caller. */
export function findAsset(assets: BatchAssets, target: Target): StoredAsset | undefined {
  const { catalog, caller } = assets;
  const present = findAny(assets, target);
  const isThere = present && catalog.types.has(present.asset._type) && isVisible(present.asset, caller);
  return isThere ? present : undefined;
}

/** Checks whether the target exists in the store, also where the caller may not see it. */
export function isTaken(assets: BatchAssets, target: Target): boolean {
  return findAny(assets, target) !== undefined;
}

function findAny(assets: BatchAssets, target: Target): StoredAsset | undefined {
  const id = idOf(assets, target);
  return id === undefined ? undefined : assets.byId.get(id);
}

/** Returns the `_id` of a target; `undefined` for a new asset and for a unique value that no asset has. */
export function idOf({ owners }: BatchAssets, target: Target): string | undefined {
  if (target.kind === 'new') return undefined;
  return target.kind === 'id' ? target.id : owners.get(target.key.text);
}

/** Returns the key of a state that operations are based on. */
export const baseKey = (id: string, version: string) => `${id} ${version}`;

/** Records the present state of an asset. Its unique values lead to it too, also those that were looked up before it existed. */
export function recordAsset(assets: BatchAssets, id: string, present: StoredAsset | undefined): void {
  const { byId, owners, keys } = assets;
  byId.set(id, present);
  if (!present) return;
  for (const { text } of keys.of(present.asset._type, present.asset)) owners.set(text, id);
}

/** Forgets everything that was read and may change, so that the next load reads it again. */
export function forgetAssets({ byId, owners, types, named }: BatchAssets): void {
  for (const known of [byId, owners, types, named]) known.clear();
}
