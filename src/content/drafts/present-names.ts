/**
 * Gives drafts the names that their fields, classes and kinds of blocks have today, also inside embedded values, and leaves out what their
 * types drop. The store does so for content, and does not know the values of drafts. As in content, what is left out stays stored.
 */
import { isDeepStrictEqual } from 'node:util';
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

/** Returns a draft with the present names, without dropped fields. Other fields that the type does not have any more keep theirs. */
export function toPresentNames(record: DraftRecord, catalog: Catalog): DraftRecord {
  const type = catalog.find(record.type);
  if (!type) return record;
  const present = createNames(type.fields);
  const isShown = (name: string) => !type.dropped.includes(name);
  const rename = (values: JsonObject) => {
    const shown = Object.entries(values).filter(([name]) => isShown(name));
    return renameMembers(Object.fromEntries(shown), type.fields, catalog);
  };
  return {
    ...record,
    type: type.class,
    set: rename(record.set),
    unset: record.unset.filter(isShown).map(present),
    before: rename(record.before),
  };
}

/**
 * Returns the record to store for a changed draft: dropped fields, and values that have not changed, stay as they are stored, for servers
 * with former types.
 */
export function keepStored(
  record: DraftRecord,
  { stored, shown, catalog }: { stored: DraftRecord; shown: DraftRecord; catalog: Catalog },
): DraftRecord {
  const type = catalog.find(record.type);
  if (!type || record.action === 'delete') return record;
  const present = createNames(type.fields);
  const isDropped = (name: string) => type.dropped.includes(name);
  const keep = (after: JsonObject, raw: JsonObject, before: JsonObject): JsonObject => {
    const isSame = (name: string) =>
      Object.hasOwn(after, name) && isDeepStrictEqual(after[name], before[name]);
    const kept = Object.entries(raw).filter(([name]) => isDropped(name) || isSame(present(name)));
    const names = new Set(kept.map(([name]) => present(name)));
    const changed = Object.entries(after).filter(([name]) => !names.has(name));
    return Object.fromEntries([...kept, ...changed]);
  };
  return {
    ...record,
    set: keep(record.set, stored.set, shown.set),
    unset: [...stored.unset.filter(isDropped), ...record.unset],
    before: keep(record.before, stored.before, shown.before),
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
