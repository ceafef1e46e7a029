/**
 * Turns the asset of a line into the one that is sent: `_id`s are derived, and references by a key lead to the `_id` of the line with
 * that key.
 */
import type { Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { keysOfType } from '../../model/field-path.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { createAdaptation, type DoubtfulDate } from './adapt-values.ts';
import { type ImportIdentity, idOfLine } from './assign-id.ts';
import type { LineIndex } from './line-index.ts';
import {
  createIdDerivation,
  findKey,
  type LineKey,
  mapObjects,
  readNaming,
  sortFields,
  type UpdateKeys,
} from './reference-keys.ts';

/** Resolves the identifiers in lines. */
export type LineResolver = ReturnType<typeof createLineResolver>;

export function createLineResolver({
  index,
  identity,
  catalog,
  by,
  creates,
  namespace,
}: {
  index: LineIndex;
  identity: ImportIdentity;
  /** The content types, if they are known. */
  catalog?: Catalog | undefined;
  by: UpdateKeys;
  /** Whether lines may create assets. */
  creates: boolean;
  /** What UUIDs are derived in; absent means that they are not derived. */
  namespace?: string | undefined;
}) {
  const derive = namespace === undefined ? undefined : createIdDerivation(namespace);
  const adaptAsset = createAdaptation(catalog);
  const declared = new Set<string>();

  function classOf(type: Json | undefined): string {
    return typeof type === 'string' ? (catalog?.find(type)?.class ?? type) : '';
  }

  /** Adds the keys that the catalog declares for a type. */
  function declareKeys(type: string): void {
    if (declared.has(type)) return;
    declared.add(type);
    const known = catalog?.types.get(type);
    for (const paths of known ? keysOfType(known) : [])
      index.addFields(type, sortFields(paths.map(({ text }) => text)));
  }

  function adapt(given: JsonObject, doubt: (date: DoubtfulDate) => void = () => {}): JsonObject {
    const asset = adaptAsset(given, doubt);
    if (!derive) return asset;
    const change = (object: JsonObject): JsonObject =>
      typeof object._ref === 'string' ? { ...object, _ref: derive(object._ref) } : object;
    const mapped = mapObjects(asset, change);
    const derived = isJsonObject(mapped) ? mapped : asset;
    return typeof derived._id === 'string' ? { ...derived, _id: derive(derived._id) } : derived;
  }

  function keysOf(asset: JsonObject): readonly LineKey[] {
    const type = classOf(asset._type);
    declareKeys(type);
    return index.fieldsOf(type).flatMap((fields) => findKey(type, fields, asset) ?? []);
  }

  function namedKey(object: JsonObject): LineKey | undefined {
    const naming = readNaming(object);
    return naming && findKey(classOf(naming.type), sortFields(Object.keys(naming.by)), naming.by);
  }

  function keysNamedIn(asset: JsonObject): readonly LineKey[] {
    const keys: LineKey[] = [];
    mapObjects(asset, (object) => {
      const key = namedKey(object);
      if (key) keys.push(key);
      return object;
    });
    return keys;
  }

  function lead(object: JsonObject): JsonObject {
    const key = namedKey(object);
    const target = key && index.findByKey(key);
    if (!target) return object;
    const { _by: _, ...reference } = object;
    return { ...reference, _ref: target.id };
  }

  /** Finds the `_id` of a line that gives none, if the import decides it. */
  function assignedId(asset: JsonObject, line: number): string | undefined {
    if (!creates || Object.hasOwn(asset, '_id')) return undefined;
    const fields = by.of(classOf(asset._type), String(asset._type));
    if (fields === '_id') return idOfLine(identity, line);
    // What is found by a key needs an `_id` only if references lead there before it exists.
    const keys = keysOf(asset);
    if (!keys.some(index.isWanted)) return undefined;
    const key = findKey(classOf(asset._type), sortFields(fields.split(',')), asset);
    const known = key && index.findByKey(key);
    return known?.id === (known && idOfLine(identity, known.line)) ? known?.id : undefined;
  }

  return {
    /** Returns the class name of a type, as far as it is known; an empty one for what is no name. */
    classOf,
    /** Adapts an asset to its type, and derives its `_id` and `_ref`s, if the import does so. */
    adapt,
    /** Lists the keys of an asset by which references may name it. */
    keysOf,
    /** Lists the keys by which references in an asset name their targets. */
    keysNamedIn,
    /** Returns the asset to send; the same if nothing in it has to be resolved. */
    resolve(asset: JsonObject, line: number): JsonObject {
      const resolved = mapObjects(adapt(asset), lead);
      const sent = isJsonObject(resolved) ? resolved : asset;
      const id = assignedId(sent, line);
      return id === undefined ? sent : { _id: id, ...sent };
    },
  };
}
