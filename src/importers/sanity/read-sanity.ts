/**
 * Reads a dataset of Sanity, as `sanity dataset export` writes it. Its types are guessed from all documents, since it has no schema.
 */
import { createFieldGuess, type GuessedFields } from '../guess/guess-fields.ts';
import { kindOf } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import { createReport, type Report } from '../output/report.ts';
import type { JsonObject, ReadAsset, Reader, TypeField } from '../reader.ts';
import { toPlain } from './plain-value.ts';
import { openSanity, type SanityDocument } from './sanity-source.ts';

/** Reads a file, a folder or an archive. */
export const readSanity: Reader = async (source, { classPrefix, names }) => {
  const { find, documents } = openSanity(source);
  const typeNames = createTypeNames();
  const media = new Map<string, SanityDocument>();
  const types = new Map<string, string>();
  for await (const document of documents()) {
    if (isMedia(document)) media.set(document._id, document);
    else if (!isInternal(document)) types.set(baseIdOf(document), document._type);
  }
  const nameOf = new Map([...new Set(types.values())].map((type) => [type, typeNames(type)]));
  const classOf = (type: string) => `${classPrefix}.${nameOf.get(type)}`;

  /** A reference as it is stored; one to what the export lacks is none. */
  const toReference = ({ _ref: ref }: JsonObject) => {
    const id = typeof ref === 'string' ? ref.replace(/^drafts\./, '') : undefined;
    const type = id === undefined ? undefined : types.get(id);
    return id === undefined || type === undefined
      ? undefined
      : { _ref: idOf('sanity', 'document', id), _type: classOf(type) };
  };
  const guesses = new Map(
    [...nameOf].map(([type, name]) => [
      type,
      createFieldGuess({ typeNames, owner: name, names, reading: { kindOf, toReference } }),
    ]),
  );

  async function* readContent(
    report: Report,
    files?: KeptFiles,
  ): AsyncGenerator<{ document: SanityDocument; item: JsonObject }> {
    for await (const document of documents()) {
      const place = `${document._type} ${document._id}`;
      if (files)
        report.open({
          kind: document._type,
          id: document._id,
          value: document,
          structure,
          bookkeeping: ['_rev', '_createdAt', '_updatedAt', '_system'],
          toIds: (text) => [idOf('sanity', 'document', text.replace(/^drafts\./, ''))],
        });
      if (isMedia(document)) {
        report.lose({
          kind: 'record of a picture or a file, of which the address is kept',
          example: place,
          path: '',
        });
        continue;
      }
      if (isInternal(document)) {
        report.lose({ kind: `document of the type ${document._type}`, example: document._id, path: '' });
        continue;
      }
      const { _id, _type, _rev, _createdAt, _updatedAt, _system, ...members } = document;
      const plain = (await toPlain(members, {
        find,
        media,
        files,
        report,
        place,
        path: '',
        idOf: (ref) => idOf('sanity', 'document', ref.replace(/^drafts\./, '')),
      })) as JsonObject;
      yield { document, item: withoutMissing(plain, { toReference, report, place, path: '' }) as JsonObject };
    }
  }

  for await (const { document, item } of readContent(createReport())) guesses.get(document._type)?.add(item);
  const decided = new Map([...guesses].map(([type, guess]) => [type, guess.decide()]));
  return {
    types: [...decided].flatMap(([type, { fields, embedded }]) => [
      {
        kind: 'object' as const,
        name: nameOf.get(type) ?? '',
        class: classOf(type),
        fields: fields.map(withIndex),
      },
      ...embedded,
    ]),
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      for await (const { document, item } of readContent(report, files))
        yield toAsset(document, item, decided.get(document._type));
    },
  };

  function toAsset(document: SanityDocument, item: JsonObject, type: GuessedFields | undefined): ReadAsset {
    const [created, updated] = [document._createdAt, document._updatedAt].map((text) =>
      Date.parse(String(text)),
    );
    const isDraft = /^(drafts|versions)\./.test(document._id);
    const id = baseIdOf(document);
    const asset = {
      // A draft stands beside what is published.
      _id: idOf('sanity', isDraft ? 'draft' : 'document', id),
      _type: classOf(document._type),
      ...type?.convert(item),
      ...(Number.isNaN(created) ? {} : { 'cms.content.publishDate': created ?? 0 }),
      ...(Number.isNaN(updated) ? {} : { 'cms.content.updateDate': updated ?? 0 }),
    };
    return { asset, isDraft };
  }
};

/** Members that say what a value is, and what it is called within a list. */
const structure = ['_type', '_id', '_key', '_weak'];

const isMedia = ({ _type }: SanityDocument) => _type === 'sanity.imageAsset' || _type === 'sanity.fileAsset';

/** Settings of the project, and what Sanity keeps for itself. */
const isInternal = ({ _type }: SanityDocument) => /^(system|sanity|translation)\./.test(_type);

/** The ID of what is published, of which a document may be a draft. */
const baseIdOf = ({ _id }: SanityDocument) => _id.replace(/^(drafts|versions\.[^.]+)\./, '');

const withIndex = (field: TypeField): TypeField =>
  field.name === 'slug' && field.type === 'String' ? { ...field, directives: ['@indexed'] } : field;

/** Leaves out references to what the export lacks. */
function withoutMissing(
  value: JsonObject[string],
  context: {
    toReference: (value: JsonObject) => object | undefined;
    report: Report;
    place: string;
    path: string;
  },
): JsonObject[string] {
  if (Array.isArray(value)) {
    return value
      .map((item, index) => withoutMissing(item, { ...context, path: `${context.path}[${index}]` }))
      .filter((item, index) => item !== null || value[index] === null);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value._ref === 'string') {
    if (context.toReference(value)) return value;
    context.report.lose({
      kind: 'reference to what the export lacks',
      example: `${context.place}: ${value._ref}`,
      path: context.path,
    });
    return null;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withoutMissing(member, { ...context, path: context.path === '' ? name : `${context.path}.${name}` }),
    ]),
  );
}
