/**
 * Reads answers of the REST API of Strapi 4 or 5. The fields of each type are guessed from all its entries, since answers have no schema.
 */
import { createFieldGuess } from '../guess/guess-fields.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import { createReport } from '../output/report.ts';
import type { JsonObject, ReadAsset, Reader, TypeField } from '../reader.ts';
import { openRest, type RestEntry, type RestSource } from './rest-source.ts';
import {
  convertEntry,
  entryId,
  hashEntry,
  isMedia,
  keyOf,
  kindOfRest,
  mediaId,
  type RestContext,
  toReference,
} from './rest-values.ts';
import { convertMedia, mediaType } from './strapi-media.ts';
import { bookkeeping } from './strapi-types.ts';

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
          if (!isSame && written.has(id))
            report.lose({ kind: 'entry that the dump has twice', example: place, path: '' });
          else if (isSame)
            report.lose({ kind: 'draft that is as what is published', example: place, path: '' });
          else if (!isSame) {
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

/** Which entries there are, and which drafts are as what is published. */
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
    typesOf: (key: string) =>
      (types.get(key) ?? []).map((type) => ({ type, attributes: attributes.get(type) ?? new Set<string>() })),
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
