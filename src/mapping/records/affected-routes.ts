/**
 * Compares the routes before and after a change, and finds those that callers could no longer use.
 *
 * Routes that are broken already are left out. Only whether a route can be called is compared, not its responses.
 */
import { type Access, accesses } from '../../access/endpoint-access.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { buildRoutes, type RouteAtPath, type ServedRoute, type Source } from '../routes/build-routes.ts';
import type { MappingMethod, RestEndpoint, RestEndpointDefinition } from './rest-endpoint.ts';

/** The route is removed, answers 500, or requires credentials that it did not require before. */
export type RouteEffect = 'ENDS' | 'FAILS' | 'RESTRICTED';

/** A published route that callers could no longer use as before; `path` includes the prefix. */
export interface AffectedRoute {
  readonly restEndpointId: string;
  readonly restEndpoint: string;
  readonly mapping: string;
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  readonly effect: RouteEffect;
  readonly message: string;
  /** The problems of the operation of a route that fails. */
  readonly problems: readonly DocumentProblem[];
}

/** The served definition of a REST endpoint and its source; without a definition nothing is served. */
export interface ServedState {
  readonly definition: RestEndpointDefinition | undefined;
  readonly source: Source | undefined;
}

/** Finds the published routes of a REST endpoint that a change breaks for callers. */
export function findAffectedRoutes(
  { id }: Pick<RestEndpoint, 'id'>,
  { before, after }: { before: ServedState; after: ServedState },
): AffectedRoute[] {
  const remaining = new Map(routesOf(id, after).flatMap(byMethod));
  return routesOf(id, before).flatMap((placed) =>
    placed.route.operation ? findLosses(placed, remaining) : [],
  );
}

function routesOf(id: string, { definition, source }: ServedState): RouteAtPath[] {
  return definition ? buildRoutes({ id, definition, source }) : [];
}

const keyOf = (method: MappingMethod, path: string) => `${method} ${path}`;

function byMethod({ path, methods, route }: RouteAtPath): [key: string, route: ServedRoute][] {
  return methods.map((method) => [keyOf(method, path), route]);
}

/** Finds the effects on one route, its methods grouped by effect. */
function findLosses(
  { path, methods, route }: RouteAtPath,
  remaining: ReadonlyMap<string, ServedRoute>,
): AffectedRoute[] {
  const losses = methods.flatMap((method) => {
    const loss = findLoss(route, remaining.get(keyOf(method, path)));
    return loss ? [{ method, ...loss }] : [];
  });
  return [...Map.groupBy(losses, ({ effect }) => effect).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { effect, message, problems } = first;
    const { restEndpoint, mapping } = route;
    const names = { restEndpointId: restEndpoint.id, restEndpoint: restEndpoint.name, mapping: mapping.name };
    return [{ ...names, path, methods: alike.map(({ method }) => method), effect, message, problems }];
  });
}

function findLoss(
  before: ServedRoute,
  after: ServedRoute | undefined,
): Pick<AffectedRoute, 'effect' | 'message' | 'problems'> | undefined {
  if (!after) return { effect: 'ENDS', message: 'The route would be removed', problems: [] };
  if (!after.operation) {
    const message = 'Its query would no longer fit the source, so it would return 500';
    return { effect: 'FAILS', message, problems: after.problems };
  }
  if (accesses.indexOf(after.access) <= accesses.indexOf(before.access)) return undefined;
  return { effect: 'RESTRICTED', message: `It would require ${credentialsOf[after.access]}`, problems: [] };
}

const credentialsOf: Record<Access, string> = {
  ANYONE: 'nothing',
  API_KEY: 'an API key',
  CLIENT_CREDENTIALS: 'a client ID and its secret',
};
