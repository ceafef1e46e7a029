/**
 * Reads the records of GraphQL endpoints.
 */
import { notFound } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { GraphqlEndpoint } from './graphql-endpoint.ts';
import { findRecord } from './system-records.ts';

/** The class name of the records of GraphQL endpoints. */
export const graphqlEndpointClass = 'com.colophon.system.GraphqlEndpoint';

/** Gets one endpoint. Errors: not_found. */
export async function getGraphqlEndpoint(system: ContentService, id: string): Promise<GraphqlEndpoint> {
  const record = await findRecord(system, graphqlEndpointClass, id);
  if (!record) throw notFound(id, 'GraphQL endpoint');
  return toGraphqlEndpoint(record);
}

/** Reads a record, which was checked when it was written. */
export function toGraphqlEndpoint({ asset, version }: StoredAsset): GraphqlEndpoint {
  const { name, path, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection } = asset;
  const definition = { name, path, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection };
  // The content type of the record has the same members with the same types.
  return { id: asset._id, version, ...definition } as GraphqlEndpoint;
}
