/**
 * Reads the change log: from a position onwards with the states of the assets around each change, and newest first for those who may
 * see every change.
 */

import type { Asset } from '../../model/content-type.ts';
import {
  type ChangeEntry,
  type ChangeFilter,
  type LogPage,
  type LogRequest,
  undoChange,
} from '../../store/changes.ts';
import type { ContentStore, StoredText } from '../../store/port.ts';

/** Where the log stands: the name of the store's line of history, and the `seq` of its oldest and newest entry. */
export interface LogEnds {
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
}

/** The changes after a position. */
export interface FollowedChanges {
  readonly changes: readonly LoggedChange[];
  /** All changes up to this `seq` have been examined. */
  readonly upTo: number;
  /** Whether there was nothing further when the log was read. */
  readonly isEnd: boolean;
}

/** Reads the log forwards. Every call rejects with `not_supported` on a store that keeps none. */
export interface LogFollower {
  ends(): Promise<LogEnds>;
  readAfter(request: {
    readonly seq: number;
    readonly limit: number;
    readonly filter?: ChangeFilter;
  }): Promise<FollowedChanges>;
  /** Finds one change; `undefined` when it was trimmed or erased. */
  find(seq: number): Promise<LoggedChange | undefined>;
  /** Finds the first `seq` that was written at a time or later; after the last one if there is none. */
  findFrom(atMs: number): Promise<number>;
  readonly states: StateReader;
}

export function createLogFollower(store: Pick<ContentStore, 'texts' | 'changes'>): LogFollower {
  const { changes: log } = store;
  const ends = async () => {
    const { epoch, first, last } = await log.position();
    return { epoch, first, last };
  };

  const readAfter: LogFollower['readAfter'] = async ({ seq, limit, filter = {} }) => {
    // Read first: what is written later has a greater number.
    const { last } = await log.position();
    const { entries, next } = await log.read({ order: 'oldest first', from: seq, limit, filter });
    const upTo = next ?? Math.max(last, entries.at(-1)?.seq ?? seq);
    return { changes: entries, upTo: Math.max(upTo, seq), isEnd: next === undefined };
  };

  async function find(seq: number): Promise<LoggedChange | undefined> {
    const { entries } = await log.read({ order: 'oldest first', from: seq - 1, limit: 1 });
    return entries.find((entry) => entry.seq === seq);
  }

  async function findFrom(atMs: number): Promise<number> {
    for (let from = 0; ; ) {
      const page = await readAfter({ seq: from, limit: 1, filter: { fromMs: atMs } });
      const [first] = page.changes;
      if (first) return first.seq;
      if (page.isEnd) return page.upTo + 1;
      from = page.upTo;
    }
  }

  return { ends, readAfter, find, findFrom, states: createStateReader(store) };
}

// Reads the change log of the whole store, newest first, for those who may see every change.
//
// One read of the store looks at a limited number of entries, so a filter that few entries match needs several reads for a page.

/** The store's types that this reader returns, so that its users need not know the port. */
export type { ChangeEntry, ChangeFilter } from '../../store/changes.ts';

/** A change as the log has numbered it. */
export type LoggedChange = LogPage['entries'][number];

interface ChangesRequest {
  readonly filter: ChangeFilter;
  /** The `seq` to continue from, exclusive. */
  readonly from?: number;
  readonly limit: number;
}

/** Reads the change log. Every call rejects with `not_supported` on a store that keeps none. */
export interface ChangeReader {
  /** Returns the random name of the store's line of history. */
  epoch(): Promise<string>;
  /** Reads a page; it has fewer entries than `limit` while `next` is set if the search took too long. */
  read(request: ChangesRequest): Promise<LogPage>;
  /** Finds an asset as an entry left it, or as it was deleted; `undefined` when that is no longer known. */
  stateAfter(entry: ChangeEntry): Promise<Asset | undefined>;
}

/** How often one page reads the store. */
const maxReads = 10;

export function createChangeReader({ changes }: Pick<ContentStore, 'changes'>): ChangeReader {
  async function read({ filter, from, limit }: ChangesRequest): Promise<LogPage> {
    const entries: LoggedChange[] = [];
    let next = from;
    for (let reads = 0; reads < maxReads && entries.length < limit; reads++) {
      const page = await changes.read(toLogRequest({ filter, from: next, limit: limit - entries.length }));
      entries.push(...page.entries);
      next = page.next;
      if (next === undefined) return { entries };
    }
    return { entries, ...(next === undefined ? {} : { next }) };
  }

  async function stateAfter({ asset, number, action, before }: ChangeEntry): Promise<Asset | undefined> {
    // The entry of a deletion has the whole asset.
    if (action === 'delete') return before as Asset | undefined;
    const state = await changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  return { epoch: async () => (await changes.position()).epoch, read, stateAfter };
}

function toLogRequest({
  filter,
  from,
  limit,
}: Omit<ChangesRequest, 'from'> & { from: number | undefined }): LogRequest {
  return { order: 'newest first', filter, limit, ...(from === undefined ? {} : { from }) };
}

// The states of assets around changes. Most are computed from the present assets, which are read together, by undoing changes; a past
// state is read only where the asset has changed again since, or changes in between are not given.

/** The states around a change; `undefined` means that the asset did not exist. */
export interface StatesAround {
  readonly before: Asset | undefined;
  readonly after: Asset | undefined;
}

/** Reads the states around changes. Errors: the store's. */
interface StateReader {
  /** Reads those around some changes, oldest first, by `seq`. Lacks those that are not known, because the asset was erased since. */
  around(changes: readonly LoggedChange[]): Promise<ReadonlyMap<number, StatesAround>>;
  /** Finds the asset as a change left it; `undefined` when it did not exist then, or was erased since. */
  after(change: Pick<LoggedChange, 'action' | 'asset' | 'number'>): Promise<Asset | undefined>;
}

/** Creates it, for changes of types that are logged with all their fields. */
function createStateReader({ texts, changes: log }: Pick<ContentStore, 'texts' | 'changes'>): StateReader {
  const after: StateReader['after'] = async ({ action, asset, number }) => {
    if (!isPut(action)) return undefined;
    const state = await log.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  };

  /** Reads assets as they are now, by `_id`; as many as the store returns at once. */
  async function readPresent(changes: readonly LoggedChange[]): Promise<ReadonlyMap<string, StoredText>> {
    const ids = new Set(changes.flatMap(({ action, asset }) => (isPut(action) ? [asset] : [])));
    // One past state takes no longer to read.
    if (ids.size < 2) return new Map();
    const { items } = await texts.getChunk([...ids]);
    return new Map(items.map((item) => [item.id, item]));
  }

  /** Finds the asset as a change left it, which is what it is now, unless it has changed again. */
  async function stateOf(change: LoggedChange, present: StoredText | undefined): Promise<Asset | undefined> {
    // Every stored text is that of an asset.
    if (present && present.version === change.version) return JSON.parse(present.text) as Asset;
    return after(change);
  }

  return {
    after,
    async around(changes) {
      const present = await readPresent(changes);
      const found = new Map<number, StatesAround>();
      for (const ofAsset of Map.groupBy(changes, ({ asset }) => asset).values()) {
        let later: { readonly number: number; readonly before: Asset | undefined } | undefined;
        for (const change of ofAsset.toReversed()) {
          const isFollowed = later?.number === change.number + 1;
          const state = isFollowed ? later?.before : await stateOf(change, present.get(change.asset));
          later = undefined;
          // What an asset was before it was erased is not known.
          if (isPut(change.action) && !state) continue;
          const before = change.action === 'erase' ? undefined : undoChange(state, change);
          later = { number: change.number, before };
          found.set(change.seq, { before, after: state });
        }
      }
      return found;
    },
  };
}

const isPut = (action: LoggedChange['action']) => action === 'create' || action === 'update';
