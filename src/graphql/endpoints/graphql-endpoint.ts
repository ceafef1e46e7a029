/**
 * A GraphQL endpoint as data: which types it serves, and to whom. Its shape is defined in openapi/admin.yaml.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';

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
