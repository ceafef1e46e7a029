/**
 * Loads the assets of a batch: one search for each unique field (of 500 values for the
 * targets of references), one read by `_id`, one read of the types of referenced assets.
 * What is known already is not read again.
 */
import type { UniqueKey } from '../../query/unique-values.ts';
import { readBase } from '../merge-changes.ts';
import { findNamedAssets } from '../named-references.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';
import { type BatchAssets, baseKey, findAsset, idOf, recordAsset } from './batch-assets.ts';
import type { ReadOperation } from './read-operations.ts';

/** Operations whose assets must be loaded before they are planned. */
export interface Needs {
  readonly operations: readonly ReadOperation[];
  /** The `_id`s that creating operations would assign. */
  readonly createIds?: readonly string[];
}

/** Loads what operations need and the batch does not know yet. Errors: the store's. */
export async function loadAssets(assets: BatchAssets, needs: Needs): Promise<void> {
  const { operations } = needs;
  // Owners and named targets come first, since they say which assets to read.
  await loadOwners(
    assets,
    operations.flatMap(({ target }) => (target.kind === 'key' ? [target.key] : [])),
  );
  await loadNamed(
    assets,
    operations.flatMap(({ named }) => named),
  );
  await Promise.all([
    loadById(assets, findMissing(assets, needs)),
    loadTypes(
      assets,
      operations.flatMap((operation) => targetsOf(assets, operation).filter((id) => !assets.types.has(id))),
    ),
  ]);
  await loadBases(assets, operations);
}

/** Loads the states that updates are based on; most are the present ones. */
async function loadBases(assets: BatchAssets, operations: readonly ReadOperation[]): Promise<void> {
  const past: { id: string; version: string }[] = [];
  for (const { target, baseVersion: version } of operations) {
    const present = findAsset(assets, target);
    if (!present || version === undefined) continue;
    const { _id: id } = present.asset;
    if (present.version === version) assets.bases.set(baseKey(id, version), present.asset);
    else if (!assets.bases.has(baseKey(id, version))) past.push({ id, version });
  }
  for (let start = 0; start < past.length; start += basesAtOnce) {
    const load = async (one: { id: string; version: string }) =>
      void assets.bases.set(baseKey(one.id, one.version), await readBase(assets.store, one));
    await Promise.all(past.slice(start, start + basesAtOnce).map(load));
  }
}

/** How many past states are read at the same time. */
const basesAtOnce = 8;

/** Finds the `_id`s that have not been looked up. */
function findMissing(assets: BatchAssets, { operations, createIds = [] }: Needs): string[] {
  const ids = operations.flatMap(({ target }) => idOf(assets, target) ?? []);
  return [...new Set([...createIds, ...ids])].filter((id) => !assets.byId.has(id));
}

async function loadOwners(assets: BatchAssets, wanted: readonly UniqueKey[]): Promise<void> {
  const unknown = new Map(
    wanted.filter(({ text }) => !assets.owners.has(text)).map((key) => [key.text, key]),
  );
  const byField = Map.groupBy(unknown.values(), ({ type, path }) => `${type} ${path.text}`);
  await Promise.all([...byField.values()].map((keys) => loadOwnersOfField(assets, keys)));
}

async function loadOwnersOfField(assets: BatchAssets, wanted: readonly UniqueKey[]): Promise<void> {
  const [first] = wanted;
  if (!first) return;
  const { type, path } = first;
  const values = wanted.map(({ value }) => value);
  const where = { kind: 'equals', path, values, ignoreCase: false } as const;
  const { signal } = assets.caller;
  const page = { types: [type], where, offset: 0, limit: wanted.length, withCount: false };
  const { items } = await findWhole(assets.store, { ...page, signal });
  for (const { text } of wanted) assets.owners.set(text, undefined);
  for (const stored of items) recordAsset(assets, stored.asset._id, stored);
}

/** Lists the `_id`s that an operation may reference. */
function targetsOf(assets: BatchAssets, { referenced, named }: ReadOperation): string[] {
  return [...referenced, ...named.flatMap(({ text }) => assets.named.get(text) ?? [])];
}

async function loadNamed(assets: BatchAssets, wanted: readonly UniqueKey[]): Promise<void> {
  const unknown = [...new Map(wanted.map((key) => [key.text, key])).values()].filter(
    ({ text }) => !assets.named.has(text),
  );
  const found = await findNamedAssets(unknown, assets);
  for (const { text, type } of unknown) {
    const id = found.get(text);
    assets.named.set(text, id);
    if (id !== undefined) assets.types.set(id, type);
  }
}

async function loadById(assets: BatchAssets, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const absent = new Set(ids);
  for await (const found of readMany(assets.store, ids)) {
    for (const [id, present] of found) {
      recordAsset(assets, id, present);
      absent.delete(id);
    }
  }
  for (const id of absent) recordAsset(assets, id, undefined);
}

async function loadTypes({ store, types }: BatchAssets, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await store.getTypes([...new Set(ids)]);
  for (const id of ids) types.set(id, found.get(id));
}
