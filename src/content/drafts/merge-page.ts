/**
 * Merges what the store finds with the assets that have drafts: pages in their order, and counted values of fields.
 */

import { isDomainError, queryTooCostly } from '../../base/errors.ts';
import { jsonBytes } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate, BoundValue } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { compareValues } from '../../query/evaluate.ts';
import type { FacetValue } from '../../query/facets.ts';
import { advance, positionOf, type SortPosition } from '../../query/keyset.ts';
import { findValues } from '../../query/path-values.ts';
import { compareInOrder, sortById } from '../../query/sort.ts';
import type { FacetRequest, FoundFacets } from '../../store/facets.ts';
import type {
  AssetCalls,
  Chunk,
  ContentStore,
  FindRequest,
  FoundPage,
  StoredAsset,
  StoredText,
} from '../../store/port.ts';
import type { DraftMatcher, LiveSearch } from './match-drafts.ts';

/** What a search with drafts works with. */
interface DraftedSearch<Item> {
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

// Counts the values of fields with drafts laid over the store: adds the values of the assets with drafts to those that the store counts.

/** What counting works with. */
interface DraftedCounting {
  readonly store: Pick<ContentStore, 'facets'>;
  readonly matcher: DraftMatcher;
}

/** The most values of one field that are in memory. */
const maxValues = 100_000;
/** Stores cut longer texts to so many characters. */
const maxCharacters = 2_001;

/** Counts values. Errors: those of the store's count; query_too_costly. */
export async function countWithDrafts(
  { store, matcher }: DraftedCounting,
  request: FacetRequest,
): Promise<FoundFacets> {
  const { types, where: asked, paths, limit } = request;
  const { where, drafted } = await matcher.toLive(types, asked);
  const live = { ...request, ...(where && { where }) };
  if (!drafted) return store.facets(live);
  const changes = paths.map((path) => createChanges(path));
  const before = await store.facets({ ...request, where: drafted, limit: maxValues + 1 });
  for (const [n, values] of before.entries())
    for (const { value, count } of values) changes[n]?.add(value, -count);
  await matcher.visit(types, asked, (asset) => {
    for (const { path, add } of changes)
      for (const value of new Set(findValues(asset, path).map(cut))) add(value, 1);
  });
  // Each changed value may displace another one.
  const most = limit + Math.max(0, ...changes.map(({ counts }) => counts.size));
  const found = await store.facets({ ...live, limit: most });
  const merged: FacetValue[][] = [];
  for (const [n, { path, counts }] of changes.entries()) {
    const known = new Map((found[n] ?? []).map(({ value, count }) => [value, count]));
    const isWhole = known.size < most;
    const unknown = isWhole ? [] : [...counts.keys()].filter((value) => !known.has(value));
    const others = await countValues(store, { live, path, values: unknown });
    for (const [value, change] of counts)
      known.set(value, change + (known.get(value) ?? others.get(value) ?? 0));
    merged.push(toFirst(known, limit));
  }
  return merged;
}

/** By how much drafts change the counts of the values of a field. */
function createChanges(path: FieldPath) {
  const counts = new Map<BoundValue, number>();
  return {
    path,
    counts,
    add(value: BoundValue, change: number): void {
      counts.set(value, (counts.get(value) ?? 0) + change);
      if (counts.size > maxValues) throw queryTooCostly(path.text);
    },
  };
}

/** Counts the live assets with each of some values. Those of lists come with the other values of the same lists. */
async function countValues(
  store: DraftedCounting['store'],
  {
    live,
    path,
    values,
  }: { readonly live: FacetRequest; readonly path: FieldPath; readonly values: readonly BoundValue[] },
): Promise<ReadonlyMap<BoundValue, number>> {
  if (values.length === 0) return new Map();
  const hasValue: BoundPredicate = { kind: 'equals', path, values, ignoreCase: false };
  const where = allOf([hasValue, ...(live.where ? [live.where] : [])]);
  for (let limit = values.length + 100; ; limit *= 10) {
    const [found = []] = await store.facets({ ...live, where, paths: [path], limit });
    const counts = new Map(found.map(({ value, count }) => [value, count]));
    if (found.length < limit || values.every((value) => counts.has(value))) return counts;
    if (limit > maxValues) throw queryTooCostly(path.text);
  }
}

const toFirst = (counts: ReadonlyMap<BoundValue, number>, limit: number): FacetValue[] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value))
    .slice(0, limit);

const cut = (value: BoundValue) => (typeof value === 'string' ? value.slice(0, maxCharacters) : value);

/** The reads of a store in one form. */
export interface FormedReads<Item> extends Omit<AssetCalls<Item>, 'patch'> {
  fromStored(stored: StoredAsset): Item;
  toStored(item: Item): StoredAsset;
  idOf(item: Item): string;
  bytesOf(item: Item): number;
}

/** How objects are converted. */
export const objectForm = {
  fromStored: (stored: StoredAsset) => stored,
  toStored: (stored: StoredAsset) => stored,
  idOf: ({ asset }: StoredAsset) => asset._id,
  bytesOf: ({ asset }: StoredAsset) => jsonBytes(asset),
};

/** How texts are converted. */
export const textForm = {
  fromStored: ({ asset, version }: StoredAsset): StoredText => ({
    id: asset._id,
    type: asset._type,
    text: JSON.stringify(asset),
    version,
  }),
  // Every stored text is that of an asset.
  toStored: ({ text, version }: StoredText): StoredAsset => ({ asset: JSON.parse(text) as Asset, version }),
  idOf: ({ id }: StoredText) => id,
  bytesOf: ({ text }: StoredText) => Buffer.byteLength(text),
};
