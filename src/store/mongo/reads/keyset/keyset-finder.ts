/**
 * Finds pages by cursor. Each segment of the order is one search. When that takes long, the segment is read in windows of the next
 * assets in the order, until the page is full, nothing follows, or the time of a search is used up: then the page ends where the
 * last window did. Only an order that no index has is searched as a whole, and is too costly when its time is used up.
 */
import type { Collection } from 'mongodb';
import {
  advance,
  type OrderSegment,
  type SortPosition,
  toSegments,
  toWholeSegment,
} from '../../../../query/keyset.ts';
import { type BoundSort, sortById } from '../../../../query/sort.ts';
import type { FindRequest } from '../../../port.ts';
import type { IndexLookup } from '../../../unindexed-path.ts';
import type { AssetDocument } from '../../documents/document.ts';
import type { createChunkReader, RangeChunk } from '../chunk-reader.ts';
import { compilePredicate, type Filter, type FindIds } from '../compile-predicate.ts';
import { toFilter, toSort } from '../page-filter.ts';
import { isUsedUp, type SearchBudget } from '../search-budget.ts';
import { isComparable, positionIn, projectSort, sortStages } from './document-position.ts';

/** A page by cursor. */
export interface KeysetPage<Item> {
  readonly items: readonly Item[];
  readonly rest?: readonly string[];
  readonly next?: SortPosition;
}

/** One search for a page. */
export interface KeysetSearch<Item> {
  readonly reader: ReturnType<typeof createChunkReader<Item>>;
  readonly request: FindRequest;
  readonly budget: SearchBudget;
  readonly findIds: FindIds;
  /** The predicate of the request, compiled. */
  readonly wanted: Filter;
  /** Reads in windows, the last of which begins within so many milliseconds. Without it, the page is whole or the search fails. */
  readonly windowsMs?: number | undefined;
}

/** How many assets a window has. */
const windowSizes = { first: 2, most: 2_000 };
/** A window that takes less time, or less than twice that of the quickest one, makes the next one four times as large. */
const shortMs = 50;
/** How much longer than a search a window may take, so that every page gets ahead. */
export const lastWindowMs = 1_000;

/** Creates the finder. Its errors: query_too_costly, invalid_parameter, the driver's. */
export function createKeysetFinder(assets: Collection<AssetDocument>, indexes: IndexLookup) {
  return async <Item>(search: KeysetSearch<Item>): Promise<KeysetPage<Item>> => {
    const { reader, request, budget, findIds, wanted, windowsMs } = search;
    const { types, sort = sortById, limit, keyset } = request;
    const endMs = performance.now() + (windowsMs ?? 0);
    const isByIndex = isOrdered(request, indexes);
    const page = { items: [] as Item[], rest: [] as string[] };
    let position = keyset?.after;
    let size = windowSizes.first;
    let quickestMs = Number.POSITIVE_INFINITY;

    const toPage = (next?: SortPosition): KeysetPage<Item> => ({
      items: page.items,
      ...(page.rest.length > 0 && { rest: page.rest }),
      ...(next && { next }),
    });
    const left = () => limit - page.items.length - page.rest.length;

    /** Reads the matching assets of a segment, or of one window of it. */
    function readSegment(segment: OrderSegment, filters: readonly Filter[]) {
      const filter = toFilter(types, { $and: [...filters, wanted] });
      const range = { sort: toSort(segment.sort), limit: left() + 1, allowDiskUse: true };
      const open = isPlain(segment)
        ? (projection: object) => assets.find(filter, { ...range, ...budget(), projection })
        : (projection: object) =>
            assets.aggregate<AssetDocument>(
              [
                { $match: filter },
                ...sortStages(segment.sort),
                { $limit: range.limit },
                { $project: withoutSortValues(projection, segment.sort) },
              ],
              { ...budget(), allowDiskUse: true },
            );
      return reader.readRange({ open, sort: segment.sort, wanted: left() });
    }

    /** Finds the next assets in the order, whether they match or not. */
    async function findWindow(segment: OrderSegment, filter: Filter) {
      const range = { sort: toSort(segment.sort), limit: size, projection: projectSort(segment.sort) };
      const found = await assets.find(toFilter(types, filter), { ...range, ...budget() }).toArray();
      const last = found.length === size ? found.at(-1) : undefined;
      return { ids: found.map(({ _id }) => _id), ...(last && { end: positionIn(last, segment.sort) }) };
    }

    async function readNext(
      segment: OrderSegment,
    ): Promise<RangeChunk<Item> & { readonly end?: SortPosition }> {
      const filter = await compileSegment(segment, { types, findIds });
      if (windowsMs === undefined || !isPlain(segment)) return readSegment(segment, [filter]);
      const startedMs = performance.now();
      const { ids, ...window } = await findWindow(segment, filter);
      const found = await readSegment(segment, [{ _id: { $in: ids } }, filter]);
      const tookMs = performance.now() - startedMs;
      quickestMs = Math.min(quickestMs, tookMs);
      // Most of the time may be the way to the store, which smaller windows do not shorten.
      if (tookMs < Math.max(shortMs, 2 * quickestMs)) size = Math.min(size * 4, windowSizes.most);
      return { ...found, ...window };
    }

    const segmentsAfter = (after: SortPosition | undefined) =>
      isByIndex ? toSegments(sort, after) : [toWholeSegment(sort, after)];
    for (let segments = segmentsAfter(position); segments[0]; ) {
      const [segment, ...following] = segments;
      const from = position;
      const advanceTo = (values: SortPosition) => advance(sort, { from, to: [...segment.fixed, ...values] });
      const found = await readNext(segment).catch((error) => {
        if (windowsMs === undefined || position === keyset?.after || !isUsedUp(error)) throw error;
        return undefined;
      });
      if (!found) return toPage(position);
      // What follows assets that were not read is not read either, so that the order is kept.
      if (page.rest.length === 0) page.items.push(...found.items);
      else page.rest.push(...found.items.map((item) => reader.idOf(item)));
      page.rest.push(...(found.rest ?? []));
      if (found.last) position = advanceTo(found.last);
      const { end } = found;
      if (found.hasMore || (end && left() === 0)) return toPage(position);
      segments = following;
      if (!end) continue;
      position = advanceTo(end);
      if (performance.now() > endMs) return toPage(position);
      segments = segmentsAfter(position);
    }
    return toPage();
  };
}

/** Compiles the filter of a segment, which excludes values of other types than the field's. */
async function compileSegment(
  { where, present }: OrderSegment,
  { types: classes, findIds }: { types: readonly string[]; findIds: FindIds },
): Promise<Filter> {
  const filter = where ? await compilePredicate(where, findIds, { classes, older: new Set() }) : {};
  const typed = present.filter(({ leaf }) => !isAlwaysText(leaf));
  return { $and: [filter, ...typed.map((path) => ({ $expr: isComparable(path) }))] };
}

/** Whether MongoDB's order of the values in a segment is that of `query/sort.ts`. */
const isPlain = ({ sort, present }: OrderSegment) =>
  sort.every(({ path }) => isAlwaysText(path.leaf) || present.includes(path));

const isAlwaysText = ({ kind }: { readonly kind: string }) => kind === 'id' || kind === 'type';

/** Whether indexes have the order, at least by its first key. */
export function isOrdered(
  { types, sort = sortById }: Pick<FindRequest, 'types' | 'sort'>,
  indexes: IndexLookup,
): boolean {
  const [first] = sort;
  return !first || isAlwaysText(first.path.leaf) || types.every((name) => indexes.orders(first.path, name));
}

/** A projection leaves members out, or names those to keep. */
const withoutSortValues = (projection: object, sort: BoundSort) =>
  Object.values(projection).includes(0)
    ? { ...projection, ...Object.fromEntries(sort.map((_, n) => [`_sort${n}`, 0])) }
    : projection;
