/**
 * Converts assets and what stores return with them, between stored and present names.
 */

import type { Asset, JsonObject } from '../../model/content-type.ts';
import type { ChangeEntry, ChangeLog } from '../changes.ts';
import type { AssetPatch, AssetWrite, StoredAsset, StoredText } from '../port.ts';
import {
  type RenamedType,
  toPresentMembers,
  toStoredMembers,
  withClass,
  withFallbacks,
} from './renamed-members.ts';
import type { Renames } from './renames.ts';

/** Converts what goes into a store and what comes out. What is of a type that is stored as it is shown is returned as it is. */
interface AssetConverter {
  toStored(asset: Asset): Asset;
  toStoredPatch(patch: AssetPatch): AssetPatch;
  toStoredWrite(write: AssetWrite): AssetWrite;
  toPresent(asset: Asset): Asset;
  toPresentStored(stored: StoredAsset): StoredAsset;
  toPresentText(text: StoredText): StoredText;
  toPresentEntry<Entry extends ChangeEntry>(entry: Entry): Entry;
}

/** Creates the converter of a catalog. */
export function createAssetConverter(renames: Renames): AssetConverter {
  const { types, byStoredClass, toStoredClass, toPresentClass } = renames;

  function storeMembers<Members extends JsonObject>(
    members: Members,
    { members: names }: RenamedType,
  ): Members {
    // Safe: `_id` and `_type` are no fields, so an asset stays one.
    return withClass(toStoredMembers(members, names, toStoredClass), toStoredClass) as Members;
  }

  function showMembers<Members extends JsonObject>(
    members: Members,
    { members: names }: RenamedType,
  ): Members {
    // Safe: as above.
    return withClass(toPresentMembers(members, names, toPresentClass), toPresentClass) as Members;
  }

  function showWhole<Members extends JsonObject>(members: Members, type: RenamedType): Members {
    // Safe: as above.
    return withFallbacks(showMembers(members, type), type.members) as Members;
  }

  function toStored(asset: Asset): Asset {
    const type = types.get(asset._type);
    return type ? storeMembers(asset, type) : asset;
  }

  function toStoredPatch(patch: AssetPatch): AssetPatch {
    const type = types.get(patch.type);
    if (!type) return patch;
    const { byName, removed } = type.members;
    const removedNames = new Map([...removed].map(([storedName, name]) => [name, storedName]));
    const unset = patch.unset.map((name) => byName.get(name)?.storedName ?? removedNames.get(name) ?? name);
    return { ...patch, type: type.stored.class, set: storeMembers(patch.set, type), unset };
  }

  function toStoredWrite(write: AssetWrite): AssetWrite {
    switch (write.kind) {
      case 'insert':
        return { ...write, asset: toStored(write.asset) };
      case 'patch':
        return { ...write, ...toStoredPatch(write) };
      case 'delete':
        return { ...write, type: toStoredClass(write.type) };
    }
  }

  function toPresent(asset: Asset): Asset {
    const type = byStoredClass.get(asset._type);
    return type ? showWhole(asset, type) : asset;
  }

  return {
    toStored,
    toStoredPatch,
    toStoredWrite,
    toPresent,
    toPresentStored: (stored) => ({ ...stored, asset: toPresent(stored.asset) }),
    toPresentText({ shape, ...stored }) {
      const type = byStoredClass.get(stored.type);
      if (!type) return { ...stored, ...(shape !== undefined && { shape }) };
      const fits = shape === type.storedShape;
      if (fits && !type.isRenamed) return { ...stored, shape };
      // Safe: the text of an asset is that of an object.
      const text = JSON.stringify(showWhole(JSON.parse(stored.text) as JsonObject, type));
      return { ...stored, type: type.present.class, text, ...(fits && { shape: type.shape }) };
    },
    toPresentEntry(entry) {
      const type = byStoredClass.get(entry.type);
      if (!type) return entry;
      const { byStoredName, dropped, removed } = type.members;
      const changed = entry.changed
        .filter((name) => !dropped.has(name))
        .map((name) => byStoredName.get(name)?.name ?? removed.get(name) ?? name);
      const show = entry.action === 'delete' ? showWhole : showMembers;
      const before = entry.before && { before: show(entry.before, type) };
      return { ...entry, type: type.present.class, changed, ...before };
    },
  };
}

export function createRenamedChanges(
  log: ChangeLog,
  { toStoredClass }: Renames,
  converter: AssetConverter,
): ChangeLog {
  return {
    ...log,
    async read({ filter, ...request }) {
      const types = filter?.types && { types: filter.types.map(toStoredClass) };
      const page = await log.read({ ...request, ...(filter && { filter: { ...filter, ...types } }) });
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async history(request) {
      const page = await log.history(request);
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async stateOf(asset, moment, caller) {
      const state = await log.stateOf(asset, moment, caller);
      return state.kind === 'exists' ? { ...state, asset: converter.toPresent(state.asset) } : state;
    },
    append: (event, origin) => log.append({ ...event, type: toStoredClass(event.type) }, origin),
    erase: ({ type, ...erasure }, origin) =>
      log.erase({ ...erasure, ...(type !== undefined && { type: toStoredClass(type) }) }, origin),
  };
}
