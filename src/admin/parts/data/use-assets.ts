/**
 * Finds and reads assets. Their queries are cached under the key `contents`.
 */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { admin, answer, answerWithTag } from '../../api.ts';
import { inRelease } from '../releases/work-release.ts';
import { type AssetQuery, toRequest } from './asset-query.ts';

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
