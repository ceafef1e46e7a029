/**
 * A REST endpoint as data: a path prefix, the GraphQL endpoint behind it, and the operations its routes run.
 */
import type { Access } from '../../access/endpoint-access.ts';

/** The methods a mapping can answer. HEAD is answered wherever GET is. */
export const mappingMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type MappingMethod = (typeof mappingMethods)[number];

/** A route: a path, its methods, and one stored operation. */
export interface Mapping {
  readonly name: string;
  /** Follows the endpoint's prefix; begins with `/`, or is empty for the prefix itself. */
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  /** A GraphQL document with exactly one operation, which has a name. */
  readonly query: string;
  /** For how long a GET answer may be taken from a cache; 0 means it is to be asked for each time. */
  readonly cacheSeconds: number;
}

/** What is edited, checked, kept and published of a REST endpoint. */
export interface RestEndpointDefinition {
  readonly name: string;
  /** Begins with `/` and does not end with it. */
  readonly pathPrefix: string;
  /** The ID of the GraphQL endpoint behind it. */
  readonly source: string;
  /** `INHERIT` means what the source asks. */
  readonly access: Access | 'INHERIT';
  /** Whether variables in the query string are JSON literals, and `/` in a name means nothing. */
  readonly disableParameterSlashSyntax: boolean;
  readonly mappings: readonly Mapping[];
}

/** What a change of a REST endpoint was. */
export const versionActions = ['SAVED', 'PUBLISHED', 'UNPUBLISHED', 'RESTORED'] as const;
export type VersionAction = (typeof versionActions)[number];

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
