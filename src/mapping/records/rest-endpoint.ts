/**
 * A REST endpoint as data: a path prefix, the GraphQL endpoint behind it, and the operations its routes run. Its shape is that of
 * openapi/admin.yaml.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';

/** The methods a mapping can answer. HEAD is answered wherever GET is. */
export const mappingMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly MappingMethod[];
export type MappingMethod = api.MappingMethod;

/** A route: a path, its methods, and one stored operation. */
export type Mapping = DeepReadonly<api.Mapping>;

/** What is edited, checked, kept and published of a REST endpoint. */
export type RestEndpointDefinition = DeepReadonly<api.RestEndpointDefinition>;

/** What a change of a REST endpoint was. */
export type VersionAction = api.VersionAction;

/** One state of a REST endpoint, present or past. */
export interface RestEndpointVersion {
  /** 1 for the first; each change makes the next. */
  readonly number: number;
  readonly action: VersionAction;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly savedAtMs: number;
  /** Who did it: a user's email, an API client's ID, or the command line. */
  readonly savedBy: string;
  readonly definition: RestEndpointDefinition;
}

/** A REST endpoint as it is kept. */
export interface RestEndpoint {
  readonly id: string;
  /** Differs after every change; the substance of its ETag. */
  readonly version: string;
  /** The present state; its definition is the draft. */
  readonly present: RestEndpointVersion;
  /** Absent while it is not published. */
  readonly published?: Published;
}

/** What is served of a REST endpoint, and the number of the state that published it. */
export interface Published {
  readonly number: number;
  readonly definition: RestEndpointDefinition;
}
