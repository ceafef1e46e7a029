/**
 * The registry of what the server serves: GraphQL endpoints by path, and the routes of published REST endpoints.
 *
 * It is held in memory and rebuilt when any process has changed an endpoint; unchanged endpoints are reused. A problem of one
 * mapping or endpoint affects that one only: it is logged when it is found, and everything else is served.
 */

import type { CorsSettings } from '../../access/allowed-origins.ts';
import type { Logger } from '../../base/runtime.ts';
import { createRevisionCache } from '../../content/revision-cache.ts';
import type { DocumentReader, EndpointDocuments } from '../../graphql/documents/served-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findPathAbove } from '../checks/naming.ts';
import { findMappingWarnings, findPublicTypes } from '../records/endpoint-warnings.ts';
import type { Published } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import {
  type BrokenRoute,
  buildRoutes,
  type ReadyRoute,
  type RouteAtPath,
  type ServedRoute,
  type Source,
} from './build-routes.ts';
import { createTemplateTree, findReserved, isTemplate, type TemplateTree } from './path-template.ts';

export type { ServedRoute } from './build-routes.ts';

/** A GraphQL endpoint with its API and its documents. */
export interface ServedEndpoint extends Source {
  readonly documents: EndpointDocuments;
}

/** All APIs that the server serves. */
export interface PublishedApis {
  /** Finds a GraphQL endpoint by its path, the part after `/graphql/`. */
  findEndpoint(path: string): ServedEndpoint | undefined;
  /** Finds the routes at the path of a request. */
  findRoutes(path: string): MatchedRoutes | undefined;
  /** Finds the prefix of a published REST endpoint that a path belongs to, with or without a route there. */
  findPrefix(path: string): ServedPrefix | undefined;
  /** Lists all routes of published REST endpoints. */
  routes(): readonly RouteAtPath[];
  /** Returns the queries that agents can use as tools, by the name of their operation. */
  tools(): ReadonlyMap<string, ReadyRoute>;
  /** Lists the broken published mappings of a REST endpoint. */
  status(restEndpointId: string): readonly BrokenMapping[];
  /** Applies changes at once; otherwise they apply within a second. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

interface Served {
  readonly sources: ReadonlyMap<string, ServedEndpoint>;
  readonly table: RouteTable;
  readonly routes: readonly RouteAtPath[];
  readonly tools: ReadonlyMap<string, ReadyRoute>;
}

/** The routes of an endpoint, with the versions that they were built from. */
interface BuiltRoutes extends EndpointRoutes {
  readonly publishedNumber: number;
  readonly sourceVersion: string | undefined;
}

/** Builds the registry, and keeps it up to date until it is stopped. Errors: store_busy, store_failure. */
export async function createPublishedApis({
  graphqlEndpoints,
  restEndpoints,
  documents,
  apis,
  logger,
  basePath = '',
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'revision'>;
  restEndpoints: Pick<RestEndpoints, 'list' | 'revision'>;
  documents: DocumentReader;
  apis: GraphqlApis;
  logger: Logger;
  /** The path of the public URL; a request to a route below it is taken for one to the rest of its path. */
  basePath?: string;
}): Promise<PublishedApis> {
  let known: ReadonlyMap<string, BuiltRoutes> = new Map();
  let knownSources: ReadonlySet<string> = new Set();

  async function read(): Promise<Served> {
    const [endpoints, restList] = await Promise.all([graphqlEndpoints.list(), restEndpoints.list()]);
    apis.keepOnly(new Set(endpoints.map(({ id }) => id)));
    const sources = endpoints.map((endpoint) => ({ endpoint, api: apis.get(endpoint) }));
    warnOfSources(endpoints);
    const byId = new Map(sources.map((source) => [source.endpoint.id, source]));
    const built = restList.flatMap(({ id, published }) =>
      published ? buildOnce(id, published, byId.get(published.definition.source)) : [],
    );
    known = new Map(built.map((routes) => [routes.id, routes]));
    const served = await documents.read(sources);
    const byPath = new Map(served.map((source) => [source.endpoint.path, source]));
    const routes = built.flatMap(({ routes }) => routes);
    return { sources: byPath, table: createRouteTable(built), routes, tools: findTools(routes) };
  }

  function buildOnce(id: string, published: Published, source: Source | undefined): BuiltRoutes {
    const [publishedNumber, sourceVersion] = [published.number, source?.endpoint.version];
    const last = known.get(id);
    if (last?.publishedNumber === publishedNumber && last.sourceVersion === sourceVersion) return last;
    const routes = buildRoutes({ id, definition: published.definition, source });
    for (const { route } of routes) if (!route.operation) logBroken(route);
    warnOfShadowed(routes);
    for (const { mapping, message } of findMappingWarnings(published.definition, source)) {
      logger.warn({ restEndpoint: published.definition.name, mapping }, message);
    }
    const { pathPrefix, cors } = published.definition;
    return { id, pathPrefix, cors, routes, publishedNumber, sourceVersion };
  }

  /** Logs the routes below the path of the public URL. None can be published there, but the public URL may have changed since. */
  function warnOfShadowed(routes: readonly RouteAtPath[]): void {
    for (const { path, route } of routes) {
      if (basePath === '' || findReserved(path, [basePath]) === undefined) continue;
      const [restEndpoint, mapping] = [route.restEndpoint.name, route.mapping.name];
      const taken = path.slice(basePath.length) || '/';
      const message = `The route ${path} may not be reached: COLOPHON_PUBLIC_URL has the path ${basePath}, so a request to ${path} is one to ${taken}`;
      logger.warn({ restEndpoint, mapping }, message);
    }
  }

  /** Logs the warnings of GraphQL endpoints that are new or changed since the last call. */
  function warnOfSources(endpoints: readonly GraphqlEndpoint[]): void {
    const changed = endpoints.filter(({ version }) => !knownSources.has(version));
    knownSources = new Set(endpoints.map(({ version }) => version));
    for (const endpoint of changed) {
      for (const { message } of findPublicTypes(endpoint)) {
        logger.warn({ graphqlEndpoint: endpoint.name }, message);
      }
    }
  }

  function logBroken({ restEndpoint, mapping, problems }: BrokenRoute): void {
    logger.error({ restEndpoint: restEndpoint.name, mapping: mapping.name, problems }, 'mapping is broken');
  }

  const revision = async () =>
    (await Promise.all([graphqlEndpoints.revision(), restEndpoints.revision(), documents.revision()])).join(
      ' ',
    );
  const published = await createRevisionCache({ revision, read, logger, subject: 'endpoints' });
  return {
    findEndpoint: (path) => published.current().sources.get(path),
    findRoutes: (path) => published.current().table.find(path),
    findPrefix: (path) => published.current().table.findPrefix(path),
    routes: () => published.current().routes,
    tools: () => published.current().tools,
    status: (id) => published.current().table.findBroken(id),
    refresh: published.refresh,
    stop: published.stop,
  };
}

/** Finds the tools. Of two with one name, which only simultaneous writes can cause, the first one is served. */
function findTools(routes: readonly RouteAtPath[]): ReadonlyMap<string, ReadyRoute> {
  const tools = new Map<string, ReadyRoute>();
  for (const { route } of routes) {
    const { name, kind } = route.operation ?? {};
    if (!route.operation || !route.mapping.tool || kind !== 'query' || name === undefined) continue;
    if (!tools.has(name)) tools.set(name, route);
  }
  return tools;
}

// The table of routes by path and method, with the mappings that are broken.
//
// A path without parameters is found first, by itself; only then the templates are tried.

interface PathRoutes {
  /** The path, with the names of its parameters. */
  readonly path: string;
  /** The allowed methods; HEAD wherever GET runs no mutation. */
  readonly allowed: readonly string[];
  /** By method; HEAD is GET's. */
  readonly byMethod: ReadonlyMap<string, ServedRoute>;
  /** The origins whose pages may call the routes: those of the REST endpoint that has the first of them. */
  readonly cors: CorsSettings | undefined;
}

/** The routes at the path of a request. */
interface MatchedRoutes extends PathRoutes {
  /** The decoded values of the parameters of the path; absent if it has none. */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** A published mapping that cannot be served at all or some of its routes. */
export interface BrokenMapping {
  readonly mapping: string;
  readonly problems: readonly DocumentProblem[];
}

/** The prefix of the paths of a REST endpoint. */
interface ServedPrefix {
  readonly pathPrefix: string;
  readonly cors: CorsSettings | undefined;
}

/** The routes of one REST endpoint. */
interface EndpointRoutes extends ServedPrefix {
  readonly id: string;
  readonly routes: readonly RouteAtPath[];
}

interface RouteTable {
  find(path: string): MatchedRoutes | undefined;
  /** Finds the prefix of a REST endpoint that a path equals or is below. */
  findPrefix(path: string): ServedPrefix | undefined;
  /** Lists the broken mappings of an endpoint by its ID. */
  findBroken(id: string): readonly BrokenMapping[];
}

/** Creates the table. When two endpoints have the same route, which only simultaneous writes can cause, the first one gets it. */
function createRouteTable(endpoints: readonly EndpointRoutes[]): RouteTable {
  const places: RoutesByPath = new Map();
  const templates = createTemplateTree<PathRoutes>();
  const claimed = createTemplateTree<string>();
  const broken = new Map(
    endpoints.map(({ id, routes }) => [
      id,
      routes.flatMap((route) => [...findProblems(route), ...place(route, places, claimed)]),
    ]),
  );
  const table = new Map<string, PathRoutes>();
  for (const [path, byMethod] of places) {
    const routes = toPathRoutes(path, byMethod);
    if (isTemplate(path)) templates.add(path, routes);
    else table.set(path, routes);
  }
  const findTemplate = (path: string) => {
    const match = templates.match(path);
    return match && { ...match.value, parameters: match.parameters };
  };
  return {
    find: (path) => table.get(path) ?? findTemplate(path),
    findPrefix: (path) => endpoints.find(({ pathPrefix }) => findPathAbove(path, [pathPrefix]) !== undefined),
    findBroken: (id) => broken.get(id) ?? [],
  };
}

type RoutesByPath = Map<string, Map<string, ServedRoute>>;

function findProblems({ route }: RouteAtPath): BrokenMapping[] {
  return route.operation ? [] : [{ mapping: route.mapping.name, problems: route.problems }];
}

/** Puts a route at each of its methods that is free, and returns the problems of those that are not. */
function place(
  { path, methods, route }: RouteAtPath,
  places: RoutesByPath,
  claimed: TemplateTree<string>,
): BrokenMapping[] {
  if (isTemplate(path) && !places.has(path)) {
    const [other] = claimed.findOverlapping(path);
    if (other !== undefined) {
      const message = `${path} could match the same path as ${other}, which is served`;
      return [{ mapping: route.mapping.name, problems: [{ message, line: 1, column: 1 }] }];
    }
    claimed.add(path, path);
  }
  const byMethod = places.get(path) ?? new Map<string, ServedRoute>();
  places.set(path, byMethod);
  return methods.flatMap((method) => {
    const other = byMethod.get(method);
    byMethod.set(method, other ?? route);
    if (!other) return [];
    const message = `${method} ${path} is served by ${JSON.stringify(other.name)}`;
    return [{ mapping: route.mapping.name, problems: [{ message, line: 1, column: 1 }] }];
  });
}

function toPathRoutes(path: string, byMethod: ReadonlyMap<string, ServedRoute>): PathRoutes {
  const get = byMethod.get('GET');
  // What HEAD asks for is a GET without its body, which nobody expects to write.
  const isRead = get && get.operation?.kind !== 'mutation';
  const all = new Map([...byMethod, ...(isRead ? [['HEAD', get] as const] : [])]);
  const [first] = all.values();
  return { path, allowed: [...all.keys()], byMethod: all, cors: first?.cors };
}
