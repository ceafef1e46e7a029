/**
 * Chooses under which of its names a field or a class is stored.
 *
 * A former name that the store has recorded stays the stored one, so that processes with the former types read and write the same
 * assets, until a backfill moves the values. Each field is chosen by its own path, because a type may have embedded values of one type
 * from different times.
 */
import { badConfig } from '../../base/errors.ts';
import type { Catalog, Field } from '../../model/content-type.ts';
import type { FieldPath, PathStep } from '../../model/field-path.ts';
import type { MovedFields } from './moved-fields.ts';
import type { RecordedNames } from './recorded-names.ts';

/** A former name that assets of a class may have: the record has neither this name nor the present one. */
export interface Doubt {
  /** A stored class name. */
  readonly type: string;
  readonly path: FieldPath;
}

/** A field of a content type or of an embedded type, in assets of one class. */
export interface FieldPlace {
  /** The stored class name. */
  readonly type: string;
  /** The name of the embedded type; empty for a field of the content type. */
  readonly owner: string;
  /** The recorded steps to the object that has the field. */
  readonly steps: readonly PathStep[];
  /** The first names of the fields around the object, by which a backfill knows them. */
  readonly path: readonly string[];
  /** The names of the fields that the object has, and of those that its type drops. */
  readonly siblings: ReadonlySet<string>;
}

/** The names under which the values of a field are stored. */
export interface FieldNames {
  /** The recorded name, which decides the shape of the type. */
  readonly base: string;
  /** The name by which values are read and searched. */
  readonly reads: string;
  readonly writes: readonly string[];
  /** The names that are neither recorded nor gone: values may have them, now or in a later phase of a backfill. */
  readonly copies: readonly string[];
  /** Former names whose values were removed. Only the change log has them. */
  readonly removed: readonly string[];
  /** The name that a backfill gives, or would give. */
  readonly present: string;
  /** Whether a backfill moves the values. */
  readonly isMoving: boolean;
}

/** Chooses the names of fields for one catalog. */
export interface NameChooser {
  /** Errors: bad_config, when values have names that the type lacks. */
  choose(field: Field, place: FieldPlace): FieldNames;
  readonly doubts: readonly Doubt[];
  /** The recorded former names that were chosen, by owner and field. */
  readonly chosen: ReadonlyMap<string, string>;
}

/** What is known of the names in a store. */
export interface KnownNames {
  readonly recorded: RecordedNames;
  readonly moved: MovedFields;
  /** Whether to go on with types that lack names whose former values are removed: in a process that was started before. */
  readonly isLenient: boolean;
}

/**
 * Creates the chooser. A field in doubt gets a name of `preferred`, those that were chosen elsewhere, so that an interface finds a
 * field under one name in all its types.
 */
export function createNameChooser(
  { recorded, moved, isLenient }: KnownNames,
  preferred: ReadonlyMap<string, string>,
): NameChooser {
  const doubts: Doubt[] = [];
  const chosen = new Map<string, string>();

  function chooseBase(field: Field, place: FieldPlace): string {
    const { type, owner, steps } = place;
    const { name } = field;
    const names = recorded.get(type);
    const pathOf = (one: string) => toPath(field, [...steps, { name: one, list: field.list }]);
    const removedOf = (one: string) => moved.findRemoved(placeOf(place, one));
    const has = (one: string) => names?.has(pathOf(one).text) === true || removedOf(one).length > 0;
    const gone = [name, ...field.formerNames]
      .flatMap(removedOf)
      .filter((one) => !moved.findMoving(placeOf(place, one)));
    const former = field.formerNames.filter((one) => !gone.includes(one));
    if (former.length === 0) return name;
    const found = former.find(has);
    if (found !== undefined) {
      chosen.set(`${owner} ${name}`, found);
      return found;
    }
    if (has(name)) return name;
    doubts.push(...former.map((one) => ({ type, path: pathOf(one) })));
    return former.find((one) => one === preferred.get(`${owner} ${name}`)) ?? name;
  }

  return {
    doubts,
    chosen,
    choose(field, place) {
      const { name } = field;
      if (!isLenient) assertKnown(field, place, moved);
      const base = chooseBase(field, place);
      const moving = moved.findMoving(placeOf(place, base));
      if (moving) {
        const sides = { former: base, present: moving.name };
        return {
          base,
          reads: sides[moving.reads],
          writes: moving.writes.map((side) => sides[side]),
          copies: without([moving.name, name], base),
          removed: [],
          present: moving.name,
          isMoving: true,
        };
      }
      const removed = moved.findRemoved(placeOf(place, base)).filter((one) => !place.siblings.has(one));
      const names = { reads: base, writes: [base], copies: without([name], base) };
      return { base, ...names, removed, present: name, isMoving: false };
    },
  };
}

const placeOf = ({ type, path }: FieldPlace, name: string) => ({ type, path: [...path, name] });

const without = (names: readonly string[], base: string) => [
  ...new Set(names.filter((name) => name !== base)),
];

/** Refuses a field whose values have, or may have, a name that the type does not know. */
function assertKnown({ name, formerNames }: Field, place: FieldPlace, moved: MovedFields): void {
  const own = [name, ...formerNames];
  const path = `${place.type} ${[...place.path, name].join('.')}`;
  const origin = moved.findOrigin(placeOf(place, name));
  if (origin !== undefined && !own.includes(origin)) {
    const directive = `@was(name: ${JSON.stringify(origin)})`;
    const message = `needs ${directive}, because a backfill that is not finished moves values from that name`;
    throw badConfig([{ path, message }]);
  }
  for (const one of own) {
    const present = moved.findReplaced(placeOf(place, one));
    if (present === undefined || own.includes(present)) continue;
    const isGone = moved.findRemoved(placeOf(place, present)).includes(one);
    if (isGone && one === name && place.siblings.has(present)) continue;
    const message = `cannot be served: a backfill has given its values the name ${JSON.stringify(present)}. Serve the types with that name, or run "colophon types backfill --back" with them first`;
    throw badConfig([{ path, message }]);
  }
}

const toPath = ({ type }: Field, steps: readonly PathStep[]): FieldPath => ({
  text: steps.map(({ name }) => name).join('.'),
  steps,
  leaf: type,
});

/**
 * Chooses the stored names of the classes that are stored under a former one, by present name.
 *
 * Errors: bad_config when two classes would be stored under one name.
 */
export function chooseClasses({ types }: Catalog, recorded: RecordedNames): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { class: name, formerClasses } of types.values()) {
    const stored = formerClasses.find((former) => recorded.has(former)) ?? name;
    if (stored !== name) chosen.set(name, stored);
    const other = owners.get(stored);
    if (other !== undefined) throw takenName(name, { stored, other });
    owners.set(stored, name);
  }
  return chosen;
}

/** The error for a class or a field whose stored name already has values of another one. */
export const takenName = (path: string, { stored, other }: { stored: string; other: string }) =>
  badConfig([
    {
      path,
      message: `cannot be stored: the store has the values of ${JSON.stringify(other)} under the name ${JSON.stringify(stored)}`,
    },
  ]);
