/**
 * Reads the lists of endpoints and API clients, a page at a time. The keys begin like those of the whole lists, so that a change of an endpoint or an API client reaches them.
 */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminFor, answer } from '../../api.ts';

/** How many endpoints or API clients stand on a page. */
export const pageSize = 10;

/** Which page of a list to read. */
export interface ListRequest {
  readonly search: string;
  readonly offset: number;
}

const toQuery = ({ search, offset }: ListRequest) => ({
  ...(search !== '' && { search }),
  offset,
  limit: pageSize,
});

/** The states by which REST endpoints can be chosen. */
export const endpointStates = ['published', 'changed', 'draft', 'broken'] as const;
/** The orders of REST endpoints. */
export const endpointOrders = ['name', 'requests', 'errors', 'medianMs'] as const;

/** A page of the REST endpoints. */
export const restEndpointPage = ({
  state,
  sort,
  ...list
}: ListRequest & {
  readonly state: (typeof endpointStates)[number] | undefined;
  readonly sort: (typeof endpointOrders)[number];
}) =>
  queryOptions({
    queryKey: ['rest-endpoints', 'page', list, state, sort],
    queryFn: ({ meta }) =>
      answer(
        adminFor(meta).listDashboardRestEndpoints({
          query: { ...toQuery(list), ...(state && { state }), sort },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** A page of the GraphQL endpoints. */
export const graphqlEndpointPage = (list: ListRequest) =>
  queryOptions({
    queryKey: ['graphql-endpoints', 'page', list],
    queryFn: ({ meta }) => answer(adminFor(meta).listDashboardGraphqlEndpoints({ query: toQuery(list) })),
    placeholderData: keepPreviousData,
  });

/** A page of the API clients: of the revoked ones, or of the others. */
export const apiClientPage = (list: ListRequest, revoked: boolean) =>
  queryOptions({
    queryKey: ['api-clients', 'page', list, revoked],
    queryFn: ({ meta }) =>
      answer(adminFor(meta).listDashboardApiClients({ query: { ...toQuery(list), revoked } })),
    placeholderData: keepPreviousData,
  });
