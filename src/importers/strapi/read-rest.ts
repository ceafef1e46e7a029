/**
 * Reads answers of the REST API of Strapi 4 or 5, three times: to index the entries, to guess their types, and to convert them.
 *
 * Answers have no schema: the fields of each type are guessed from all its entries, and relations, media, components and dynamic zones
 * are known by their form.
 */

import { createHash } from 'node:crypto';
import { createFieldGuess } from '../guess/guess-fields.ts';
import { kindOf, type ValueKind } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import { createReport, type Report } from '../output/report.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type ReadAsset,
  type Reader,
  type TypeField,
} from '../reader.ts';
import { openRest, type RestEntry, type RestSource, withAttributes } from './rest-source.ts';
import { convertMedia, mediaType } from './strapi-source.ts';
import { bookkeeping, internalAttributes } from './strapi-types.ts';

/** Reads a file or a folder. */
export const readRestDump: Reader = async (files, { classPrefix, names }) => {
  const source = openRest(files);
  const index = await indexEntries(source);
  const typeNames = createTypeNames();
  const mediaName = typeNames('Media');
  const nameOf = new Map([...index.attributes.keys()].map((type) => [type, typeNames(type)]));
  const classOf = (type: string) => `${classPrefix}.${nameOf.get(type)}`;
  const context = {
    typesOf: index.typesOf,
    classOf,
    mediaClass: `${classPrefix}.${mediaName}`,
    onMedia: (_media: JsonObject): void => undefined,
  };
  const guesses = new Map(
    [...nameOf].map(([type, owner]) => [
      type,
      createFieldGuess({ typeNames, owner, names, reading: { kindOf: kindOfRest, toReference } }),
    ]),
  );
  const unreported = createReport();
  for await (const entry of source.entries())
    guesses
      .get(entry.type)
      ?.add(convertEntry(entry, { ...context, report: unreported, place: '', path: '' }));
  const decided = new Map([...guesses].map(([type, guess]) => [type, guess.decide()]));
  return {
    types: [
      ...[...decided].flatMap(([type, { fields, embedded }]) => [
        {
          kind: 'object' as const,
          name: nameOf.get(type) ?? '',
          class: classOf(type),
          fields: fields.map(withIndex),
        },
        ...embedded,
      ]),
      mediaType(mediaName, classPrefix),
    ],
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      const written = new Set<string>();
      const media: JsonObject[] = [];
      const whole: Omit<RestContext, 'place' | 'path'> = {
        ...context,
        report,
        onMedia: (one) => media.push(one),
      };
      for await (const entry of source.entries(report)) {
        const key = String(entry.data.documentId ?? entry.data.id);
        const place = `${entry.type} ${key}`;
        report.open({
          kind: entry.type,
          id: key,
          value: entry.data,
          structure: ['id', '__component', 'documentId'],
          bookkeeping,
        });
        if (isMedia(entry.data)) media.push(entry.data);
        else {
          const { id, isDraft, isSame } = index.find(entry);
          const item = convertEntry(entry, { ...whole, place, path: '' });
          if (isSame) report.lose({ kind: 'draft that is as what is published', example: place, path: '' });
          else if (written.has(id))
            report.lose({ kind: 'entry that the dump has twice', example: place, path: '' });
          else {
            const asset = {
              _id: id,
              _type: classOf(entry.type),
              ...decided.get(entry.type)?.convert(item),
              ...datesOf(entry.data),
            };
            yield { asset, isDraft };
          }
          written.add(id);
        }
        for (const one of media.splice(0)) {
          const _id = mediaId(one);
          if (written.has(_id)) continue;
          written.add(_id);
          const fields = await convertMedia(one, { findUpload: source.findUpload, files, report, place });
          yield { asset: { _id, _type: context.mediaClass, ...fields } };
        }
      }
    },
  };
};

/** Reads which entries there are, and which drafts are as what is published. */
async function indexEntries(source: RestSource) {
  const attributes = new Map<string, Set<string>>();
  const types = new Map<string, string[]>();
  const published = new Map<string, string>();
  for await (const entry of source.entries()) {
    const { type, data } = entry;
    if (isMedia(data)) continue;
    const known = attributes.get(type) ?? new Set();
    attributes.set(type, known);
    for (const name of Object.keys(data)) known.add(name);
    const key = keyOf(data);
    const having = types.get(key) ?? [];
    types.set(key, having);
    if (!having.includes(type)) having.push(type);
    if (!isDraftEntry(data)) published.set(`${type} ${key}`, hashEntry(entry));
  }
  return {
    attributes,
    /** Lists the types that have an entry with a key. */
    typesOf: (key: string) =>
      (types.get(key) ?? []).map((type) => ({ type, attributes: attributes.get(type) ?? new Set<string>() })),
    /** Returns the `_id` of an entry; `isSame` says that it is a draft with the values of the published one beside it. */
    find(entry: RestEntry): { id: string; isDraft: boolean; isSame: boolean } {
      const { type, data } = entry;
      const id = entryId(type, data);
      const beside = published.get(`${type} ${keyOf(data)}`);
      if (!isDraftEntry(data)) return { id, isDraft: false, isSame: false };
      if (beside === undefined) return { id, isDraft: true, isSame: false };
      return { id: idOf('strapi', 'draft', id), isDraft: true, isSame: beside === hashEntry(entry) };
    },
  };
}

const isDraftEntry = ({ publishedAt }: JsonObject) => publishedAt === null;

function datesOf({ publishedAt, createdAt, updatedAt }: JsonObject): JsonObject {
  const [published, updated] = [publishedAt ?? createdAt, updatedAt].map((time) => Date.parse(String(time)));
  return {
    ...(Number.isNaN(published) ? {} : { 'cms.content.publishDate': published ?? 0 }),
    ...(Number.isNaN(updated) ? {} : { 'cms.content.updateDate': updated ?? 0 }),
  };
}

const withIndex = (field: TypeField): TypeField =>
  ['documentId', 'locale', 'slug'].includes(field.name) && field.type === 'String'
    ? { ...field, directives: ['@indexed'] }
    : field;

/** Identifies an entry within the dump. In Strapi 4, entries of several types have the same `id`. */
const keyOf = ({ id, documentId, locale, createdAt }: JsonObject): string =>
  typeof documentId === 'string' ? `${documentId} ${locale ?? ''}` : `${id} ${createdAt ?? ''}`;

/** The `_id` of an entry. */
const entryId = (type: string, { id, documentId, locale }: JsonObject): string =>
  idOf('strapi', type, typeof documentId === 'string' ? `${documentId} ${locale ?? ''}`.trim() : `${id}`);

/** The `_id` of an uploaded file. */
const mediaId = ({ id, documentId }: JsonObject): string => idOf('strapi', 'media', `${documentId ?? id}`);

/** Whether an object is the record of an uploaded file. */
const isMedia = (value: JsonObject): boolean =>
  ['hash', 'mime', 'url', 'ext'].every((name) => name in value) && 'id' in value;

/** A hash of what editors have written; of related entries only which they are. */
function hashEntry({ data }: RestEntry): string {
  const written = Object.entries(data).filter(([name]) => name !== 'id' && !internalAttributes.has(name));
  const text = JSON.stringify(written, (name, value) => {
    if (name === 'id') return undefined;
    return typeof value?.documentId === 'string' ? keyOf(value) : value;
  });
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** What conversion needs. */
interface RestContext {
  /** The class names and the attributes of the types that have an entry with a key. */
  readonly typesOf: (
    key: string,
  ) => readonly { readonly type: string; readonly attributes: ReadonlySet<string> }[];
  readonly classOf: (type: string) => string;
  readonly mediaClass: string;
  readonly report: Report;
  /** The entry, for the report. */
  readonly place: string;
  /** The path within it. */
  readonly path: string;
  /** Is given each uploaded file. */
  readonly onMedia: (media: JsonObject) => void;
}

/** Converts the members of an entry. */
function convertEntry({ data }: RestEntry, context: RestContext): JsonObject {
  const { documentId, locale } = data;
  const members = Object.entries(data).filter(([name]) => name !== 'id' && !internalAttributes.has(name));
  return {
    ...(typeof documentId === 'string' && { documentId }),
    ...(typeof locale === 'string' && { locale }),
    ...convertMembers(members, context),
  };
}

/** The kind of a converted value: what the editor "blocks" stores is kept as JSON. */
const kindOfRest = (value: Json): ValueKind => (isEditorText(value) ? 'json' : kindOf(value));

/** Returns the reference that a converted object is. */
function toReference({ _ref, _type }: JsonObject): { _ref: string; _type: string } | undefined {
  return typeof _ref === 'string' && typeof _type === 'string' ? { _ref, _type } : undefined;
}

const isEditorText = (value: Json): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isObject(item) && typeof item.type === 'string' && Array.isArray(item.children));

const convertMembers = (members: readonly [string, Json][], context: RestContext): JsonObject =>
  Object.fromEntries(
    members.flatMap(([name, value]) => {
      const converted = convertValue(value, {
        ...context,
        path: context.path === '' ? name : `${context.path}.${name}`,
      });
      return converted === undefined ? [] : [[name, converted]];
    }),
  );

function convertValue(value: Json, context: RestContext): Json | undefined {
  if (isEditorText(value)) return value;
  if (Array.isArray(value))
    return value.flatMap(
      (item, index) => convertValue(item, { ...context, path: `${context.path}[${index}]` }) ?? [],
    );
  if (!isObject(value)) return value;
  const { data } = value;
  // In Strapi 4, relations and media are within `data`.
  if (data !== undefined && Object.keys(value).length === 1) {
    const isRelation = data === null || [data].flat().every((one) => isObject(one) && 'attributes' in one);
    if (isRelation) return convertValue(data, { ...context, path: `${context.path}.data` });
  }
  const entry = withAttributes(value);
  if (isMedia(entry)) {
    context.onMedia(entry);
    return { _ref: mediaId(entry), _type: context.mediaClass };
  }
  if (entry !== value || typeof entry.documentId === 'string') return findTarget(entry, context);
  return convertComponent(value, context);
}

/** Finds the only type that has such an entry. */
function findTarget(
  entry: JsonObject,
  { typesOf, classOf, report, place, path }: RestContext,
): JsonObject | undefined {
  const names = Object.keys(entry);
  const types = typesOf(keyOf(entry)).filter(({ attributes }) => names.every((name) => attributes.has(name)));
  const [only] = types;
  // Its values are those of the entry in the file of its type.
  if (only && types.length === 1) report.convert(path);
  if (only && types.length === 1) return { _ref: entryId(only.type, entry), _type: classOf(only.type) };
  const kind = only ? 'relation that fits entries of several types' : 'relation to what the export lacks';
  report.lose({ kind, example: `${place}.${path}: ${entry.documentId ?? entry.id}`, path });
  return undefined;
}

function convertComponent(value: JsonObject, context: RestContext): JsonObject {
  const { id, __component: component, ...members } = value;
  if (id !== undefined)
    context.report.lose({
      kind: 'ID of a component',
      example: `${context.place}.${context.path}`,
      path: `${context.path}.id`,
    });
  return {
    ...(typeof component === 'string' && { _type: component }),
    ...convertMembers(Object.entries(members), context),
  };
}
