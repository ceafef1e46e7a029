/**
 * A search for assets: in the address of a page, as a request, and as a line for the command line.
 *
 * In an address each key of the order is one `sort`, with `-` before the field when it descends.
 */

import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { defaultLimit } from '../../../text/page-limits.ts';
import { toShellWord } from '../../../text/shell-word.ts';
import { admin, answer, answerWithTag, type Query, type SortKey } from '../../api.ts';
import { inRelease } from '../releases/work-release.ts';

/** Which assets to find; an empty `from` asks for nothing yet, an empty `where` for all. */
export interface AssetQuery {
  readonly from: string;
  readonly where: string;
  readonly values: readonly string[];
  readonly sort: readonly SortKey[];
  readonly offset: number;
  readonly limit: number;
}

/** Reads a search from an address. */
export function fromParameters(parameters: URLSearchParams): AssetQuery {
  return {
    from: parameters.get('from') ?? '',
    where: parameters.get('where') ?? '',
    values: parameters.getAll('value'),
    sort: parameters.getAll('sort').map(toSortKey),
    offset: toCount(parameters.get('offset'), 0),
    limit: toCount(parameters.get('limit'), defaultLimit),
  };
}

/** Writes a search for an address; what is as it would be anyway is left out. */
export function toParameters({ from, where, values, sort, offset, limit }: AssetQuery): URLSearchParams {
  return new URLSearchParams([
    ...(from ? [['from', from]] : []),
    ...(where.trim() ? [['where', where]] : []),
    ...values.map((value) => ['value', value]),
    ...sort.map(({ field, descending }) => ['sort', descending ? `-${field}` : field]),
    ...(offset > 0 ? [['offset', String(offset)]] : []),
    ...(limit === defaultLimit ? [] : [['limit', String(limit)]]),
  ]);
}

/** The body of the request. */
export function toRequest({ from, where, values, sort, offset, limit }: AssetQuery): Query {
  return {
    from,
    ...(where.trim() ? { where } : {}),
    values: [...values],
    sort: [...sort],
    offset,
    limit,
  };
}

/** The same search as a call of the content management API with curl; it has no order but that of the IDs. */
export function toCurl({ from, where, values, offset, limit }: AssetQuery, cmaUrl: string): string {
  const data = [
    ['from', from],
    ...(where.trim() ? [['where', where]] : []),
    ...values.map((value) => ['values', value]),
    ['offset', String(offset)],
    ['limit', String(limit)],
  ];
  const parts = [
    `curl -G ${toShellWord(cmaUrl)}`,
    "-H 'X-Client-Id: YOUR_CLIENT_ID'",
    "-H 'X-Client-Secret: YOUR_CLIENT_SECRET'",
    ...data.map(([name, value]) => `--data-urlencode ${toShellWord(`${name}=${value}`)}`),
  ];
  return parts.join(' \\\n  ');
}

function toSortKey(text: string): SortKey {
  const descending = text.startsWith('-');
  return { field: descending ? text.slice(1) : text, descending };
}

function toCount(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}

/** One page of the assets that match, with their number and the time it took. With `fields` the assets have only these. */
const assetPage = (query: AssetQuery, fields?: readonly string[], release?: string) => {
  const body = { ...toRequest(query), ...(fields && { fields: [...fields] }) };
  return queryOptions({
    queryKey: ['contents', 'query', body, ...(release === undefined ? [] : [release])],
    queryFn: () => answer(admin.runQuery({ body, query: release === undefined ? inRelease() : { release } })),
  });
};

/** One page of the assets that match; nothing without a type. Until it is there, the page before is returned. `release` names another one than the user works in. */
export function useAssets(query: AssetQuery, fields?: readonly string[], release?: string) {
  return useQuery({
    ...assetPage(query, fields, release),
    enabled: query.from !== '',
    placeholderData: keepPreviousData,
  });
}

/** The same, and loads the next page as soon as this one is there. */
export function useAssetsAhead(query: AssetQuery, fields: readonly string[], release?: string) {
  const client = useQueryClient();
  const result = useAssets(query, fields, release);
  const { data, isPlaceholderData } = result;
  const offset = query.offset + query.limit;
  const isMore = data !== undefined && !isPlaceholderData && offset < data.count;
  useEffect(() => {
    if (!isMore) return;
    void client.prefetchQuery({ ...assetPage({ ...query, offset }, fields, release), staleTime: 30_000 });
  }, [client, query, fields, release, offset, isMore]);
  return result;
}

/** One live asset, as `{ data, tag }`. */
export const assetById = (id: string) =>
  queryOptions({
    queryKey: ['contents', id],
    queryFn: () => answerWithTag(admin.getContent({ path: { id } })),
  });
