/**
 * Converts the members of entries that the REST API of Strapi gives. They have no schema: relations, media, components and dynamic zones
 * are known by their form.
 */
import { createHash } from 'node:crypto';
import { kindOf, type ValueKind } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import type { Report } from '../output/report.ts';
import { isObject, type Json, type JsonObject } from '../reader.ts';
import { type RestEntry, withAttributes } from './rest-source.ts';
import { internalAttributes } from './strapi-types.ts';

/** Identifies an entry within the dump. In Strapi 4, entries of several types have the same `id`. */
export const keyOf = ({ id, documentId, locale, createdAt }: JsonObject): string =>
  typeof documentId === 'string' ? `${documentId} ${locale ?? ''}` : `${id} ${createdAt ?? ''}`;

/** The `_id` of an entry. */
export const entryId = (type: string, { id, documentId, locale }: JsonObject): string =>
  idOf('strapi', type, typeof documentId === 'string' ? `${documentId} ${locale ?? ''}`.trim() : `${id}`);

/** The `_id` of an uploaded file. */
export const mediaId = ({ id, documentId }: JsonObject): string =>
  idOf('strapi', 'media', `${documentId ?? id}`);

/** Whether an object is the record of an uploaded file. */
export const isMedia = (value: JsonObject): boolean =>
  ['hash', 'mime', 'url', 'ext'].every((name) => name in value) && 'id' in value;

/** A hash of what editors have written; of related entries only which they are. */
export function hashEntry({ data }: RestEntry): string {
  const written = Object.entries(data).filter(([name]) => name !== 'id' && !internalAttributes.has(name));
  const text = JSON.stringify(written, (name, value) => {
    if (name === 'id') return undefined;
    return typeof value?.documentId === 'string' ? keyOf(value) : value;
  });
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** What conversion needs. */
export interface RestContext {
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
export function convertEntry({ data }: RestEntry, context: RestContext): JsonObject {
  const { documentId, locale } = data;
  const members = Object.entries(data).filter(([name]) => name !== 'id' && !internalAttributes.has(name));
  return {
    ...(typeof documentId === 'string' && { documentId }),
    ...(typeof locale === 'string' && { locale }),
    ...convertMembers(members, context),
  };
}

/** The kind of a converted value: what the editor "blocks" stores is kept as JSON. */
export const kindOfRest = (value: Json): ValueKind => (isEditorText(value) ? 'json' : kindOf(value));

/** Returns the reference that a converted object is. */
export function toReference({ _ref, _type }: JsonObject): { _ref: string; _type: string } | undefined {
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
