/**
 * Finds what is served at a path: routes by their exact path and method, and what of them is broken.
 */
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findPathAbove } from '../checks/naming.ts';
import type { PlacedRoute, ServedRoute } from './build-routes.ts';

/** The routes of one path. */
export interface PathRoutes {
  /** The methods that are answered, HEAD among them where GET is. */
  readonly allowed: readonly string[];
  /** By method; HEAD is GET's. */
  readonly byMethod: ReadonlyMap<string, ServedRoute>;
}

/** A mapping that is published and cannot be served, or not at each of its routes. */
export interface BrokenMapping {
  readonly mapping: string;
  readonly problems: readonly DocumentProblem[];
}

/** What one REST endpoint brings to the table. */
export interface EndpointRoutes {
  readonly id: string;
  readonly pathPrefix: string;
  readonly routes: readonly PlacedRoute[];
}

/** All routes there are. */
export interface RouteTable {
  find(path: string): PathRoutes | undefined;
  /** Whether a path is the prefix of a REST endpoint, or below it. */
  isBelowPrefix(path: string): boolean;
  /** The mappings of an endpoint that are broken, by its ID. */
  findBroken(id: string): readonly BrokenMapping[];
}

/** Makes the table. Of two endpoints with the same route, to which only writes in the same instant lead, the first has it. */
export function createRouteTable(endpoints: readonly EndpointRoutes[]): RouteTable {
  const places: Places = new Map();
  const broken = new Map(
    endpoints.map(({ id, routes }) => [
      id,
      routes.flatMap((route) => [...findProblems(route), ...place(route, places)]),
    ]),
  );
  const table = new Map([...places].map(([path, byMethod]) => [path, toPathRoutes(byMethod)]));
  const prefixes = endpoints.map(({ pathPrefix }) => pathPrefix);
  return {
    find: (path) => table.get(path),
    isBelowPrefix: (path) => findPathAbove(path, prefixes) !== undefined,
    findBroken: (id) => broken.get(id) ?? [],
  };
}

type Places = Map<string, Map<string, ServedRoute>>;

function findProblems({ route }: PlacedRoute): BrokenMapping[] {
  return route.operation ? [] : [{ mapping: route.mapping.name, problems: route.problems }];
}

/** Puts a route at each of its places that is free, and returns what is wrong when one is not. */
function place({ path, methods, route }: PlacedRoute, places: Places): BrokenMapping[] {
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
  const all = new Map([...byMethod, ...(get ? [['HEAD', get] as const] : [])]);
  return { allowed: [...all.keys()], byMethod: all };
}
