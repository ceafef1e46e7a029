/**
 * Reads one window of a page by cursor: the matching assets among the next entries of an index, with their documents, from one snapshot.
 * It runs on a reader thread.
 */
import type { SortPosition } from '../../../query/keyset.ts';
import type { Row, RunQuery } from '../connection.ts';
import { locateWindow, onThread, type RangeSearch, toPosition } from './find-page.ts';
import { type FoundDocuments, readFirst } from './read-documents.ts';

/** How much is wanted. */
export interface WindowLimits {
  /** How many assets the page lacks. One more shows that others follow. */
  readonly wanted: number;
  /** Whether the first document is read whatever its size. */
  readonly isFirst: boolean;
  /** How many bytes of documents are read. */
  readonly maxBytes: number;
}

/** A request for a window of `visited` entries. */
export interface WindowRequest extends WindowLimits {
  readonly kind: 'window';
  readonly search: RangeSearch;
  /** Whether a window is a part of its range: indexes have the order. */
  readonly isPart: boolean;
  readonly visited: number;
}

/** A window. */
export interface FoundWindow extends FoundDocuments {
  /** How many bytes the documents have that were read. */
  readonly bytes: number;
  /** The position of the last asset; absent without assets. */
  readonly last?: SortPosition;
  /** Whether more assets match than were wanted. */
  readonly isFull: boolean;
  /** Where the window ends, unless it reaches the end of the range. */
  readonly end?: SortPosition;
  readonly ms: number;
}

/** Reads a window. */
export function readWindow(
  all: RunQuery,
  { search, isPart, visited, ...limits }: WindowRequest,
): FoundWindow {
  const startedMs = performance.now();
  const { located, end } = locateWindow(onThread(all), search, { isPart, visited, limit: limits.wanted + 1 });
  const window = readLocated(all, { located, sort: search.sort, ...limits });
  return { ...window, ...(end && { end }), ms: performance.now() - startedMs };
}

/** Reads the documents of located assets, of which there may be one more than wanted. */
export function readLocated(
  all: RunQuery,
  {
    located,
    sort,
    wanted,
    isFirst,
    maxBytes,
  }: WindowLimits & Pick<RangeSearch, 'sort'> & { readonly located: readonly Row[] },
): Omit<FoundWindow, 'end'> {
  const kept = located.slice(0, wanted);
  const documents = readFirst(all, { located: kept, maxBytes, atLeast: isFirst ? 1 : 0 });
  const bytes = kept.slice(0, documents.rows.length).reduce((sum, row) => sum + Number(row[2]), 0);
  const last = kept.at(-1)?.slice(3);
  const isFull = located.length > kept.length;
  return { ...documents, bytes, isFull, ms: 0, ...(last && { last: toPosition(last, sort) }) };
}
