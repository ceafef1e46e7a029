/**
 * A schema snapshot of Directus, and the files with the items of its collections.
 */
import { parse as parseYaml } from 'yaml';
import { parseExact, readJsonParts } from '../json/split-json.ts';
import { isObject, type JsonObject } from '../reader.ts';
import { readWhole, type Source, SourceError, type SourceFile } from '../source/source.ts';

/** A field of a collection. */
export interface DirectusField {
  readonly collection: string;
  readonly field: string;
  readonly type: string;
  readonly meta?: {
    readonly special?: readonly string[] | null;
    readonly interface?: string | null;
    readonly note?: string | null;
    readonly required?: boolean;
    readonly options?: JsonObject | null;
  } | null;
  readonly schema?: {
    readonly is_unique?: boolean;
    readonly is_primary_key?: boolean;
    readonly max_length?: number | null;
  } | null;
}

/** A relation: the items of a collection hold the key of an item of another one. */
export interface DirectusRelation {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string | null;
  readonly meta?: {
    readonly one_field?: string | null;
    readonly one_allowed_collections?: readonly string[] | null;
    readonly one_collection_field?: string | null;
    readonly junction_field?: string | null;
    readonly sort_field?: string | null;
  } | null;
  /** The foreign key; `on_delete` is what happens to the holder when the other item is deleted. */
  readonly schema?: { readonly on_delete?: string | null } | null;
}

export interface DirectusCollection {
  readonly collection: string;
  readonly meta?: { readonly note?: string | null } | null;
  readonly schema?: object | null;
}

export interface DirectusSnapshot {
  readonly collections: readonly DirectusCollection[];
  readonly fields: readonly DirectusField[];
  readonly relations: readonly DirectusRelation[];
}

/** A folder with a snapshot and items. */
export interface DirectusSource {
  readonly snapshot: DirectusSnapshot;
  /** Reads the items of a collection; none where the folder has no file of it. */
  items(collection: string): AsyncIterable<JsonObject>;
  hasItems(collection: string): boolean;
  /** The collections that there are files of. */
  readonly files: readonly string[];
  /** The bytes of a file by its ID, if the folder `uploads` has them. */
  findUpload(id: string): SourceFile | undefined;
}

/** Opens a folder. Errors: SourceError. */
export async function openDirectus(source: Source): Promise<DirectusSource> {
  const [file] = ['snapshot.json', 'snapshot.yaml', 'snapshot.yml'].flatMap(
    (name) => source.find(name) ?? [],
  );
  if (file === undefined) throw new SourceError('has no snapshot.json or snapshot.yaml');
  // YAML contains JSON.
  const found = Object(parseYaml(await readWhole(file))) as Partial<DirectusSnapshot> & {
    data?: DirectusSnapshot;
  };
  const { collections, fields, relations = [] } = found.data ?? found;
  if (!Array.isArray(collections) || !Array.isArray(fields))
    throw new SourceError('has a snapshot without collections and fields');
  const find = (collection: string) => source.find(`${collection}.json`);
  const uploads = source.list('uploads');
  const uploadOf = new Map(uploads.map(({ name }) => [name.replace(/\..*$/, ''), `uploads/${name}`]));
  return {
    snapshot: { collections, fields, relations: [...relations] },
    files: source
      .list('', (name) => /\.json$/.test(name) && name !== 'snapshot.json')
      .map(({ name }) => name.replace(/\.json$/, '')),
    hasItems: (collection) => find(collection) !== undefined,
    findUpload: (id) => source.findBytes(uploadOf.get(id) ?? ''),
    async *items(collection) {
      const items = find(collection);
      if (items === undefined) return;
      // A singleton is an object, alone or as `data`.
      const members = new Set<string>();
      for await (const { member, value } of readJsonParts(items)) {
        members.add(member);
        if ((member === '' || member === 'data') && isObject(value)) yield value;
      }
      const others = [...members].filter((name) => !['', 'data', 'meta'].includes(name));
      if (others.length > 0 && members.has('data'))
        throw new SourceError(
          `has ${others.join(', ')} beside data in ${collection}.json: put a singleton as a whole into data`,
        );
      if (others.length > 0)
        yield Object(parseExact((await readWhole(items)).replace(/^\uFEFF/, ''))) as JsonObject;
    },
  };
}
