/** Runs searches as a reader thread does, and tells how SQLite plans their statements. */
import type { DatabaseSync } from 'node:sqlite';
import type { FindRequest } from '../../src/store/port.ts';
import type { Query, RunQuery } from '../../src/store/sqlite/connection.ts';
import type { StoredTypes } from '../../src/store/sqlite/indexes/field-indexes.ts';
import { onThread, readPage } from '../../src/store/sqlite/reads/find-page.ts';
import type { PredicateFunctions } from '../../src/store/sqlite/reads/value-test.ts';

/** The parts of a search that are planned. */
interface PlannedSearch {
  readonly database: DatabaseSync;
  readonly functions: PredicateFunctions;
  readonly types: StoredTypes;
}

/** Finds a page and its count, and the plans of both statements. */
export function findWithPlans({ database, functions, types }: PlannedSearch, request: FindRequest) {
  const queries: Query[] = [];
  const all: RunQuery = (query) => {
    queries.push(query);
    const statement = database.prepare(query.sql);
    statement.setReturnArrays(true);
    // With `setReturnArrays` rows are arrays, which the declared types do not know.
    return functions.withTests(query.tests ?? [], () => statement.all(...query.params)) as never;
  };
  const { rows = [], count } = readPage(onThread(all), request, types);
  const planOf = (part: string) => {
    const query = queries.find(({ sql }) => sql.includes(part));
    const plan = query && database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...query.params);
    return (plan ?? []).map(({ detail }) => String(detail)).join('\n');
  };
  const ids = rows.map((row) => row[2]);
  return { ids, count, pagePlan: planOf('octet_length(document)'), countPlan: planOf('sum(n)') };
}
