/**
 * Gives drafts the names that their fields and classes have today. The store does so for the fields of content, and does not know those
 * of drafts.
 */
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import type { DraftRecord } from './draft-record.ts';

/** Returns a draft with the present names. Fields that the type does not have any more keep theirs. */
export function toPresentNames(record: DraftRecord, catalog: Catalog): DraftRecord {
  const type = catalog.find(record.type);
  if (!type) return record;
  const renamed = new Map<string, string>();
  for (const { name, formerNames } of type.fields.values()) {
    for (const former of formerNames) if (!type.fields.has(former)) renamed.set(former, name);
  }
  if (renamed.size === 0 && type.class === record.type) return record;
  const toPresent = (name: string) => renamed.get(name) ?? name;
  const rename = (values: JsonObject) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [toPresent(name), value]));
  return {
    ...record,
    type: type.class,
    set: rename(record.set),
    unset: record.unset.map(toPresent),
    before: rename(record.before),
  };
}
