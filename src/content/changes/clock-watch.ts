/**
 * Keeps the highest time that the store has seen, so that a clock that is wrong deletes nothing and publishes nothing too early: what happens
 * at a time waits while the clock is more than seven days beyond it, until an operator accepts the time with `colophon clock accept`.
 *
 * A store without such a time begins with that of the newest entry of its change log. A clock that is behind does no harm.
 */
import { setTimeout } from 'node:timers/promises';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';

/** How far the clock may be beyond the highest time that the store has seen: longer than servers are usually stopped. */
const toleranceMs = 7 * 86_400_000;
const renewMs = 3_600_000;

type WatchedStore = Pick<ContentStore, 'readHighestTime' | 'keepTime' | 'capabilities' | 'changes'>;

/** Tells whether the clock may be followed. */
export type ClockWatch = ReturnType<typeof createClockWatch>;

export function createClockWatch({
  store,
  clock,
  logger,
}: {
  store: WatchedStore;
  clock: Clock;
  logger: Logger;
}) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let isAhead = false;
  let running: Promise<void> | undefined;

  /** Whether what happens at a time, or after it, may happen. Logs the first time that it may not. Errors: those of the store. */
  async function mayAct(nowMs: number): Promise<boolean> {
    const isRecent = performance.now() - renewedAt < renewMs && nowMs <= highest + toleranceMs;
    if (isRecent) return true;
    const seen = await findHighestTime(store);
    const wasAhead = isAhead;
    isAhead = isBeyond(nowMs, seen);
    if (isAhead) {
      if (!wasAhead) logger.error({ seen: toText(seen), now: toText(nowMs) }, waiting);
      // Later entries of the change log have the time of this clock.
      if (seen !== undefined) await store.keepTime({ atMs: seen });
      return false;
    }
    if (wasAhead) logger.info({ now: toText(nowMs) }, 'The time of the clock is accepted');
    await store.keepTime({ atMs: nowMs });
    [renewedAt, highest] = [performance.now(), Math.max(nowMs, seen ?? nowMs)];
    return true;
  }

  async function look(): Promise<void> {
    try {
      await mayAct(clock.nowMs());
    } catch (err) {
      logger.warn({ err }, 'The time could not be kept in the store; it will be tried again');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look();
      await setTimeout(renewMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    mayAct,
    /** Looks at the clock for the first time, which must be before the server writes. Logs an error of the store. */
    begin: look,
    /** Keeps the time once an hour. */
    start() {
      running ??= run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    collect: (): Metric[] => [
      {
        name: 'colophon_clock_ahead',
        help: 'Whether deletions of old data and scheduled publications wait, because the clock is far ahead of the last time of the store.',
        type: 'gauge',
        combine: 'max',
        samples: [{ labels: {}, value: isAhead ? 1 : 0 }],
      },
    ],
  };
}

const waiting =
  'The clock is more than seven days beyond the last time that the store has seen: old history, unused files and scheduled releases wait. ' +
  'If the clock is right, run `colophon clock accept`';

/** Returns the highest time that the store has seen; `undefined` if it has seen none. */
export async function findHighestTime({
  readHighestTime,
  capabilities,
  changes,
}: Omit<WatchedStore, 'keepTime'>): Promise<number | undefined> {
  const kept = await readHighestTime();
  if (kept !== undefined || !capabilities.changes) return kept;
  const { entries } = await changes.read({ order: 'newest first', limit: 1 });
  return entries[0]?.atMs;
}

/** Whether a time is so far beyond the highest one that an operator has to accept it. */
export const isBeyond = (nowMs: number, seenMs: number | undefined): boolean =>
  seenMs !== undefined && nowMs > seenMs + toleranceMs;

const toText = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
