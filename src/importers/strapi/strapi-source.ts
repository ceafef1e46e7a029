/**
 * An export of Strapi, as `strapi export --no-encrypt` writes it: schemas, entities, links and uploads, as an archive or its folder.
 */

import { basename } from 'node:path';
import { readJsonParts } from '../json/split-json.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { JsonObject, ObjectType } from '../reader.ts';
import { type Source, SourceError } from '../source/source.ts';

/** An attribute of a content type or a component. */
export interface StrapiAttribute extends JsonObject {
  type: string;
}

/** A content type or a component. */
export interface StrapiSchema {
  readonly uid: string;
  readonly modelType?: string;
  readonly info?: {
    readonly displayName?: string;
    readonly singularName?: string;
    readonly description?: string;
  };
  readonly options?: { readonly draftAndPublish?: boolean };
  readonly attributes: { readonly [name: string]: StrapiAttribute };
}

export interface StrapiEntity {
  readonly type: string;
  readonly id: number | string;
  readonly data: JsonObject;
}

export interface StrapiLinkEnd {
  readonly type: string;
  readonly ref: number | string;
  readonly field?: string;
  readonly pos?: number | null;
}

/** A relation between two entities. Of media, the left end is the file. */
export interface StrapiLink {
  readonly kind: string;
  readonly left: StrapiLinkEnd;
  readonly right: StrapiLinkEnd;
}

/** An export. */
export type StrapiSource = ReturnType<typeof openStrapi>;

/** Opens an export. Errors: SourceError. */
export function openStrapi(source: Source) {
  if (/\.enc$/i.test(source.path)) throw new SourceError('is encrypted: export it with --no-encrypt');
  if (!hasEntities(source))
    throw new SourceError(
      'is no export of Strapi: it has neither a folder entities nor answers of the REST API in .json files',
    );
  async function* read<Item>(part: string): AsyncGenerator<Item> {
    for (const { name } of source.list(part)) {
      const file = name.endsWith('.jsonl') ? source.find(`${part}/${name}`) : undefined;
      // The lines of an export have these forms.
      if (file) for await (const { value } of readJsonParts(file)) yield value as Item;
    }
  }
  return {
    schemas: (): AsyncIterable<StrapiSchema> => read<StrapiSchema>('schemas'),
    entities: (): AsyncIterable<StrapiEntity> => read<StrapiEntity>('entities'),
    links: (): AsyncIterable<StrapiLink> => read<StrapiLink>('links'),
    /** Finds the bytes of an upload by the name of its file. */
    findUpload: (name: string) => source.findBytes(`assets/uploads/${name}`),
  };
}

/** Whether a source is an export, and no dump of the REST API. */
export const hasEntities = (source: Source): boolean =>
  source.file === undefined && source.list('entities').length > 0;

/** Makes the type of uploaded files. */
export const mediaType = (name: string, classPrefix: string): ObjectType => ({
  kind: 'object',
  name,
  class: `${classPrefix}.${name}`,
  fields: [
    { name: 'name', type: 'String' },
    { name: 'alternativeText', type: 'String' },
    { name: 'caption', type: 'String' },
    { name: 'file', type: 'File' },
    { name: 'url', type: 'Url' },
    { name: 'path', type: 'String', description: 'The path below the address of Strapi, for bytes to add' },
  ],
});

/** Converts the record of an upload; `findUpload` finds its bytes by the name of their file. */
export async function convertMedia(
  data: JsonObject,
  {
    findUpload,
    files,
    report,
    place,
  }: { findUpload: StrapiSource['findUpload']; files: KeptFiles; report: Report; place: string },
): Promise<JsonObject> {
  const { name, alternativeText, caption, hash, ext, url } = data;
  // They name the bytes.
  for (const member of ['hash', 'ext']) report.convert(member);
  const kept = await files.keep(findUpload(basename(`${hash}${ext ?? ''}`)));
  const texts = Object.entries({ name, alternativeText, caption }).filter(
    (one): one is [string, string] => typeof one[1] === 'string' && one[1] !== '',
  );
  const fields = Object.fromEntries(texts);
  if (kept) return { ...fields, file: { hash: kept.hash, name: String(name ?? kept.name) } };
  if (typeof url === 'string' && URL.canParse(url)) return { ...fields, url };
  report.lose({ kind: 'file whose bytes the export lacks', example: place });
  return { ...fields, ...(typeof url === 'string' && { path: url }) };
}
