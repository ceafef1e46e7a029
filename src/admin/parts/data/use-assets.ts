/**
 * Finds and reads assets. Their queries are cached under the key `contents`.
 */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { admin, answer, answerWithTag } from '../../api.ts';
import { type AssetQuery, toRequest } from './asset-query.ts';

/** One page of the assets that match, with their number and the time it took; nothing without a type. */
export function useAssets(query: AssetQuery) {
  const body = toRequest(query);
  return useQuery({
    queryKey: ['contents', 'query', body],
    queryFn: () => answer(admin.runQuery({ body })),
    enabled: query.from !== '',
    placeholderData: keepPreviousData,
  });
}

/** One asset, as `{ data, tag }`. */
export const assetById = (id: string) =>
  queryOptions({
    queryKey: ['contents', id],
    queryFn: () => answerWithTag(admin.getContent({ path: { id } })),
  });
