/**
 * A GraphQL endpoint as data: what it serves, and to whom. Its shape is that of openapi/admin.yaml.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';

/** The definition of a GraphQL endpoint, with the defaults filled in. */
export type GraphqlEndpointDefinition = DeepReadonly<Required<api.GraphqlEndpointDefinition>>;

/** A GraphQL endpoint as it is kept; `version` differs after every change. */
export interface GraphqlEndpoint extends GraphqlEndpointDefinition {
  readonly id: string;
  readonly version: string;
}
