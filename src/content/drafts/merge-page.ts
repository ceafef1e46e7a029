/**
 * Finds pages of assets with drafts laid over the store: merges the assets that the store finds with those that have drafts, in the
 * order of the page.
 */
import { isDomainError } from '../../base/errors.ts';
import { advance, positionOf, type SortPosition } from '../../query/keyset.ts';
import { compareInOrder, sortById } from '../../query/sort.ts';
import type { Chunk, FindRequest, FoundPage } from '../../store/port.ts';
import type { FormedReads } from './asset-form.ts';
import type { DraftMatcher, LiveSearch } from './match-drafts.ts';

/** What a search with drafts works with. */
export interface DraftedSearch<Item> {
  /** The store without drafts. */
  readonly reads: FormedReads<Item>;
  /** Reads assets as their drafts leave them. */
  readonly getChunk: (ids: readonly string[]) => Promise<Chunk<Item>>;
  readonly matcher: DraftMatcher;
}

/** An asset of a page. `item` is absent if it has not been read. */
interface Entry<Item> {
  readonly id: string;
  readonly position: SortPosition;
  readonly item?: Item;
}

/** Finds a page. Errors: those of the store's searches. */
export async function findWithDrafts<Item>(
  search: DraftedSearch<Item>,
  request: FindRequest,
): Promise<FoundPage<Item>> {
  const { reads, matcher } = search;
  const { types, sort = sortById, keyset, withCount, where: asked, ...rest } = request;
  const found = await matcher.toLive(types, asked);
  const { where, drafted: liveDrafted } = found;
  if (!liveDrafted) return reads.find({ ...request, ...(where && { where }) });
  const order = createOrder(reads, sort);
  const matches = await matcher.list(types, asked, sort);
  const after = keyset?.after && { position: keyset.after };
  const start = after ? matches.findIndex((entry) => order.compare(entry, after) > 0) : 0;
  // One more than a page by cursor has shows that another one follows.
  const most = keyset ? rest.limit + 1 : rest.offset + rest.limit;
  const drafted = start < 0 ? [] : matches.slice(start, start + most);
  const live = { ...rest, types, sort, withCount: false };
  const page = keyset
    ? await mergeKeysetPage(search, { live: { ...live, keyset }, found, drafted, order })
    : await mergePage(search, { live, found, drafted, order });
  if (!withCount) return page;
  try {
    /** Counting all and subtracting is quicker than counting those without drafts. */
    const all = { ...rest, types, offset: 0, limit: 0, withCount: true, ...(where && { where }) };
    const { count = 0 } = await reads.find(all);
    return { ...page, count: Math.max(count - (await matcher.countLive(types, asked)), 0) + matches.length };
  } catch (error) {
    // A page by cursor lacks its count when counting takes too long.
    if (keyset && isDomainError(error, 'query_too_costly')) return page;
    throw error;
  }
}

/** A page to merge: the request for what the store finds, without its predicate, and the matching assets with drafts that may be on it, in order. */
interface Merging<Item> {
  readonly live: FindRequest;
  readonly found: LiveSearch;
  readonly drafted: readonly Entry<Item>[];
  readonly order: Order<Item>;
}

/** A page by cursor ends with the first chunk that the store returns, because the position of each of its assets must be known. */
async function mergeKeysetPage<Item>(
  search: DraftedSearch<Item>,
  { live, found: wanted, drafted, order }: Merging<Item>,
): Promise<FoundPage<Item>> {
  const { items, rest, next } = await findUndrafted(search, { live, found: wanted, order });
  const { limit, keyset, sort = sortById } = live;
  const found = items.map(order.toEntry);
  const end = rest ? found.at(-1)?.position : next;
  const isUpToEnd = (entry: Entry<Item>) => !end || order.compare(entry, { position: end }) <= 0;
  const merged = order.merge(found, drafted.filter(isUpToEnd));
  const kept = merged.slice(0, limit);
  const to = merged.length > limit ? kept.at(-1)?.position : end;
  return {
    ...(await readEntries(search, kept)),
    ...(to && { next: advance(sort, { from: keyset?.after, to }) }),
  };
}

/**
 * So many assets precede the page as before, but some of them may be drafted. The store skips only those that precede it in any case,
 * and the others are skipped after merging.
 */
async function mergePage<Item>(
  search: DraftedSearch<Item>,
  { live, found: wanted, drafted, order }: Merging<Item>,
): Promise<FoundPage<Item>> {
  const { offset, limit } = live;
  const skipped = Math.min(offset, drafted.length);
  if (limit === 0) return { items: [] };
  const most = skipped + limit;
  const undrafted = { ...live, offset: offset - skipped, limit: most };
  const page = await findUndrafted(search, { live: undrafted, found: wanted, order });
  const found = page.items.map(order.toEntry);
  let unread = page.rest ?? [];
  while (unread[0] !== undefined) {
    const last = found.at(-1);
    const before = last ? drafted.findLastIndex((entry) => order.compare(entry, last) < 0) + 1 : 0;
    if (before === drafted.length || found.length + before >= most) break;
    const { items, rest = [] } = await search.reads.getChunk(unread);
    live.signal?.throwIfAborted();
    const known = new Map(items.map((item) => [search.reads.idOf(item), order.toEntry(item)]));
    const end = rest[0] === undefined ? unread.length : unread.indexOf(rest[0]);
    for (const id of unread.slice(0, end)) {
      const previous = found.at(-1)?.position ?? [];
      const position = known.get(id)?.position;
      // An asset that has changed or was deleted since the store found it keeps its place.
      const isNext = position && order.compare({ position }, { position: previous }) > 0;
      found.push({ id, position: isNext ? position : previous });
    }
    unread = rest;
  }
  const merged = [
    ...order.merge(found, drafted),
    ...unread.map((id): Entry<Item> => ({ id, position: [] })),
  ].slice(skipped, most);
  return readEntries(search, merged);
}

/** The longest page for which the store finds twice as many assets. */
const maxDoubled = 250;

/**
 * Finds assets without drafts. A store excludes many `_id`s slowly: leaving them out of a page of twice the length is quicker, unless drafts
 * are dense there.
 */
async function findUndrafted<Item>(
  { reads }: DraftedSearch<Item>,
  { live, found: { where, undrafted, draftedIds }, order }: Pick<Merging<Item>, 'live' | 'found' | 'order'>,
): Promise<FoundPage<Item>> {
  const { limit, offset } = live;
  if (offset === 0 && limit <= maxDoubled) {
    const page = await reads.find({ ...live, limit: limit * 2, ...(where && { where }) });
    const items = page.items.filter((item) => !draftedIds.has(reads.idOf(item)));
    const mayBeCut = live.keyset ? page.next !== undefined : page.items.length === limit * 2;
    const isWhole = !page.rest && !mayBeCut;
    if (items.length <= limit && isWhole) return { items };
    const last = items[limit - 1];
    if (last !== undefined)
      return { items: items.slice(0, limit), ...(live.keyset && { next: order.toEntry(last).position }) };
  }
  return reads.find({ ...live, ...(undrafted && { where: undrafted }) });
}

/** Returns the first assets of a page, reading those that have drafts, and the `_id`s of the rest. */
async function readEntries<Item>(
  { reads, getChunk }: DraftedSearch<Item>,
  entries: readonly Entry<Item>[],
): Promise<Chunk<Item>> {
  const unread = entries.filter(({ item }) => item === undefined).map(({ id }) => id);
  if (unread.length === 0) return { items: entries.flatMap(({ item }) => item ?? []) };
  const chunk = await getChunk(unread);
  const read = new Map(chunk.items.map((item) => [reads.idOf(item), item]));
  const left = new Set(chunk.rest);
  const items: Item[] = [];
  for (const [n, entry] of entries.entries()) {
    if (left.has(entry.id)) return { items, rest: entries.slice(n).map(({ id }) => id) };
    const item = entry.item ?? read.get(entry.id);
    if (item !== undefined) items.push(item);
  }
  return { items };
}

type Order<Item> = ReturnType<typeof createOrder<Item>>;

function createOrder<Item>(
  { idOf, toStored }: Pick<FormedReads<Item>, 'idOf' | 'toStored'>,
  sort: NonNullable<FindRequest['sort']>,
) {
  const isById = sort.length === 1;
  const compare = (a: Pick<Entry<Item>, 'position'>, b: Pick<Entry<Item>, 'position'>) =>
    compareInOrder(sort, (n) => [a.position[n], b.position[n]]);

  /** Merges two lists, each in order. */
  function merge(some: readonly Entry<Item>[], others: readonly Entry<Item>[]): Entry<Item>[] {
    const merged: Entry<Item>[] = [];
    let n = 0;
    for (const entry of some) {
      for (let other = others[n]; other && compare(other, entry) < 0; other = others[++n]) merged.push(other);
      merged.push(entry);
    }
    return [...merged, ...others.slice(n)];
  }

  const toEntry = (item: Item): Entry<Item> => ({
    id: idOf(item),
    position: isById ? [idOf(item)] : positionOf(toStored(item).asset, sort),
    item,
  });

  return { compare, merge, toEntry };
}
