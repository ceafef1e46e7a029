/**
 * Writes laid over a store that has not carried them out: reads by `_id`, by unique value and of class names see their effects.
 *
 * What was read of the store stays known until it is forgotten, so that many writes are planned with few reads. A batch plans its
 * operations on an overlay; `trial-store.ts` makes a store of one, for writes that are only checked.
 */
import type { Asset } from '../../model/content-type.ts';
import { holderSearches, type KeysOf, type UniqueKey } from '../../query/unique-values.ts';
import {
  type AssetWrite,
  type ContentStore,
  type FindRequest,
  idOfWrite,
  type StoredAsset,
} from '../../store/port.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';

/** The reads of a store that planning needs. */
export type StoreReads = Pick<ContentStore, 'find' | 'getChunk' | 'getMany' | 'getTypes'>;

/** The effects of writes that the store has not carried out. */
export interface PendingWrites {
  /** The assets as the writes leave them, by `_id`; `undefined` for a deleted one. */
  readonly assets: EffectMap<StoredAsset>;
  /** The `_id` of the asset that has a unique value, by the text of the key; `undefined` for a value that was released. */
  readonly holders: EffectMap<string>;
}

/** The part of a `Map` that an overlay needs. */
export interface EffectMap<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value | undefined): void;
}

/** A store with pending writes in front. Everything must be loaded before it is looked up. */
export interface WriteOverlay {
  /** Reads the assets with these `_id`s. */
  loadAssets(ids: readonly string[]): Promise<void>;
  /** Reads the assets that have these unique values. */
  loadHolders(keys: readonly UniqueKey[], signal?: FindRequest['signal']): Promise<void>;
  /** Reads the class names of the assets with these `_id`s. */
  loadTypes(ids: readonly string[]): Promise<void>;
  /** Records the class name of an asset that was read otherwise. */
  recordType(id: string, type: string): void;
  find(id: string): StoredAsset | undefined;
  /** Finds the `_id` of the asset that has a unique value; `undefined` where several have it. */
  findHolder(key: UniqueKey): string | undefined;
  /** Checks whether several assets have a unique value: those of a release may, until it is published. */
  isAmbiguous(key: UniqueKey): boolean;
  /** Finds the class name of an asset. */
  findType(id: string): string | undefined;
  /** Checks whether a pending write changes the asset. */
  isChanged(id: string): boolean;
  /** Checks whether a pending write claims or releases the unique value. */
  isMoved(key: UniqueKey): boolean;
  /** Lays a write over the store, without checking it. */
  put(write: AssetWrite): void;
  /** Does so unless a pending write has given one of its unique values to another asset. Returns whether it did. */
  putUnclaimed(write: AssetWrite): boolean;
  /** Forgets what was read of the assets with these `_id`s and of the holders of the keys with these texts. */
  forget(ids: Iterable<string>, keyTexts: Iterable<string>): void;
  forgetAll(): void;
}

/** Lays pending writes over a store. */
export function createWriteOverlay(
  store: StoreReads,
  { keysOf, pending }: { readonly keysOf: KeysOf; readonly pending: PendingWrites },
): WriteOverlay {
  // An entry is absent until it has been looked up, and `undefined` for what the store does not have.
  const assets = new Map<string, StoredAsset | undefined>();
  const holders = new Map<string, string | undefined>();
  const types = new Map<string, string | undefined>();
  // The assets of each key that several have.
  const rivals = new Map<string, readonly string[]>();

  const isChanged = (id: string) => pending.assets.has(id);
  const isMoved = ({ text }: UniqueKey) => pending.holders.has(text);
  const find = (id: string) => (isChanged(id) ? pending.assets.get(id) : assets.get(id));
  const isAmbiguous = ({ text }: UniqueKey) => findRivals(text).length > 1;

  function findHolder({ text }: UniqueKey): string | undefined {
    if (!rivals.has(text)) return (pending.holders.has(text) ? pending.holders : holders).get(text);
    const [holder, ...others] = findRivals(text);
    return others.length === 0 ? holder : undefined;
  }

  /** Finds the assets that have a key which several had, as the writes leave them. */
  function findRivals(text: string): readonly string[] {
    const stored = rivals.get(text);
    if (!stored) return [];
    return [...new Set([...stored, ...[pending.holders.get(text) ?? []].flat()])].filter((id) => {
      const asset = find(id)?.asset;
      return asset && keysOf(asset).some((key) => key.text === text);
    });
  }

  function findType(id: string): string | undefined {
    const type = find(id)?.asset._type;
    return type === undefined && !isChanged(id) ? types.get(id) : type;
  }

  /** Records an asset of the store. Its unique values lead to it too, also those that were looked up before it existed. */
  function record(stored: StoredAsset): void {
    const { _id: id } = stored.asset;
    assets.set(id, stored);
    for (const { text } of keysOf(stored.asset)) holders.set(text, id);
  }

  async function loadAssets(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !isChanged(id) && !assets.has(id));
    for await (const found of readMany(store, unknown)) for (const stored of found.values()) record(stored);
    for (const id of unknown) if (!assets.has(id)) assets.set(id, undefined);
  }

  async function loadHolders(wanted: readonly UniqueKey[], signal?: FindRequest['signal']): Promise<void> {
    const unknown = wanted.filter((key) => !isMoved(key) && !holders.has(key.text));
    const texts = new Set(unknown.map(({ text }) => text));
    const pages = [...holderSearches(unknown)].map((search) => findWhole(store, { ...search, signal }));
    const found = await Promise.all(pages);
    for (const { text } of unknown) holders.set(text, undefined);
    for (const stored of found.flatMap(({ items }) => items)) {
      for (const { text } of keysOf(stored.asset)) {
        const holder = holders.get(text);
        if (holder !== undefined && holder !== stored.asset._id && texts.has(text))
          rivals.set(text, [...(rivals.get(text) ?? [holder]), stored.asset._id]);
      }
      record(stored);
    }
  }

  async function loadTypes(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !isChanged(id) && !assets.has(id) && !types.has(id));
    if (unknown.length === 0) return;
    const found = await store.getTypes(unknown);
    for (const id of unknown) types.set(id, found.get(id));
  }

  function put(write: AssetWrite, { unlessClaimed = false } = {}): boolean {
    const id = idOfWrite(write);
    const before = find(id)?.asset;
    const after = applyWrite(write, before);
    const claims = after ? keysOf(after.asset) : [];
    const isOwn = (key: UniqueKey) => (findHolder(key) ?? id) === id;
    if (unlessClaimed && claims.some((key) => isMoved(key) && !isOwn(key))) return false;
    // An earlier write of an atomic batch may have given the value to another asset already.
    for (const key of before ? keysOf(before) : []) if (isOwn(key)) pending.holders.set(key.text, undefined);
    for (const { text } of claims) pending.holders.set(text, id);
    pending.assets.set(id, after);
    return true;
  }

  function forget(ids: Iterable<string>, keyTexts: Iterable<string>): void {
    for (const id of ids) {
      assets.delete(id);
      types.delete(id);
    }
    for (const text of keyTexts) {
      holders.delete(text);
      rivals.delete(text);
    }
  }

  function forgetAll(): void {
    for (const known of [assets, holders, types, rivals]) known.clear();
  }

  return {
    loadAssets,
    loadHolders,
    loadTypes,
    find,
    findHolder,
    isAmbiguous,
    findType,
    recordType: (id, type) => void types.set(id, type),
    isChanged,
    isMoved,
    put,
    putUnclaimed: (write) => put(write, { unlessClaimed: true }),
    forget,
    forgetAll,
  };
}

/** Returns the asset as a write leaves it; `undefined` for a deletion, and for a change of an unknown asset. */
export function applyWrite(write: AssetWrite, before: Asset | undefined): StoredAsset | undefined {
  if (write.kind === 'insert') return { asset: write.asset, version: write.version };
  if (write.kind === 'delete' || !before) return undefined;
  const left = { ...before };
  for (const name of write.unset) delete left[name];
  return { asset: { ...left, ...write.set }, version: write.version };
}
