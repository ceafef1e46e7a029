/**
 * Converts the items of collections of Directus, with the rows of the tables between collections that are about them.
 */
import { idOf } from '../ids.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ReadAsset } from '../reader.ts';
import { type Conversion, filesCollection, type MappedCollection } from './map-collections.ts';
import type { DirectusSource } from './snapshot.ts';

/** The keys of all items, by collection. */
export type Keys = ReadonlyMap<string, ReadonlySet<string>>;

/** What the items of a collection list through a junction, by field and key, in order. */
export type Lists = ReadonlyMap<string, ReadonlyMap<string, readonly JsonObject[]>>;

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

export async function convertItem(item: JsonObject, context: ItemContext): Promise<ReadAsset> {
  const { collection, mapped, report, lists, source, files } = context;
  const key = String(item[mapped.key]);
  const place = `${collection} ${key}`;
  const listed = [...mapped.fields].flatMap(([field, { conversion }]) => {
    const rows = lists.get(field)?.get(key) ?? [];
    return conversion.kind === 'junction' ? [{ field, rows, junction: conversion.junction }] : [];
  });
  report.open({
    kind: collection,
    id: key,
    // What an item itself says of a list counts where there are no rows.
    value: {
      ...item,
      ...Object.fromEntries(
        listed.flatMap(({ field, rows }) => (rows.length > 0 ? [[field, [...rows]]] : [])),
      ),
    },
    structure: [mapped.key],
    toIds: (text) => [...context.collections.keys()].map((name) => idOf('directus', name, text)),
  });
  for (const { field, rows, junction } of listed) {
    const { owner, item, sort = '', to } = junction;
    for (const index of rows.keys())
      for (const name of ['id', owner, sort, ...('field' in to ? [to.field] : [])])
        report.convert(`${field}[${index}].${name}`);
    const translated = mapped.fields.get(field)?.conversion;
    if (translated?.kind === 'junction' && translated.rows?.languages)
      for (const index of rows.keys()) report.convert(`${field}[${index}].${item}`);
  }
  // The items that are listed have the reference.
  for (const [field, from] of mapped.inverse)
    for (const [index, one] of [item[field] ?? []].flat().entries())
      if (context.keys.get(from)?.has(String(one))) report.convert(`${field}[${index}]`);
  const fields = convertFields(item, { ...context, fields: mapped.fields, key, place });
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

interface FieldsContext extends ItemContext {
  readonly fields: MappedCollection['fields'];
  /** The key of the item, which junctions have. */
  readonly key: string;
  readonly place: string;
}

function convertFields(item: JsonObject, context: FieldsContext): JsonObject {
  const { fields, report, place, lists, key } = context;
  const converted: JsonObject = {};
  for (const [field, { name, conversion }] of fields) {
    if (conversion.kind === 'junction') {
      const rows = lists.get(field)?.get(key) ?? [];
      const value = convertRows(rows, { ...context, conversion, field });
      if (Object.keys(value).length > 0) converted[name] = value;
      continue;
    }
    const value = item[field];
    if (value === undefined || value === null) continue;
    const given =
      conversion.kind === 'reference'
        ? toReference(conversion.to, keyIn(value), context, field)
        : toScalar(value, conversion.scalar);
    if (given !== undefined) {
      converted[name] = given;
      report.convert(field);
    } else if (conversion.kind === 'value')
      report.lose({
        kind: `value that is no ${conversion.scalar}`,
        example: `${place}.${field}`,
        path: field,
      });
  }
  return converted;
}

function convertRows(
  rows: readonly JsonObject[],
  {
    conversion: { junction, rows: as },
    field,
    ...context
  }: FieldsContext & { conversion: Extract<Conversion, { kind: 'junction' }>; field: string },
): Json[] | JsonObject {
  const toItem = (row: JsonObject, index: number) => {
    const { to, item } = junction;
    const target = 'collection' in to ? to.collection : String(row[to.field]);
    return toReference(target, keyIn(row[item] ?? null), context, `${field}[${index}].${item}`);
  };
  const { report } = context;
  const toMembers = (row: JsonObject, index: number) =>
    convertFields(row, {
      ...context,
      fields: as?.fields ?? new Map(),
      place: `${context.place}.${field}[${index}]`,
      // Paths begin at the item.
      report: {
        ...report,
        convert: (path) => report.convert(`${field}[${index}].${path}`),
        lose: (loss) =>
          report.lose(loss.path === undefined ? loss : { ...loss, path: `${field}[${index}].${loss.path}` }),
      },
    });
  if (as?.languages) {
    const { languages } = as;
    return Object.fromEntries(
      rows.flatMap((row, index) => {
        const language = languages.get(String(keyIn(row[junction.item] ?? null)));
        return language === undefined ? [] : [[language, toMembers(row, index)]];
      }),
    );
  }
  return rows.flatMap((row, index): JsonObject[] => {
    const reference = toItem(row, index);
    if (!as?.item) return reference ? [reference] : [];
    return [{ ...(reference && { [as.item]: reference }), ...toMembers(row, index) }];
  });
}

/** The reference to an item; one that the export lacks is reported. */
function toReference(
  target: string,
  given: Json,
  { collections, keys, report, place }: FieldsContext,
  path: string,
): JsonObject | undefined {
  const key = String(given);
  const type = collections.get(target);
  if (type && keys.get(target)?.has(key)) return { _ref: idOf('directus', target, key), _type: type.class };
  report.lose({ kind: 'reference to what the export lacks', example: `${place}.${path}: ${target}`, path });
  return undefined;
}

/** The key of a related item, which an export may have as a whole. */
export const keyIn = (value: Json): Json =>
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
