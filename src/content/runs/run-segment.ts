/**
 * Reads the writes of a run: its entries in the change log, and the last writes of an asset as far as they belong to the run.
 *
 * Writes of the run and of its reverts count alike: reverting a run a second time, after its first revert was reverted, gives the
 * state before the run again.
 */

import { storeBusy } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import {
  type ChangeEntry,
  type ChangeFilter,
  type ChangeLog,
  type HistoryPage,
  undoChange,
} from '../../store/changes.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';

/** A run to revert, and the runs whose writes are undone along with it. */
export interface RevertScope {
  readonly run: string;
  /** The run that the revert is; absent while none reverts it. */
  readonly revert?: string;
  /** The run, its reverts, their reverts, and so on. */
  readonly names: ReadonlySet<string>;
}

/** Consecutive writes of one asset that belong to the scope of a revert. */
interface Segment {
  /** The state before these writes; without any, the state that was given. `undefined` means that the asset does not exist. */
  readonly before: Asset | undefined;
  /** The newest entry that was read, of whomever. */
  readonly newest?: ChangeEntry;
  /** The numbers of the oldest write, and of the newest one of the run itself; absent without any. */
  readonly oldest?: number;
  readonly newestOfRun?: number;
}

/** The last writes of an asset. */
export interface LastWrites extends Segment {
  readonly current: StoredAsset | undefined;
}

/** Reads segments of histories. */
export type SegmentReader = ReturnType<typeof createSegmentReader>;

/** Where a segment ends. */
interface SegmentEnd {
  readonly asset: string;
  readonly number: number;
  readonly after: Asset | undefined;
}

const maxTries = 5;

export function createSegmentReader(store: Pick<ContentStore, 'get' | 'changes'>) {
  /** Reads the last writes of an asset. Errors: store_busy when it changes all the time. */
  async function readLast(asset: string, scope: RevertScope): Promise<LastWrites> {
    for (let tries = 0; tries < maxTries; tries++) {
      const current = await store.get(asset);
      const page = await store.changes.history({ asset, limit: firstLimit });
      const [newest] = page.entries;
      if (!newest || !isInScope(newest, scope)) {
        return { current, before: current?.asset, ...(newest && { newest }) };
      }
      // Otherwise somebody has written between the two readings.
      if (newest.version !== current?.version) continue;
      return { current, ...(await readSegment({ asset, page, after: current?.asset }, scope)) };
    }
    throw storeBusy(`the asset ${asset} changes all the time`);
  }

  /** Reads the writes up to the entry with a number, whose state is `after`. */
  async function readUpTo({ asset, number, after }: SegmentEnd, scope: RevertScope): Promise<Segment> {
    const page = await store.changes.history({ asset, before: number + 1, limit: firstLimit });
    return readSegment({ asset, page, after }, scope);
  }

  async function readSegment(
    { asset, page, after }: { asset: string; page: HistoryPage; after: Asset | undefined },
    scope: RevertScope,
  ): Promise<Segment> {
    let segment: Segment = { before: after };
    for (;;) {
      for (const entry of page.entries) {
        if (!isInScope(entry, scope)) return { newest: entry, ...segment };
        segment = extend(segment, entry, scope);
      }
      if (page.next === undefined) return segment;
      page = await store.changes.history({ asset, before: page.next, limit: furtherLimit });
    }
  }

  return { readLast, readUpTo };
}

/** Few assets have more writes of one run. */
const firstLimit = 8;
const furtherLimit = 100;

function extend(segment: Segment, entry: ChangeEntry, { run }: RevertScope): Segment {
  return {
    newest: entry,
    ...(entry.run === run && { newestOfRun: entry.number }),
    ...segment,
    before: undoChange(segment.before, entry),
    oldest: entry.number,
  };
}

/** Tells whether an entry is a write of the scope that can be undone. An erasure cannot. */
export function isInScope({ run, action }: ChangeEntry, { names }: RevertScope): boolean {
  return run !== undefined && names.has(run) && action !== 'erase' && action !== 'signIn';
}

export type { ChangeEntry } from '../../store/changes.ts';

/** Which entries of a run to read: those with a `seq` beyond `from`, in the order. */
interface RunEntriesRequest {
  readonly run: string;
  readonly order: 'oldest first' | 'newest first';
  readonly from?: number;
  readonly limit: number;
}

/** A page of entries. `next` is the `from` of the next page; absent at the end. */
interface RunEntriesPage {
  readonly entries: readonly (ChangeEntry & { readonly seq: number })[];
  readonly next?: number;
}

export type RunEntries = ReturnType<typeof createRunEntries>;

export function createRunEntries(changes: Pick<ChangeLog, 'read'>) {
  const read = ({ run, ...page }: RunEntriesRequest): Promise<RunEntriesPage> =>
    changes.read({ ...page, filter: { run } });

  async function findNewest(run: string, filter: Pick<ChangeFilter, 'actions'> = {}) {
    // A page may be empty although there are more.
    for (let from: number | undefined; ; ) {
      const request = { order: 'newest first', limit: 1, filter: { run, ...filter } } as const;
      const { entries, next } = await changes.read({ ...request, ...(from !== undefined && { from }) });
      const [newest] = entries;
      if (newest || next === undefined) return newest;
      from = next;
    }
  }

  return {
    read,
    findNewest: (run: string): Promise<(ChangeEntry & { readonly seq: number }) | undefined> =>
      findNewest(run),
    /** Tells whether a write of the run has erased an asset. */
    hasErased: async (run: string): Promise<boolean> =>
      (await findNewest(run, { actions: ['erase'] })) !== undefined,
  };
}
