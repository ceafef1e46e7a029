/**
 * The differences between the names of a catalog and those in a store, and the catalog with the stored names.
 */
import { createCatalog } from '../../model/catalog.ts';
import type { Catalog } from '../../model/content-type.ts';
import { shapeOf } from '../../model/types/type-shape.ts';
import type { BackfillPhase, RenamedField } from '../backfill-calls.ts';
import {
  chooseClasses,
  createNameChooser,
  type Doubt,
  type KnownNames,
  type NameChooser,
} from './choose-names.ts';
import { createMovedFields } from './moved-fields.ts';
import type { StoredNames } from './recorded-names.ts';
import type { RenameClass, RenamedType } from './renamed-members.ts';
import { type FoundFields, storeType } from './stored-fields.ts';

/** How the names of a catalog differ from those in a store. */
export interface Renames {
  /** The catalog with the stored names. Where a backfill may move values, it has a field for each name, all but one marked as copies. */
  readonly stored: Catalog;
  /** The types whose assets are not stored as they are shown, by present class name. */
  readonly types: ReadonlyMap<string, RenamedType>;
  /** The same types by stored class name. */
  readonly byStoredClass: ReadonlyMap<string, RenamedType>;
  readonly toStoredClass: RenameClass;
  readonly toPresentClass: RenameClass;
  readonly doubts: readonly Doubt[];
  /** The fields that are stored under a former name, and that no backfill has begun to move. */
  readonly movable: readonly RenamedField[];
  /** The fields that a backfill moves. */
  readonly moving: readonly RenamedField[];
  /** Those of them that the types know under their former names only. */
  readonly formerOnly: readonly RenamedField[];
}

/** How strict to be. */
export interface RenamesOptions {
  /** Whether to go on with types that lack names whose former values are removed: in a process that was started before. */
  readonly isLenient?: boolean;
}

/**
 * Builds the renames of a catalog for a store.
 *
 * Errors: bad_config when two classes or two fields would be stored under one name, or when the values of a field have got a name by a
 * backfill that its type lacks.
 */
export function createRenames(
  catalog: Catalog,
  { names, backfill }: StoredNames,
  { isLenient = false }: RenamesOptions = {},
): Renames {
  const renames = buildRenames(catalog, { recorded: names, moved: createMovedFields(backfill), isLenient });
  if (!backfill) return renames;
  const fields = [...backfill.finished, ...backfill.fields];
  const build = (phase: BackfillPhase) => {
    const moved = createMovedFields({ ...backfill, phase, fields, finished: [] });
    return buildRenames(catalog, { recorded: names, moved, isLenient: true });
  };
  const [before, after] = [build('withdrawn'), build('removed')];
  const addShapes = (type: RenamedType): RenamedType => {
    const shapeIn = ({ stored }: Renames) => {
      const found = stored.types.get(type.stored.class);
      return found ? shapeOf(found) : type.shape;
    };
    const finalShapes = { former: shapeIn(before), present: shapeIn(after) };
    return {
      ...type,
      finalShapes,
      storedShapes: new Set([...type.storedShapes, ...Object.values(finalShapes)]),
    };
  };
  return {
    ...renames,
    types: mapValues(renames.types, addShapes),
    byStoredClass: mapValues(renames.byStoredClass, addShapes),
  };
}

const mapValues = <Key, Value>(map: ReadonlyMap<Key, Value>, change: (value: Value) => Value) =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

function buildRenames(catalog: Catalog, known: KnownNames): Renames {
  const storedClasses = chooseClasses(catalog, known.recorded);
  const toStoredClass = (name: string) => storedClasses.get(name) ?? name;
  const types = [...catalog.types.values()];
  const storeAll = (chooser: NameChooser, found: FoundFields) =>
    types.map((type) => storeType(type, { chooser, toStoredClass, found }));
  const first = createNameChooser(known, new Map());
  storeAll(first, { movable: [], moving: [], formerOnly: [] });
  const chooser = createNameChooser(known, first.chosen);
  const found: FoundFields = { movable: [], moving: [], formerOnly: [] };
  const all = storeAll(chooser, found);
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
    doubts: chooser.doubts,
    ...found,
  };
}
