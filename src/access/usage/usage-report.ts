/**
 * Adds up the stored usage of routes.
 *
 * A page of API clients needs the usage of a few of them, and its next page that of others. All clients are added up once for both.
 */
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { addTypes, dayMs, type TypeRequests, type UsageNumbers, type UsageRow } from './usage-counts.ts';
import { readUsage } from './usage-records.ts';

/** What the rows of a report are about. */
export type UsageGroup = 'client' | 'key' | 'route' | 'day';

/** Which usage to report. */
export interface UsageRequest {
  /** How many days to go back, today included. */
  readonly days: number;
  readonly groupBy: readonly UsageGroup[];
  readonly clientId?: string | undefined;
  /** Absent means all API clients. */
  readonly clientIds?: readonly string[] | undefined;
  readonly route?: string | undefined;
}

/** The requests of a group, with the members that the group is by. */
export interface UsageSum extends UsageNumbers {
  readonly clientId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly method?: string;
  readonly route?: string;
  readonly day?: number;
  /** The day of the last of the requests. */
  readonly lastDay: number;
  readonly types: TypeRequests;
}

/** Reports of the usage. */
export interface UsageReports {
  read(request: UsageRequest): Promise<UsageSum[]>;
  /** Forgets what is kept. */
  forget(): void;
}

/** How many days are kept. */
export const usageDays = 35;
/** For how long the sums of all clients are kept. */
const keptMs = 30_000;

/** Creates the reports. */
export function createUsageReports(system: ContentService, clock: Clock): UsageReports {
  /** The sums of all clients that were last asked for. */
  let kept: { readonly key: string; readonly sums: Promise<UsageSum[]>; readonly atMs: number } | undefined;

  async function addUp({ days, groupBy, clientIds, ...filter }: UsageRequest): Promise<UsageSum[]> {
    const sums = new Map<string, Sum>();
    const wanted = clientIds && new Set<string | undefined>(clientIds);
    const fromDay = Math.floor(clock.nowMs() / dayMs) - Math.min(days, usageDays) + 1;
    for await (const rows of readUsage(system, { ...filter, fromDay }))
      for (const row of rows) if (wanted?.has(row.clientId) ?? true) addTo(sums, toGroup(row, groupBy), row);
    return [...sums.values()].sort((one, other) => other.requests - one.requests);
  }

  /** Adds up all clients, or returns what was added up within half a minute. */
  function addUpOnce(request: UsageRequest): Promise<UsageSum[]> {
    const key = JSON.stringify(request);
    const nowMs = clock.nowMs();
    if (kept?.key === key && Math.abs(nowMs - kept.atMs) < keptMs) return kept.sums;
    const added = { key, sums: addUp(request), atMs: nowMs };
    kept = added;
    added.sums.catch(() => {
      if (kept === added) kept = undefined;
    });
    return added.sums;
  }

  return {
    async read({ clientIds, ...request }) {
      if (!clientIds) return addUp(request);
      // Only sums by client can be kept for all of them.
      if (!request.groupBy.includes('client')) return addUp({ ...request, clientIds });
      const wanted = new Set<string | undefined>(clientIds);
      return (await addUpOnce(request)).filter(({ clientId }) => wanted.has(clientId));
    },
    forget() {
      kept = undefined;
    },
  };
}

type Sum = { -readonly [Member in keyof Omit<UsageSum, 'types'>]: UsageSum[Member] } & {
  readonly types: Map<string, number>;
};

function toGroup({ clientId, keyId, method, route, day }: UsageRow, groupBy: readonly UsageGroup[]) {
  return {
    ...(groupBy.includes('client') && { clientId }),
    ...(groupBy.includes('key') && { keyId }),
    ...(groupBy.includes('route') && { method, route }),
    ...(groupBy.includes('day') && { day }),
  };
}

function addTo(sums: Map<string, Sum>, group: ReturnType<typeof toGroup>, row: UsageRow): void {
  const key = JSON.stringify(group);
  const none = { requests: 0, errors: 0, totalMs: 0, lastDay: row.day };
  const sum = sums.get(key) ?? { ...group, ...none, types: new Map() };
  sum.requests += row.requests;
  sum.errors += row.errors;
  sum.totalMs += row.totalMs;
  sum.lastDay = Math.max(sum.lastDay, row.day);
  addTypes(sum.types, row.types);
  sums.set(key, sum);
}
