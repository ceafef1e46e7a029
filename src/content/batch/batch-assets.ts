/**
 * What a batch knows of the store: the assets that its operations are of, and what their references lead to.
 *
 * It is read for all operations at once. What the batch is about to write is touched: it has to be written, and is then read
 * again, before an operation looks at it.
 */
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { UniqueKey } from '../../query/unique-values.ts';
import { type AssetWrite, type ContentStore, idOfWrite, typeOfWrite } from '../../store/port.ts';
import type { PresentAsset } from '../prepare-write.ts';
import { type Caller, isVisible } from '../reading/find-assets.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';
import type { ReadOperation, Target } from './read-operations.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** What operations need to be known; `createIds` are the identifiers that creates would give. */
export interface Needs {
  readonly operations: readonly ReadOperation[];
  readonly createIds?: readonly string[];
  readonly allVersions: boolean;
}

/** The view of one batch. */
export interface BatchView {
  /** Reads what is not known yet, in a number of calls that does not depend on the number of operations. */
  load(needs: Needs): Promise<void>;
  /** The asset that an operation is of, if it is there for the caller. */
  find(target: Target): PresentAsset | undefined;
  /** Whether there is such an asset, also one that is not there for the caller. */
  isTaken(target: Target): boolean;
  /** The class name of an asset that a loaded operation refers to, if there is one. */
  typeOf(id: string): string | undefined;
  /** Notes what a write is about to change. */
  touch(write: AssetWrite): void;
  /** Whether the asset of an operation, or what tells which one it is, is about to change. */
  isTouched(target: Target): boolean;
  /** What an asset is about to be: a class name, or null for one that is about to go; `undefined` when it is not touched. */
  touchedType(id: string): string | null | undefined;
  /** Forgets what has been touched, for it is written. */
  forgetTouched(): void;
  /** Takes a write for done. */
  assume(write: AssetWrite): void;
  forgetAll(): void;
}

/** Makes the view for one caller. */
export function createBatchView({
  store,
  catalog,
  keys,
  caller,
}: {
  store: ContentStore;
  catalog: Catalog;
  keys: UniqueKeys;
  caller: Caller;
}): BatchView {
  const assets = new Map<string, PresentAsset | undefined>();
  const owners = new Map<string, string | undefined>();
  const types = new Map<string, string | undefined>();
  const touchedTypes = new Map<string, string | null>();
  const touchedKeys = new Set<string>();
  let hasTouched = false;

  async function load({ operations, createIds = [], allVersions }: Needs): Promise<void> {
    await loadOwners(operations.flatMap(({ target }) => (target.kind === 'key' ? [target.key] : [])));
    const wanted = new Set(createIds.filter((id) => !assets.has(id)));
    for (const { target, ifVersions } of operations) {
      const id = idOf(target);
      const isKnown =
        id === undefined || (assets.has(id) && (!(ifVersions || allVersions) || hasVersion(id)));
      if (!isKnown) wanted.add(id);
    }
    await Promise.all([
      loadAssets([...wanted]),
      loadTypes(operations.flatMap(({ referenced }) => referenced.filter((id) => !types.has(id)))),
    ]);
  }

  const hasVersion = (id: string) => {
    const present = assets.get(id);
    return present === undefined || present.version !== undefined;
  };

  async function loadOwners(wanted: readonly UniqueKey[]): Promise<void> {
    const unknown = new Map(wanted.filter(({ text }) => !owners.has(text)).map((key) => [key.text, key]));
    const byField = Map.groupBy(unknown.values(), ({ type, path }) => `${type} ${path.text}`);
    await Promise.all([...byField.values()].map(loadOwnersOfField));
  }

  async function loadOwnersOfField(wanted: readonly UniqueKey[]): Promise<void> {
    const [first] = wanted;
    if (!first) return;
    const { type, path } = first;
    const where = {
      kind: 'equals',
      path,
      values: wanted.map(({ value }) => value),
      ignoreCase: false,
    } as const;
    // A caller who hangs up ends the search, but only before anything is written.
    const signal = hasTouched ? {} : pickSignal(caller);
    const page = { types: [type], where, offset: 0, limit: wanted.length, withCount: false, ...signal };
    const { items } = await findWhole(store, page);
    for (const { text } of wanted) owners.set(text, undefined);
    for (const asset of items) learn(asset._id, { asset });
  }

  async function loadAssets(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const absent = new Set(ids);
    for await (const found of readMany(store, ids)) {
      for (const [id, present] of found) {
        learn(id, present);
        absent.delete(id);
      }
    }
    for (const id of absent) learn(id, undefined);
  }

  /** What is found by its identifier is found by its unique values too, though it was not there when those were looked up. */
  function learn(id: string, present: PresentAsset | undefined): void {
    assets.set(id, present);
    if (present) for (const { text } of keys.of(present.asset._type, present.asset)) owners.set(text, id);
  }

  async function loadTypes(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await store.getTypes([...new Set(ids)]);
    for (const id of ids) types.set(id, found.get(id));
  }

  function idOf(target: Target): string | undefined {
    if (target.kind === 'new') return undefined;
    return target.kind === 'id' ? target.id : owners.get(target.key.text);
  }

  function find(target: Target): PresentAsset | undefined {
    const id = idOf(target);
    const present = id === undefined ? undefined : assets.get(id);
    const isThere = present && catalog.types.has(present.asset._type) && isVisible(present.asset, caller);
    return isThere ? present : undefined;
  }

  function touch(write: AssetWrite): void {
    hasTouched = true;
    touchedTypes.set(idOfWrite(write), write.kind === 'delete' ? null : typeOfWrite(write));
    for (const { text } of keysOf(write)) touchedKeys.add(text);
  }

  /** The unique values that a write takes or gives up. */
  function keysOf(write: AssetWrite): UniqueKey[] {
    const type = typeOfWrite(write);
    const before = assets.get(idOfWrite(write))?.asset;
    const after = write.kind === 'insert' ? write.asset : write.kind === 'patch' ? write.set : {};
    return [...(before ? keys.of(type, before) : []), ...keys.of(type, after)];
  }

  function forgetTouched(): void {
    for (const id of touchedTypes.keys()) {
      assets.delete(id);
      types.delete(id);
    }
    for (const text of touchedKeys) owners.delete(text);
    touchedTypes.clear();
    touchedKeys.clear();
  }

  function assume(write: AssetWrite): void {
    const id = idOfWrite(write);
    for (const { text } of keysOf(write)) owners.set(text, undefined);
    const after = applyWrite(write, assets.get(id)?.asset);
    learn(id, after);
    types.set(id, after?.asset._type);
  }

  return {
    load,
    find,
    isTaken(target) {
      const id = idOf(target);
      return id !== undefined && assets.get(id) !== undefined;
    },
    typeOf: (id) => types.get(id),
    touch,
    isTouched(target) {
      if (target.kind === 'new') return false;
      const id = idOf(target);
      return (
        (target.kind === 'key' && touchedKeys.has(target.key.text)) ||
        (id !== undefined && touchedTypes.has(id))
      );
    },
    touchedType: (id) => touchedTypes.get(id),
    forgetTouched,
    assume,
    forgetAll() {
      for (const known of [assets, owners, types]) known.clear();
    },
  };
}

const pickSignal = ({ signal }: Caller) => (signal ? { signal } : {});

/** What an asset is after a write, as far as it was known before. */
export function applyWrite(write: AssetWrite, before: Asset | undefined): PresentAsset | undefined {
  if (write.kind === 'insert') return write;
  if (write.kind === 'delete' || !before) return undefined;
  const kept = Object.entries(before).filter(([name]) => !write.unset.includes(name));
  const { _id, _type } = before;
  return { asset: { _id, _type, ...Object.fromEntries(kept), ...write.set }, version: write.version };
}
