/**
 * Turns entries of the change log into the items of one or several queries. One page is bounded by entries, bytes and time; what does
 * not fit is left to the next page.
 */
import { setImmediate } from 'node:timers/promises';
import type { Asset } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import type { LoggedChange } from '../changes/read-changes.ts';
import { type FeedItem, toFeedItem } from './feed-items.ts';
import type { FeedQuery } from './feed-query.ts';
import { groupByAsset, TouchedAsset } from './touched-asset.ts';

/** How much one page may have. */
export interface PageLimits {
  /** For each query. */
  readonly items: number;
  /** Of assets for each query, beyond the first. */
  readonly bytes: number;
}

/** Entries in their order, and the position before them. */
export interface ChangesToMatch {
  readonly entries: readonly LoggedChange[];
  /** The last `seq` that was examined when the entries were read. */
  readonly through: number;
  readonly sentUpTo: number;
}

/** The items of each query, and the position after them. */
export interface MatchedChanges {
  readonly items: readonly (readonly FeedItem[])[];
  readonly seq: number;
  readonly sentUpTo: number;
}

/** How long the changes of one page may be matched, and how long without letting other requests have their turn. */
const maxMs = 250;
const sliceMs = 10;
/** How many past states are read for one page. */
const maxStates = 20;

/** Matches changes with queries. Errors: those of the store, and the reason of the signal. */
export async function matchChanges(
  store: Pick<ContentStore, 'texts' | 'changes'>,
  { entries, through, sentUpTo }: ChangesToMatch,
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
    if (isEnd || !(await states.complete(asset, { queries, sentUpTo }))) {
      next = asset;
      break;
    }
    page.add(asset, sentUpTo);
    done.push(asset);
  }
  const firstLeft = next?.entries[0]?.seq ?? unread?.seq;
  const seq = firstLeft === undefined ? through : firstLeft - 1;
  const isAhead = page.sent.some((asset) => asset.isAheadOf(seq));
  return {
    items: page.items,
    seq,
    sentUpTo: isAhead ? await store.changes.settle() : Math.max(sentUpTo, seq),
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

  add(asset: TouchedAsset, sentUpTo: number): void {
    let isSent = false;
    for (const [n, query] of this.#queries.entries()) {
      const item = toFeedItem(asset, query, sentUpTo);
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
      { queries, sentUpTo }: { queries: readonly FeedQuery[]; sentUpTo: number },
    ): Promise<boolean> {
      if (!asset.needsState(sentUpTo)) return true;
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

/** Divides the work into slices, between which other requests have their turns. */
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
