/**
 * Connections to the database file, and the running of read queries on one.
 *
 * Every connection is opened here, so that all have the same settings. Several connections, also of several processes, may
 * be open at once: in WAL mode a reader waits for nobody, and a writer for other writers only.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** SQL with the values of its `?1`, `?2`, ... */
export interface Query {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** A row as its column values. */
export type Row = readonly (string | number | null)[];

/** Runs read queries on one connection. */
export interface QueryRunner {
  /** The rows of each query, all from one state of the database. */
  run(queries: readonly Query[]): Row[][];
  close(): void;
}

/** Another process may be turning a new file to WAL mode, which locks everybody out. */
const openingMs = 5_000;
const maxStatements = 200;
const maxKeptCharacters = 20_000;

/** Opens the file, which is made when there is none; `busyMs` is how long a statement waits for other processes. */
export function openConnection({ file, busyMs }: { file: string; busyMs: number }): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: openingMs });
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA busy_timeout = ${busyMs}`);
  return database;
}

/** A runner on a connection of its own, which cannot write; statements are kept by their SQL, the latest used. */
export function createQueryRunner(database: DatabaseSync): QueryRunner {
  database.exec('PRAGMA query_only = TRUE');
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statement.setReturnArrays(true);
    if (sql.length > maxKeptCharacters) return statement;
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  // With `setReturnArrays` rows are arrays, which the declared types do not know; SQL here returns no blobs or big integers.
  const all = ({ sql, params }: Query) => prepare(sql).all(...params) as unknown as Row[];
  return {
    run(queries) {
      if (queries.length === 1) return queries.map(all);
      database.exec('BEGIN');
      try {
        return queries.map(all);
      } finally {
        database.exec('COMMIT');
      }
    },
    close: () => database.close(),
  };
}
