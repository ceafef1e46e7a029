/**
 * Reports the routes that a change affects, with the API clients that have called them lately, as the usage of routes says.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { Usage, UsageRequest } from '../../access/usage/usage.ts';
import { type AffectedRoute, isBreaking } from './affected-routes.ts';

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
