/**
 * Chooses the name under which a field or a class is stored: the one that the store has recorded for any of its names, and for a new
 * field the present one.
 *
 * Each field is chosen by its own path, so an embedded type may have another name, and other fields, at each place.
 */
import { badConfig } from '../../base/errors.ts';
import type { Catalog, Field } from '../../model/content-type.ts';
import type { FieldPath, PathStep } from '../../model/field-path.ts';
import { pathWithin, type RecordedNames } from './recorded-names.ts';

/** A field whose names the store has recorded as those of several fields: `@was` came later than the first start with the new name. */
export interface AmbiguousField {
  /** The stored class name. */
  readonly type: string;
  readonly field: Field;
  /** The recorded paths, that of the latest name first. */
  readonly paths: readonly string[];
  /** The same as paths of predicates. */
  readonly fields: readonly FieldPath[];
}

/** Where a field is: in a content type, or in an embedded value of it. */
export interface FieldPlace {
  /** The stored class name. */
  readonly type: string;
  readonly steps: readonly PathStep[];
  /** The names of the fields that the object has, and of those that its type drops. */
  readonly siblings: ReadonlySet<string>;
  /** Returns the stored names of the classes that have the field, or the one around it, from an interface of this class. */
  readonly related: () => readonly string[];
}

/** Chooses the stored names of fields, and records all names. */
export type NameChooser = ReturnType<typeof createNameChooser>;

export function createNameChooser(recorded: RecordedNames) {
  const index = indexNames(recorded);
  const names = new Map([...recorded].map(([type, fields]) => [type, new Map(fields)]));
  const ambiguous: AmbiguousField[] = [];
  /** Finds the stored name of what was once a field with this name. */
  const find = (name: string, { type, steps }: Pick<FieldPlace, 'type' | 'steps'>) =>
    index.get(type)?.get(pathOf(steps))?.byName.get(name);

  function findElsewhere(all: readonly string[], { siblings, related, ...place }: FieldPlace) {
    const isFree = (name: string) => !siblings.has(name) && find(name, place) === undefined;
    return related()
      .flatMap((type) => all.map((name) => find(name, { ...place, type })))
      .find((name) => name !== undefined && isFree(name));
  }

  return {
    ambiguous,
    find,
    /** Returns the recorded fields at a place: their last names by stored name. */
    list: ({ type, steps }: Pick<FieldPlace, 'type' | 'steps'>): ReadonlyMap<string, string> =>
      index.get(type)?.get(pathOf(steps))?.lastNames ?? new Map(),
    /** Returns the record with the names of the chosen fields. */
    record: (): RecordedNames => names,
    /** Returns the stored name of a field, and adds its names to the record. */
    choose(field: Field, place: FieldPlace) {
      const { name, formerNames } = field;
      const { type, steps } = place;
      const all = [name, ...formerNames];
      const found = [...new Set(all.flatMap((one) => find(one, place) ?? []))];
      const [latest, former] = found;
      if (former !== undefined) {
        const fields = found.map((one) => toPath(field, [...steps, { name: one, list: field.list }]));
        const paths = found.map((one) => pathWithin(pathOf(steps), one));
        ambiguous.push({ type, field, paths, fields });
      }
      const stored = former ?? latest ?? findElsewhere(all, place) ?? name;
      const path = pathWithin(pathOf(steps), stored);
      const ofType = names.get(type) ?? new Map<string, readonly string[]>();
      names.set(type, ofType);
      const before = ofType.get(path) ?? [stored];
      ofType.set(path, [...new Set([...before, ...formerNames.toReversed(), name])]);
      return stored;
    },
  };
}

/** The recorded fields at one place. */
interface PlaceNames {
  readonly byName: Map<string, string>;
  readonly lastNames: Map<string, string>;
}

/** Indexes a record by class and by the path of the object that has the fields. */
function indexNames(recorded: RecordedNames): ReadonlyMap<string, ReadonlyMap<string, PlaceNames>> {
  const index = new Map<string, Map<string, PlaceNames>>();
  for (const [type, fields] of recorded) {
    const places = new Map<string, PlaceNames>();
    index.set(type, places);
    for (const [path, names] of fields) {
      const end = path.lastIndexOf('/');
      const parent = path.slice(0, Math.max(0, end));
      const stored = path.slice(end + 1);
      const place = places.get(parent) ?? { byName: new Map(), lastNames: new Map() };
      places.set(parent, place);
      for (const name of names) place.byName.set(name, stored);
      place.lastNames.set(stored, names.at(-1) ?? stored);
    }
  }
  return index;
}

const pathOf = (steps: readonly PathStep[]) => steps.map(({ name }) => name).join('/');

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
  const storedNames = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { class: name, formerClasses } of types.values()) {
    const stored = formerClasses.find((former) => recorded.has(former)) ?? name;
    if (stored !== name) storedNames.set(name, stored);
    const other = owners.get(stored);
    if (other !== undefined) throw takenName(name, { stored, other });
    owners.set(stored, name);
  }
  return storedNames;
}

/** The error for a class or a field whose stored name already has values of another one. */
export const takenName = (path: string, { stored, other }: { stored: string; other: string }) =>
  badConfig([
    {
      path,
      message: `cannot be stored: the store has the values of ${JSON.stringify(other)} under the name ${JSON.stringify(stored)}`,
    },
  ]);
