/**
 * Gives drafts the names that their fields, classes and kinds of blocks have today, also inside embedded values. The store does so for
 * content, and does not know the values of drafts.
 */
import {
  type Catalog,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { DraftRecord } from './draft-record.ts';

/** Returns a draft with the present names. Fields that the type does not have any more keep theirs. */
export function toPresentNames(record: DraftRecord, catalog: Catalog): DraftRecord {
  const type = catalog.find(record.type);
  if (!type) return record;
  const present = createNames(type.fields);
  const rename = (values: JsonObject) => renameMembers(values, type.fields, catalog);
  return {
    ...record,
    type: type.class,
    set: rename(record.set),
    unset: record.unset.map(present),
    before: rename(record.before),
  };
}

type Fields = ReadonlyMap<string, Field>;

/** Returns the function that finds the present name of a field. */
function createNames(fields: Fields): (name: string) => string {
  const renamed = new Map<string, string>();
  for (const { name, formerNames } of fields.values())
    for (const former of formerNames) if (!fields.has(former)) renamed.set(former, name);
  return (name) => renamed.get(name) ?? name;
}

function renameMembers(values: JsonObject, fields: Fields, catalog: Catalog): JsonObject {
  const present = createNames(fields);
  return Object.fromEntries(
    Object.entries(values).map(([given, value]) => {
      const name = present(given);
      const field = fields.get(name);
      return [name, field ? renameIn(value, field, catalog) : value];
    }),
  );
}

function renameIn(value: Json, { type }: Field, catalog: Catalog): Json {
  if (type.kind !== 'embedded' && type.kind !== 'reference') return value;
  const rename = (one: Json): Json => {
    if (!isJsonObject(one)) return one;
    if (type.kind === 'embedded') return renameEmbedded(one, type.type, catalog);
    const target = typeof one._type === 'string' ? catalog.find(one._type) : undefined;
    return target ? { ...one, _type: target.class } : one;
  };
  return Array.isArray(value) ? value.map(rename) : rename(value);
}

/** As in content, dropped fields are not shown, and the default of a required field stands for what is missing. */
function renameEmbedded(value: JsonObject, type: EmbeddedType, catalog: Catalog): JsonObject {
  const kind = kindOf(type, value);
  if (!kind) return value;
  const renamed = renameMembers(value, kind.fields, catalog);
  for (const name of kind.dropped) delete renamed[name];
  for (const { name, required, default: preset } of kind.fields.values())
    if (required && preset !== undefined && !Object.hasOwn(renamed, name))
      renamed[name] = structuredClone(preset);
  return type.kinds ? { ...renamed, _type: kind.name } : renamed;
}
