/**
 * Finds and reads assets. Their queries are cached under the key `contents`.
 */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { admin, answer, answerWithTag, type ContentType } from '../../api.ts';
import { type AssetQuery, toRequest } from './asset-query.ts';
import { findTitleField } from './asset-titles.ts';

/**
 * One page of the assets that match, with their number and the time it took; nothing without a type. With `fields` the assets have only
 * these.
 */
export function useAssets(query: AssetQuery, fields?: readonly string[]) {
  const body = { ...toRequest(query), ...(fields && { fields: [...fields] }) };
  return useQuery({
    queryKey: ['contents', 'query', body],
    queryFn: () => answer(admin.runQuery({ body })),
    enabled: query.from !== '',
    placeholderData: keepPreviousData,
  });
}

/** The asset with an ID and the field that names assets of its type, as the only item found, if there is one. */
export function useTitledAsset(id: string, type: ContentType | undefined) {
  const field = type && findTitleField(type)?.name;
  const body = {
    from: type?.class ?? '',
    where: '_id = ?',
    values: [id],
    limit: 1,
    fields: field === undefined ? [] : [field],
  };
  return useQuery({
    queryKey: ['contents', 'query', body],
    queryFn: () => answer(admin.runQuery({ body })),
    enabled: type !== undefined,
    staleTime: 60_000,
  });
}

/** One asset, as `{ data, tag }`. */
export const assetById = (id: string) =>
  queryOptions({
    queryKey: ['contents', id],
    queryFn: () => answerWithTag(admin.getContent({ path: { id } })),
  });
