/**
 * A REST endpoint as data: a path prefix, the GraphQL endpoint that it uses, and the operations of its routes. Its shape is defined in
 * openapi/admin.yaml.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';

/** The methods that a mapping can have. A query with GET also responds to HEAD. */
export const mappingMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly MappingMethod[];
export type MappingMethod = api.MappingMethod;

/** A route: a path, its methods, and one stored operation. */
export type Mapping = DeepReadonly<api.Mapping>;

/** The part of a REST endpoint that is edited, checked, stored and published. */
export type RestEndpointDefinition = DeepReadonly<api.RestEndpointDefinition>;

/** The kind of a change of a REST endpoint. */
export type VersionAction = api.VersionAction;

/** One state of a REST endpoint, current or past. */
export interface RestEndpointVersion {
  /** 1 for the first version; each change adds 1. */
  readonly number: number;
  readonly action: VersionAction;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly savedAtMs: number;
  /** Who made the change: the email of a user, the ID of an API client, or the command line. */
  readonly savedBy: string;
  readonly definition: RestEndpointDefinition;
}

/** A stored REST endpoint. */
export interface RestEndpoint {
  readonly id: string;
  /** Changes with every write; the content of its ETag. */
  readonly version: string;
  /** The current state; its definition is the draft. */
  readonly current: RestEndpointVersion;
  /** Absent if it is not published. */
  readonly published?: Published;
}

/** The published definition of a REST endpoint, and the number of the version that published it. */
export interface Published {
  readonly number: number;
  readonly definition: RestEndpointDefinition;
}
