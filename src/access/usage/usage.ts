/**
 * The usage of routes by API clients: counted in memory, stored each minute, kept for some weeks, and added up on request.
 */
import { setTimeout } from 'node:timers/promises';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { ClockWatch } from '../../content/changes/clock-watch.ts';
import type { ContentService } from '../../content/content-service.ts';
import { createUsageCounts, dayMs, type UsageCounts, type UsageRow } from './usage-counts.ts';
import { addUsage, removeUsageBefore } from './usage-records.ts';
import { createUsageReports, type UsageRequest, type UsageSum, usageDays } from './usage-report.ts';

export { type UsageGroup, type UsageRequest, type UsageSum, usageDays } from './usage-report.ts';

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
