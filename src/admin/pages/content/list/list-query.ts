/**
 * The query of an asset list in the address of its page: filter, order, page and size of the pages.
 */
import type { ContentType } from '../../../api.ts';
import { type AssetQuery, fromParameters, toParameters } from '../../../parts/data/asset-query.ts';
import { fieldPaths } from '../../../parts/data/field-paths.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { updated } from './columns.ts';
import { joinConditions, quote, splitConditions } from './filter/conditions.ts';
import { type DraftFilter, draftFilters } from './state-filter.ts';

/** The sizes of a page that one can choose; the first one is usual. */
export const pageSizes = [20, 50, 100] as const;

/** What a list shows: the assets that a filter and the words of a search find. */
export interface ListQuery extends AssetQuery {
  readonly search: string;
  /** The state of the drafts; undefined for all assets. */
  readonly state: DraftFilter | undefined;
}

/** Reads the query. Its `sort` is empty for the usual order, latest change first. */
export function readListQuery(parameters: URLSearchParams, from: string): ListQuery {
  const query = fromParameters(parameters);
  const limit = pageSizes.find((size) => size === query.limit) ?? pageSizes[0];
  const state = draftFilters.find((filter) => filter === parameters.get('state'));
  return { ...query, from, limit, search: parameters.get('search') ?? '', state };
}

/** Writes the query for the address, which names the type already. */
export function writeListQuery({ search, state, ...query }: ListQuery): URLSearchParams {
  const parameters = toParameters(query);
  if (search.trim() !== '') parameters.set('search', search.trim());
  if (state !== undefined) parameters.set('state', state);
  parameters.delete('from');
  if (query.limit === pageSizes[0]) parameters.delete('limit');
  return parameters;
}

/** The request of a list: its filter, its search and the IDs to which a state limits it, as one predicate, and the usual order in place of none. */
export function toAssetQuery(
  type: ContentType,
  { search, state: _, ...query }: ListQuery,
  ids?: readonly string[],
): AssetQuery {
  const found = searchCondition(type, search);
  const others = [...(found === undefined ? [] : [found]), ...(ids ? [`_id in [${ids.join(', ')}]`] : [])];
  const where =
    others.length === 0 ? query.where : joinConditions([...splitConditions(query.where), ...others]);
  return {
    ...query,
    where,
    ...(query.sort.length === 0 && { sort: [{ field: updated, descending: true }] }),
  };
}

/** The query in another order. Without one, it goes back to the usual order; from that, to its opposite. */
export function withSort(query: ListQuery, sort: AssetQuery['sort']): ListQuery {
  const isUsual = query.sort.length === 0 && sort.length === 0;
  return { ...query, sort: isUsual ? [{ field: updated, descending: false }] : sort, offset: 0 };
}

/** The most words that are searched for; more of them hardly find anything else. */
const maxWords = 10;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * The predicate of a search; undefined without words.
 *
 * Each word must begin a word of the title or of a `@searchable` text, in any letter case, with accents or without. A title without
 * `@searchable` may also contain it: no index serves either. The ID of an asset finds it.
 */
function searchCondition(type: ContentType, text: string): string | undefined {
  const searched = text.trim();
  if (searched === '') return undefined;
  if (uuid.test(searched)) return `_id = ${quote(searched.toLowerCase())}`;
  const words = (searched.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, maxWords);
  const all = fieldPaths(type);
  const searchable = all.filter(({ field }) => field.searchable).map(({ path }) => path);
  const titles = type.titleField === undefined ? [] : [type.titleField];
  // A type without a title, as most interfaces are, is searched by its texts.
  const texts =
    titles.length + searchable.length > 0
      ? titles
      : all
          .filter(({ field, isInList }) => viewOf(field.type) === 'words' && !isInList)
          .map(({ path }) => path);
  const plain = texts.filter((path) => !searchable.includes(path));
  // Punctuation alone has no words.
  const isIn = (word: string) => [
    ...searchable.map((path) => `${toPath(path)} matchesAll ${quote(`${word}*`)}`),
    ...plain.flatMap((path) => [
      `${toPath(path)} contains[c] ${quote(word)}`,
      ...(words.length > 0 ? [`${toPath(path)} matchesAll ${quote(`${word}*`)}`] : []),
    ]),
  ];
  const conditions = (words.length > 0 ? words : [searched]).map((word) => isIn(word));
  if (conditions.some((each) => each.length === 0)) return `_id = ${quote(searched)}`;
  return conditions.map((each) => `(${each.join(' or ')})`).join(' and ');
}

/** Quotes a path with characters that a predicate reads otherwise. */
const toPath = (path: string) => (/^[\w.]+$/.test(path) ? path : `"${path}"`);
