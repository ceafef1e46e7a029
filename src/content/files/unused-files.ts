/**
 * Unused files: finds out whether assets still name a file, and deletes in the background what nothing has used for a week.
 *
 * A file is marked as unused first, and deleted at a later look, if it is still unused and marked. A write records its use, and then
 * removes the mark of a file. So what has a mark and no recorded use can be deleted at once: a write that records its use later finds no file.
 */

import { setTimeout } from 'node:timers/promises';
import { isDomainError, unlessError } from '../../base/errors.ts';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ClockWatch } from '../changes/clock-watch.ts';
import type { ContentService, StoredAsset } from '../content-service.ts';
import { readDraftsOf } from '../drafts/draft-source.ts';
import { fileClass, fileRecordId, fileUseClass, fileUseId, toFileRecord } from './file-record.ts';

/** What a look at a file has done. `waiting`: it is unused, and marked. */
type Look = 'used' | 'waiting' | 'deleted';

/** Finds and deletes unused files. */
export type UnusedFiles = ReturnType<typeof createUnusedFiles>;

const filesAtOnce = 100;

/** The last time that a record can have. */
const latestMs = 8_640_000_000_000_000;

export function createUnusedFiles({
  system,
  uses,
  place,
  clock,
  onDeleted,
}: {
  system: Pick<ContentService, 'get' | 'find' | 'update' | 'delete'>;
  uses: FileUses;
  place: FilePlace;
  clock: Clock;
  /** Removes what this process keeps of a file. */
  onDeleted?: (hash: string) => Promise<void>;
}) {
  const setMark = ({ asset: { _id: id }, version }: StoredAsset, unusedSince: number | null) =>
    unlessChanged(system.update({ id, body: { unusedSince }, ifVersions: [version] }, {}));

  /** Deletes a file unless an asset has used it, other than one that was erased. */
  async function deleteUnless(file: StoredAsset, erased?: string): Promise<Look> {
    const marked = await setMark(file, toFileRecord(file.asset).unusedSince ?? clock.nowMs());
    if (!marked) return 'used';
    const { hash } = toFileRecord(file.asset);
    for await (const { asset } of uses.each(hash)) {
      if (asset === erased) continue;
      if ((await uses.findUser(hash)) === undefined) return 'waiting';
      await setMark(marked, null);
      return 'used';
    }
    // An asset may have been created again after it was erased.
    if (erased !== undefined && (await uses.findUser(hash)) !== undefined) {
      await setMark(marked, null);
      return 'used';
    }
    return remove(marked);
  }

  async function remove({ asset, version }: StoredAsset): Promise<Look> {
    const { hash, key } = toFileRecord(asset);
    const deleted = await unlessChanged(system.delete({ id: asset._id, ifVersions: [version] }, {}));
    if (!deleted) return 'used';
    for await (const { _id: id } of uses.each(hash)) await unlessChanged(system.delete({ id }, {}));
    await place.delete(key);
    await onDeleted?.(hash);
    return 'deleted';
  }

  async function hasRecord(key: string): Promise<boolean> {
    const query = { from: fileClass, where: 'key = ?', values: [key], offset: 0, limit: 1, withCount: false };
    return (await system.find(query, {})).items.length > 0;
  }

  return {
    /** Yields the records of files: those uploaded last at a time or before, and with `isMarked` marked ones alone. */
    async *each({
      uploadedTo = latestMs,
      isMarked = false,
    }: {
      readonly uploadedTo?: number;
      readonly isMarked?: boolean;
    } = {}): AsyncGenerator<StoredAsset> {
      const where = isMarked ? 'uploadedAt <= ? and unusedSince != null' : 'uploadedAt <= ?';
      const query = { from: fileClass, where, values: [uploadedTo], offset: 0, withCount: false };
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: Awaited<ReturnType<ContentService['find']>> = await system.find(
          { ...query, cursor, limit: filesAtOnce },
          {},
        );
        yield* page.items;
        cursor = page.next;
      }
    },
    /** Marks a file that is unused, and deletes one that was marked at a time or before. */
    async look(file: StoredAsset, { markedTo }: { readonly markedTo: number }): Promise<Look> {
      const { hash, unusedSince } = toFileRecord(file.asset);
      if ((await uses.findUser(hash)) !== undefined) {
        if (unusedSince !== undefined) await setMark(file, null);
        return 'used';
      }
      if (unusedSince === undefined) await setMark(file, clock.nowMs());
      else if (unusedSince <= markedTo) return remove(file);
      return 'waiting';
    },
    /** Deletes a file at once that no asset has used; marks one that is unused otherwise. */
    deleteNow: (file: StoredAsset): Promise<Look> => deleteUnless(file),
    /** Does so with the files of an asset that was erased. */
    async deleteOf(erased: string): Promise<void> {
      for await (const hash of uses.eachOf(erased)) {
        const file = await unlessChanged(system.get(fileRecordId(hash), {}));
        if (file) await deleteUnless(file, erased);
      }
    },
    /** Yields the keys of bytes that have no record, and were written at a time or before. */
    async *eachOrphan(writtenTo: number): AsyncGenerator<string> {
      for await (const { key, writtenAt } of place.list())
        if (writtenAt <= writtenTo && !(await hasRecord(key))) yield key;
    },
  };
}

/** Returns `undefined` when the record was written or deleted meanwhile. */
const unlessChanged = <Result>(call: Promise<Result>) =>
  unlessError(call, 'precondition_failed', 'not_found');

// Deletes unused files in the background: those that nothing has used for a week, and bytes without a record.
//
// Once a day it looks at all files that are old enough, and every hour at those that it has marked. A pause several times as long as the
// step follows each file. Several processes may clean one store: each write has a condition, so they only share the work.

/** Cleans until it is stopped. */
export type FileCleaner = ReturnType<typeof createFileCleaner>;

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
interface CleanTiming {
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
}) {
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
    /** Resolves when no step is in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      await cleaning;
    },
  };
}

// Finds out whether an asset still names a file. The record of a use says only that an asset may: its value, its drafts or a state that
// its history keeps are read, in which any text with the hash counts.

export type FileUses = ReturnType<typeof createFileUses>;

/** The record of a use. */
interface FileUse {
  readonly _id: string;
  /** The `_id` of the asset. */
  readonly asset: string;
}

const usesAtOnce = 100;
const entriesAtOnce = 100;

export function createFileUses({
  system,
  store,
}: {
  system: Pick<ContentService, 'find' | 'create'>;
  store: Pick<ContentStore, 'texts' | 'changes' | 'capabilities' | 'find' | 'getChunk' | 'getMany'>;
}) {
  const { texts, changes, capabilities } = store;

  async function* find(where: string, value: string): AsyncGenerator<Asset> {
    const query = { from: fileUseClass, where, values: [value], offset: 0, withCount: false };
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<ContentService['find']>> = await system.find(
        { ...query, cursor, limit: usesAtOnce },
        {},
      );
      for (const { asset } of page.items) yield asset;
      cursor = page.next;
    }
  }

  /** Yields the `_id`s of the assets whose value or history may name a file, with the `_id`s of the records that say so. */
  async function* each(hash: string): AsyncGenerator<FileUse> {
    for await (const { _id, asset } of find('hash = ?', hash)) yield { _id, asset: String(asset) };
  }

  /** The value is read first: what a write removes from it afterwards is in the history then. */
  async function names(asset: string, hash: string): Promise<boolean> {
    const present = await texts.get(asset);
    if (present?.text.includes(hash)) return true;
    const drafts = await readDraftsOf(store, asset);
    if (drafts.some(({ record }) => JSON.stringify([record.set, record.before]).includes(hash))) return true;
    if (!capabilities.changes) return false;
    for (let before: number | undefined, isLast = false; !isLast; ) {
      const page = await changes.history({
        asset,
        limit: entriesAtOnce,
        ...(before !== undefined && { before }),
      });
      // A state has values of the present one, and former values that entries have.
      if (page.entries.some((entry) => entry.before && JSON.stringify(entry.before).includes(hash)))
        return true;
      before = page.next;
      isLast = before === undefined;
    }
    return false;
  }

  return {
    each,
    /** Yields the hashes of the files that an asset may name. */
    async *eachOf(asset: string): AsyncGenerator<string> {
      for await (const { hash } of find('asset = ?', asset)) yield String(hash);
    },
    /** Records uses, of which some may be recorded. */
    async record(uses: readonly { readonly hash: string; readonly asset: string }[]): Promise<void> {
      const create = ({ hash, asset }: { hash: string; asset: string }) =>
        system.create({ _id: fileUseId(hash, asset), _type: fileUseClass, hash, asset }, {});
      const outcomes = await Promise.allSettled(uses.map(create));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && !isDomainError(outcome.reason, 'id_in_use'))
          throw outcome.reason;
      }
    },
    /** Finds the first asset whose value or history names a file; `undefined` when none does. */
    async findUser(hash: string): Promise<string | undefined> {
      for await (const { asset } of each(hash)) if (await names(asset, hash)) return asset;
      return undefined;
    },
  };
}
