/**
 * Writes `null` for each absent value that creating an asset would fill, so that an asset that is read can be created elsewhere with the
 * values that it has: for fields with a default, embedded ones as well, and for the date of publication.
 *
 * A required field has no null: one that has a default is read with it.
 */
import {
  type Asset,
  type Catalog,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { publishDateField } from '../prepare-write.ts';

/** Returns an asset with its nulls. */
export type NullWriter = (asset: Asset) => Asset;

/** Creates the function for the assets of a catalog. */
export function createNullWriter(catalog: Catalog): NullWriter {
  return (asset) => {
    const type = catalog.types.get(asset._type);
    if (!type) return asset;
    const whole = writeNulls(asset, type.fields, ({ name }) => name === publishDateField);
    // Its identity is unchanged.
    return whole as Asset;
  };
}

function writeNulls(
  value: JsonObject,
  fields: ReadonlyMap<string, Field>,
  isAlsoFilled: (field: Field) => boolean = () => false,
): JsonObject {
  const whole = { ...value };
  for (const field of fields.values()) {
    const { name, type, required } = field;
    const given = value[name];
    const isFilled = field.default !== undefined || isAlsoFilled(field);
    if (given === undefined && isFilled && !required) whole[name] = null;
    if (given !== undefined && type.kind === 'embedded') whole[name] = writeWithin(given, type.type);
  }
  return whole;
}

/** What does not fit its type stays as it is. */
function writeWithin(value: Json, type: EmbeddedType): Json {
  if (Array.isArray(value)) return value.map((item) => writeWithin(item, type));
  const kind = isJsonObject(value) ? kindOf(type, value) : undefined;
  return kind && isJsonObject(value) ? writeNulls(value, kind.fields) : value;
}
