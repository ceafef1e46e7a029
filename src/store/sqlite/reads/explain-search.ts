/**
 * Explains a search: runs its statements on a reader thread, counts the rows that they visit, and reads from SQLite's query plans
 * which indexes they use. Statements stop where those of the main thread would, and then run as on a reader thread.
 */

import type { SortPosition } from '../../../query/keyset.ts';
import type { FindRequest } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { Query, Row, RunQuery } from '../connection.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { idIndexOf } from '../indexes/field-indexes.ts';
import { readProgress } from '../indexes/index-filling.ts';
import { notCancelled, unchecked } from './compile-path.ts';
import {
  fewEntries,
  locateWindow,
  missingIn,
  onThread,
  type RangeSearch,
  readPage,
  type SearchRun,
  toPosition,
} from './find-page.ts';
import { type FoundDocuments, readFirst } from './read-documents.ts';

/** A search, as a reader thread runs it. */
export interface SearchRequest {
  readonly find: Omit<FindRequest, 'signal' | 'client'>;
  readonly types: StoredTypes;
}

export interface ExplainRequest extends SearchRequest {
  readonly kind: 'explain';
  /** Whether the search is tried on the main thread first. */
  readonly isShort: boolean;
}

/** Counts the rows that a connection has visited, and limits them. */
interface VisitedRows {
  count(): number;
  readonly within: SearchRun['within'];
}

/** Runs the statements of a search. */
export function explainSearch(
  all: RunQuery,
  { find, types, isShort }: ExplainRequest,
  visited: VisitedRows,
): SearchPlan {
  const before = visited.count();
  const details: string[] = [];
  let ms = 0;
  const run = (query: Query) => {
    const plan = all({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` });
    details.push(...plan.map(([, , , detail]) => String(detail)));
    const startedMs = performance.now();
    const rows = all({ ...query, sql: ofEveryRow(query.sql) });
    ms += performance.now() - startedMs;
    return rows;
  };
  // Each row counts as the eight of a check.
  const within: SearchRun['within'] = (rows, search) => visited.within(rows * 8, search);
  const onMain = isShort ? readPage({ all: run, within, few: fewEntries }, find, types) : {};
  const missing = { ...find, ...missingIn(onMain, find) };
  if (missing.limit > 0 || missing.withCount) readPage(onThread(run), missing, types);
  const rowsVisited = visited.count() - before;
  const incomplete = readProgress(all).filter(({ type }) => find.types.includes(type));
  return {
    indexes: namePaths(details, types),
    ...(incomplete.length > 0 && { incomplete }),
    rowsVisited,
    ms,
  };
}

/** Makes a statement call `go_on()` at every row, to count them. */
const ofEveryRow = (sql: string) => sql.replaceAll(notCancelled, everyRow).replaceAll(unchecked, everyRow);

const everyRow = '(key & 0 OR go_on())';

/** Names the paths of the indexes that query plans mention, in their order. */
function namePaths(details: readonly string[], types: StoredTypes): string[] {
  const paths = new Map<string, string>();
  for (const type of types.values()) {
    paths.set(idIndexOf(type.number), '_id');
    for (const { name, field } of type.indexes.values()) paths.set(name, field);
    for (const { name, path } of type.words.values()) paths.set(name, path.text);
  }
  const names = details.flatMap((detail) => detail.match(/\w+/g) ?? []);
  return [...new Set(names.flatMap((name) => paths.get(name) ?? []))];
}

// Reads one window of a page by cursor: the matching assets among the next entries of an index, with their documents, from one snapshot.
// It runs on a reader thread.

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
