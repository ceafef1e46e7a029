/**
 * The tables of the database file, and its format version in `PRAGMA user_version`.
 *
 * `types` holds a number, the total and the revision of each class name. `assets` holds the documents as JSON text. Its narrow
 * index by type and `id` locates a page, so that only the documents of that page are read. `changes/change-tables.ts` adds the
 * change log. A file of format 1, which 0.1 wrote, is upgraded in place.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { badConfig, storeBusy } from '../../base/errors.ts';
import { changeTables, insertFacts } from './changes/change-tables.ts';
import { inTransaction, waitForOthers } from './writes/transaction.ts';

const formatVersion = 2;
/** The format of 0.1. */
export const formatWithoutLog = 1;

/**
 * `shape` is that of the type which the asset is known to fit, null in rows of 0.1 and in those that a process with other types changed. `last_change` is the number of the asset's last
 * entry in the change log, 0 while it has none. Both come before the document, so that reading them does not read it.
 *
 * Without statistics the planner assumes that every index is selective, even the one by type. The inserted statistics say that
 * a type is as large as the store, so that the planner prefers an index on a field. No later ANALYZE replaces them.
 */
const tables = `
  PRAGMA user_version = ${formatVersion};
  CREATE TABLE types (
    number INTEGER PRIMARY KEY,
    class TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE assets (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type INTEGER NOT NULL,
    version TEXT NOT NULL,
    shape TEXT,
    last_change INTEGER NOT NULL DEFAULT 0,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX assets_by_type ON assets (type, id);
  CREATE TABLE field_indexes (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    class TEXT NOT NULL,
    field TEXT NOT NULL
  ) STRICT;
  ${changeTables}
  ANALYZE;
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('assets', 'assets_by_type', '1000000 1000000 1');
  ANALYZE sqlite_schema;
`;

/** The columns are appended, which rewrites no row. */
const upgrade = `
  PRAGMA user_version = ${formatVersion};
  ALTER TABLE assets ADD COLUMN shape TEXT;
  ALTER TABLE assets ADD COLUMN last_change INTEGER NOT NULL DEFAULT 0;
  ${changeTables}
`;

/** What a prepared file contains. */
export interface PreparedSchema {
  /** The number of each class name. */
  readonly numbers: Map<string, number>;
  /** Whether the file has the tables of the change log: not before a file of format 1 was opened for writing. */
  readonly hasLog: boolean;
}

interface SchemaRequest {
  readonly file: string;
  /** Class names that need a number. */
  readonly classes: readonly string[];
  readonly mustExist?: boolean;
  /** Whether nothing is written except the tables of a new file. */
  readonly isReadOnly?: boolean;
}

/**
 * Creates the tables in a new file or upgrades an older one, and creates a number for each class name that has none.
 *
 * Errors: bad_config for a file of a newer format or of another program, or for an empty file when tables `mustExist`.
 */
export function prepareSchema(database: DatabaseSync, request: SchemaRequest): PreparedSchema {
  const { file, classes, mustExist = false, isReadOnly = false } = request;
  waitForOthers(() => database.exec('PRAGMA journal_mode = WAL'));
  return inTransaction({ database }, () => {
    const found = findFormat(database, file);
    if (found === 0 && mustExist) {
      throw badConfig([{ path: file, message: 'has no tables of Colophon any more' }]);
    }
    if (found === 0) createTables(database);
    else if (found === formatWithoutLog && !isReadOnly) upgradeFile(database);
    if (!isReadOnly) addClasses(database, classes);
    const rows = database.prepare('SELECT class, number FROM types').all();
    const numbers = new Map(rows.map((row) => [String(row.class), Number(row.number)]));
    return { numbers, hasLog: readFormat(database) !== formatWithoutLog };
  });
}

/** Reads the format of the file. */
export const selectFormat = { sql: 'PRAGMA user_version', params: [] };

/** Throws when a newer process has upgraded the file since this process opened it. Errors: store_busy. */
export function assertKnownFormat(format: unknown): void {
  const found = Number(format);
  if (found > formatVersion) throw storeBusy(`its file ${describeNewer(found)}`);
}

/** Prepares `assertKnownFormat` for the beginning of each write transaction. */
export function createFormatCheck(database: DatabaseSync): () => void {
  const select = database.prepare(selectFormat.sql);
  return () => assertKnownFormat(select.get()?.user_version);
}

/** Creates the tables of a new file in the transaction of the caller. */
export function createTables(database: DatabaseSync): void {
  database.exec(tables);
  insertFacts(database, { epoch: randomUUID(), isNew: true });
}

function upgradeFile(database: DatabaseSync): void {
  database.exec(upgrade);
  insertFacts(database, { epoch: randomUUID(), isNew: false });
}

function addClasses(database: DatabaseSync, classes: readonly string[]): void {
  const add = database.prepare('INSERT INTO types (class) VALUES (?) ON CONFLICT DO NOTHING');
  for (const className of classes) add.run(className);
}

/** Returns the format of the file, 0 when it is empty. Errors: bad_config for a newer format or another program's file. */
export function findFormat(database: DatabaseSync, file: string): number {
  const version = readFormat(database);
  const objects = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (version === formatVersion || version === formatWithoutLog) return version;
  if (version === 0 && objects === 0) return 0;
  const message = version > formatVersion ? describeNewer(version) : 'is a database of another program';
  throw badConfig([{ path: file, message }]);
}

const readFormat = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);

const describeNewer = (found: number) =>
  `has format ${found}, and this Colophon knows formats up to ${formatVersion}: a newer one wrote it`;
