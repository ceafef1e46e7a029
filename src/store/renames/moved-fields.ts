/**
 * Finds the renamed fields of a backfill by where they are stored.
 */
import type { BackfillState, RenamedField } from '../backfill-calls.ts';
import { finishedFields, movingFields, type NameUse, nameUses, replacedFields } from './backfill-phases.ts';

/** Where a field may be: a stored class, and the first names of the fields around it and of the field. */
export interface StoredPlace {
  readonly type: string;
  readonly path: readonly string[];
}

/** What a backfill has done, or does, with the fields of a store. */
export interface MovedFields {
  /** Finds the present name of a field that is being moved, and which names are in use. */
  findMoving(place: StoredPlace): (NameUse & { readonly name: string }) | undefined;
  /** Finds the former name of a field that is being moved to this name, and whose former values are not removed yet. */
  findOrigin(place: StoredPlace): string | undefined;
  /** Finds the name of a field whose values under this former name were removed, or are being removed. */
  findReplaced(place: StoredPlace): string | undefined;
  /** Finds the former names, whose values were removed, of a field with this name. */
  findRemoved(place: StoredPlace): readonly string[];
}

const keyOf = ({ type, path }: StoredPlace) => JSON.stringify([type, path]);

/** Prepares the search in the state of a backfill; without a state nothing was moved. */
export function createMovedFields(state: BackfillState | undefined): MovedFields {
  const moving = state ? movingFields(state) : [];
  const finished = state ? finishedFields(state) : [];
  const names = new Map(moving.map((field) => [keyOf(field), field.name]));
  const origins = new Map(
    state?.phase === 'removed'
      ? []
      : moving.map((field) => [keyOf(presentPlaceOf(field)), field.path.at(-1)]),
  );
  const replaced = new Map((state ? replacedFields(state) : []).map((field) => [keyOf(field), field.name]));
  const removed = new Map<string, string[]>();
  for (const field of finished) {
    const key = keyOf(presentPlaceOf(field));
    removed.set(key, [...(removed.get(key) ?? []), ...field.path.slice(-1)]);
  }

  function findRemoved(place: StoredPlace): readonly string[] {
    const names = removed.get(keyOf(place)) ?? [];
    return [...names, ...names.flatMap((name) => findRemoved(withName(place, name)))];
  }

  return {
    findMoving(place) {
      const name = names.get(keyOf(place));
      return name === undefined || !state ? undefined : { name, ...nameUses[state.phase] };
    },
    findOrigin: (place) => origins.get(keyOf(place)),
    findReplaced: (place) => replaced.get(keyOf(place)),
    findRemoved,
  };
}

const presentPlaceOf = (field: RenamedField): StoredPlace => withName(field, field.name);

const withName = ({ type, path }: StoredPlace, name: string): StoredPlace => ({
  type,
  path: [...path.slice(0, -1), name],
});
