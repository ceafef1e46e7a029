/**
 * Reads a folder with a schema snapshot of Directus (`snapshot.yaml` or `snapshot.json`), the items of each collection as
 * `<collection>.json`, and, if they are there, the bytes of files in `uploads`.
 */
import type { Report } from '../output/report.ts';
import { isObject, type JsonObject, type ReadAsset, type Reader } from '../reader.ts';
import { SourceError } from '../source/source.ts';
import { convertItem, type Keys, keyIn, type Lists } from './convert-item.ts';
import { type MappedCollection, mapCollections } from './map-collections.ts';
import { type DirectusSource, openDirectus } from './snapshot.ts';

/** Reads a folder. */
export const readDirectus: Reader = async (files, { classPrefix }) => {
  const source = await openDirectus(files);
  const rows = await readRows(source);
  const { written, collections } = mapCollections(source.snapshot, {
    classPrefix,
    isThere: source.hasItems,
    keysIn: (collection, field) => [
      ...new Set((rows.get(collection) ?? []).map((row) => String(keyIn(row[field] ?? null)))),
    ],
  });
  if (![...collections.keys()].some(source.hasItems))
    throw new SourceError('has no file with items, such as articles.json');
  const keys = await readKeys(source, collections);
  return {
    types: written,
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      for (const { collection, schema } of source.snapshot.collections)
        if (!isObject(schema)) report.lose({ kind: 'folder of collections', example: collection });
      const read = new Set<JsonObject>();
      for (const [collection, mapped] of collections) {
        const lists = listRows(rows, { mapped, read, keys: keys.get(collection) ?? new Set() });
        for await (const item of source.items(collection))
          yield await convertItem(item, {
            collection,
            mapped,
            collections,
            keys,
            lists,
            report,
            files,
            source,
          });
      }
      await reportOthers(source, { collections, rows, read, report });
    },
  };
};

/** The rows of the tables between collections. */
type Rows = ReadonlyMap<string, readonly JsonObject[]>;

async function readRows({ snapshot, items }: DirectusSource): Promise<Rows> {
  const tables = new Set(
    snapshot.relations.filter(({ meta }) => meta?.junction_field).map(({ collection }) => collection),
  );
  const rows = new Map<string, JsonObject[]>();
  for (const table of tables) {
    const found: JsonObject[] = [];
    for await (const row of items(table)) found.push(row);
    rows.set(table, found);
  }
  return rows;
}

/** Reports the items of files that no type has, and the rows of tables that no item lists. */
async function reportOthers(
  source: DirectusSource,
  {
    collections,
    rows,
    read,
    report,
  }: {
    collections: ReadonlyMap<string, MappedCollection>;
    rows: Rows;
    read: ReadonlySet<JsonObject>;
    report: Report;
  },
): Promise<void> {
  for (const collection of source.files.filter((one) => !collections.has(one))) {
    const items = rows.get(collection) ?? source.items(collection);
    let number = 0;
    for await (const item of items) {
      number++;
      if (read.has(item)) continue;
      report.open({ kind: collection, id: `item ${number}`, value: item });
      const kind = rows.has(collection)
        ? 'row that belongs to no item'
        : 'item of a collection without a type';
      report.lose({ kind: `${kind}: ${collection}`, example: `${collection} item ${number}`, path: '' });
    }
  }
}

async function readKeys(
  source: DirectusSource,
  collections: ReadonlyMap<string, MappedCollection>,
): Promise<Keys> {
  const keys = new Map<string, Set<string>>();
  for (const [collection, { key }] of collections) {
    const found = new Set<string>();
    for await (const item of source.items(collection)) found.add(String(item[key]));
    keys.set(collection, found);
  }
  return keys;
}

function listRows(
  rows: Rows,
  {
    mapped: { fields },
    read,
    keys,
  }: { mapped: MappedCollection; read: Set<JsonObject>; keys: ReadonlySet<string> },
): Lists {
  const lists = new Map<string, Map<string, JsonObject[]>>();
  for (const [field, { conversion }] of fields) {
    if (conversion.kind !== 'junction') continue;
    const { collection, owner, sort } = conversion.junction;
    const placeOf = (row: JsonObject) => Number((sort === undefined ? row.id : row[sort]) ?? 0);
    const sorted = (rows.get(collection) ?? []).toSorted((one, other) => placeOf(one) - placeOf(other));
    const byOwner = new Map<string, JsonObject[]>();
    for (const row of sorted) {
      const key = String(keyIn(row[owner] ?? null));
      byOwner.set(key, [...(byOwner.get(key) ?? []), row]);
    }
    lists.set(field, byOwner);
    for (const row of sorted) if (keys.has(String(keyIn(row[owner] ?? null)))) read.add(row);
  }
  return lists;
}
