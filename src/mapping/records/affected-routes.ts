/**
 * Finds the routes whose callers a change of endpoints affects: those that they could no longer use as before, and those that respond
 * differently. Routes that are broken already are left out.
 */

import type * as api from '../../../generated/server/admin.ts';
import { type Access, accesses } from '../../access/endpoint-access.ts';
import type { Usage, UsageRequest } from '../../access/usage/usage.ts';
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { sortBySeverity } from '../../types/find-type-changes.ts';
import type { ServedState } from '../compare/compare-routes.ts';
import { type ComparedRoute, compareRoutes } from '../compare/compare-routes.ts';
import type { MappingMethod, RestEndpoint } from './rest-endpoint.ts';

/** The route is removed, returns 500, requires credentials that it did not require before, or has another request or response. */
type RouteEffect = 'ENDS' | 'FAILS' | 'RESTRICTED' | 'CHANGED';

/** A published route whose callers are affected; `path` includes the prefix. */
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
  /** What changes in requests and responses, the worst first; a place is within the route, or in a component of its OpenAPI document. */
  readonly changes: readonly DocumentChange[];
}

/** Finds the published routes of a REST endpoint that a change affects. */
export function findAffectedRoutes(
  { id }: Pick<RestEndpoint, 'id'>,
  states: { readonly before: ServedState; readonly after: ServedState },
): AffectedRoute[] {
  const effects = compareRoutes(id, states).flatMap((compared) => {
    const effect = compared.before.operation && findEffect(compared);
    return effect ? [{ compared, effect, key: JSON.stringify([compared.path, effect]) }] : [];
  });
  return [...Map.groupBy(effects, ({ key }) => key).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { restEndpoint, mapping } = first.compared.before;
    const methods = alike.map(({ compared }) => compared.method);
    const names = { restEndpointId: restEndpoint.id, restEndpoint: restEndpoint.name, mapping: mapping.name };
    return [{ ...names, path: first.compared.path, methods, ...first.effect }];
  });
}

/** Whether callers can no longer use a route as before. */
const isBreaking = ({ effect, changes }: AffectedRoute): boolean =>
  effect !== 'CHANGED' || changes.some(({ severity }) => severity === 'breaking');

type FoundEffect = Pick<AffectedRoute, 'effect' | 'message' | 'problems' | 'changes'>;

function findEffect({ method, path, before, after, changes }: ComparedRoute): FoundEffect | undefined {
  const prefix = `${method} ${path} `;
  const within = changes.map(({ place, ...change }) => ({
    place: place.startsWith(prefix) ? place.slice(prefix.length) : place,
    ...change,
  }));
  const found = { problems: [], changes: sortBySeverity(within) };
  if (!after) return { ...found, effect: 'ENDS', message: 'The route would be removed' };
  if (!after.operation) {
    const message = 'Its query would no longer fit the source, so it would return 500';
    return { ...found, effect: 'FAILS', message, problems: after.problems };
  }
  if (accesses.indexOf(after.access) > accesses.indexOf(before.access))
    return { ...found, effect: 'RESTRICTED', message: `It would require ${credentialsOf[after.access]}` };
  return changes.length > 0
    ? { ...found, effect: 'CHANGED', message: 'Its requests or responses would change' }
    : undefined;
}

const credentialsOf: Record<Access, string> = {
  ANYONE: 'nothing',
  API_KEY: 'an API key',
  CLIENT_CREDENTIALS: 'a client ID and its secret',
};

/** How many clients of a route are listed; all are counted. */
const maxListed = 20;

/** The usage that reports about callers cover. */
export const reportedUsage: UsageRequest = { days: 30, groupBy: ['client', 'route'] };

/** The affected routes: those that callers could no longer use as before, and those that they could. */
export type AffectedRoutes = api.AffectedRoutes;

/** Adds the callers to routes, and parts those that break from the others. Usage is counted by path and method. */
export async function reportAffected(
  routes: readonly AffectedRoute[],
  usage: Pick<Usage, 'report'>,
): Promise<AffectedRoutes> {
  if (routes.length === 0) return { breaks: [], changes: [] };
  const used = Map.groupBy(await usage.report(reportedUsage), ({ method, route }) => `${method} ${route}`);
  const report = (route: AffectedRoute): api.AffectedRoute => {
    const clients = new Map<string | undefined, number>();
    for (const method of route.methods.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : [one])))
      for (const { clientId, requests } of used.get(`${method} ${route.path}`) ?? [])
        clients.set(clientId, (clients.get(clientId) ?? 0) + requests);
    const { methods, problems, changes } = route;
    const lists = { methods: [...methods], problems: [...problems], changes: [...changes] };
    return { ...route, ...lists, callers: toCallers(clients) };
  };
  return {
    breaks: routes.filter(isBreaking).map(report),
    changes: routes.filter((route) => !isBreaking(route)).map(report),
  };
}

function toCallers(clients: ReadonlyMap<string | undefined, number>): api.RouteCallers {
  const items = [...clients]
    .toSorted(([, one], [, other]) => other - one)
    .map(([clientId, requests]) => ({ ...(clientId !== undefined && { clientId }), requests }));
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  return { days: reportedUsage.days, requests, count: items.length, items: items.slice(0, maxListed) };
}
