/**
 * Walks through the fields of an asset, those of embedded values included, as its content type has them.
 */
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';

/** A field of an asset or of a value in it. */
export interface FoundField {
  /** The type that has the field. */
  readonly owner: string;
  readonly field: Field;
  /** Where it is, as the server writes it: `blocks[0].text`. */
  readonly path: string;
  /** Absent where the field has no value. */
  readonly value: Json | undefined;
}

/** Lists the fields of an asset. */
export function* walkFields(catalog: Catalog, asset: JsonObject): Generator<FoundField> {
  const type = catalog.find(String(asset._type));
  if (type) yield* walkMembers(type, asset, '');
}

function* walkMembers(
  { name, fields }: Pick<ContentType | EmbeddedType, 'name' | 'fields'>,
  holder: JsonObject,
  prefix: string,
): Generator<FoundField> {
  for (const field of fields.values()) {
    const value = Object.hasOwn(holder, field.name) ? holder[field.name] : undefined;
    const path = prefix + field.name;
    yield { owner: name, field, path, value };
    if (value === undefined || field.type.kind !== 'embedded') continue;
    for (const [at, item] of itemsOf(value, path)) {
      const kind = isJsonObject(item) ? kindOf(field.type.type, item) : undefined;
      if (kind && isJsonObject(item)) yield* walkMembers(kind, item, `${at}.`);
    }
  }
}

const itemsOf = (value: Json, path: string): [string, Json][] =>
  Array.isArray(value) ? value.map((item, index) => [`${path}[${index}]`, item]) : [[path, value]];
