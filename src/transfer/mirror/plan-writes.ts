/**
 * Plans the writes that give assets of a store their wanted states.
 *
 * The order lets assets exchange unique values: deletions come first, then assets release the values that others of the same page claim,
 * then they get their new values.
 */

import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../base/own-members.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { Asset, Json } from '../../model/content-type.ts';
import { isOptionalInKey, type KeysOf, type UniqueKey } from '../../query/unique-values.ts';
import type { AssetWrite } from '../../store/port.ts';

/** The wanted states of assets by `_id`; `undefined` means that there is no such asset. */
export type WantedAssets = ReadonlyMap<string, Asset | undefined>;

/** Plans the writes. `present` has the assets that the store has of those wanted. Assets that are equal already are not written. */
export function planWrites(
  wanted: WantedAssets,
  present: ReadonlyMap<string, Asset>,
  { keysOf, ids }: { keysOf: KeysOf; ids: IdSource },
): AssetWrite[] {
  const deletions: AssetWrite[] = [];
  const changed: { readonly before: Asset; readonly asset: Asset }[] = [];
  const inserts: AssetWrite[] = [];
  for (const [id, asset] of wanted) {
    const before = present.get(id);
    const isReplaced = before !== undefined && before._type !== asset?._type;
    if (isReplaced) deletions.push({ kind: 'delete', id, type: before._type, change: ids.version() });
    if (asset && (isReplaced || !before)) inserts.push({ kind: 'insert', asset, version: ids.version() });
    else if (asset && before && !isDeepStrictEqual(before, asset)) changed.push({ before, asset });
  }
  const claims = new Map<string, string>();
  for (const asset of wanted.values())
    if (asset) for (const { text } of keysOf(asset)) claims.set(text, asset._id);
  const released = new Map<string, readonly string[]>();
  const releases = changed.flatMap(({ before }) => {
    const claimed = keysOf(before).filter(({ text }) => (claims.get(text) ?? before._id) !== before._id);
    if (claimed.length === 0) return [];
    const names = [...new Set(claimed.map(fieldToRelease))];
    released.set(before._id, names);
    return [toPatch(before, {}, names, ids)];
  });
  const patches = changed.map(({ before, asset }) => {
    const isReleased = (name: string) => released.get(asset._id)?.includes(name) === true;
    const set = Object.entries(asset).filter(
      ([name, value]) => isReleased(name) || !isDeepStrictEqual(memberOf(before, name), value),
    );
    const unset = Object.keys(before).filter((name) => !Object.hasOwn(asset, name));
    return toPatch(asset, Object.fromEntries(set), unset, ids);
  });
  return [...deletions, ...releases, ...patches, ...inserts];
}

/** Returns the field without which an asset does not have a key. */
function fieldToRelease({ paths }: UniqueKey): string {
  const path = paths.find((one) => !isOptionalInKey(paths, one));
  if (!path) throw new Error('a key of the site owner alone');
  return path.steps[0]?.name ?? path.text;
}

function toPatch(
  { _id: id, _type: type }: Asset,
  set: Readonly<Record<string, Json>>,
  unset: readonly string[],
  ids: IdSource,
): AssetWrite {
  return { kind: 'patch', id, type, set, unset, version: ids.version() };
}
