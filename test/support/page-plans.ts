/** Databases in memory with the indexes of content types; runs searches as a reader thread does, and tells how SQLite plans them. */
import { DatabaseSync } from 'node:sqlite';
import type { Catalog } from '../../src/model/content-type.ts';
import type { FindRequest } from '../../src/store/port.ts';
import type { Query, RunQuery } from '../../src/store/sqlite/connection.ts';
import {
  createStoredTypes,
  listIndexDefinitions,
  type StoredTypes,
} from '../../src/store/sqlite/indexes/field-indexes.ts';
import { makeIndexes, neededIndexes } from '../../src/store/sqlite/indexes/stored-indexes.ts';
import { onThread, readPage } from '../../src/store/sqlite/reads/find-page.ts';
import {
  definePredicateFunctions,
  type PredicateFunctions,
} from '../../src/store/sqlite/reads/value-test.ts';
import { prepareSchema } from '../../src/store/sqlite/schema.ts';

/** A database, and what searches of it need. */
interface IndexedDatabase {
  readonly database: DatabaseSync;
  readonly functions: PredicateFunctions;
  readonly types: StoredTypes;
}

/** Opens an empty database for the types of a catalog; `isStopped` tells whether the present search ends. */
export function openIndexed(catalog: Catalog, isStopped: () => boolean = () => false): IndexedDatabase {
  const database = new DatabaseSync(':memory:');
  const functions = definePredicateFunctions(database, { isStopped, maxKeptBytes: 1e9 });
  const wanted = [...catalog.types.values()].map((type) => ({
    class: type.class,
    indexes: listIndexDefinitions(type),
  }));
  const numbers = prepareSchema(database, { file: 'memory', classes: wanted.map((type) => type.class) });
  const types = createStoredTypes(wanted, numbers);
  makeIndexes(database, neededIndexes(types));
  return { database, functions, types };
}

/** Names indexes in a plan by type and field, such as `[x.Book title]`, their column `x`, and the table of each type `type`. */
export const toReadable = (types: StoredTypes, plan: string): string =>
  plan
    .replace(/(?<=\(|AND )value_[0-9a-f]{16}(?=[<=>,])/g, 'x')
    .replace(/type_\d+/g, 'type')
    .replace(/(value|list)_[0-9a-f]{16}/g, (name) => {
      const indexes = [...types.values()].flatMap((type) =>
        [...type.indexes.values()].map((index) => ({ index, type: type.class })),
      );
      const found = indexes.find(({ index }) => index.name === name);
      return `[${found?.type} ${found?.index.field}]`;
    });

/** Finds a page and its count, and the plans of both statements. */
export function findWithPlans({ database, functions, types }: IndexedDatabase, request: FindRequest) {
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
