/**
 * Removes old entries of the change log in the background, in steps so small that no write waits noticeably.
 *
 * A step removes as many entries as took about half of `stepMs` before, but at least a hundred, which take about a millisecond: a step
 * may take long because it waits for other writes, and trimming must keep up with them. The pause after a step is several times as
 * long. Several processes may trim one store: each step is a separate transaction, so they only share the work.
 */
import { setTimeout } from 'node:timers/promises';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ClockWatch } from './clock-watch.ts';

/** Trims the log until it is stopped. */
export type LogTrimmer = ReturnType<typeof createLogTrimmer>;

/** How long a step may take, and the pauses before the first one, after each, and when nothing is left to remove. */
export interface TrimTiming {
  readonly stepMs: number;
  readonly firstPauseMs: number;
  /** How many times as long as a step the pause after it is. */
  readonly pauseFactor: number;
  readonly restMs: number;
}

const usualTiming: TrimTiming = { stepMs: 20, firstPauseMs: 30_000, pauseFactor: 5, restMs: 600_000 };
const dayMs = 86_400_000;
const minLimit = 100;
const maxLimit = 5_000;

/** Creates the task. It does nothing on a store that keeps no change log. */
export function createLogTrimmer({
  store: { capabilities, changes },
  clock,
  logger,
  historyDays,
  clockWatch,
  timing: { stepMs, firstPauseMs, pauseFactor, restMs } = usualTiming,
}: {
  store: Pick<ContentStore, 'capabilities' | 'changes'>;
  clock: Clock;
  logger: Logger;
  historyDays: number;
  clockWatch: Pick<ClockWatch, 'mayAct'>;
  timing?: TrimTiming;
}) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let limit = minLimit;
  let trimming: Promise<void> | undefined;

  /** Removes some entries; returns how long to wait before the next step. */
  async function step(): Promise<number> {
    const nowMs = clock.nowMs();
    if (!(await clockWatch.mayAct(nowMs))) return restMs;
    const startedMs = performance.now();
    const removed = await changes.trim({ beforeMs: nowMs - historyDays * dayMs, limit });
    const tookMs = performance.now() - startedMs;
    const isLast = removed < limit;
    limit = nextLimit({ limit, tookMs, stepMs });
    return isLast ? restMs : Math.max(stepMs, tookMs * pauseFactor);
  }

  async function run(): Promise<void> {
    await pause(firstPauseMs);
    while (!signal.aborted) {
      const pauseMs = await step().catch((err: unknown) => {
        logger.warn({ err }, 'Old entries of the change log could not be removed; it will be tried again');
        return restMs;
      });
      await pause(pauseMs);
    }
  }

  /** Waits, but ends early when the task is stopped. */
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);

  return {
    start() {
      if (capabilities.changes) trimming ??= run();
    },
    /** Resolves when no step is in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      await trimming;
    },
  };
}

/** Aims at half of the permitted time, since the time of a step varies. */
export function nextLimit({
  limit,
  tookMs,
  stepMs,
}: {
  limit: number;
  tookMs: number;
  stepMs: number;
}): number {
  if (tookMs > stepMs / 2) return Math.max(minLimit, Math.floor(limit / 2));
  return tookMs < stepMs / 4 ? Math.min(maxLimit, limit * 2) : limit;
}
