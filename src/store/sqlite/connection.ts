/**
 * Connections to the database file, and the running of read queries on one.
 *
 * Every connection is opened here, so that all have the same settings. Several connections, also of several processes, may
 * be open at once: in WAL mode a reader waits for nobody, and a writer for other writers only.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { BoundPredicate } from '../../query/ast.ts';
import type { PredicateFunctions } from './reads/predicate-functions.ts';

/** SQL with the values of its `?1`, `?2`, ... */
export interface Query {
  readonly sql: string;
  readonly params: readonly (string | number)[];
  /** What its functions evaluate. */
  readonly tests?: readonly BoundPredicate[];
}

/** A row as its column values. */
export type Row = readonly (string | number | null)[];

/** The rows of a query. */
export type RunQuery = (query: Query) => Row[];

/** Runs read queries on one connection. */
export interface QueryRunner {
  /** The rows of each query, all from one state of the database. */
  run(queries: readonly Query[]): Row[][];
  /** What `work` makes of the rows that it asks for, all of which are from one state of the database. */
  inOneState<Value>(work: (all: RunQuery) => Value): Value;
  close(): void;
}

/** Another process may be turning a new file to WAL mode, which locks everybody out. */
const openingMs = 5_000;
const maxStatements = 200;
const maxKeptCharacters = 20_000;

/**
 * Opens the file, which is made when there is none unless it `mustExist`; `busyMs` is how long a statement waits for other
 * processes.
 */
export function openConnection({
  file,
  busyMs,
  mustExist = false,
}: {
  file: string;
  busyMs: number;
  mustExist?: boolean;
}): DatabaseSync {
  const database = new DatabaseSync(mustExist ? existing(file) : file, { timeout: openingMs });
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA busy_timeout = ${busyMs}`);
  return database;
}

/** The URL by which SQLite opens a file only if it is there. */
function existing(file: string): URL {
  const url = pathToFileURL(file);
  url.search = 'mode=rw';
  return url;
}

/**
 * A runner on a connection of its own, which cannot write; statements are kept by their SQL, the latest used.
 *
 * Without `functions` there are no predicates among its queries.
 */
export function createQueryRunner(database: DatabaseSync, functions?: PredicateFunctions): QueryRunner {
  database.exec('PRAGMA query_only = TRUE');
  const statements = new LRUCache<string, StatementSync>({ max: maxStatements });
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statement.setReturnArrays(true);
    if (sql.length <= maxKeptCharacters) statements.set(sql, statement);
    return statement;
  };
  // With `setReturnArrays` rows are arrays, which the declared types do not know; SQL here returns no blobs or big integers.
  const select = ({ sql, params }: Query) => prepare(sql).all(...params) as unknown as Row[];
  const all = (query: Query) =>
    functions ? functions.withTests(query.tests ?? [], () => select(query)) : select(query);
  const inOneState = <Value>(work: (all: RunQuery) => Value): Value => {
    database.exec('BEGIN');
    try {
      return work(all);
    } finally {
      database.exec('COMMIT');
    }
  };
  return {
    run: (queries) => (queries.length === 1 ? queries.map(all) : inOneState(() => queries.map(all))),
    inOneState,
    close: () => database.close(),
  };
}
