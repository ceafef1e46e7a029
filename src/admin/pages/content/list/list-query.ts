/**
 * The query of an asset list in the address of its page: filter, order, page and size of the pages.
 */
import type { ContentType } from '../../../api.ts';
import { type AssetQuery, fromParameters, toParameters } from '../../../parts/data/asset-query.ts';
import { updated } from './columns.ts';
import { joinConditions, splitConditions } from './filter/conditions.ts';
import { searchCondition } from './search-condition.ts';
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
