/**
 * Deletes unused files in the background: those that nothing has used for a week, and bytes without a record.
 *
 * Once a day it looks at all files that are old enough, and every hour at those that it has marked. A pause several times as long as the
 * step follows each file. Several processes may clean one store: each write has a condition, so they only share the work.
 */
import { setTimeout } from 'node:timers/promises';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ClockWatch } from '../changes/clock-watch.ts';
import type { UnusedFiles } from './unused-files.ts';

/** Cleans until it is stopped. */
export interface FileCleaner {
  start(): void;
  /** Resolves when no step is in progress. */
  stop(): Promise<void>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The age of an upload from which on a file can be unused, in milliseconds. */
const unusedAfterMs = 7 * dayMs;

/** The age from which on bytes without a record belong to no upload, in milliseconds. */
export const orphanedAfterMs = dayMs;

/** The age of a mark from which on a file is deleted, in milliseconds: longer than any write takes. */
export const deletedAfterMs = hourMs;

/** How many bytes without a record are remembered from one day to the next. */
const maxOrphans = 100_000;

/** The pauses of the cleaner. */
export interface CleanTiming {
  readonly firstPauseMs: number;
  readonly restMs: number;
  /** How many times as long as a step the pause after it is. */
  readonly pauseFactor: number;
}

const usualTiming: CleanTiming = { firstPauseMs: 300_000, restMs: hourMs, pauseFactor: 5 };

/** Creates the task. */
export function createFileCleaner({
  files,
  place,
  clock,
  clockWatch,
  logger,
  timing: { firstPauseMs, restMs, pauseFactor } = usualTiming,
}: {
  files: UnusedFiles;
  place: Pick<FilePlace, 'isOwn' | 'delete'>;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'mayAct'>;
  logger: Logger;
  timing?: CleanTiming | undefined;
}): FileCleaner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let cleaning: Promise<void> | undefined;

  /** Runs a step for each item, with pauses. */
  async function eachSlowly<Item>(items: AsyncIterable<Item>, step: (item: Item) => Promise<void>) {
    let startedMs = performance.now();
    for await (const item of items) {
      if (signal.aborted) return;
      await step(item);
      await pause((performance.now() - startedMs) * pauseFactor);
      startedMs = performance.now();
    }
  }

  async function look(isMarked: boolean): Promise<void> {
    const nowMs = clock.nowMs();
    let deleted = 0;
    await eachSlowly(files.each({ uploadedTo: nowMs - unusedAfterMs, isMarked }), async (file) => {
      if ((await files.look(file, { markedTo: nowMs - deletedAfterMs })) === 'deleted') deleted++;
    });
    if (deleted > 0) logger.info({ files: deleted }, 'Unused files were deleted');
  }

  /** The bytes without a record that the last look has found. */
  let orphans: ReadonlySet<string> = new Set();

  /** Deletes bytes that had no record a day ago either: after a database was lost, there is time to restore it. */
  async function deleteOrphans(): Promise<void> {
    // Elsewhere they may belong to somebody else.
    if (!place.isOwn) return;
    const found = new Set<string>();
    await eachSlowly(files.eachOrphan(clock.nowMs() - orphanedAfterMs), async (key) => {
      if (orphans.has(key)) await place.delete(key);
      else if (found.size < maxOrphans) found.add(key);
    });
    orphans = found;
  }

  async function run(): Promise<void> {
    let lookedMs = Number.NEGATIVE_INFINITY;
    await pause(firstPauseMs);
    while (!signal.aborted) {
      const isDue = clock.nowMs() - lookedMs >= dayMs;
      try {
        if (await clockWatch.mayAct(clock.nowMs())) {
          await look(!isDue);
          if (isDue) await deleteOrphans();
          if (isDue) lookedMs = clock.nowMs();
        }
      } catch (err) {
        logger.warn({ err }, 'Unused files could not be deleted; it will be tried again');
      }
      await pause(restMs);
    }
  }

  /** Waits, but ends early when the task is stopped. */
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);

  return {
    start() {
      cleaning ??= run();
    },
    async stop() {
      stopping.abort();
      await cleaning;
    },
  };
}
