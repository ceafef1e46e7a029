/**
 * The usage of routes by API clients: counted in memory, stored each minute, kept for some weeks, and added up on request.
 */

import { setTimeout } from 'node:timers/promises';
import { isDomainError, storeBusy, unlessError } from '../../base/errors.ts';
import type { Clock, Logger } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ClockWatch } from '../../content/changes/clock-watch.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset, Json } from '../../model/content-type.ts';
import { deleteRecords } from '../expiring-records.ts';
import {
  addTypes,
  createUsageCounts,
  dayMs,
  type TypeRequests,
  type UsageCounts,
  type UsageNumbers,
  type UsageRow,
} from './usage-counts.ts';

/** The usage of an installation. */
export interface Usage {
  readonly counts: Pick<UsageCounts, 'add'>;
  /**
   * Adds up the stored usage: the most used groups first. What this minute has counted is missing; a report of several clients by
   * client may be half a minute older.
   */
  report(request: UsageRequest): Promise<UsageSum[]>;
  /** Starts to store the counts each minute. */
  start(): void;
  /** Stores the counts now. Those that cannot be stored are stored later. */
  flush(): Promise<void>;
  /** Stores the counts for the last time. */
  stop(): Promise<void>;
}

const minuteMs = 60_000;
/** Records that are changed at the same time share a commit of the store. */
const maxAtOnce = 50;

/** Creates the usage, which keeps its records in the system's content service. */
export function createUsage({
  system,
  clock,
  clockWatch,
  logger,
  flushMs = minuteMs,
}: {
  system: ContentService;
  clock: Clock;
  /** Whether old records may be removed by the clock; absent where nothing is stored. */
  clockWatch?: Pick<ClockWatch, 'mayAct'>;
  logger: Logger;
  /** How often the counts are stored: what a process has counted since is lost when it is killed. */
  flushMs?: number;
}): Usage {
  const counts = createUsageCounts(clock);
  const reports = createUsageReports(system, clock);
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
    reports.forget();
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
    if (before === removedBefore || (clockWatch && !(await clockWatch.mayAct(clock.nowMs())))) return;
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
    report: reports.read,
  };
}

// Adds up the stored usage of routes.
//
// A page of API clients needs the usage of a few of them, and its next page that of others. All clients are added up once for both.

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

/** How many days are kept. */
export const usageDays = 35;
/** For how long the sums of all clients are kept. */
const keptMs = 30_000;

function createUsageReports(system: ContentService, clock: Clock) {
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
    async read({ clientIds, ...request }: UsageRequest): Promise<UsageSum[]> {
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

// The usage of routes by API clients as records: one for each client, key, route and day, to which all processes add.
//
// Each change of a record requires the version that was read, so that processes that add at the same time lose nothing.

/** The content type of the records. */
const usageType = 'com.colophon.system.Usage';

/** More than a record has processes that add to it: of simultaneous changes, at least one succeeds in each round. */
const maxAttempts = 100;
const pageSize = 1_000;

/** Adds counts to the record of their client, key, route and day. Errors: store_busy, store_failure. */
async function addUsage(system: ContentService, row: UsageRow): Promise<void> {
  const { requests, errors, totalMs, types, ...key } = row;
  const sender = key.keyId === undefined ? [key.clientId] : [key.clientId, key.keyId];
  const id = toHashedUuid(JSON.stringify(['usage', key.day, key.method, key.route, ...sender]));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const stored = await findRecord(system, id);
      if (!stored) {
        const counts = { requests, errors, totalMs, ...toTypesField(types) };
        await system.create({ _id: id, _type: usageType, ...key, ...counts }, {});
        return;
      }
      const before = toRow(stored.asset);
      const allTypes = new Map(before.types);
      addTypes(allTypes, types);
      const body = {
        requests: before.requests + requests,
        errors: before.errors + errors,
        totalMs: before.totalMs + totalMs,
        ...toTypesField(allTypes),
      };
      await system.update({ id, body, ifVersions: [stored.version] }, {});
      return;
    } catch (error) {
      const wasFirst = ['precondition_failed', 'id_in_use', 'not_found'] as const;
      if (!wasFirst.some((code) => isDomainError(error, code))) throw error;
    }
  }
  throw storeBusy('others keep changing the usage of this route');
}

async function findRecord(system: ContentService, id: string) {
  return unlessError(system.get(id, {}), 'not_found');
}

/** Removes up to 100 records of the days before one, and returns whether there may be more. */
function removeUsageBefore(system: ContentService, day: number): Promise<boolean> {
  return deleteRecords(system, { from: usageType, where: 'day < ?', value: day });
}

/** Which records to read. */
interface UsageFilter {
  readonly fromDay: number;
  readonly clientId?: string | undefined;
  readonly route?: string | undefined;
}

/** Reads the records in pages, in no order. */
async function* readUsage(system: ContentService, filter: UsageFilter): AsyncGenerator<UsageRow[]> {
  const wanted = [
    ['day >= ?', filter.fromDay],
    ['clientId = ?', filter.clientId],
    ['route = ?', filter.route],
  ] as const;
  const given = wanted.filter(([, value]) => value !== undefined);
  let last: string | undefined;
  for (;;) {
    const terms = [...given, ...(last === undefined ? [] : [['_id > ?', last] as const])];
    const { items } = await system.find(
      {
        from: usageType,
        where: terms.map(([term]) => term).join(' and '),
        values: terms.map(([, value]) => value ?? ''),
        offset: 0,
        limit: pageSize,
        withCount: false,
      },
      {},
    );
    yield items.map(({ asset }) => toRow(asset));
    if (items.length < pageSize) return;
    last = items.at(-1)?.asset._id;
  }
}

/** Converts the numbers by type to the field of the record, which is absent without any. */
function toTypesField(types: TypeRequests) {
  return types.size > 0 ? { types: [...types].map(([type, requests]) => ({ type, requests })) } : {};
}

/** Converts a record, which the content service validated when it was written. */
function toRow(asset: Asset): UsageRow {
  const { day, method, route, clientId, keyId, requests, errors, totalMs, types } = asset;
  return {
    day: Number(day),
    method: String(method),
    route: String(route),
    clientId: clientId === undefined ? undefined : String(clientId),
    keyId: keyId === undefined ? undefined : String(keyId),
    requests: Number(requests),
    errors: Number(errors),
    totalMs: Number(totalMs),
    types: toTypes(types),
  };
}

const toTypes = (field: Json | undefined): TypeRequests =>
  new Map(
    (Array.isArray(field) ? field : []).map((one) => {
      const { type, requests } = Object(one);
      return [String(type), Number(requests)];
    }),
  );
