/**
 * The handler of the usage of routes by API clients.
 */
import type { UsageReport } from '../../../../generated/server/admin.ts';
import type { Usage, UsageGroup, UsageSum } from '../../../access/usage/usage.ts';
import { dayMs } from '../../../access/usage/usage-counts.ts';
import { type AdminHandlers, ok } from './responses.ts';

const defaultDays = 30;
const defaultLimit = 100;
const defaultGroups: readonly UsageGroup[] = ['client', 'route'];

/** Creates the handler. */
export function createUsageHandlers(usage: Pick<Usage, 'report'>): Pick<AdminHandlers, 'listUsage'> {
  return {
    async listUsage({ query: { days, groupBy, clientId, clientIds, route, limit } }) {
      const sums = await usage.report({
        days: days === undefined ? defaultDays : Number(days),
        // The document allows only groups that there are.
        groupBy: groupBy === undefined ? defaultGroups : ([groupBy].flat() as UsageGroup[]),
        clientId,
        clientIds: clientIds === undefined ? undefined : [clientIds].flat(),
        route,
      });
      const shown = sums.slice(0, limit === undefined ? defaultLimit : Number(limit));
      return ok({ count: sums.length, items: shown.map(toItem) });
    },
  };
}

function toItem(sum: UsageSum): UsageReport['items'][number] {
  const { clientId, keyId, day, lastDay, totalMs, types: _, ...numbers } = sum;
  return {
    ...(clientId !== undefined && { clientId }),
    ...(keyId !== undefined && { keyId }),
    ...(day !== undefined && { day: toDate(day) }),
    ...numbers,
    totalMs: Math.round(totalMs),
    lastDay: toDate(lastDay),
  };
}

const toDate = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
