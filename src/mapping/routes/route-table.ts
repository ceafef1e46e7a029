/**
 * The table of routes by path and method, with the mappings that are broken.
 *
 * A path without parameters is found first, by itself; only then the templates are tried.
 */

import type { CorsSettings } from '../../access/allowed-origins.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findPathAbove } from '../checks/naming.ts';
import type { RouteAtPath, ServedRoute } from './build-routes.ts';
import { createTemplateTree, isTemplate, type TemplateTree } from './path-template.ts';

/** The routes of one path. */
export interface PathRoutes {
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
export interface MatchedRoutes extends PathRoutes {
  /** The decoded values of the parameters of the path; absent if it has none. */
  readonly parameters?: ReadonlyMap<string, string>;
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
  find(path: string): MatchedRoutes | undefined;
  /** Finds the prefix of a REST endpoint that a path equals or is below. */
  findPrefix(path: string): ServedPrefix | undefined;
  /** Lists the broken mappings of an endpoint by its ID. */
  findBroken(id: string): readonly BrokenMapping[];
}

/** Creates the table. When two endpoints have the same route, which only simultaneous writes can cause, the first one gets it. */
export function createRouteTable(endpoints: readonly EndpointRoutes[]): RouteTable {
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
