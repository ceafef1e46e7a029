/**
 * An export of Strapi, as `strapi export --no-encrypt` writes it: schemas, entities, links and uploads, as an archive or its folder.
 */
import { readJsonParts } from '../json/split-json.ts';
import type { JsonObject } from '../reader.ts';
import type { Source, SourceFile } from '../source/source.ts';
import { SourceError } from '../source-error.ts';

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

/** An entity. */
export interface StrapiEntity {
  readonly type: string;
  readonly id: number | string;
  readonly data: JsonObject;
}

/** One end of a link. */
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
export interface StrapiSource {
  schemas(): AsyncIterable<StrapiSchema>;
  entities(): AsyncIterable<StrapiEntity>;
  links(): AsyncIterable<StrapiLink>;
  /** Finds the bytes of an upload by the name of its file. */
  findUpload(name: string): SourceFile | undefined;
}

/** Opens an export. Errors: SourceError. */
export function openStrapi(source: Source): StrapiSource {
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
    schemas: () => read<StrapiSchema>('schemas'),
    entities: () => read<StrapiEntity>('entities'),
    links: () => read<StrapiLink>('links'),
    findUpload: (name) => source.findBytes(`assets/uploads/${name}`),
  };
}

/** Whether a source is an export, and no dump of the REST API. */
export const hasEntities = (source: Source): boolean =>
  source.file === undefined && source.list('entities').length > 0;
