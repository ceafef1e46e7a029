/**
 * Converts assets to MongoDB documents and back, without loss.
 *
 * All that Colophon adds is in the member `_colophon`. Names with dots are nested, and `_colophon` keeps what nesting loses: the names
 * and their order, in an embedded value as `{ _colophon: ["…"] }`. A value of any JSON is stored as its text, `{ _colophon: "…" }`, so
 * that MongoDB never reads it as an operator or a path, or refuses its depth. Reading needs no content type, so documents whose type has
 * changed or no longer exists can still be read.
 */
import {
  type Asset,
  type ContentType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../../model/content-type.ts';
import { isAnyJson } from '../../../model/values/scalars.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { shapeOf } from '../../../types/type-shape.ts';
import type { AssetPatch, StoredAsset } from '../../port.ts';
import { toWordIndex, toWords } from '../indexes/word-index.ts';
import { own } from './document-path.ts';
import { getNested, isNestedObject, type NestedObject, setNested } from './nested-names.ts';

/** A document of the collection `assets`: these members, and the asset's fields. */
export interface AssetDocument extends NestedObject {
  readonly _id: string;
  readonly _type: string;
  readonly _colophon: OwnMembers;
}

/** What Colophon keeps beside an asset. */
interface OwnMembers {
  readonly version: string;
  /** The asset's member names, in order; some may be absent by now. */
  readonly names: readonly string[];
  /** The words and order keys of its values. */
  readonly index: NestedObject;
  /** The values of the keys with a condition that it has, by the names of `unique-values.ts`; absent when it has none. */
  readonly keys?: NestedObject;
  /** The shape of its type when it was inserted; absent where another process has changed it. */
  readonly shape?: string;
  /** The number of its last entry in the change log; absent when it has none. */
  readonly change?: number;
}

/** An update made of operators, for `findOneAndUpdate`. */
export type AssetUpdate = Readonly<Record<`$${string}`, NestedObject>>;

type Fields = ReadonlyMap<string, Field>;

/** Converts an asset of the given type to its document. */
export function toDocument({ asset, version }: StoredAsset, type: ContentType): AssetDocument {
  const { fields } = type;
  const { _id, _type, ...members } = asset;
  return {
    _id,
    _type,
    _colophon: {
      version,
      shape: shapeOf(type),
      names: Object.keys(asset),
      index: toWordIndex(asset, fields),
    },
    ...nestMembers(members, fields),
  };
}

/** Converts a document to its asset and version. */
export function fromDocument(document: AssetDocument): StoredAsset {
  const { names, version } = document._colophon;
  // Safe: `toDocument` has written `_id` and `_type` among the names.
  return { asset: readMembers(document, names) as Asset, version };
}

/** Converts a patch of an asset of the given type to an update. */
export function toUpdate({ set, unset, version }: AssetPatch, { fields }: ContentType): AssetUpdate {
  const values: NestedObject = { [own.version]: version };
  const removed: NestedObject = {};
  const kept = Object.entries(set).filter(([name]) => !unset.includes(name));
  for (const [name, value] of kept) {
    const field = getField(fields, name);
    values[name] = encodeField(value, field);
    const words = toWords(value, field);
    if (words === undefined) removed[`${own.index}.${name}`] = true;
    else values[`${own.index}.${name}`] = words;
  }
  for (const name of unset) {
    removed[name] = true;
    removed[`${own.index}.${name}`] = true;
  }
  // Existing names keep their positions, new ones go to the end.
  const names = { [own.names]: { $each: Object.keys(set) } };
  return {
    $set: values,
    $addToSet: names,
    ...(Object.keys(removed).length > 0 && { $unset: removed }),
  };
}

/** Returns the asset that a document contains after a patch. */
export function patchDocument(document: AssetDocument, { set, unset, version }: AssetPatch): StoredAsset {
  const { asset } = fromDocument(document);
  const values = new Map(Object.entries({ ...asset, ...set }));
  for (const name of unset) values.delete(name);
  const names = new Set([...document._colophon.names, ...Object.keys(set)]);
  const members = [...names].filter((name) => values.has(name)).map((name) => [name, values.get(name)]);
  // Safe: `_id` and `_type` are never patched.
  return { asset: Object.fromEntries(members) as Asset, version };
}

/** Nests members of an asset as in a document. */
export function nestMembers(members: JsonObject, fields: Fields): NestedObject {
  const nested: NestedObject = {};
  for (const [name, value] of Object.entries(members)) {
    setNested(nested, name, encodeField(value, getField(fields, name)));
  }
  return nested;
}

/** Returns the field of this name. Its absence is a bug: the caller has validated the names. */
function getField(fields: Fields, name: string): Field {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`The content type has no field ${JSON.stringify(name)}`);
  return field;
}

export function encodeField(value: Json, field: Field): unknown {
  return field.list && Array.isArray(value)
    ? value.map((item) => encodeValue(item, field))
    : encodeValue(value, field);
}

function encodeValue(value: Json, { type }: Field): unknown {
  if (value === null) return null;
  if (type.kind === 'scalar' && isAnyJson(type.scalar)) return { _colophon: JSON.stringify(value) };
  if (type.kind !== 'embedded' || !isJsonObject(value)) return value;
  const names = Object.keys(value);
  const isFlat = names.every((name) => !name.includes('.'));
  const { _type, ...members } = value;
  const kind = kindOf(type.type, value);
  if (!kind) throw new Error(`${type.type.name} has no kind ${JSON.stringify(_type)}`);
  return {
    ...(isFlat ? {} : { _colophon: names }),
    ...(_type === undefined ? {} : { _type }),
    ...nestMembers(members, kind.fields),
  };
}

function readMembers(source: NestedObject, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const value = getNested(source, name);
    if (value !== undefined) members[name] = decodeValue(value);
  }
  return members;
}

function decodeValue(value: unknown): Json {
  if (Array.isArray(value)) return value.map(decodeValue);
  // Safe: a value that is no object was stored as a JSON value.
  if (!isNestedObject(value)) return value as Json;
  const { _colophon: kept } = value;
  if (typeof kept === 'string') return JSON.parse(kept);
  return readMembers(value, Array.isArray(kept) ? kept : Object.keys(value));
}
