/**
 * The lists that several pages read, each under one key, so that a change made on one page reaches the others.
 *
 * A single resource stands under the key of its list and its ID, as `{ data, tag }`.
 */
import { queryOptions } from '@tanstack/react-query';
import { admin, adminFor, aheadMeta, answer } from '../../api.ts';

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
