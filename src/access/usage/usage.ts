/**
 * The usage of routes by API clients: counted in memory, stored each minute, kept for some weeks, and added up for who asks.
 */
import { setTimeout } from 'node:timers/promises';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import {
  addTypes,
  createUsageCounts,
  dayMs,
  type TypeRequests,
  type UsageCounts,
  type UsageKey,
  type UsageNumbers,
  type UsageRow,
} from './usage-counts.ts';
import { addUsage, readUsage, removeUsageBefore } from './usage-records.ts';

/** What the rows of a report are about. */
export type UsageGroup = 'client' | 'route' | 'day';

/** Which usage to report. */
export interface UsageRequest {
  /** How many days to go back, today included. */
  readonly days: number;
  readonly groupBy: readonly UsageGroup[];
  readonly clientId?: string | undefined;
  readonly route?: string | undefined;
}

/** The requests of a group, with the members that the group is by. */
export interface UsageSum extends UsageNumbers {
  readonly clientId?: string | undefined;
  readonly method?: string;
  readonly route?: string;
  readonly day?: number;
  readonly types: TypeRequests;
}

/** The usage of an installation. */
export interface Usage {
  readonly counts: Pick<UsageCounts, 'add'>;
  /** Adds up the stored usage: the most used groups first. What this minute has counted is missing. */
  report(request: UsageRequest): Promise<UsageSum[]>;
  /** Starts to store the counts each minute. */
  start(): void;
  /** Stores the counts now. Those that cannot be stored are stored later. */
  flush(): Promise<void>;
  /** Stores the counts for the last time. */
  stop(): Promise<void>;
}

/** How many days are kept. */
export const usageDays = 35;
const minuteMs = 60_000;
/** Records that are changed at the same time share a commit of the store. */
const maxAtOnce = 50;

/** Creates the usage, which keeps its records in the system's content service. */
export function createUsage({
  system,
  clock,
  logger,
  flushMs = minuteMs,
}: {
  system: ContentService;
  clock: Clock;
  logger: Logger;
  /** How often the counts are stored: what a process has counted since is lost when it is killed. */
  flushMs?: number;
}): Usage {
  const counts = createUsageCounts(clock);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let removedBefore = 0;
  const today = () => Math.floor(clock.nowMs() / dayMs);

  async function flush(): Promise<void> {
    const rows = counts.take();
    for (let n = 0; n < rows.length; n += maxAtOnce) {
      if (await addAll(rows.slice(n, n + maxAtOnce))) continue;
      // The store would hardly do better with the rest.
      counts.putBack(rows.slice(n + maxAtOnce));
      return;
    }
    await removeOld();
  }

  /** Adds rows to their records; returns whether all could be stored. */
  async function addAll(rows: readonly UsageRow[]): Promise<boolean> {
    const outcomes = await Promise.allSettled(rows.map((row) => addUsage(system, row)));
    const failed = rows.filter((_row, index) => outcomes[index]?.status === 'rejected');
    counts.putBack(failed);
    const [err] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (!err) return true;
    logger.warn(
      { err, rows: failed.length },
      'The usage of routes could not be stored; it will be tried again',
    );
    return false;
  }

  /** Removes old records, once a day. */
  async function removeOld(): Promise<void> {
    const before = today() - usageDays + 1;
    if (before === removedBefore) return;
    while (!stopping.signal.aborted && (await removeUsageBefore(system, before)));
    removedBefore = before;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await setTimeout(flushMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      await flushOrWarn();
    }
  }

  const flushOrWarn = () =>
    flush().catch((err: unknown) => logger.warn({ err }, 'Old usage of routes could not be removed'));

  return {
    counts,
    flush,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      // What was counted while the last run stored its counts.
      await flushOrWarn();
    },
    async report({ days, groupBy, ...filter }) {
      const sums = new Map<string, Sum>();
      const fromDay = today() - Math.min(days, usageDays) + 1;
      for await (const rows of readUsage(system, { ...filter, fromDay }))
        for (const row of rows) addTo(sums, toGroup(row, groupBy), row);
      return [...sums.values()].sort((one, other) => other.requests - one.requests);
    },
  };
}

type Sum = { -readonly [Member in keyof Omit<UsageSum, 'types'>]: UsageSum[Member] } & {
  readonly types: Map<string, number>;
};

function toGroup({ clientId, method, route, day }: UsageRow, groupBy: readonly UsageGroup[]) {
  return {
    ...(groupBy.includes('client') && { clientId }),
    ...(groupBy.includes('route') && { method, route }),
    ...(groupBy.includes('day') && { day }),
  };
}

function addTo(sums: Map<string, Sum>, group: Partial<UsageKey>, row: UsageRow): void {
  const key = JSON.stringify(group);
  const sum = sums.get(key) ?? { ...group, requests: 0, errors: 0, totalMs: 0, types: new Map() };
  sum.requests += row.requests;
  sum.errors += row.errors;
  sum.totalMs += row.totalMs;
  addTypes(sum.types, row.types);
  sums.set(key, sum);
}
