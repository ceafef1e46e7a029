/**
 * An export of Strapi, as `strapi export --no-encrypt` writes it: schemas, entities, links and uploads, as an archive or its folder.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonParts } from '../json/split-json.ts';
import { type JsonObject, SourceError } from '../reader.ts';
import { unpack } from '../tar/unpack.ts';

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
  /** The folder of uploaded files. */
  readonly uploads: string;
}

/** Opens an export. Errors: SourceError. */
export async function openStrapi(path: string): Promise<StrapiSource> {
  if (/\.enc$/i.test(path)) throw new SourceError('is encrypted: export it with --no-encrypt');
  const folder = statSync(path).isDirectory() ? path : await unpack(path);
  if (!existsSync(join(folder, 'entities')))
    throw new SourceError(
      'is no export of Strapi: it has neither a folder entities nor answers of the REST API in .json files',
    );
  async function* read<Item>(part: string): AsyncGenerator<Item> {
    const place = join(folder, part);
    if (!existsSync(place)) return;
    for (const name of readdirSync(place).sort()) {
      // The lines of an export have these forms.
      if (name.endsWith('.jsonl'))
        for await (const { value } of readJsonParts(join(place, name))) yield value as Item;
    }
  }
  return {
    schemas: () => read<StrapiSchema>('schemas'),
    entities: () => read<StrapiEntity>('entities'),
    links: () => read<StrapiLink>('links'),
    uploads: join(folder, 'assets', 'uploads'),
  };
}
