/**
 * Explains a search: runs its statements on a reader thread, counts the rows that they visit, and reads from SQLite's query plans
 * which indexes they use. Statements stop where those of the main thread would, and then run as on a reader thread.
 */
import type { FindRequest } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { Query, RunQuery } from '../connection.ts';
import { readProgress } from '../indexes/index-filling.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { idIndexOf } from '../indexes/type-tables.ts';
import { notCancelled, unchecked } from './compile-path.ts';
import { fewEntries, missingIn, onThread, readPage, type SearchRun } from './find-page.ts';

/** A search, as a reader thread runs it. */
export interface SearchRequest {
  readonly find: Omit<FindRequest, 'signal' | 'client'>;
  readonly types: StoredTypes;
}

/** A search to explain. */
export interface ExplainRequest extends SearchRequest {
  readonly kind: 'explain';
  /** Whether the search is tried on the main thread first. */
  readonly isShort: boolean;
}

/** Counts the rows that a connection has visited, and limits them. */
export interface VisitedRows {
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
