/**
 * The differences between the names of a catalog and those in a store, and the catalog with the stored names.
 */
import { createCatalog } from '../../model/catalog.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import { readCondition, writeCondition } from '../../query/conditions.ts';
import { type AmbiguousField, chooseClasses, createNameChooser } from './choose-names.ts';
import type { RecordedNames } from './recorded-names.ts';
import type { RenameClass, RenamedType } from './renamed-members.ts';
import { type StoredNames, toStoredPredicate } from './renamed-paths.ts';
import { toStoredType } from './stored-fields.ts';

/** How the names of a catalog differ from those in a store. */
export interface Renames {
  /** The catalog with the stored names. */
  readonly stored: Catalog;
  /** The types whose assets are not stored as they are shown, by present class name. */
  readonly types: ReadonlyMap<string, RenamedType>;
  /** The same types by stored class name. */
  readonly byStoredClass: ReadonlyMap<string, RenamedType>;
  readonly toStoredClass: RenameClass;
  readonly toPresentClass: RenameClass;
  /** The record of the store, with the names of the catalog. */
  readonly names: RecordedNames;
  readonly ambiguous: readonly AmbiguousField[];
}

/**
 * Builds the renames of a catalog for a store with this record.
 *
 * Errors: bad_config when two classes or two fields would be stored under one name.
 */
export function createRenames(catalog: Catalog, recorded: RecordedNames): Renames {
  const storedClasses = chooseClasses(catalog, recorded);
  const toStoredClass = (name: string) => storedClasses.get(name) ?? name;
  const chooser = createNameChooser(recorded);
  const types = [...catalog.types.values()];
  const named = types.map((type) =>
    toStoredType(type, {
      chooser,
      toStoredClass,
      related: (field) => classesWith(field, type, catalog).map(toStoredClass),
    }),
  );
  const membersOf = new Map(
    named.flatMap((type) => (type.isChanged ? [[type.present.class, type] as const] : [])),
  );
  const all = named.map((type) => withStoredConditions({ types: membersOf, toStoredClass }, type));
  const renamed = all.flatMap(({ isChanged, ...type }) => (isChanged ? [type] : []));
  const present = new Map(
    types.flatMap(({ class: name, formerClasses }) => formerClasses.map((former) => [former, name] as const)),
  );
  return {
    stored: createCatalog([...all.map(({ stored }) => stored), ...catalog.interfaces.values()]),
    types: new Map(renamed.map((type) => [type.present.class, type])),
    byStoredClass: new Map(renamed.map((type) => [type.stored.class, type])),
    toStoredClass,
    toPresentClass: (name) => present.get(name) ?? name,
    names: chooser.record(),
    ambiguous: chooser.ambiguous,
  };
}

/** Converts the conditions of the keys of a type to stored names. */
function withStoredConditions<Type extends RenamedType>(
  names: StoredNames,
  { present, stored, ...type }: Type,
) {
  const conditionalKeys = stored.conditionalKeys.map((key) => {
    const { predicate } = readCondition(key.condition);
    return { ...key, condition: writeCondition(toStoredPredicate(names, [present.class], predicate)) };
  });
  return { ...type, present, stored: { ...stored, conditionalKeys } };
}

/** Returns the other types that have a field from an interface of this one. */
function classesWith(
  field: string,
  { class: own, interfaces }: ContentType,
  catalog: Catalog,
): readonly string[] {
  const shared = interfaces.flatMap((name) => catalog.interfaces.get(name) ?? []);
  return shared
    .filter(({ fields }) => fields.has(field))
    .flatMap((one) => catalog.concrete(one))
    .filter((name) => name !== own);
}
