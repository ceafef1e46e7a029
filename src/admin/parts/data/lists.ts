/**
 * What several pages read: the lists of the installation, its content types and its state.
 */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { admin, adminFor, aheadMeta, answer, type ContentType } from '../../api.ts';

/** All API clients, as `{ items }`. */
export const apiClientList = queryOptions({
  queryKey: ['api-clients'],
  queryFn: () => answer(admin.listApiClients()),
});

/** All GraphQL endpoints, as `{ items }`. */
export const graphqlEndpointList = queryOptions({
  queryKey: ['graphql-endpoints'],
  queryFn: ({ meta }) => answer(adminFor(meta).listGraphqlEndpoints()),
});

/** All REST endpoints, as `{ items }`. */
export const restEndpointList = queryOptions({
  queryKey: ['rest-endpoints'],
  queryFn: () => answer(admin.listRestEndpoints()),
});

/** The SDL files of the content types, as `{ sources }`. */
export const typeSources = queryOptions({
  queryKey: ['type-sources'],
  queryFn: ({ meta }) => answer(adminFor(meta).getTypeSources()),
});

/** The names of all content types and interfaces, as `{ items }`. They change only when the server restarts. */
export const typeNames = queryOptions({
  queryKey: ['type-names'],
  queryFn: () => answer(adminFor(aheadMeta).listTypes({ query: { withCounts: false } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All content types and interfaces with the number of their assets, as `{ items }`. */
export const typeList = queryOptions({
  queryKey: ['types'],
  queryFn: ({ meta }) => answer(adminFor(meta).listTypes()),
});

/** Both, for the pages that show one of them. */
export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ meta }) => answer(adminFor(meta).getDashboard()),
});

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
