/**
 * Finds the titles of assets, by their IDs or by words.
 *
 * A search goes through the types one after the other: first by titles, then by the words of `@searchable` fields. No index serves the
 * part of a title, so after five seconds no further search begins.
 */

import { invalidParameter, isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { isUuid } from '../../base/uuid.ts';
import { findTitlePath, titleOf } from '../../model/asset-title.ts';
import { getType } from '../../model/catalog.ts';
import {
  type Asset,
  type Catalog,
  type ContentType,
  type Field,
  isFileType,
  type Json,
} from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { toSearchedTerms } from '../../query/text.ts';
import type { AssetFinder, AssetQuery, Caller } from './find-assets.ts';

/** An asset as a list names it: `title` is its ID if no field names it. */
interface TitledAsset {
  readonly _id: string;
  readonly _type: string;
  readonly title: string;
  /** Absent if it has none. */
  readonly picture?: AssetPicture;
}

/** A search by words; without `text`, for the first assets of each type. `types` are class names or type IDs; absent means all. */
interface TitleSearch {
  readonly text?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
  /** How many assets of each type are found, so that one type does not keep out others. Absent means up to `limit`. */
  readonly limitPerType?: number | undefined;
}

/** Finds titles of assets that a caller may see. */
export type TitleFinder = ReturnType<typeof createTitleFinder>;

const maxMs = 5000;

/** Creates the finder for the content of a service. */
export function createTitleFinder({
  content,
  clock,
}: {
  content: Pick<AssetFinder, 'getMany' | 'find'> & { readonly catalog: Catalog };
  clock: Clock;
}) {
  const { catalog } = content;
  function toTitled(asset: Asset): TitledAsset {
    const type = catalog.types.get(asset._type);
    const picture = findPicture(asset, type);
    return { _id: asset._id, _type: asset._type, title: titleOf(asset, type), ...(picture && { picture }) };
  }

  /** Gets the titles of the assets among `ids`, in no order. */
  async function list(ids: readonly string[], caller: Caller): Promise<TitledAsset[]> {
    const found: TitledAsset[] = [];
    for await (const assets of content.getMany([...new Set(ids)], caller))
      found.push(...assets.map(toTitled));
    return found;
  }

  function typesOf(names: readonly string[] | undefined): ContentType[] {
    if (!names) return [...catalog.types.values()];
    const classes = names.flatMap((name) => catalog.concrete(getType(catalog, name, 'types')));
    return [...catalog.types.values()].filter((type) => classes.includes(type.class));
  }

  return {
    list,
    /**
     * Finds at most `limit` assets: the one with the ID `text`, those whose title contains each word of `text` in any letter case, and
     * those with a `@searchable` field that contains all its words. Without `text`, the assets of each type are those with the first
     * titles. `unsearched` are the classes for which there was not enough time.
     *
     * Errors: unknown_type, invalid_parameter for a text without a word.
     */
    async search(
      { text, types: names, limit, limitPerType = limit }: TitleSearch,
      caller: Caller,
    ): Promise<{ items: TitledAsset[]; unsearched: string[] }> {
      const types = typesOf(names);
      const searches = toSearches(text);
      const found = new Map<string, TitledAsset>();
      const counts = new Map<string, number>();
      for (const asset of text !== undefined && isUuid(text.trim()) ? await list([text.trim()], caller) : [])
        if (types.some((type) => type.class === asset._type)) add(asset);
      const unsearched = new Set<string>();
      const endMs = clock.nowMs() + maxMs;
      for (const toTerms of searches) {
        for (const type of types) {
          const terms = toTerms(type);
          if (!terms || found.size >= limit || isFull(type.class)) continue;
          if (clock.nowMs() >= endMs) unsearched.add(type.class);
          else if (!(await addAll(type, terms))) unsearched.add(type.class);
        }
      }
      return { items: [...found.values()].slice(0, limit), unsearched: [...unsearched] };

      function isFull(className: string): boolean {
        return (counts.get(className) ?? 0) >= limitPerType;
      }

      function add(asset: TitledAsset): void {
        if (found.has(asset._id) || isFull(asset._type)) return;
        found.set(asset._id, asset);
        counts.set(asset._type, (counts.get(asset._type) ?? 0) + 1);
      }

      /** Adds what is found in a type; returns whether there was time to find it. */
      async function addAll({ class: from }: ContentType, terms: Terms): Promise<boolean> {
        try {
          const query = { from, ...terms, offset: 0, limit: Math.min(limit, limitPerType), withCount: false };
          const { items } = await content.find(query, caller);
          for (const { asset } of items) add(toTitled(asset));
          return true;
        } catch (error) {
          if (isDomainError(error, 'query_too_costly')) return false;
          throw error;
        }
      }
    },
  };
}

type Terms = Pick<AssetQuery, 'where' | 'values' | 'sort'>;

/** The searches in each type, one after the other. Errors: invalid_parameter for a text without a word. */
function toSearches(text: string | undefined): readonly ((type: ContentType) => Terms | undefined)[] {
  if (text === undefined) return [firstTitles];
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw invalidParameter('text', 'must contain a word');
  return [(type) => titleCondition(type, words), (type) => textCondition(type, text)];
}

function firstTitles(type: ContentType): Terms {
  const path = findTitlePath(type)?.text;
  return path === undefined ? {} : { sort: [{ field: path, descending: false }] };
}

function titleCondition(type: ContentType, words: readonly string[]): Terms | undefined {
  const path = findTitlePath(type)?.text;
  if (path === undefined) return undefined;
  const parts = words.map((_, index) => `"${path}" contains[c] ?${index}`).join(' and ');
  const starts = words.map((word) => `${word}*`).join(' ');
  // Words also find titles that are written with accents.
  if (toSearchedTerms(starts).length === 0) return { where: parts, values: [...words] };
  return {
    where: `(${parts}) or "${path}" matchesAll ?${words.length}`,
    values: [...words, starts],
  };
}

/** Punctuation alone has no words to search for. */
function textCondition(type: ContentType, text: string): Terms | undefined {
  const paths = searchablePaths(type.fields, []);
  if (paths.length === 0 || toSearchedTerms(text).length === 0) return undefined;
  return { where: paths.map((path) => `"${path}" matchesAll ?0`).join(' or '), values: [text] };
}

/** Lists the paths of the fields with `@searchable`, those of embedded values included. `above` are the types around. */
function searchablePaths(fields: ReadonlyMap<string, Field>, above: readonly string[]): string[] {
  return [...fields.values()].flatMap(({ name, searchable, type }) => {
    if (searchable) return [name];
    if (type.kind !== 'embedded' || above.includes(type.type.name)) return [];
    const members = searchablePaths(type.type.fields, [...above, type.type.name]);
    return members.map((member) => `${name}.${member}`);
  });
}

/** A picture, as its address needs it. */
interface AssetPicture {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
}

/** Finds the picture of an asset; its embedded values are not searched. */
function findPicture(asset: Asset, type: ContentType | undefined): AssetPicture | undefined {
  for (const { name, type: value } of type?.fields.values() ?? []) {
    if (value.kind !== 'embedded' || !isFileType(value.type)) continue;
    for (const file of [asset[name]].flat()) {
      const picture = toPicture(file);
      if (picture) return picture;
    }
  }
  return undefined;
}

function toPicture(file: Json | undefined): AssetPicture | undefined {
  if (!isJsonObject(file)) return undefined;
  const { hash, name, mediaType } = file;
  const isPicture = typeof mediaType === 'string' && mediaType.startsWith('image/');
  return isPicture ? { hash: String(hash), name: String(name), mediaType } : undefined;
}
