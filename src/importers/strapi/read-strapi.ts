/**
 * Reads an export of Strapi 4 or 5. Of a document that is published and was not changed since, the draft beside it is left out.
 */

import { createHash } from 'node:crypto';
import { idOf } from '../ids.ts';
import { createMarkdown } from '../markdown/render-markdown.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ReadAsset, Reader } from '../reader.ts';
import { toEditorHtml } from '../rich-text.ts';
import { readRestDump } from './read-rest.ts';
import { isRestDump } from './rest-source.ts';
import {
  convertMedia,
  openStrapi,
  type StrapiEntity,
  type StrapiLink,
  type StrapiLinkEnd,
  type StrapiSchema,
  type StrapiSource,
} from './strapi-source.ts';
import {
  type AttributeKind,
  bookkeeping,
  internalAttributes,
  type MappedSchema,
  mapStrapiTypes,
  type StrapiTypes,
  uploadType,
} from './strapi-types.ts';

const renderMarkdown = createMarkdown();

/** Reads an archive, its folder, or answers of the REST API. */
export const readStrapi: Reader = async (files, settings) => {
  if (isRestDump(files)) return readRestDump(files, settings);
  const { classPrefix } = settings;
  const source = openStrapi(files);
  const schemas: StrapiSchema[] = [];
  for await (const schema of source.schemas()) schemas.push(schema);
  const types = mapStrapiTypes(schemas, classPrefix);
  const index = await indexEntities(source, types);
  return {
    types: types.written,
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      types.noteLosses(report);
      const links = await readLinks(source, { index, types, report });
      for await (const entity of source.entities())
        yield* convertEntity(entity, { source, types, index, links, report, files });
    },
  };
};

/** What the fields of entities and components refer to, in order. */
type Links = ReadonlyMap<string, readonly { readonly _ref: string; readonly _type: string }[]>;

async function readLinks(
  source: StrapiSource,
  { index, types, report }: { index: ReadonlyMap<string, IndexedEntity>; types: StrapiTypes; report: Report },
): Promise<Links> {
  const found = new Map<string, { place: number; _ref: string; _type: string }[]>();
  for await (const link of source.links()) {
    const { owner, target } = endsOf(link);
    if (owner.field === undefined || internalAttributes.has(owner.field)) continue;
    const attribute = types.byUid.get(owner.type)?.attributes.get(owner.field);
    if (attribute?.as.kind !== 'links') {
      report.lose({
        kind: `link without a place: ${owner.type}.${owner.field}`,
        example: `${owner.type} ${owner.ref}`,
      });
      continue;
    }
    const entity = index.get(keyOf(target.type, target.ref));
    const type = types.byUid.get(target.type)?.type;
    if (!entity || type === undefined) {
      report.lose({
        kind: 'link to what the export lacks',
        example: `${owner.type} ${owner.ref}.${owner.field}: ${target.type} ${target.ref}`,
      });
      continue;
    }
    const key = `${keyOf(owner.type, owner.ref)} ${owner.field}`;
    const list = found.get(key) ?? [];
    found.set(key, list);
    list.push({ place: owner.pos ?? list.length, _ref: entity.id, _type: type });
  }
  return new Map(
    [...found].map(([key, list]) => [
      key,
      list.sort((one, other) => one.place - other.place).map(({ _ref, _type }) => ({ _ref, _type })),
    ]),
  );
}

interface EntityContext {
  readonly source: StrapiSource;
  readonly types: StrapiTypes;
  readonly index: ReadonlyMap<string, IndexedEntity>;
  readonly links: Links;
  readonly report: Report;
  readonly files: KeptFiles;
}

/** A value within an entity. */
interface ValueContext extends EntityContext {
  readonly path: string;
}

async function* convertEntity(entity: StrapiEntity, context: EntityContext): AsyncGenerator<ReadAsset> {
  const { index, types, report } = context;
  const { type, id, data } = entity;
  const schema = types.byUid.get(type);
  const known = index.get(keyOf(type, id));
  report.open({
    kind: type,
    id: String(id),
    value: data,
    structure: ['id', '__component'],
    bookkeeping,
  });
  if (!schema || !known) {
    report.lose({ kind: `entity of the type ${type}`, example: String(id), path: '' });
    return;
  }
  if (known.isSame) {
    report.lose({ kind: 'draft that is as what is published', example: `${type} ${id}`, path: '' });
    return;
  }
  const identity = {
    ...(typeof data.documentId === 'string' && type !== uploadType && { documentId: data.documentId }),
    ...(typeof data.locale === 'string' && type !== uploadType && { locale: data.locale }),
  };
  const fields =
    type === uploadType
      ? await convertMedia(data, { ...context, findUpload: context.source.findUpload, place: String(id) })
      : await convertAttributes({ ...entity, schema }, { ...context, path: '' });
  const [published, updated] = [data.publishedAt ?? data.createdAt, data.updatedAt].map((time) =>
    Date.parse(String(time)),
  );
  const asset = {
    _id: known.id,
    _type: schema.type,
    ...identity,
    ...fields,
    ...(Number.isNaN(published) ? {} : { 'cms.content.publishDate': published ?? 0 }),
    ...(Number.isNaN(updated) ? {} : { 'cms.content.updateDate': updated ?? 0 }),
  };
  yield { asset, isDraft: known.isDraft };
}

/** Converts the attributes of an entity or a component. */
async function convertAttributes(
  { type, id, data, schema }: StrapiEntity & { readonly schema: MappedSchema },
  context: ValueContext,
): Promise<JsonObject> {
  const fields: JsonObject = {};
  const pathTo = (name: string) => (context.path === '' ? name : `${context.path}.${name}`);
  for (const [attribute, { name, as }] of schema.attributes) {
    const value = data[attribute] ?? null;
    const converted =
      as.kind === 'links'
        ? linked(`${keyOf(type, id)} ${attribute}`, as.isList, context.links)
        : await convertValue(value, as, { ...context, path: pathTo(attribute) });
    if (converted !== undefined) fields[name] = converted;
  }
  for (const attribute of Object.keys(data)) {
    if (
      !schema.attributes.has(attribute) &&
      !internalAttributes.has(attribute) &&
      !['id', '__component'].includes(attribute)
    )
      context.report.lose({
        kind: `attribute ${type}.${attribute}`,
        example: `${type} ${id}`,
        path: pathTo(attribute),
      });
  }
  return fields;
}

function linked(key: string, isList: boolean, links: Links): Json | undefined {
  const found = links.get(key)?.map((one) => ({ ...one }));
  return isList ? found : found?.[0];
}

async function convertValue(
  value: Json,
  as: Exclude<AttributeKind, { kind: 'links' }>,
  context: ValueContext,
): Promise<Json | undefined> {
  if (value === null) return undefined;
  switch (as.kind) {
    case 'markdown': {
      const { html, unused } = renderMarkdown(String(value));
      context.report.convert(context.path);
      for (const name of unused)
        context.report.lose({ kind: 'address that no link uses', example: `${context.path}: [${name}]` });
      return toEditorHtml(html);
    }
    case 'component': {
      const items = await Promise.all(
        [value].flat().map((item, index) => {
          const path = Array.isArray(value) ? `${context.path}[${index}]` : context.path;
          return convertComponent(item, as.uid, { ...context, path });
        }),
      );
      return as.isList ? items : items[0];
    }
    case 'zone':
      return Promise.all(
        [value].flat().map(async (item, index) => {
          const uid = String(Object(item).__component);
          const type = context.types.byUid.get(uid)?.type ?? uid;
          return {
            _type: type,
            ...((await convertComponent(item, uid, {
              ...context,
              path: `${context.path}[${index}]`,
            })) as JsonObject),
          };
        }),
      );
    default:
      return as.type === 'Decimal' || as.type === 'String' ? String(value) : value;
  }
}

async function convertComponent(item: Json, uid: string, context: ValueContext): Promise<Json> {
  const schema = context.types.byUid.get(uid);
  if (!schema || typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return convertAttributes({ type: uid, id: String(item.id), data: item, schema }, context);
}

/** What is known of an entity. */
interface IndexedEntity {
  readonly id: string;
  readonly isDraft: boolean;
  /** Whether the same document is published with the same values. */
  readonly isSame: boolean;
}

/** Identifies an entity or a component. */
const keyOf = (type: string, id: number | string) => `${type} ${id}`;

/** Indexes the entities of content types and the uploads. */
async function indexEntities(
  source: StrapiSource,
  types: StrapiTypes,
): Promise<ReadonlyMap<string, IndexedEntity>> {
  const rows: { key: string; document: string; isDraft: boolean; values: string; type: string }[] = [];
  for await (const { type, id, data } of source.entities()) {
    if (!types.byUid.has(type)) continue;
    const document = `${data.documentId ?? id} ${data.locale ?? ''}`.trim();
    const isDraft = type !== uploadType && 'publishedAt' in data && data.publishedAt === null;
    rows.push({ key: keyOf(type, id), type, document, isDraft, values: hashValues(data) });
  }
  const documents = new Map(rows.map(({ key, type, document }) => [key, `${type} ${document}`]));
  const related = new Map<string, { field: string; place: number; target: string }[]>();
  for await (const link of source.links()) {
    const { owner, target } = endsOf(link);
    const key = keyOf(owner.type, owner.ref);
    if (!documents.has(key) || internalAttributes.has(owner.field ?? '')) continue;
    const list = related.get(key) ?? [];
    related.set(key, list);
    const { field = '', pos } = owner;
    list.push({
      field,
      place: pos ?? list.length,
      target: documents.get(keyOf(target.type, target.ref)) ?? '',
    });
  }
  const valuesOf = ({ key, values }: { key: string; values: string }) =>
    [
      values,
      ...(related.get(key) ?? [])
        .sort((one, other) => one.field.localeCompare(other.field) || one.place - other.place)
        .map(({ field, target }) => `${field} ${target}`),
    ].join();
  const published = new Map(
    rows.filter(({ isDraft }) => !isDraft).map((row) => [`${row.type} ${row.document}`, valuesOf(row)]),
  );
  return new Map(
    rows.map((row) => {
      const { key, type, document, isDraft } = row;
      const beside = isDraft ? published.get(`${type} ${document}`) : undefined;
      const isSame = beside === valuesOf(row);
      const id = idOf('strapi', beside !== undefined && !isSame ? `draft ${type}` : type, document);
      return [key, { id, isDraft, isSame }];
    }),
  );
}

/** A hash of what editors have written. */
function hashValues(data: JsonObject): string {
  const written = Object.entries(data).filter(([name]) => !internalAttributes.has(name) && name !== 'id');
  const withoutIds = JSON.stringify(written, (name, value) => (name === 'id' ? undefined : value));
  return createHash('sha256').update(withoutIds).digest('base64url').slice(0, 16);
}

/** The end that has the field, and the one that it refers to. Of media, the file refers to what shows it. */
const endsOf = ({ kind, left, right }: StrapiLink): { owner: StrapiLinkEnd; target: StrapiLinkEnd } =>
  kind === 'relation.morph' ? { owner: right, target: left } : { owner: left, target: right };
