/**
 * A GraphQL endpoint as data: what it serves, and to whom.
 */
import type { Access } from '../../access/endpoint-access.ts';

/** A GraphQL endpoint as it is defined. */
export interface GraphqlEndpointDefinition {
  readonly name: string;
  /** Served at `/graphql/<path>`. */
  readonly path: string;
  /** Class names of content types and interfaces, or `*` for all. */
  readonly readTypes: readonly string[];
  /** The same; what is written is read too. */
  readonly writeTypes: readonly string[];
  readonly access: Access;
  /** How many assets a list returns when it is not told. */
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly introspection: boolean;
}

/** A GraphQL endpoint as it is kept; `version` differs after every change. */
export interface GraphqlEndpoint extends GraphqlEndpointDefinition {
  readonly id: string;
  readonly version: string;
}
