/**
 * The table of routes by exact path and method, with the mappings that are broken.
 */

import type { CorsSettings } from '../../access/allowed-origins.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findPathAbove } from '../checks/naming.ts';
import type { RouteAtPath, ServedRoute } from './build-routes.ts';

/** The routes of one path. */
export interface PathRoutes {
  /** The allowed methods; HEAD wherever GET runs no mutation. */
  readonly allowed: readonly string[];
  /** By method; HEAD is GET's. */
  readonly byMethod: ReadonlyMap<string, ServedRoute>;
  /** The origins whose pages may call the routes: those of the REST endpoint that has the first of them. */
  readonly cors: CorsSettings | undefined;
}

/** A published mapping that cannot be served at all or some of its routes. */
export interface BrokenMapping {
  readonly mapping: string;
  readonly problems: readonly DocumentProblem[];
}

/** The prefix of the paths of a REST endpoint. */
export interface ServedPrefix {
  readonly pathPrefix: string;
  readonly cors: CorsSettings | undefined;
}

/** The routes of one REST endpoint. */
export interface EndpointRoutes extends ServedPrefix {
  readonly id: string;
  readonly routes: readonly RouteAtPath[];
}

/** All routes. */
export interface RouteTable {
  find(path: string): PathRoutes | undefined;
  /** Finds the prefix of a REST endpoint that a path equals or is below. */
  findPrefix(path: string): ServedPrefix | undefined;
  /** Lists the broken mappings of an endpoint by its ID. */
  findBroken(id: string): readonly BrokenMapping[];
}

/** Creates the table. When two endpoints have the same route, which only simultaneous writes can cause, the first one gets it. */
export function createRouteTable(endpoints: readonly EndpointRoutes[]): RouteTable {
  const places: RoutesByPath = new Map();
  const broken = new Map(
    endpoints.map(({ id, routes }) => [
      id,
      routes.flatMap((route) => [...findProblems(route), ...place(route, places)]),
    ]),
  );
  const table = new Map([...places].map(([path, byMethod]) => [path, toPathRoutes(byMethod)]));
  return {
    find: (path) => table.get(path),
    findPrefix: (path) => endpoints.find(({ pathPrefix }) => findPathAbove(path, [pathPrefix]) !== undefined),
    findBroken: (id) => broken.get(id) ?? [],
  };
}

type RoutesByPath = Map<string, Map<string, ServedRoute>>;

function findProblems({ route }: RouteAtPath): BrokenMapping[] {
  return route.operation ? [] : [{ mapping: route.mapping.name, problems: route.problems }];
}

/** Puts a route at each of its methods that is free, and returns the problems of those that are not. */
function place({ path, methods, route }: RouteAtPath, places: RoutesByPath): BrokenMapping[] {
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

function toPathRoutes(byMethod: ReadonlyMap<string, ServedRoute>): PathRoutes {
  const get = byMethod.get('GET');
  // What HEAD asks for is a GET without its body, which nobody expects to write.
  const isRead = get && get.operation?.kind !== 'mutation';
  const all = new Map([...byMethod, ...(isRead ? [['HEAD', get] as const] : [])]);
  const [first] = all.values();
  return { allowed: [...all.keys()], byMethod: all, cors: first?.cors };
}
