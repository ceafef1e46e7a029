/**
 * The query of an asset list in the address of its page: filter, order, page and size of the pages.
 */
import { type AssetQuery, fromParameters, toParameters } from '../../../parts/data/asset-query.ts';
import { updated } from './columns.ts';

/** The sizes of a page that one can choose; the first one is usual. */
export const pageSizes = [20, 50, 100] as const;

/** Reads the query. Its `sort` is empty for the usual order, latest change first. */
export function readListQuery(parameters: URLSearchParams, from: string): AssetQuery {
  const query = fromParameters(parameters);
  const limit = pageSizes.find((size) => size === query.limit) ?? pageSizes[0];
  return { ...query, from, limit };
}

/** Writes the query for the address, which names the type already. */
export function writeListQuery(query: AssetQuery): URLSearchParams {
  const parameters = toParameters(query);
  parameters.delete('from');
  if (query.limit === pageSizes[0]) parameters.delete('limit');
  return parameters;
}

/** The query with the usual order in place of none. */
export function withOrder(query: AssetQuery): AssetQuery {
  return query.sort.length > 0 ? query : { ...query, sort: [{ field: updated, descending: true }] };
}

/** The query in another order. Without one, it goes back to the usual order; from that, to its opposite. */
export function withSort(query: AssetQuery, sort: AssetQuery['sort']): AssetQuery {
  const isUsual = query.sort.length === 0 && sort.length === 0;
  return { ...query, sort: isUsual ? [{ field: updated, descending: false }] : sort, offset: 0 };
}
