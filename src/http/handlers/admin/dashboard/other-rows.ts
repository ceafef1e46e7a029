/**
 * GraphQL endpoints and API clients in short.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { type ApiClient, isExpired } from '../../../../access/clients/api-client.ts';
import type { GraphqlEndpoint } from '../../../../graphql/endpoints/graphql-endpoint.ts';
import { findPublicTypes } from '../../../../mapping/records/public-writes.ts';
import type { HourTraffic } from '../../../request/last-hour.ts';

/** Converts a GraphQL endpoint to its row. */
export function toGraphqlRow(endpoint: GraphqlEndpoint, traffic: HourTraffic): api.DashboardGraphqlEndpoint {
  const { id, name, path, access, readTypes, writeTypes } = endpoint;
  return {
    ...{ id, name, path, access },
    ...(!readTypes.includes('*') && { readTypes: readTypes.length }),
    ...(!writeTypes.includes('*') && { writeTypes: writeTypes.length }),
    hasPublicWrites: findPublicTypes(endpoint).length > 0,
    ...traffic.of([{ path: `/graphql/${path}`, methods: ['GET', 'POST'] }]),
  };
}

/** Converts an API client to its row. */
export function toClientRow(client: ApiClient, nowMs: number): api.DashboardApiClient {
  const { clientId, name, scopes, sites, endpoints, keys, createdAtMs, revokedAtMs } = client;
  const expiring = keys.flatMap((key) => (isExpired(key, nowMs) ? [] : (key.expiresAtMs ?? [])));
  return {
    ...{ clientId, name, scopes: [...scopes] },
    ...(sites && { sites: sites.length }),
    ...(endpoints && { endpoints: endpoints.length }),
    keys: keys.length,
    expiredKeys: keys.filter((key) => isExpired(key, nowMs)).length,
    ...(expiring.length > 0 && { nextExpiry: Math.min(...expiring) }),
    createdAt: createdAtMs,
    ...(revokedAtMs !== undefined && { revokedAt: revokedAtMs }),
  };
}
