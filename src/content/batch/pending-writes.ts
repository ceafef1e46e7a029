/**
 * The writes of a batch that the store has not carried out yet.
 *
 * A batch of independent operations marks them as pending: an operation on a pending asset waits until it is written and read
 * again. A transactional batch applies them at once, since either all are carried out or none.
 */

import type { Asset } from '../../model/content-type.ts';
import type { UniqueKey } from '../../query/unique-values.ts';
import { type AssetWrite, idOfWrite, type StoredAsset, typeOfWrite } from '../../store/port.ts';
import { type BatchAssets, idOf, recordAsset } from './batch-assets.ts';
import type { Target } from './read-operations.ts';

/** Marks a write as pending. */
export function markPending(assets: BatchAssets, write: AssetWrite): void {
  assets.pendingTypes.set(idOfWrite(write), write.kind === 'delete' ? null : typeOfWrite(write));
  const { released, claimed } = keysOf(assets, write);
  for (const { text } of released) assets.pendingKeys.set(text, null);
  for (const { text } of claimed) assets.pendingKeys.set(text, idOfWrite(write));
}

/** Checks whether a pending write changes the target, or the unique value that identifies it. */
export function isPending(assets: BatchAssets, target: Target): boolean {
  if (target.kind === 'new') return false;
  const id = idOf(assets, target);
  return (
    (target.kind === 'key' && assets.pendingKeys.has(target.key.text)) ||
    (id !== undefined && assets.pendingTypes.has(id))
  );
}

/**
 * Checks whether references that name assets by these keys must wait for a pending write. If targets need not exist, only the release
 * of a key matters: the asset that claims one has its `_id` already.
 */
export function areNamedPending(
  { pendingKeys }: BatchAssets,
  named: readonly UniqueKey[],
  { isChecked }: { isChecked: boolean },
): boolean {
  if (pendingKeys.size === 0) return false;
  return named.some(({ text }) => (isChecked ? pendingKeys.has(text) : pendingKeys.get(text) === null));
}

/** Finds the asset that a reference names by a key: as the pending writes will leave it. */
export function findNamed({ named, pendingKeys }: BatchAssets, { text }: UniqueKey): string | undefined {
  const pending = pendingKeys.get(text);
  return pending === undefined ? named.get(text) : (pending ?? undefined);
}

/** Forgets the assets of pending writes, so that the next load reads them from the store. */
export function forgetPending({ byId, owners, types, named, pendingTypes, pendingKeys }: BatchAssets): void {
  for (const id of pendingTypes.keys()) {
    byId.delete(id);
    types.delete(id);
  }
  for (const text of pendingKeys.keys()) {
    owners.delete(text);
    named.delete(text);
  }
  pendingTypes.clear();
  pendingKeys.clear();
}

/** Marks a write as applied, so that later operations of the batch see its result. */
export function markApplied(assets: BatchAssets, write: AssetWrite): void {
  const id = idOfWrite(write);
  const { released, claimed } = keysOf(assets, write);
  for (const { text } of released) {
    assets.owners.set(text, undefined);
    assets.named.set(text, undefined);
  }
  // A caller who may write an asset may see it.
  for (const { text } of claimed) assets.named.set(text, id);
  const after = applyWrite(write, assets.byId.get(id)?.asset);
  recordAsset(assets, id, after);
  assets.types.set(id, after?.asset._type);
}

/** Returns the asset as a write leaves it; `undefined` for a deletion, and for a change of an unknown asset. */
export function applyWrite(write: AssetWrite, before: Asset | undefined): StoredAsset | undefined {
  if (write.kind === 'insert') return write;
  if (write.kind === 'delete' || !before) return undefined;
  const kept = Object.entries(before).filter(([name]) => !write.unset.includes(name));
  const { _id, _type } = before;
  return { asset: { _id, _type, ...Object.fromEntries(kept), ...write.set }, version: write.version };
}

/** Lists the unique keys that a write releases, at least for a moment, and those that it claims. */
function keysOf(
  { byId, keys }: BatchAssets,
  write: AssetWrite,
): { released: readonly UniqueKey[]; claimed: readonly UniqueKey[] } {
  const type = typeOfWrite(write);
  const before = byId.get(idOfWrite(write))?.asset;
  const changed = write.kind === 'patch' ? [...Object.keys(write.set), ...write.unset] : undefined;
  const released = (before ? keys.of(type, before) : []).filter(
    ({ path }) => changed === undefined || changed.includes(path.text),
  );
  const after = write.kind === 'insert' ? write.asset : write.kind === 'patch' ? write.set : {};
  return { released, claimed: keys.of(type, after) };
}
