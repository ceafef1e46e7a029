/**
 * Builds the routes of one published REST endpoint: each is ready to run, or broken with the reason.
 */
import { hash } from 'node:crypto';
import type { CorsSettings } from '../../access/allowed-origins.ts';
import type { Access } from '../../access/endpoint-access.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { DocumentProblem, GraphqlApi, PreparedOperation } from '../../graphql/operation.ts';
import { createRouteCacheTags, type RouteCacheTags } from '../cache-tags/route-cache-tags.ts';
import {
  deletedSource,
  type PreparedMapping,
  prepareMapping,
  toDocumentProblems,
} from '../checks/prepare-mapping.ts';
import { toCacheControl } from '../describe/cache-control.ts';
import type { Mapping, MappingMethod, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { createVariableReader, type VariableReader } from '../variables/variables.ts';

/** A route as it is served. Without an operation it is broken. */
export type ServedRoute = ReadyRoute | BrokenRoute;

interface RouteFacts {
  /** The names of the REST endpoint and of the mapping, for messages. */
  readonly name: string;
  readonly restEndpoint: { readonly id: string; readonly name: string };
  readonly mapping: Mapping;
  /** The ID of the source GraphQL endpoint. */
  readonly sourceId: string;
  readonly access: Access;
  /** Whether it serves the content of releases. */
  readonly preview: boolean;
  readonly cors: CorsSettings | undefined;
}

/** A route that can run. */
export interface ReadyRoute extends RouteFacts {
  readonly operation: PreparedOperation;
  /** Where its response comes from: the whole data, or places in it. */
  readonly places: Pick<PreparedMapping, 'notFound' | 'result'>;
  /** Changes with everything that a response depends on besides variables and content. */
  readonly version: string;
  readonly readVariables: VariableReader['read'];
  /** The `Cache-Control` of a GET response without errors; absent when no response is ever cached. */
  readonly cacheControl?: string;
  /** The cache tags of such a response; absent when the REST endpoint sets none. */
  readonly cacheTags?: RouteCacheTags;
}

/** A route whose document no longer fits its source. */
export interface BrokenRoute extends RouteFacts {
  readonly operation?: undefined;
  readonly problems: readonly DocumentProblem[];
}

/** A route with its path and methods. */
export interface RouteAtPath {
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  readonly route: ServedRoute;
}

/** A GraphQL endpoint with its API. */
export interface Source {
  readonly endpoint: GraphqlEndpoint;
  readonly api: GraphqlApi;
}

/** Builds the routes of a published definition; without a source, which may have been deleted, all are broken. */
export function buildRoutes({
  id,
  definition,
  source,
}: {
  id: string;
  definition: RestEndpointDefinition;
  source: Source | undefined;
}): RouteAtPath[] {
  const { name, pathPrefix, mappings } = definition;
  const access = accessOf(definition.access, source);
  return mappings.map((mapping) => ({
    path: pathPrefix + mapping.path,
    methods: mapping.methods,
    route: {
      name: `${name}: ${mapping.name}`,
      restEndpoint: { id, name },
      mapping,
      sourceId: definition.source,
      access,
      preview: definition.preview ?? false,
      cors: definition.cors,
      ...prepareRoute({ mapping, access, definition, source }),
    },
  }));
}

/** Returns the access rule of a REST endpoint; with INHERIT, that of its source. */
export function accessOf<Said>(
  said: Said,
  source: { readonly endpoint: Pick<GraphqlEndpoint, 'access'> } | undefined,
): Exclude<Said, 'INHERIT'> | Access {
  // The access rule of a deleted source is unknown.
  if (said === 'INHERIT') return source?.endpoint.access ?? 'CLIENT_CREDENTIALS';
  // The compiler does not narrow a type parameter.
  return said as Exclude<Said, 'INHERIT'>;
}

type Prepared =
  | Pick<ReadyRoute, 'operation' | 'places' | 'version' | 'readVariables' | 'cacheControl' | 'cacheTags'>
  | Pick<BrokenRoute, 'problems'>;

function prepareRoute({
  mapping,
  access,
  definition,
  source,
}: {
  mapping: Mapping;
  access: Access;
  definition: RestEndpointDefinition;
  source: Source | undefined;
}): Prepared {
  const prepared = source ? prepareMapping(source.api, mapping) : deletedSource;
  if ('problems' in prepared) return { problems: toDocumentProblems(prepared) };
  const { operation, ...places } = prepared;
  const { variables, kind } = operation;
  const { query, notFound, result, cacheSeconds } = mapping;
  const { disableParameterSlashSyntax: disableSlashSyntax, cacheTags } = definition;
  return {
    operation,
    places,
    version: hash(
      'sha256',
      // What is kept has cache tags, so it is not used with another setting of them.
      JSON.stringify([source?.endpoint.id, source?.endpoint.version, query, notFound, result, cacheTags]),
      'base64url',
    ),
    readVariables: createVariableReader({ variables, disableSlashSyntax }).read,
    ...(kind === 'query' ? { cacheControl: toCacheControl(access, cacheSeconds) } : {}),
    ...(kind === 'query' && cacheTags ? { cacheTags: createRouteCacheTags(cacheTags, operation) } : {}),
  };
}
