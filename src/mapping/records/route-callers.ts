/**
 * Finds who has called published routes lately, as the usage of routes by API clients says.
 */
import type { Usage, UsageRequest } from '../../access/usage/usage.ts';
import type { AffectedRoute } from './affected-routes.ts';

/** How many clients of a route are listed; all are counted. */
const maxListed = 20;

/** The usage that reports about callers cover. */
export const reportedUsage: UsageRequest = { days: 30, groupBy: ['client', 'route'] };

/** Who has called a route in these days. */
export interface RouteCallers {
  readonly days: number;
  readonly requests: number;
  /** How many clients there are; all calls without an API client count as one. */
  readonly count: number;
  /** The first 20, the most active first. */
  readonly items: readonly RouteCaller[];
}

/** The calls of a client; those without an API client have no ID. */
export interface RouteCaller {
  readonly clientId?: string;
  readonly requests: number;
}

/** An affected route with those who have called it. */
export interface CalledRoute extends AffectedRoute {
  readonly callers: RouteCallers;
}

/** Adds the callers to routes. Usage is counted by path and method, also that of a route before it was last changed. */
export async function addCallers(
  routes: readonly AffectedRoute[],
  usage: Pick<Usage, 'report'>,
): Promise<CalledRoute[]> {
  if (routes.length === 0) return [];
  const used = Map.groupBy(await usage.report(reportedUsage), ({ method, route }) => `${method} ${route}`);
  return routes.map((route) => {
    const clients = new Map<string | undefined, number>();
    for (const method of route.methods.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : [one])))
      for (const { clientId, requests } of used.get(`${method} ${route.path}`) ?? [])
        clients.set(clientId, (clients.get(clientId) ?? 0) + requests);
    return { ...route, callers: toCallers(clients) };
  });
}

function toCallers(clients: ReadonlyMap<string | undefined, number>): RouteCallers {
  const items = [...clients]
    .toSorted(([, one], [, other]) => other - one)
    .map(([clientId, requests]) => ({ ...(clientId !== undefined && { clientId }), requests }));
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  return { days: reportedUsage.days, requests, count: items.length, items: items.slice(0, maxListed) };
}
