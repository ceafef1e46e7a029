/**
 * The writes that bring an asset back to a former state.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Asset, ContentType, Json } from '../../model/content-type.ts';
import type { AssetWrite, StoredAsset } from '../../store/port.ts';
import { findChanges, updateDateField } from './planned-undo.ts';

/** An asset as it is, and as it was. `undefined` means that it does not exist. */
interface Step {
  readonly current: StoredAsset | undefined;
  readonly before: Asset | undefined;
}

/** Makes writes. */
export interface UndoWriter {
  /** Makes the writes that lead from the current state, and from no other, to that before. */
  toWrites(step: Step): readonly AssetWrite[];
}

/** Creates the writer for content types by class name. */
export function createUndoWriter({
  types,
  clock,
  ids,
}: {
  types: ReadonlyMap<string, ContentType>;
  clock: Clock;
  ids: IdSource;
}): UndoWriter {
  function toWrites({ current, before }: Step): readonly AssetWrite[] {
    if (current && before && current.asset._type === before._type) return [toPatch(current, before)];
    return [...(current ? [toDeletion(current)] : []), ...(before ? [toInsertion(before)] : [])];
  }

  function toPatch({ asset, version }: StoredAsset, before: Asset): AssetWrite {
    const changes = findChanges({ now: asset, past: before });
    return {
      kind: 'patch',
      id: asset._id,
      type: asset._type,
      set: Object.fromEntries([
        ...changes.flatMap(({ path, to }): [string, Json][] => (to === undefined ? [] : [[path, to]])),
        ...dateOf(asset._type),
      ]),
      unset: changes.flatMap(({ path, to }) => (to === undefined ? [path] : [])),
      version: ids.version(),
      ifVersion: version,
    };
  }

  const toDeletion = ({ asset: { _id: id, _type: type }, version }: StoredAsset): AssetWrite => ({
    kind: 'delete',
    id,
    type,
    change: ids.version(),
    ifVersion: version,
  });

  const toInsertion = (before: Asset): AssetWrite => ({
    kind: 'insert',
    asset: { ...before, ...Object.fromEntries(dateOf(before._type)) },
    version: ids.version(),
  });

  const dateOf = (type: string): [string, Json][] =>
    types.get(type)?.fields.has(updateDateField) ? [[updateDateField, clock.nowMs()]] : [];

  return { toWrites };
}
