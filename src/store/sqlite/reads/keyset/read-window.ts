/**
 * Reads one window of a page by cursor: the matching assets among the next entries of an index, and how far that is.
 *
 * The rows and the documents of a window come from one snapshot. It runs on the main thread or on a reader thread.
 */
import type { Query, Row, RunQuery } from '../../connection.ts';
import { compareRows } from '../bounded/candidates.ts';
import { type DocumentRequest, type FoundDocuments, readFirst } from '../read-documents.ts';

/** The assets of one type in a window. */
export interface WindowPart {
  /** Returns the matching assets in order: the columns of `DocumentRequest`, then the values that they are sorted by. */
  readonly rows: Query;
  /** Returns the last entry that `rows` visits, by the values that it is sorted by; none when no entry follows. */
  readonly end?: Query;
}

/** How much of a window is wanted. */
export interface WindowLimits extends Pick<DocumentRequest, 'maxBytes'> {
  readonly order: readonly { readonly descending: boolean }[];
  /** How many assets the page lacks. One more shows that others follow. */
  readonly wanted: number;
  /** Whether the first document is read whatever its size. */
  readonly isFirst: boolean;
}

/** A request for a window. */
export interface WindowRequest extends WindowLimits {
  readonly kind: 'window';
  readonly parts: readonly WindowPart[];
}

/** A window. */
export interface FoundWindow extends FoundDocuments {
  /** How many bytes the documents have that were read. */
  readonly bytes: number;
  /** The values that the last asset is sorted by; absent without assets. */
  readonly last?: Row;
  /** Whether more assets match than were wanted. */
  readonly isFull: boolean;
  /** The values of the last entry visited, unless it is the last of all. */
  readonly end?: Row;
  readonly ms: number;
}

/** Reads a window. */
export function readWindow(all: RunQuery, { parts, ...limits }: WindowRequest): FoundWindow {
  const startedMs = performance.now();
  const found = parts.map(({ rows, end }) => ({ rows: all(rows), end: end && all(end)[0] }));
  const compare = compareRows(limits.order);
  const [end] = found
    .map((part) => part.end)
    .filter((row) => row !== undefined)
    .sort(compare);
  const [first, ...others] = found.map(({ rows }) => rows);
  // Types whose entries reach further wait for the one that is behind: their other assets come again.
  const located =
    others.length === 0
      ? (first ?? [])
      : [first ?? [], ...others]
          .flat()
          .filter((row) => !end || compare(sortValues(row), end) <= 0)
          .sort((a, b) => compare(sortValues(a), sortValues(b)));
  const window = readLocated(all, located, limits);
  return { ...window, ...(end && { end }), ms: performance.now() - startedMs };
}

/** Reads the documents of located assets, of which there may be one more than wanted. */
export function readLocated(
  all: RunQuery,
  located: readonly Row[],
  { wanted, isFirst, ...limits }: WindowLimits,
): Omit<FoundWindow, 'end'> {
  const kept = located.slice(0, wanted);
  const documents = readFirst(all, { located: kept, ...limits, atLeast: isFirst ? 1 : 0 });
  const bytes = kept.slice(0, documents.rows.length).reduce((sum, row) => sum + Number(row[2]), 0);
  const last = kept.at(-1);
  const isFull = located.length > kept.length;
  return { ...documents, bytes, isFull, ms: 0, ...(last && { last: sortValues(last) }) };
}

const sortValues = (row: Row): Row => row.slice(3);
