/**
 * Explains a search: runs its statements on a reader thread, counts the rows that they visit, and reads from SQLite's query plans
 * which indexes they use.
 */
import type { FindRequest } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { Query, RunQuery } from '../connection.ts';
import { readProgress } from '../indexes/index-filling.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { idIndexOf } from '../indexes/type-tables.ts';
import { findBounded } from './bounded/bounded-find.ts';
import { unchecked } from './bounded/index-walk.ts';
import { compileFind } from './compile-find.ts';
import { notCancelled } from './compile-path.ts';

/** A search to explain. */
export interface ExplainRequest {
  readonly kind: 'explain';
  readonly find: Omit<FindRequest, 'signal' | 'client'>;
  readonly types: StoredTypes;
  /** Whether indexes are first asked how few rows the search can visit. */
  readonly isBounded: boolean;
}

/** Runs the statements of a search; `rowsVisited` returns the number of rows that the connection has visited so far. */
export function explainSearch(
  all: RunQuery,
  { find, types, isBounded }: ExplainRequest,
  rowsVisited: () => number,
): SearchPlan {
  const before = rowsVisited();
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
  const found = isBounded ? findBounded(run, { request: find, types }) : {};
  const { locate, count } = compileFind(
    {
      ...find,
      limit: found.located ? 0 : find.limit,
      withCount: find.withCount && found.count === undefined,
    },
    types,
  );
  for (const query of [locate, count]) if (query) run(query);
  const visited = rowsVisited() - before;
  const incomplete = readProgress(all).filter(({ type }) => find.types.includes(type));
  return {
    indexes: namePaths(details, types),
    ...(incomplete.length > 0 && { incomplete }),
    rowsVisited: visited,
    ms,
  };
}

const everyRow = '(key & 0 OR go_on())';

/** Makes a statement call `go_on()` at every row, to count them. */
const ofEveryRow = (sql: string) => sql.replaceAll(notCancelled, everyRow).replaceAll(unchecked, everyRow);

/** Names the paths of the indexes that query plans mention, in their order. */
function namePaths(details: readonly string[], types: StoredTypes): string[] {
  const paths = new Map<string, string>();
  for (const type of types.values()) {
    paths.set(idIndexOf(type.number), '_id');
    for (const { name, path } of [...type.indexes.values(), ...type.words.values()])
      paths.set(name, path.text);
  }
  const names = details.flatMap((detail) => detail.match(/\w+/g) ?? []);
  return [...new Set(names.flatMap((name) => paths.get(name) ?? []))];
}
