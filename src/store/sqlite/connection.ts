/**
 * Opens connections to the database file and runs read queries on them.
 *
 * Every connection is opened by this module, so that all have the same settings. Several connections may be open at once, also
 * from several processes: in WAL mode a reader never waits, and a writer waits only for other writers.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { createPrivateFile } from '../../base/private-file.ts';
import { isFull } from './map-error.ts';
import type { PredicateFunctions, Test } from './reads/value-test.ts';
import { releaseReserve } from './space-reserve.ts';

/** An SQL statement with the values of its parameters `?1`, `?2`, ... */
export interface Query {
  readonly sql: string;
  readonly params: readonly (string | number | Uint8Array)[];
  /** The predicates that the SQL functions `holds` and `value_holds` evaluate, by number. */
  readonly tests?: readonly Test[];
}

/** The column values of a row. */
export type Row = readonly (string | number | null)[];

export type RunQuery = (query: Query) => Row[];

/** Runs read queries on one connection. */
export interface QueryRunner {
  /** Returns the rows of each query. All queries read the same snapshot of the database. */
  run(queries: readonly Query[]): Row[][];
  /** Runs `work` and returns its result. All queries of `work` read the same snapshot of the database. */
  inSnapshot<Value>(work: (all: RunQuery) => Value): Value;
  close(): void;
}

/** Another process may be switching a new file to WAL mode, which locks out all other connections. */
const openingMs = 5_000;
/**
 * How many pages the WAL has before they are copied to the file: 16 MB. A page that many writes change is copied once, so the number
 * should be large; with up to 4,062 a page is found by one hash table.
 */
export const walPages = 4_000;
/** The size to which the file of a longer WAL shrinks when it starts anew. */
const keptWalBytes = 64_000_000;
const maxCachedStatements = 200;
const maxCachedCharacters = 20_000;

/**
 * Opens the file, or creates it unless it `mustExist`. A statement waits at most `busyMs` for other processes.
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
  if (!mustExist) createPrivateFile(file);
  const database = new DatabaseSync(mustExist ? existing(file) : file, { timeout: openingMs });
  openShared(database, file);
  database.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${walPages};
    PRAGMA journal_size_limit = ${keptWalBytes}; PRAGMA cache_size = -16000; PRAGMA busy_timeout = ${busyMs}`);
  return database;
}

/** Opens the file that the connections share, for which a full disk may have no space. The next read tells of any other error. */
function openShared(database: DatabaseSync, file: string): void {
  try {
    database.prepare('PRAGMA schema_version').get();
  } catch (error) {
    if (isFull(error)) releaseReserve(file);
  }
}

/** Returns a URL with which SQLite opens an existing file but never creates one. */
function existing(file: string): URL {
  const url = pathToFileURL(file);
  url.search = 'mode=rw';
  return url;
}

/** Runs a query on a connection that also writes. */
export function selectRows(database: DatabaseSync, { sql, params }: Query): Row[] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  // With `setReturnArrays` rows are arrays, which the declared types do not know; no column is a blob or a big integer.
  return statement.all(...params) as unknown as Row[];
}

/**
 * Creates a runner on `database`, which becomes read-only. An LRU cache keeps prepared statements by their SQL.
 *
 * Only a runner with `functions` can run queries with tests.
 */
export function createQueryRunner(database: DatabaseSync, functions?: PredicateFunctions): QueryRunner {
  database.exec('PRAGMA query_only = TRUE');
  const statements = new LRUCache<string, PreparedQuery>({ max: maxCachedStatements });
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = { statement: database.prepare(sql), parameters: countParameters(sql) };
    prepared.statement.setReturnArrays(true);
    if (sql.length <= maxCachedCharacters) statements.set(sql, prepared);
    return prepared;
  };
  const select = ({ sql, params }: Query) => {
    const { statement, parameters } = prepare(sql);
    // With `setReturnArrays` rows are arrays, which the declared types do not know; no column is a blob or a big integer.
    return statement.all(...params.slice(0, parameters)) as unknown as Row[];
  };
  const all = (query: Query) =>
    functions ? functions.withTests(query.tests ?? [], () => select(query)) : select(query);
  const [begin, commit] = [database.prepare('BEGIN'), database.prepare('COMMIT')];
  const inSnapshot = <Value>(work: (all: RunQuery) => Value): Value => {
    begin.run();
    try {
      return work(all);
    } finally {
      commit.run();
    }
  };
  return {
    run: (queries) => (queries.length === 1 ? queries.map(all) : inSnapshot(() => queries.map(all))),
    inSnapshot,
    close: () => database.close(),
  };
}

interface PreparedQuery {
  readonly statement: StatementSync;
  readonly parameters: number;
}

/** Returns how many parameters a query takes. A condition that was compiled and then left out may have added more, which SQLite refuses. */
const countParameters = (sql: string) =>
  Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
