/**
 * Finds pages by cursor. What indexes bound is found at once on the main thread. Anything else is read in windows on the reader
 * threads, until the page is full, nothing follows, or the time of a search is used up: then the page ends where the last window did.
 *
 * Only an order that no index has is searched as a whole, and is too costly when its time is used up.
 */
import { isDomainError } from '../../../../base/errors.ts';
import { countComparisons } from '../../../../query/count-comparisons.ts';
import {
  advance,
  type OrderSegment,
  type SortPosition,
  toSegments,
  toWholeSegment,
} from '../../../../query/keyset.ts';
import { familyOf } from '../../../../query/operators.ts';
import { type BoundSort, sortById } from '../../../../query/sort.ts';
import { chunkBytes, type FindRequest } from '../../../port.ts';
import type { Row } from '../../connection.ts';
import { indexKey } from '../../indexes/field-indexes.ts';
import { getType, type StoredTypes } from '../../indexes/stored-types.ts';
import type { Threads } from '../../threads/store-threads.ts';
import { findBounded } from '../bounded/bounded-find.ts';
import type { MainThreadBudget } from '../main-thread-budget.ts';
import type { FoundDocuments } from '../read-documents.ts';
import { compileWalks, compileWhole, type WindowSearch, whereIn } from './compile-window.ts';
import { type FoundWindow, readLocated, readWindow, type WindowLimits } from './read-window.ts';

/** What the finder works with. */
export interface KeysetOptions
  extends Pick<Threads, 'readers' | 'mainConnection' | 'mainCeiling' | 'queryMs'> {
  readonly mainBudget: MainThreadBudget;
  /** The limits of a search on the main thread: rows that indexes bound, other rows, and comparisons. */
  readonly onMain: {
    readonly rowsByIndex: number;
    readonly rowsOtherwise: number;
    readonly comparisons: number;
  };
}

/** Finds one page by cursor, without its count. Errors: query_too_costly, SQLite's. */
export type KeysetFinder = (request: FindRequest, types: StoredTypes) => Promise<FoundDocuments>;

/** How many entries a window visits. */
const entries = { first: 16, least: 1, most: 16_384 };
/** A window that takes less time makes the next one four times as large, and one that takes more halves it. */
const windowMs = { least: 50, most: 200 };

/** Creates the finder. */
export function createKeysetFinder(options: KeysetOptions): KeysetFinder {
  const { readers, mainConnection, mainCeiling, mainBudget, onMain, queryMs } = options;

  return async (request, types) => {
    const { types: classes, where, sort = sortById, limit, keyset, signal, client } = request;
    const page = { rows: [] as Row[], rest: [] as string[], leftBytes: chunkBytes };
    const isByIndex = isOrdered(sort, { classes, types });
    let isOnThread = where !== undefined && countComparisons(where) > onMain.comparisons;
    let visited = entries.first;
    let spentMs = 0;
    let isWalking = false;
    let position = keyset?.after;

    const wanted = () => limit - page.rows.length - page.rest.length;
    const limits = ({ sort }: OrderSegment): WindowLimits => ({
      order: sort.map(({ descending }) => ({ descending })),
      wanted: wanted(),
      isFirst: wanted() === limit,
      maxBytes: page.rest.length > 0 ? 0 : page.leftBytes,
    });
    const segmentsAfter = (after: SortPosition | undefined) =>
      isByIndex ? toSegments(sort, after) : [toWholeSegment(sort, after)];

    function readOnMain(search: WindowSearch): FoundWindow | undefined {
      const { segment } = search;
      const found = {
        types: classes,
        where: whereIn(segment, where),
        sort: segment.sort,
        limit: search.limit,
      };
      const bounded = mainCeiling.within(onMain.rowsByIndex, () =>
        mainConnection.inSnapshot((all) => {
          const bound = { ...found, offset: 0, withCount: false };
          const { located } = findBounded(all, { request: bound, types });
          return located && readLocated(all, located, limits(segment));
        }),
      );
      const whole = { kind: 'window', parts: compileWhole(search), ...limits(segment) } as const;
      return (
        bounded ??
        mainCeiling.within(onMain.rowsOtherwise, () =>
          mainConnection.inSnapshot((all) => readWindow(all, whole)),
        )
      );
    }

    async function readOnThread(search: WindowSearch): Promise<FoundWindow> {
      const walks = mainConnection.inSnapshot((all) => compileWalks(all, { ...search, visited }));
      isWalking = walks !== undefined;
      const parts = walks ?? compileWhole(search);
      const request = { kind: 'window', parts, ...limits(search.segment) } as const;
      // A reader answers each kind of request with its kind of result.
      const window = (await readers.call(request, { signal, client })) as FoundWindow;
      spentMs += window.ms;
      if (window.ms < windowMs.least) visited = Math.min(visited * 4, entries.most);
      else if (window.ms > windowMs.most) visited = Math.max(visited >> 1, entries.least);
      return window;
    }

    async function readSegment(segment: OrderSegment): Promise<FoundWindow> {
      const search = { segment, where, classes, types, limit: wanted() + 1 };
      if (!isOnThread) {
        const window = await mainBudget.run(() => readOnMain(search));
        if (window) return window;
        isOnThread = true;
      }
      return readOnThread(search);
    }

    for (let segments = segmentsAfter(position); segments[0]; ) {
      const [segment, ...following] = segments;
      const from = position;
      const advanceTo = (values: Row) =>
        advance(sort, { from, to: [...segment.fixed, ...toValues(values, segment.sort)] });
      signal?.throwIfAborted();
      const window = await readSegment(segment).catch((error) => {
        if (!isDomainError(error, 'query_too_costly')) throw error;
        // Nothing was read that the next page could begin behind, so smaller windows are tried.
        if (position !== keyset?.after) return undefined;
        if (!isWalking || visited === entries.least) throw error;
        visited = Math.max(visited >> 3, entries.least);
        return 'again' as const;
      });
      if (window === 'again') continue;
      if (!window) return { ...page, ...(position && { next: position }) };
      page.rows.push(...window.rows);
      page.rest.push(...window.rest);
      page.leftBytes -= window.bytes;
      if (window.last) position = advanceTo(window.last);
      if (window.isFull || (window.end && wanted() === 0))
        return { ...page, ...(position && { next: position }) };
      segments = following;
      if (window.end) {
        position = advanceTo(window.end);
        if (spentMs >= queryMs) return { ...page, next: position };
        segments = segmentsAfter(position);
      }
    }
    return page;
  };
}

/** Whether indexes have the order, at least by its first key. */
function isOrdered(
  sort: BoundSort,
  { classes, types }: { classes: readonly string[]; types: StoredTypes },
): boolean {
  const [first] = sort;
  if (!first || first.path.leaf.kind === 'id' || first.path.leaf.kind === 'type') return true;
  return classes.every((name) => getType(types, name).indexes.get(indexKey(first.path))?.kind === 'value');
}

/** Converts the values that a row is sorted by: SQLite has no booleans. */
const toValues = (values: Row, sort: BoundSort): SortPosition =>
  values.map((value, n) => {
    const leaf = sort[n]?.path.leaf;
    return value !== null && leaf && familyOf(leaf) === 'boolean' ? value === 1 : value;
  });
