/**
 * Finds out which changes of the log a feed has, and what its reader sees of each asset before and after.
 */

import { setImmediate } from 'node:timers/promises';
import type { Asset } from '../../model/content-type.ts';
import { undoChange } from '../../store/changes.ts';
import type { ContentStore, StoredText } from '../../store/port.ts';
import type { LoggedChange } from '../changes/follow-changes.ts';
import type { FeedQuery } from './feed-query.ts';

/** How much one page may have. */
export interface PageLimits {
  /** For each query. */
  readonly items: number;
  /** Of assets for each query, beyond the first. */
  readonly bytes: number;
}

/** Entries in their order, and the position before them. */
interface ChangesToMatch {
  readonly entries: readonly LoggedChange[];
  /** The last `seq` that was examined when the entries were read. */
  readonly through: number;
  readonly sentStateSeq: number;
}

/** The items of each query, and the position after them. */
export interface MatchedChanges {
  readonly items: readonly (readonly FeedItem[])[];
  readonly seq: number;
  readonly sentStateSeq: number;
}

/** How long the changes of one page may be matched, and how long without letting other requests run. */
const maxMs = 250;
const sliceMs = 10;
/** How many past states are read for one page. */
const maxStates = 20;

/** Matches changes with queries. Errors: those of the store, and the reason of the signal. */
export async function matchChanges(
  store: Pick<ContentStore, 'texts' | 'changes'>,
  { entries, through, sentStateSeq }: ChangesToMatch,
  { queries, limits, signal }: { queries: readonly FeedQuery[]; limits: PageLimits; signal?: AbortSignal },
): Promise<MatchedChanges> {
  const page = new PageOfItems(queries, limits);
  const { touched, unread } = await readTouched(store, entries);
  const states = createStateReader(store, signal);
  const slices = createSlices();
  const done: TouchedAsset[] = [];
  let next: TouchedAsset | undefined;
  for (const asset of touched) {
    await slices.next();
    signal?.throwIfAborted();
    const isEnd = done.length > 0 && (page.isFull() || slices.isOver());
    if (isEnd || !(await states.complete(asset, { queries, sentStateSeq }))) {
      next = asset;
      break;
    }
    page.add(asset, sentStateSeq);
    done.push(asset);
  }
  const firstLeft = next?.entries[0]?.seq ?? unread?.seq;
  const seq = firstLeft === undefined ? through : firstLeft - 1;
  const isAhead = page.sent.some((asset) => asset.isAheadOf(seq));
  return {
    items: page.items,
    seq,
    sentStateSeq: isAhead ? await store.changes.waitUntilNumbered() : Math.max(sentStateSeq, seq),
  };
}

/** Reads the assets of entries, as many as the store returns at once. `unread` is the first entry about another one. */
async function readTouched(
  { texts }: Pick<ContentStore, 'texts'>,
  entries: readonly LoggedChange[],
): Promise<{ touched: TouchedAsset[]; unread?: LoggedChange }> {
  const byAsset = [...groupByAsset(entries)];
  if (byAsset.length === 0) return { touched: [] };
  const { items, rest = [] } = await texts.getChunk(byAsset.map(([id]) => id));
  const present = new Map(items.map((text) => [text.id, text]));
  const read = byAsset.slice(0, byAsset.length - rest.length);
  const unread = byAsset[read.length]?.[1][0];
  const touched = read.map(([id, changes]) => new TouchedAsset(id, changes, present.get(id)));
  return { touched, ...(unread && { unread }) };
}

/** Collects the items of each query. */
class PageOfItems {
  readonly items: FeedItem[][];
  /** The assets that some query sends. */
  readonly sent: TouchedAsset[] = [];
  readonly #queries: readonly FeedQuery[];
  readonly #limits: PageLimits;
  readonly #bytes: number[];

  constructor(queries: readonly FeedQuery[], limits: PageLimits) {
    this.#queries = queries;
    this.#limits = limits;
    this.items = queries.map(() => []);
    this.#bytes = queries.map(() => 0);
  }

  isFull(): boolean {
    const { items, bytes } = this.#limits;
    return (
      this.items.some(({ length }) => length >= items) ||
      this.#bytes.some((characters) => characters >= bytes)
    );
  }

  add(asset: TouchedAsset, sentStateSeq: number): void {
    let isSent = false;
    for (const [n, query] of this.#queries.entries()) {
      const item = toFeedItem(asset, query, sentStateSeq);
      if (!item) continue;
      this.items[n]?.push(item);
      if (item.op !== 'put') continue;
      isSent = true;
      this.#bytes[n] = (this.#bytes[n] ?? 0) + item.text.text.length;
    }
    if (isSent) this.sent.push(asset);
  }
}

/** Creates a reader of past states, which reads a limited number of them. */
function createStateReader({ changes }: Pick<ContentStore, 'changes'>, signal: AbortSignal | undefined) {
  let left = maxStates;

  async function read(asset: TouchedAsset): Promise<Asset | undefined> {
    const number = asset.entries.at(-1)?.number ?? 0;
    const state = await changes.stateOf(asset.id, { number }, signal ? { signal } : {});
    // An asset erased meanwhile has no past; the entry of the erasure follows.
    return state.kind === 'exists' ? state.asset : undefined;
  }

  return {
    /** Reads what the decision about an asset depends on. Returns false when no more states may be read for this page. */
    async complete(
      asset: TouchedAsset,
      { queries, sentStateSeq }: { queries: readonly FeedQuery[]; sentStateSeq: number },
    ): Promise<boolean> {
      if (!asset.needsState(sentStateSeq)) return true;
      const { now, entries } = asset;
      const isOpen = queries.some(
        ({ types, matches }) => entries.some(({ type }) => types.has(type)) && !(now && matches(now)),
      );
      if (!isOpen) return true;
      if (left === 0) return false;
      left--;
      asset.setState(await read(asset));
      return true;
    },
  };
}

/** Divides the work into slices, between which other requests run. */
function createSlices() {
  const startMs = performance.now();
  let sliceStartMs = startMs;
  return {
    isOver: () => performance.now() - startMs > maxMs,
    async next(): Promise<void> {
      if (performance.now() - sliceStartMs < sliceMs) return;
      await setImmediate();
      sliceStartMs = performance.now();
    },
  };
}

// An asset that entries of the change log are about: as it is now, and as it was at each of these entries.
//
// Former states are computed from the present one by undoing the entries, so that none is read from the store. Only if the asset has
// changed again after these entries, its state after the last of them may have to be read (`needsState`).

/** A state: `absent` while the asset did not exist, `unknown` if the entries do not tell. */
type State = Asset | 'absent' | 'unknown';

/** An asset, and some of the entries about it. */
class TouchedAsset {
  readonly id: string;
  /** Oldest first; at least one. */
  readonly entries: readonly LoggedChange[];
  /** The present asset; absent if there is none. */
  readonly text: StoredText | undefined;
  #now: Asset | undefined;
  #after: State | undefined;
  #states: readonly State[] | undefined;

  constructor(id: string, entries: readonly LoggedChange[], text: StoredText | undefined) {
    this.id = id;
    this.entries = entries;
    this.text = text;
  }

  /** The present asset. */
  get now(): Asset | undefined {
    // Every stored text is that of an asset.
    if (this.text) this.#now ??= JSON.parse(this.text.text) as Asset;
    return this.#now;
  }

  /** Tells whether the asset has changed after its last entry that is not later than `seq`. */
  isAheadOf(seq: number): boolean {
    const last = this.entries.findLast((entry) => entry.seq <= seq);
    return last?.version !== this.text?.version;
  }

  /** Tells whether the states that `statesUpTo` returns depend on the state after the last entry, which is not known. */
  needsState(seq: number): boolean {
    const last = this.entries.at(-1);
    if (last === undefined || this.#after !== undefined || !this.isAheadOf(last.seq)) return false;
    return this.entries.slice(this.#countUpTo(seq)).every(({ action }) => action === 'update');
  }

  /** Sets the state after the last entry; `undefined` if it cannot be known any more. */
  setState(state: Asset | undefined): void {
    this.#after = state ?? 'unknown';
  }

  /** Returns the states before the first entry, and after each entry that is not later than `seq`; those that are known and exist. */
  statesUpTo(seq: number): readonly Asset[] {
    this.#states ??= this.#undoAll();
    return this.#states.slice(0, this.#countUpTo(seq) + 1).filter((state) => typeof state !== 'string');
  }

  #countUpTo(seq: number): number {
    const later = this.entries.findIndex((entry) => entry.seq > seq);
    return later < 0 ? this.entries.length : later;
  }

  #undoAll(): readonly State[] {
    const states: State[] = [this.#lastState()];
    for (const entry of this.entries.toReversed()) states.unshift(undo(states[0] ?? 'unknown', entry));
    return states;
  }

  #lastState(): State {
    if (this.#after !== undefined) return this.#after;
    return this.isAheadOf(Number.POSITIVE_INFINITY) ? 'unknown' : (this.now ?? 'absent');
  }
}

function undo(after: State, entry: LoggedChange): State {
  // What an update has changed is known, but not what it has kept.
  if (entry.action === 'update' && typeof after === 'string') return 'unknown';
  return undoChange(typeof after === 'string' ? undefined : after, entry) ?? 'absent';
}

/** Groups entries by their asset, in the order of the first entry of each. */
function groupByAsset(entries: readonly LoggedChange[]): ReadonlyMap<string, LoggedChange[]> {
  return Map.groupBy(entries, ({ asset }) => asset);
}

/** `put`: store this asset. `leave`: it exists, but the feed no longer has it. `delete`: it does not exist any more. */
export type FeedItem =
  | { readonly op: 'put'; readonly text: StoredText }
  | { readonly op: 'leave' | 'delete'; readonly id: string; readonly type: string };

/** Items, and their JSON text, which is made once however many followers get it. */
export class FeedItems {
  readonly items: readonly FeedItem[];
  #json: Buffer | undefined;

  constructor(items: readonly FeedItem[]) {
    this.items = items;
  }

  /** Returns the JSON array in UTF-8. It has no line breaks. */
  toJson(): Buffer {
    this.#json ??= Buffer.from(`[${this.items.map(toText).join(',')}]`);
    return this.#json;
  }

  /** The assets that are sent. */
  get texts(): readonly StoredText[] {
    return this.items.flatMap((item) => (item.op === 'put' ? [item.text] : []));
  }
}

function toText(item: FeedItem): string {
  if (item.op !== 'put') return JSON.stringify(item);
  return `{"op":"put","asset":${item.text.text}}`;
}

/**
 * Decides what the changes of an asset mean for the followers of a query; `undefined` if nothing. Followers have the assets that
 * matched before the first entry, and maybe some as entries up to `sentStateSeq` left them.
 */
function toFeedItem(touched: TouchedAsset, query: FeedQuery, sentStateSeq: number): FeedItem | undefined {
  const { id, now, text, entries } = touched;
  if (now && text && query.matches(now)) return { op: 'put', text: query.toSent(text) };
  const about = entries.findLast(({ type }) => query.types.has(type));
  if (!about) return undefined;
  // Nothing is known of an erased asset, so that every feed of its type reports it.
  const wasErased = entries.some(({ action, type }) => action === 'erase' && query.types.has(type));
  if (!wasErased && !touched.statesUpTo(sentStateSeq).some(query.matches)) return undefined;
  const op = now && query.types.has(now._type) && !wasErased ? 'leave' : 'delete';
  return { op, id, type: about.type };
}
