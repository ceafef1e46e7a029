/**
 * Removes what is kept of erased assets outside the step of the store that erases them. It follows the entries of erasures in the change
 * log, and a record in the store says how far it is, so that a process that was killed leaves the rest to the next one.
 *
 * Copies (drafts, kept responses, files) go right after a deletion, which waits for it. Two things cost time in proportion to the store, and
 * follow in the background so that they take a small part of the time: drafts that were dropped before, which only the whole log names,
 * and what deleted rows leave in the store's files.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDomainError } from '../../base/errors.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import type { DeletedContent } from './erase-asset.ts';
import { createDraftEraser } from './erase-asset.ts';

/** How far the log is followed: by `seq`, up to where copies are removed, and up to where nothing is left. */
export interface ErasureProgress {
  readonly copiesTo: number;
  readonly wholeTo: number;
}

/** Keeps the progress in the store, for all processes. */
export interface ProgressRecord {
  read(epoch: string): Promise<ErasureProgress>;
  /** Keeps what is further than before. */
  advance(epoch: string, progress: Partial<ErasureProgress>): Promise<void>;
}

/** Removes what is kept of erased assets. */
export interface ErasureSweep extends DeletedContent {
  /**
   * Looks now, and every few minutes, for what other processes have left. With `ifBegun` it does so only once a process whose deletions
   * erase has begun to follow the log.
   */
  start(options: { ifBegun: boolean }): void;
  /** Ends the work in the background, and removes everything at once. Errors: the store's. */
  end(): Promise<void>;
  /** Ends the work in the background; a later process goes on with it. */
  stop(): Promise<void>;
}

/** How long a deletion waits, after how long work is repeated, and how many times as long as background work the pause after it is. */
export interface SweepTiming {
  readonly waitMs: number;
  readonly retryMs: number;
  readonly restMs: number;
  readonly pauseFactor: number;
}

const usualTiming: SweepTiming = { waitMs: 5_000, retryMs: 30_000, restMs: 600_000, pauseFactor: 20 };

const entriesAtOnce = 500;
const copiesAtOnce = 16;

/** How many assets one pass through the log looks for. */
const maxAssets = 50_000;

/** Creates the sweep. It does nothing on a store that keeps no change log. */
export function createErasureSweep({
  store,
  catalog,
  clock,
  ids,
  logger,
  progress,
  eraseCopies,
  onErased = async () => {},
  timing: { waitMs, retryMs, restMs, pauseFactor } = usualTiming,
}: {
  store: ContentStore;
  catalog: Pick<Catalog, 'types'>;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  progress: ProgressRecord;
  /** Removes the copies of an asset that are neither drafts nor in the log. */
  eraseCopies: (asset: string) => Promise<void>;
  /** Runs after copies were removed. */
  onErased?: () => Promise<void>;
  timing?: SweepTiming | undefined;
}): ErasureSweep {
  const { changes } = store;
  const drafts = createDraftEraser({ store, clock, ids });
  const filter = { types: [...catalog.types.keys()], actions: ['erase'] as const };
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  let isWholeDue = false;
  let background: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  let following: Promise<void> | undefined;
  let isRetrying = false;
  let resting: Promise<void> | undefined;

  /** Yields the assets erased after a place of the log and up to another, with their last erasures, and the place that each page reaches. */
  async function* eachErased(from: number, to: number) {
    for (let at = from; at < to; ) {
      const page = await changes.read({ order: 'oldest first', from: at, limit: entriesAtOnce, filter });
      at = page.next ?? to;
      yield { erased: new Map(page.entries.map(({ asset, seq }) => [asset, seq])), upTo: at };
    }
  }

  async function removeCopies(): Promise<void> {
    const to = await changes.waitUntilNumbered();
    const { epoch } = await changes.position();
    const { copiesTo, wholeTo } = await progress.read(epoch);
    isWholeDue ||= wholeTo < copiesTo;
    let hasErased = false;
    for await (const { erased, upTo } of eachErased(copiesTo, to)) {
      const all = [...erased];
      for (let start = 0; start < all.length; start += copiesAtOnce)
        await Promise.all(all.slice(start, start + copiesAtOnce).map(eraseAllCopies));
      hasErased ||= all.length > 0;
      await progress.advance(epoch, { copiesTo: upTo, ...(!hasErased && !isWholeDue && { wholeTo: upTo }) });
    }
    isWholeDue ||= hasErased;
    if (hasErased) await onErased();
  }

  async function eraseAllCopies([asset, seq]: readonly [string, number]): Promise<void> {
    await drafts.erasePresent(asset, seq);
    await eraseCopies(asset);
  }

  /** Removes the rest: drafts that were dropped before, and what the files contain. */
  async function removeWhole(): Promise<void> {
    isWholeDue = false;
    const { epoch } = await changes.position();
    const { copiesTo, wholeTo } = await progress.read(epoch);
    const assets = new Set<string>();
    let reached = wholeTo;
    for await (const page of eachErased(wholeTo, copiesTo)) {
      for (const asset of page.erased.keys()) assets.add(asset);
      reached = page.upTo;
      if (assets.size >= maxAssets) break;
    }
    if (assets.size > 0) {
      await drafts.eraseDropped(assets);
      await changes.purge();
    }
    await progress.advance(epoch, { wholeTo: reached });
    isWholeDue ||= reached < copiesTo;
  }

  /** Follows the log once for all that ask meanwhile. */
  function follow(): Promise<void> {
    following ??= running
      .catch(() => {})
      .then(() => {
        running = following ?? running;
        following = undefined;
        return removeCopies();
      });
    return following;
  }

  async function workInBackground(): Promise<void> {
    while (isWholeDue && !signal.aborted) {
      const startedMs = performance.now();
      try {
        await removeWhole();
        await pause((performance.now() - startedMs) * pauseFactor);
      } catch (error) {
        isWholeDue = true;
        warn(error);
        await pause(retryMs);
      }
    }
  }

  function goOn(): void {
    if (!isWholeDue || signal.aborted) return;
    background ??= workInBackground().finally(() => {
      background = undefined;
      goOn();
    });
  }

  /** Follows the log; tries again later if that fails. */
  const followOrRetry = (): Promise<void> =>
    follow().then(goOn, (error: unknown) => {
      warn(error);
      if (isRetrying) return;
      isRetrying = true;
      void pause(retryMs).then(() => {
        isRetrying = false;
        if (!signal.aborted) void followOrRetry();
      });
    });

  function warn(err: unknown): void {
    // Somebody reads the store at length, such as a backup.
    const isUsual = isDomainError(err, 'store_busy');
    const text = 'What is kept of erased assets could not be removed; it will be tried again';
    if (isUsual) logger.info({ err }, text);
    else logger.warn({ err }, text);
  }

  async function hasBegun(): Promise<boolean> {
    try {
      const { epoch } = await changes.position();
      return (await progress.read(epoch)).copiesTo > 0;
    } catch (error) {
      warn(error);
      return false;
    }
  }

  async function rest(ifBegun: boolean): Promise<void> {
    for (; !signal.aborted; await pause(restMs)) if (!ifBegun || (await hasBegun())) await followOrRetry();
  }

  return {
    async finish() {
      const waiting = new AbortController();
      const options = { signal: waiting.signal, ref: false };
      await Promise.race([followOrRetry(), sleep(waitMs, undefined, options).catch(() => undefined)]);
      waiting.abort();
    },
    start({ ifBegun }) {
      if (store.capabilities.changes) resting ??= rest(ifBegun);
    },
    async end() {
      stopping.abort();
      if (!store.capabilities.changes) return;
      await follow();
      await background;
      while (isWholeDue) await removeWhole();
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([resting, background, running]);
    },
  };
}
