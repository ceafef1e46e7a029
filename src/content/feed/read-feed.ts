/**
 * Reads a feed page by page: first the assets that match now, then the changes since, in one loop without a gap.
 *
 * The snapshot is a page by `_id` at a time, each at another moment, so that an asset may be sent as it was after the snapshot had
 * begun. The same happens to an asset that changes again while a page of changes is read. The position remembers how far such states
 * reach (`sentStateSeq`); up to there, every state that matched counts as one that the follower may have.
 */
import { cursorExpired } from '../../base/errors.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { LogPosition } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import { createSearchCompiler } from '../reading/find-assets.ts';
import { createNullWriter } from '../reading/select-content.ts';
import {
  compileFeedQuery,
  decodeCursor,
  encodeCursor,
  type FeedCaller,
  type FeedPosition,
  type FeedQuery,
  type FeedTerms,
} from './feed-query.ts';
import { FeedItems, matchChanges, type PageLimits } from './match-changes.ts';

/** A page of a feed, and the position behind it. */
export interface FeedPage {
  readonly items: FeedItems;
  readonly phase: FeedPosition['phase'];
  readonly position: FeedPosition;
  /** Whether more can be read now. */
  readonly more: boolean;
}

export interface FeedPageRequest {
  readonly query: FeedQuery;
  readonly position: FeedPosition;
  readonly limits: PageLimits;
  /** The last entry of the change log to look at; absent means all. */
  readonly upTo?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A feed that has been opened: its query, where it begins, and the cursors of its positions. */
export interface OpenFeed {
  readonly query: FeedQuery;
  readonly position: FeedPosition;
  encode(position: FeedPosition): string;
}

/** Reads feeds. Every call rejects with `not_supported` on a store without a change log. */
export type FeedReader = ReturnType<typeof createFeedReader>;

/** How many entries are read at once, and for how long one page looks for items where few entries matter to it. */
const entriesAtOnce = 500;
const maxSearchMs = 500;

export function createFeedReader({ catalog, store }: { catalog: Catalog; store: ContentStore }) {
  const parts = { compile: createSearchCompiler(catalog), addNulls: createNullWriter(catalog) };
  const { changes, texts } = store;

  async function readSnapshot({
    query: { types, where, toSent },
    position: { seq, after },
    limits,
    signal,
  }: FeedPageRequest & { position: { phase: 'snapshot' } }): Promise<FeedPage> {
    const request = {
      types: [...types],
      offset: 0,
      limit: limits.items,
      withCount: false,
      keyset: after === undefined ? {} : { after: [after] },
      ...(where && { where }),
      signal,
    };
    const found = types.size > 0 ? await texts.find(request) : { items: [] };
    const sent = found.items.map(toSent);
    const { length } = withinBytes(
      sent.map(({ text }) => text.length),
      limits.bytes,
    );
    const items = new FeedItems(sent.slice(0, length).map((text) => ({ op: 'put', text })));
    const isCut = length < found.items.length || found.rest !== undefined;
    const last = isCut ? found.items[length - 1]?.id : found.next?.at(-1);
    const position: FeedPosition =
      typeof last === 'string'
        ? { phase: 'snapshot', seq, after: last }
        : { phase: 'changes', seq, sentStateSeq: await changes.waitUntilNumbered() };
    return { items, phase: 'snapshot', position, more: true };
  }

  async function readChanges({
    query,
    position: { seq: from, sentStateSeq },
    limits,
    upTo = Number.POSITIVE_INFINITY,
    signal,
  }: FeedPageRequest & { position: { phase: 'changes' } }): Promise<FeedPage> {
    // So that the page has every change that was answered before.
    const last = await changes.waitUntilNumbered();
    const filter = { types: [...query.types] };
    const page = await changes.read({ order: 'oldest first', from, limit: entriesAtOnce, filter, signal });
    assertCovered(from, await changes.position());
    const entries = page.entries.filter(({ seq }) => seq <= upTo);
    // What is not among the entries of the last page is not about this feed, as far as the log reached before it was read.
    const end = page.next ?? Math.max(last, page.entries.at(-1)?.seq ?? from);
    const through = Math.max(from, Math.min(end, upTo));
    const matching = { queries: [query], limits, ...(signal && { signal }) };
    const matched = await matchChanges(store, { entries, through, sentStateSeq }, matching);
    const isCut = matched.seq < through || (page.next !== undefined && through < upTo);
    return {
      items: new FeedItems(matched.items[0] ?? []),
      phase: 'changes',
      position: { phase: 'changes', seq: matched.seq, sentStateSeq: matched.sentStateSeq },
      more: isCut,
    };
  }

  function readOnce(request: FeedPageRequest): Promise<FeedPage> {
    const { position } = request;
    return position.phase === 'snapshot'
      ? readSnapshot({ ...request, position })
      : readChanges({ ...request, position });
  }

  return {
    /**
     * Opens a feed at a cursor, or at its beginning without one. Errors: unknown_type, unknown_field, predicate_syntax, predicate_type,
     * values_mismatch, invalid_parameter, cursor_mismatch, cursor_expired.
     */
    async open(terms: FeedTerms, cursor: string | undefined, caller: FeedCaller): Promise<OpenFeed> {
      const query = compileFeedQuery(parts, terms, caller);
      const log = await changes.position();
      const { epoch } = log;
      const position: FeedPosition =
        cursor === undefined
          ? { phase: 'snapshot', seq: await changes.waitUntilNumbered() }
          : decodeCursor(cursor, { query, epoch });
      assertCovered(position.seq, log);
      const { request, viewer } = query;
      return { query, position, encode: (at) => encodeCursor(at, { query: { request, viewer }, epoch }) };
    },

    /** Reads a page. Errors: cursor_expired, query_too_costly. */
    async read(request: FeedPageRequest): Promise<FeedPage> {
      const endMs = performance.now() + maxSearchMs;
      for (let { position } = request; ; ) {
        const page = await readOnce({ ...request, position });
        const isPhaseChange = page.phase !== page.position.phase;
        if (page.items.items.length > 0 || !page.more || isPhaseChange || performance.now() > endMs)
          return page;
        position = page.position;
      }
    },
  };
}

/** Asserts that the log still has every entry after a position. Errors: cursor_expired. */
function assertCovered(seq: number, { trimmedTo }: LogPosition): void {
  if (seq < trimmedTo) throw cursorExpired('is older than the change log');
}

/** Returns the first sizes whose sum is within a limit, and the first one in any case. */
function withinBytes(sizes: readonly number[], limit: number): readonly number[] {
  let left = limit;
  const tooMany = sizes.findIndex((size, n) => {
    left -= size;
    return left < 0 && n > 0;
  });
  return tooMany < 0 ? sizes : sizes.slice(0, tooMany);
}
