/**
 * Loads content types. They change only when the server restarts, so each is requested once.
 */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { adminFor, answer, type ContentType } from '../../api.ts';

/** A content type or interface with its fields; `name` is its class name. */
export const contentType = (name: string) =>
  queryOptions({
    queryKey: ['types', name],
    queryFn: ({ meta }) => answer(adminFor(meta).getType({ path: { class: name } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The content types of the given class names, as far as they are there already. */
export function useContentTypes(names: readonly string[]): ReadonlyMap<string, ContentType> {
  return useQueries({
    queries: [...new Set(names)].map(contentType),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.class, data] as const] : []))),
  });
}
