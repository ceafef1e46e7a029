/**
 * Searches assets that a reference can point to.
 */
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { type Asset, admin, answer, type ContentType, type Query } from '../../../api.ts';
import { findTitleField, titleOf } from '../../../parts/data/asset-titles.ts';
import { toShortName, useContentTypes } from '../../../parts/data/content-types.ts';

/** How many assets of each type are offered. */
const maxFound = 10;

/** Assets of the target types whose name contains `text`, or that have it as their ID; without a text the first ones. */
export function useReferenceSearch(targets: readonly string[], text: string) {
  const types = useContentTypes(targets);
  const results = useQueries({
    queries: [...types.values()].map((type) => {
      const body = toQuery(type, text.trim());
      return {
        queryKey: ['contents', 'query', body],
        queryFn: () => answer(admin.runQuery({ body })),
        placeholderData: keepPreviousData,
      };
    }),
  });
  const found = [...types.values()].map((type, index) => ({
    type,
    assets: results[index]?.data?.items ?? [],
  }));
  return {
    groups: found.map(({ type, assets }) => ({
      group: toShortName(type.class),
      items: assets.map((asset) => ({ value: asset._id, label: titleOf(asset, type) })),
    })),
    /** The class names of the assets found, by their IDs. */
    types: new Map(
      found.flatMap(({ assets }) => assets.map((asset: Asset) => [asset._id, asset._type] as const)),
    ),
    isSearching: results.length < targets.length || results.some(({ isFetching }) => isFetching),
  };
}

function toQuery(type: ContentType, text: string): Query {
  const field = findTitleField(type)?.name;
  const order = field === undefined ? { fields: [] } : { sort: [{ field }], fields: [field] };
  const query = { from: type.class, limit: maxFound, ...order };
  if (text === '') return query;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) || field === undefined) {
    return { ...query, where: '_id = ?', values: [text] };
  }
  return { ...query, where: `${field} contains[c] ?`, values: [text] };
}
