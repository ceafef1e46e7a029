/**
 * The assets a batch reads: those it writes and those it references, loaded in a fixed number of queries whatever its size.
 *
 * An overlay knows them as the operations planned so far leave them. Here are what operations need beside it: the states that they are
 * based on, and what the caller may see.
 */
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { UniqueKey } from '../../query/unique-values.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import { findNamedAssets, findTargetTypes, isTarget, type NamedAsset, several } from '../check-references.ts';
import { readBase } from '../merge-changes.ts';
import { createWriteOverlay, type StoreReads, type WriteOverlay } from '../overlay/write-overlay.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import type { ReadOperation, Target } from './batch.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** The part of a store that a batch uses. */
export type BatchStore = StoreReads & Pick<ContentStore, 'capabilities' | 'changes' | 'write'>;

/** Where the assets of a batch are read from, and for whom. */
export interface AssetSource {
  readonly store: BatchStore;
  readonly catalog: Catalog;
  readonly keys: UniqueKeys;
  readonly caller: Caller;
}

/** The assets that a batch has loaded. */
export interface BatchAssets extends AssetSource {
  readonly overlay: WriteOverlay;
  /** What the planned operations change. */
  readonly pending: {
    readonly assets: Map<string, StoredAsset | undefined>;
    readonly holders: Map<string, string | undefined>;
  };
  /** The states that operations are based on, by `_id` and version; `undefined` for one that is not known. */
  readonly bases: Map<string, Asset | undefined>;
  /** The assets that references name by a unique value, by the text of the key. */
  readonly named: Map<string, NamedAsset>;
}

/** Creates the state of a batch that has read nothing yet. */
export function createBatchAssets(source: AssetSource): BatchAssets {
  const pending = { assets: new Map(), holders: new Map() };
  const reads = {
    ...source.store,
    getTypes: (ids: readonly string[]) => findTargetTypes(ids, source),
  };
  const overlay = createWriteOverlay(reads, { keysOf: source.keys.of, pending });
  return { ...source, overlay, pending, bases: new Map(), named: new Map() };
}

/** Operations whose assets must be loaded before they are planned. */
export interface Needs {
  readonly operations: readonly ReadOperation[];
  /** The `_id`s that creating operations would assign. */
  readonly createIds?: readonly string[];
}

/** Loads what operations need and the batch does not know yet. Errors: the store's. */
export async function loadAssets(assets: BatchAssets, { operations, createIds = [] }: Needs): Promise<void> {
  const { overlay, caller } = assets;
  // What unique values lead to comes first, since it says which assets to read.
  const targets = operations.flatMap(({ target }) => (target.kind === 'key' ? [target.key] : []));
  await overlay.loadHolders(targets, caller.signal);
  await loadNamed(
    assets,
    operations.flatMap((operation) => operation.named),
  );
  const ids = operations.flatMap(({ target }) => idOf(assets, target) ?? []);
  const referenced = operations.flatMap((operation) => operation.referenced);
  await Promise.all([overlay.loadAssets([...createIds, ...ids]), overlay.loadTypes(referenced)]);
  await loadBases(assets, operations);
}

async function loadNamed(assets: BatchAssets, wanted: readonly UniqueKey[]): Promise<void> {
  const unknown = wanted.filter(({ text }) => !assets.named.has(text));
  const found = await findNamedAssets(unknown, assets);
  for (const { text, type } of unknown) {
    const id = found.get(text);
    assets.named.set(text, id);
    if (typeof id === 'string') assets.overlay.recordType(id, type);
  }
}

/** How many past states are read at the same time. */
const basesAtOnce = 8;

/** Loads the states that updates are based on; most are the present ones. */
async function loadBases(assets: BatchAssets, operations: readonly ReadOperation[]): Promise<void> {
  const { bases, store } = assets;
  const past: { id: string; version: string }[] = [];
  for (const { target, baseVersion: version } of operations) {
    const present = findAsset(assets, target);
    if (!present || version === undefined) continue;
    const { _id: id } = present.asset;
    if (present.version === version) bases.set(baseKey(id, version), present.asset);
    else if (!bases.has(baseKey(id, version))) past.push({ id, version });
  }
  for (let start = 0; start < past.length; start += basesAtOnce) {
    const load = async (one: { id: string; version: string }) =>
      void bases.set(baseKey(one.id, one.version), await readBase(store, one));
    await Promise.all(past.slice(start, start + basesAtOnce).map(load));
  }
}

const baseKey = (id: string, version: string) => `${id} ${version}`;

/** Finds the state of an asset that an operation is based on. */
export const findBase = ({ bases }: BatchAssets, id: string, version: string): Asset | undefined =>
  bases.get(baseKey(id, version));

/** Finds the asset that an operation targets, if it exists for the caller. */
export function findAsset(assets: BatchAssets, target: Target): StoredAsset | undefined {
  const present = findAny(assets, target);
  const isThere =
    present && assets.catalog.types.has(present.asset._type) && isVisible(present.asset, assets.caller);
  return isThere ? present : undefined;
}

/** Finds the class name of the target of a reference, if it exists for the caller. */
export function findTargetType(assets: BatchAssets, id: string): string | undefined {
  const present = assets.overlay.find(id);
  return present && !isTarget(present.asset, assets) ? undefined : assets.overlay.findType(id);
}

/** Checks whether the target exists in the store, also where the caller may not see it. */
export const isTaken = (assets: BatchAssets, target: Target): boolean =>
  findAny(assets, target) !== undefined;

function findAny(assets: BatchAssets, target: Target): StoredAsset | undefined {
  const id = idOf(assets, target);
  return id === undefined ? undefined : assets.overlay.find(id);
}

/** Returns the `_id` of a target; `undefined` for a new asset and for a unique value that no asset has. */
function idOf({ overlay }: BatchAssets, target: Target): string | undefined {
  if (target.kind === 'new') return undefined;
  return target.kind === 'id' ? target.id : overlay.findHolder(target.key);
}

/** Finds the asset that a reference names by a key. A caller who may write an asset may see it. */
export function findNamed({ overlay, named }: BatchAssets, key: UniqueKey): NamedAsset {
  const stored = named.get(key.text);
  return overlay.isMoved(key) && stored !== several ? overlay.findHolder(key) : stored;
}

/** Checks whether a planned operation changes the target, or the unique value that identifies it. */
export function isPending(assets: BatchAssets, target: Target): boolean {
  const id = idOf(assets, target);
  const isMoved = target.kind === 'key' && assets.overlay.isMoved(target.key);
  return isMoved || (id !== undefined && assets.overlay.isChanged(id));
}

/** Forgets the planned operations and what was read of their assets, so that the next load reads it from the store. */
export function forgetPending({ overlay, pending, named }: BatchAssets): void {
  overlay.forget(pending.assets.keys(), pending.holders.keys());
  for (const text of pending.holders.keys()) named.delete(text);
  pending.assets.clear();
  pending.holders.clear();
}

/** Forgets everything that was read and may change as well. */
export function forgetAssets(assets: BatchAssets): void {
  forgetPending(assets);
  assets.overlay.forgetAll();
  assets.named.clear();
}
