/**
 * Judges whether a stored asset fits its type: for unfit content, `types check` and `verify` alike.
 *
 * What the type says about assets of former types counts as fitting: former names, defaults of required fields, and dropped fields.
 */

import {
  type Asset,
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../content-type.ts';
import { type AssetValidators, type CheckedFields, createAssetValidators } from './validate-asset.ts';

/** Checks a stored asset; returns `undefined` when the catalog lacks its type. */
type StoredCheck = (asset: Asset) => CheckedFields | undefined;

/** Creates the check for a catalog, whose validators may be given. */
export function createStoredCheck(
  catalog: Catalog,
  validators: AssetValidators = createAssetValidators(catalog),
): StoredCheck {
  return (asset) => {
    const type = catalog.find(asset._type);
    const validator = type && validators.get(type.class);
    if (!type || !validator) return undefined;
    const checked = validator.checkStored(asset);
    return checked.problems.length === 0 ? checked : validator.checkStored(toNewShape(asset, type, catalog));
  };
}

// Converts a stored asset to the shape that it has after a change of types, as far as the types say how: former names of fields and
// classes, defaults and dropped fields.

type FieldOwner = Pick<EmbeddedType, 'fields' | 'dropped'>;

/** Returns the asset in the shape of `type`; what it cannot convert stays as it is. */
export function toNewShape(asset: Asset, type: ContentType, after: Catalog): Asset {
  return { ...convertMembers(asset, type, after), _id: asset._id, _type: type.class };
}

function convertMembers(stored: JsonObject, owner: FieldOwner, after: Catalog): JsonObject {
  const converted: JsonObject = {};
  const fieldOf = new Map(
    [...owner.fields.values()].flatMap((field) => [
      ...field.formerNames.map((name) => [name, field] as const),
      [field.name, field] as const,
    ]),
  );
  for (const [name, value] of Object.entries(stored)) {
    const field = fieldOf.get(name);
    if (!field) {
      if (!owner.dropped.includes(name)) converted[name] = value;
    } else if (name === field.name || !Object.hasOwn(stored, field.name)) {
      converted[field.name] = convertValue(value, field, after);
    }
  }
  for (const { name, default: preset } of owner.fields.values())
    if (preset !== undefined && !Object.hasOwn(converted, name)) converted[name] = preset;
  return converted;
}

function convertValue(value: Json, { type, list }: Field, after: Catalog): Json {
  const convert = (one: Json): Json => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    if (type.kind === 'embedded') {
      const kind = kindOf(type.type, one);
      if (!kind) return one;
      const converted = convertMembers(one, kind, after);
      return type.type.kinds ? { ...converted, _type: kind.name } : converted;
    }
    if (type.kind !== 'reference' || typeof one._type !== 'string') return one;
    return { ...one, _type: after.find(one._type)?.class ?? one._type };
  };
  return list && Array.isArray(value) ? value.map(convert) : convert(value);
}
