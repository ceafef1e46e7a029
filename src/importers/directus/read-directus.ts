/**
 * Reads a folder with a schema snapshot of Directus (`snapshot.yaml` or `snapshot.json`), the items of each collection as
 * `<collection>.json`, and, if they are there, the bytes of files in `uploads`.
 */
import { idOf } from '../ids.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import { isObject, type Json, type JsonObject, type ReadAsset, type Reader } from '../reader.ts';
import { SourceError } from '../source-error.ts';
import { filesCollection, type Junction, type MappedCollection, mapCollections } from './map-collections.ts';
import { type DirectusSource, openDirectus } from './snapshot.ts';

/** Reads a folder. */
export const readDirectus: Reader = async (files, { classPrefix }) => {
  const source = await openDirectus(files);
  const { written, collections } = mapCollections(source.snapshot, { classPrefix, isThere: source.hasItems });
  if (![...collections.keys()].some(source.hasItems))
    throw new SourceError('has no file with items, such as articles.json');
  const keys = await readKeys(source, collections);
  return {
    types: written,
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      for (const { collection, schema } of source.snapshot.collections)
        if (!isObject(schema)) report.lose({ kind: 'folder of collections', example: collection });
      for (const [collection, mapped] of collections) {
        const lists = await readJunctions(source, mapped);
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
    },
  };
};

/** The keys of all items, by collection. */
type Keys = ReadonlyMap<string, ReadonlySet<string>>;

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

/** What the items of a collection list through a junction, by field and key, in order. */
type Lists = ReadonlyMap<string, ReadonlyMap<string, readonly { collection: string; key: string }[]>>;

async function readJunctions(source: DirectusSource, { fields }: MappedCollection): Promise<Lists> {
  const lists = new Map<string, Map<string, { collection: string; key: string }[]>>();
  for (const [field, { conversion }] of fields) {
    if (conversion.kind !== 'junction') continue;
    lists.set(field, await readJunction(source, conversion.junction));
  }
  return lists;
}

async function readJunction(source: DirectusSource, { collection, owner, item, to, sort }: Junction) {
  const rows: { owner: string; place: number; collection: string; key: string }[] = [];
  for await (const row of source.items(collection)) {
    const place = sort === undefined ? Number(row.id ?? 0) : Number(row[sort] ?? 0);
    rows.push({
      owner: String(row[owner]),
      place,
      collection: 'collection' in to ? to.collection : String(row[to.field]),
      key: String(row[item]),
    });
  }
  const byOwner = new Map<string, { collection: string; key: string }[]>();
  for (const row of rows.sort((one, other) => one.place - other.place)) {
    const list = byOwner.get(row.owner) ?? [];
    byOwner.set(row.owner, list);
    list.push({ collection: row.collection, key: row.key });
  }
  return byOwner;
}

interface ItemContext {
  readonly collection: string;
  readonly mapped: MappedCollection;
  readonly collections: ReadonlyMap<string, MappedCollection>;
  readonly keys: Keys;
  readonly lists: Lists;
  readonly report: Report;
  readonly files: KeptFiles;
  readonly source: DirectusSource;
}

async function convertItem(item: JsonObject, context: ItemContext): Promise<ReadAsset> {
  const { collection, mapped, report, lists, source, files } = context;
  const key = String(item[mapped.key]);
  const place = `${collection} ${key}`;
  const fields: JsonObject = {};
  const toReference = (target: string, value: string): JsonObject | undefined => {
    const type = context.collections.get(target);
    if (type && context.keys.get(target)?.has(value))
      return { _ref: idOf('directus', target, value), _type: type.class };
    report.lose({ kind: 'reference to what the export lacks', example: `${place}: ${target} ${value}` });
    return undefined;
  };
  for (const [field, { name, conversion }] of mapped.fields) {
    if (conversion.kind === 'junction') {
      const listed = lists.get(field)?.get(key) ?? [];
      const references = listed.flatMap((one) => toReference(one.collection, one.key) ?? []);
      if (references.length > 0) fields[name] = references;
      continue;
    }
    const value = item[field];
    if (value === undefined || value === null) continue;
    const converted =
      conversion.kind === 'reference'
        ? toReference(conversion.to, String(keyIn(value)))
        : toScalar(value, conversion.scalar);
    if (converted === undefined) {
      if (conversion.kind === 'value')
        report.lose({
          kind: `value that is no ${conversion.scalar}`,
          example: `${place}.${field}: ${JSON.stringify(value)}`,
        });
    } else fields[name] = converted;
  }
  for (const name of Object.keys(item))
    if (
      !mapped.fields.has(name) &&
      name !== mapped.key &&
      !Array.isArray(item[name]) &&
      collection !== filesCollection
    )
      report.lose({
        kind: `field ${collection}.${name}, which the snapshot lacks or only shows`,
        example: place,
      });
  if (collection === filesCollection) {
    const kept = await files.keep(source.findUpload(key));
    if (kept) fields.file = { hash: kept.hash, name: String(item.filename_download ?? kept.name) };
    else report.lose({ kind: 'file whose bytes are not in uploads', example: place });
  }
  const isDraft =
    mapped.status !== undefined &&
    typeof item[mapped.status] === 'string' &&
    item[mapped.status] !== 'published';
  return { asset: { _id: idOf('directus', collection, key), _type: mapped.class, ...fields }, isDraft };
}

/** The key of a related item, which an export may have as a whole. */
const keyIn = (value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value;

/** Converts a value to that of a scalar; `undefined` for one that does not fit. */
function toScalar(value: Json, scalar: string): Json | undefined {
  switch (scalar) {
    case 'Int':
      return Number.isInteger(Number(value)) && Math.abs(Number(value)) < 2 ** 31 ? Number(value) : undefined;
    case 'Float':
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'Decimal':
      return /^-?\d+(\.\d{1,9})?$/.test(String(value)) ? String(value) : undefined;
    case 'Boolean':
      return typeof value === 'number' ? value === 1 : typeof value === 'boolean' ? value : undefined;
    case 'DateTime': {
      const text = String(value).replace(' ', 'T');
      return Number.isNaN(Date.parse(text))
        ? undefined
        : /(Z|[+-]\d{2}:\d{2})$/.test(text)
          ? text
          : `${text}Z`;
    }
    case 'JSON':
      return value;
    default:
      return Array.isArray(value) ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}
