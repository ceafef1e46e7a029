/**
 * Finds pages by cursor: the ranges behind the position, one after the other. What visits few rows is found at once on the main thread.
 * Anything else is read in windows on the reader threads, until the page is full, nothing follows, or the time of a search is used
 * up: then the page ends where the last window did.
 *
 * Only an order that no index has is searched as a whole, and is too costly when its time is used up.
 */
import { isDomainError } from '../../../base/errors.ts';
import { termsOf } from '../../../query/build-comparison.ts';
import { advance, type SortPosition } from '../../../query/keyset.ts';
import { sortById } from '../../../query/sort.ts';
import { chunkBytes, type FindRequest } from '../../port.ts';
import type { Row } from '../connection.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import type { Threads } from '../threads/store-threads.ts';
import { rangesAfter } from './choose-index.ts';
import { type FoundWindow, readLocated, type WindowLimits } from './explain-search.ts';
import { isInOrder, locate, type RangeSearch, type SearchRun } from './find-page.ts';
import type { FoundDocuments } from './read-documents.ts';
import type { MainThreadBudget } from './search-budget.ts';

/** What the finder works with. */
export interface KeysetOptions extends Pick<Threads, 'readers' | 'queryMs'> {
  readonly mainBudget: MainThreadBudget;
  /** Runs a search on the main thread, in one snapshot. */
  readonly onMain: <Found>(search: (run: SearchRun) => Found) => Found;
}

/** Finds one page by cursor, without its count. Errors: query_too_costly, SQLite's. */
export type KeysetFinder = (
  request: FindRequest,
  on: { readonly types: StoredTypes; readonly isShort: boolean },
) => Promise<FoundDocuments>;

/** How many entries a window visits. */
const entries = { first: 16, least: 1, most: 16_384 };
/** A window that takes less time makes the next one four times as large, and one that takes more halves it. */
const windowMs = { least: 50, most: 200 };

export function createKeysetFinder({ readers, mainBudget, onMain, queryMs }: KeysetOptions): KeysetFinder {
  return async (
    { where, sort = sortById, limit, keyset, signal, client, ...request },
    { types, isShort },
  ) => {
    const classes = [...new Set(request.types)];
    const page = { rows: [] as Row[], rest: [] as string[], leftBytes: chunkBytes };
    let [isOnThread, visited, spentMs] = [!isShort, entries.first, 0];
    let position = keyset?.after;
    const terms = where ? termsOf(where) : [];
    const ranges = (after: SortPosition | undefined) =>
      rangesAfter({ sort, terms }, { classes, types }, after);

    const readOnMain = (search: RangeSearch, limits: WindowLimits) =>
      onMain((run) => {
        const located = locate(run, search, { limit: limits.wanted + 1, offset: 0 });
        return located && readLocated(run.all, { located, sort, ...limits });
      });

    /** Reads a window, a smaller one when it takes too long; `undefined` when the page can end where it is. */
    async function readOnThread(search: RangeSearch, limits: WindowLimits): Promise<FoundWindow | undefined> {
      const isPart = isInOrder(search);
      for (;;) {
        const request = { kind: 'window', search, isPart, visited, ...limits } as const;
        try {
          // A reader answers each kind of request with its kind of result.
          const window = (await readers.call(request, { signal, client })) as FoundWindow;
          spentMs += window.ms;
          if (window.ms < windowMs.least) visited = Math.min(visited * 4, entries.most);
          else if (window.ms > windowMs.most) visited = Math.max(visited >> 1, entries.least);
          return window;
        } catch (error) {
          if (!isDomainError(error, 'query_too_costly')) throw error;
          if (position !== keyset?.after) return undefined;
          if (!isPart || visited === entries.least) throw error;
          visited = Math.max(visited >> 3, entries.least);
        }
      }
    }

    for (let next = ranges(position); next[0]; ) {
      const [range, ...following] = next;
      const from = position;
      signal?.throwIfAborted();
      const wanted = limit - page.rows.length - page.rest.length;
      const maxBytes = page.rest.length > 0 ? 0 : page.leftBytes;
      const limits = { wanted, isFirst: wanted === limit, maxBytes };
      const search = { where, sort, types, range };
      const found = isOnThread ? undefined : await mainBudget.run(() => readOnMain(search, limits));
      isOnThread ||= found === undefined;
      const window: FoundWindow | undefined = found ?? (await readOnThread(search, limits));
      if (!window) return { ...page, ...(position && { next: position }) };
      page.rows.push(...window.rows);
      page.rest.push(...window.rest);
      page.leftBytes -= window.bytes;
      if (window.last) position = advance(sort, { from, to: window.last });
      const isFilled = page.rows.length + page.rest.length === limit;
      if (window.isFull || (window.end && isFilled)) return { ...page, ...(position && { next: position }) };
      next = following;
      if (window.end) {
        position = advance(sort, { from, to: window.end });
        if (spentMs >= queryMs) return { ...page, next: position };
        next = ranges(position);
      }
    }
    return page;
  };
}
