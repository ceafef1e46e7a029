/**
 * A GraphQL endpoint as data: which types it serves, and to whom. Its shape is defined in openapi/admin.yaml.
 */

import type * as api from '../../../generated/server/admin.ts';
import { findAll } from '../../access/find-all-records.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';
import { notFound } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Catalog } from '../../model/content-type.ts';
import { findRecord } from './system-records.ts';

/**
 * The definition of a GraphQL endpoint, with the defaults filled in. Without `cors`, no pages of other origins may call it; without
 * `preview`, no request has the content of a release.
 */
export type GraphqlEndpointDefinition = DeepReadonly<
  Required<Omit<api.GraphqlEndpointDefinition, Optional>> & Pick<api.GraphqlEndpointDefinition, Optional>
>;

type Optional = 'cors' | 'preview';

/** A stored GraphQL endpoint; `version` changes with every write. */
export interface GraphqlEndpoint extends GraphqlEndpointDefinition {
  readonly id: string;
  readonly version: string;
  readonly updatedAtMs: number;
}

/** The class name of the records of GraphQL endpoints. */
export const graphqlEndpointClass = 'com.colophon.system.GraphqlEndpoint';

/** Gets one endpoint. Errors: not_found. */
export async function getGraphqlEndpoint(system: ContentService, id: string): Promise<GraphqlEndpoint> {
  const record = await findRecord(system, graphqlEndpointClass, id);
  if (!record) throw notFound(id, 'GraphQL endpoint');
  return toGraphqlEndpoint(record);
}

/** Lists all endpoints as they were saved, ordered by ID. */
export async function listSavedGraphqlEndpoints(system: ContentService): Promise<readonly GraphqlEndpoint[]> {
  return (await findAll(system, graphqlEndpointClass)).map(toGraphqlEndpoint);
}

/** Reads a record, which was checked when it was written. */
export function toGraphqlEndpoint({ asset, version }: StoredAsset): GraphqlEndpoint {
  const {
    name,
    path,
    readTypes,
    writeTypes,
    access,
    defaultLimit,
    maxLimit,
    introspection,
    trustedOnly,
    preview,
    cors,
  } = asset;
  const definition = {
    ...{ name, path, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection, trustedOnly },
    ...(preview === undefined ? {} : { preview }),
    ...(cors === undefined ? {} : { cors }),
  };
  // The content type of the record has the same members with the same types.
  const updatedAtMs = Number(asset['cms.content.updateDate']);
  return { id: asset._id, version, updatedAtMs, ...definition } as unknown as GraphqlEndpoint;
}

/** Replaces former class names and type IDs in an endpoint by present class names. The record keeps what it was saved with. */
export function withPresentNames(endpoint: GraphqlEndpoint, catalog: Catalog): GraphqlEndpoint {
  const toPresent = (names: readonly string[]) => [
    ...new Set(names.map((name) => catalog.find(name)?.class ?? name)),
  ];
  const { readTypes, writeTypes } = endpoint;
  return { ...endpoint, readTypes: toPresent(readTypes), writeTypes: toPresent(writeTypes) };
}
