/**
 * A schema snapshot of Directus, and the files with the items of its collections.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { readJsonParts } from '../json/split-json.ts';
import { type JsonObject, SourceError } from '../reader.ts';

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
}

/** A collection. */
export interface DirectusCollection {
  readonly collection: string;
  readonly meta?: { readonly note?: string | null } | null;
  readonly schema?: object | null;
}

/** A snapshot. */
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
  /** The path of the bytes of a file by its ID, if the folder `uploads` has them. */
  findUpload(id: string): string | undefined;
}

/** Opens a folder. Errors: SourceError. */
export function openDirectus(folder: string): DirectusSource {
  const file = ['snapshot.json', 'snapshot.yaml', 'snapshot.yml']
    .map((name) => join(folder, name))
    .find(existsSync);
  if (file === undefined) throw new SourceError('has no snapshot.json or snapshot.yaml');
  // YAML contains JSON.
  const found = Object(parseYaml(readFileSync(file, 'utf8'))) as Partial<DirectusSnapshot> & {
    data?: DirectusSnapshot;
  };
  const { collections, fields, relations = [] } = found.data ?? found;
  if (!Array.isArray(collections) || !Array.isArray(fields))
    throw new SourceError('has a snapshot without collections and fields');
  const pathOf = (collection: string) => join(folder, `${collection}.json`);
  const uploads = existsSync(join(folder, 'uploads')) ? readdirSync(join(folder, 'uploads')) : [];
  const uploadOf = new Map(uploads.map((name) => [name.replace(/\..*$/, ''), join(folder, 'uploads', name)]));
  return {
    snapshot: { collections, fields, relations: [...relations] },
    hasItems: (collection) => existsSync(pathOf(collection)),
    findUpload: (id) => uploadOf.get(id),
    async *items(collection) {
      if (!existsSync(pathOf(collection))) return;
      for await (const { value, isItem } of readJsonParts(pathOf(collection)))
        if (isItem) yield value as JsonObject;
    },
  };
}
