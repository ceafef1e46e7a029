/**
 * Compares what a REST endpoint serves before and after a change, for the callers of its routes: the OpenAPI documents of both states,
 * and what documents do not say.
 *
 * It serves the dry runs of changes of endpoints and the checks of changes of content types.
 */
import { isDeepStrictEqual } from 'node:util';
import { compareEachOperation, withoutNames } from '../../documents/compare-documents.ts';
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { describeRoutes } from '../describe/describe-published.ts';
import type { MappingMethod } from '../records/rest-endpoint.ts';
import { buildRoutes, type ServedRoute } from '../routes/build-routes.ts';
import { compareBehavior } from './compare-behavior.ts';
import type { PlacedRoute, RouteInState, RoutePair, ServedState } from './route-pair.ts';

/** A route with one of its methods, before and after the change. */
export interface ComparedRoute {
  readonly method: MappingMethod;
  /** The path before the change, with the prefix. */
  readonly path: string;
  readonly before: ServedRoute;
  /** Absent if the route is removed. */
  readonly after: ServedRoute | undefined;
  /**
   * What callers see change; nothing if the route cannot run before or after the change. A place begins with the method and the path, or
   * is a component of the OpenAPI document with the path inside.
   */
  readonly changes: readonly DocumentChange[];
}

/** Compares the routes that there are before the change, in the order of their mappings. */
export function compareRoutes(
  id: string,
  states: { readonly before: ServedState; readonly after: ServedState },
): ComparedRoute[] {
  const [before, after] = [listRoutes(id, states.before), listRoutes(id, states.after)];
  return [...before].map(([key, { method, path, route }]) => {
    const now = after.get(key);
    const compared = { method, path, before: route, after: now?.route };
    if (!now || !route.operation || !now.route.operation) return { ...compared, changes: [] };
    const pair = {
      before: { ...states.before, method, path, route },
      after: { ...states.after, method, path: now.path, route: now.route },
    };
    return { ...compared, changes: compareRoute(pair) };
  });
}

/** Lists the routes of a state by method and path without the names of its parameters. */
function listRoutes(
  id: string,
  { definition, source }: ServedState,
): ReadonlyMap<string, PlacedRoute<ServedRoute>> {
  const routes = definition ? buildRoutes({ id, definition, source }) : [];
  return new Map(
    routes.flatMap(({ path, methods, route }) =>
      methods.map((method) => [`${method} ${withoutNames(path)}`, { method, path, route }] as const),
    ),
  );
}

function compareRoute({ before, after }: RoutePair): DocumentChange[] {
  // Documents take milliseconds each, and most changes of an endpoint leave most routes alone.
  if (isDeepStrictEqual(factsOf(before), factsOf(after)) && before.source?.api === after.source?.api)
    return [];
  const place = `${before.method} ${before.path}`;
  const isWhole = !before.route.places.result || !after.route.places.result;
  // One syntax for both, and both with the data or both with a part of it: the change itself is one finding, which hides no other.
  const options = { isWhole, disableSlashSyntax: after.definition?.disableParameterSlashSyntax ?? false };
  const [old, now] = [before, after].map((state) => documentOf(state, options));
  return [
    ...compareBehavior({ before, after }).map((change) => ({ ...change, place: `${place} ${change.place}` })),
    ...compareEachOperation(old ?? {}, now ?? {}).flatMap(({ changes }) => changes),
  ];
}

/** What a route consists of, apart from its source. */
function factsOf({ definition, path, route }: RouteInState) {
  const { disableParameterSlashSyntax, preview, cors, cacheTags } = definition ?? {};
  const { name: _, ...mapping } = route.mapping;
  return { path, mapping, access: route.access, disableParameterSlashSyntax, preview, cors, cacheTags };
}

function documentOf(
  { definition, source, method, path, route }: RouteInState,
  { isWhole, disableSlashSyntax }: { isWhole: boolean; disableSlashSyntax: boolean },
): JsonObject {
  if (!definition) return {};
  const { result: _, ...rest } = route.places;
  return describeRoutes({
    definition: { ...definition, disableParameterSlashSyntax: disableSlashSyntax },
    source,
    routes: [{ path, methods: [method], route: isWhole ? { ...route, places: rest } : route }],
    version: '',
  });
}
