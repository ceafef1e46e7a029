/**
 * The context that the operations on REST endpoints share: the records, and the parts that check and change them.
 */

import { findAll } from '../../access/find-all-records.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { AssetValidator } from '../../model/values/validate-asset.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { RestEndpoint } from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';
import type { RouteClaims } from './route-claims.ts';

/** The parts that every operation on REST endpoints may use. */
export interface RestEndpointContext {
  /** The content service of system records. */
  readonly system: ContentService;
  readonly clock: Clock;
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'cancelDeletion'>;
  readonly apis: GraphqlApis;
  /** The paths that no route may have. */
  readonly systemPaths: readonly string[];
  /** The validator of the record of a REST endpoint. */
  readonly validator: AssetValidator;
  readonly claims: RouteClaims;
  readonly history: EndpointHistory;
  readonly changes: EndpointChanges;
}

/** Lists all REST endpoints, ordered by ID. */
export async function listEndpoints({
  system,
}: Pick<RestEndpointContext, 'system'>): Promise<readonly RestEndpoint[]> {
  return (await findAll(system, endpointClass)).map(toRestEndpoint);
}
