/**
 * The tables of the database file, and its format version in `PRAGMA user_version`.
 *
 * `types` holds a number, the total and the revision of each class name. `assets` holds the documents as JSON text. Each type has a
 * table of its index values (`indexes/field-indexes.ts`), which locates a page, so that only the documents of that page are read.
 * `changes/log-writer.ts` adds the change log. A file of another format is refused.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { badConfig, storeBusy } from '../../base/errors.ts';
import { changeTables, insertFacts } from './changes/log-writer.ts';
import { createTypeTable } from './indexes/field-indexes.ts';
import { inTransaction, waitForOthers } from './writes/transaction.ts';

const formatVersion = 8;

/**
 * `shape` is that of the type which the asset is known to fit, null in rows that a process with other types changed. `last_change` is
 * the number of the asset's last entry in the change log, 0 while it has none. `checksum` is that of the document; see
 * `document-checksum.ts`. They come before the document, so that reading them does not read it.
 *
 * `field_indexes` records what each index is made of: its paths as JSON, and the number of the rules that make the keys of its values.
 * `filled` is the greatest key whose values an index of fields has, null when it has all; `word_indexes` has that of words.
 * Its rows of the kinds `unused` and `staging` are columns and tables that are being emptied.
 * The table of the type 0, which stays empty, is that of class names that the store does not know.
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
    checksum INTEGER NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE field_indexes (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    class TEXT NOT NULL,
    field TEXT NOT NULL,
    paths TEXT NOT NULL,
    is_unique INTEGER NOT NULL,
    keys INTEGER NOT NULL,
    filled INTEGER
  ) STRICT;
  ${createTypeTable(0)}
  ${changeTables}
`;

interface SchemaRequest {
  readonly file: string;
  /** Class names that need a number. */
  readonly classes: readonly string[];
  readonly mustExist?: boolean;
  /** Whether nothing is written except the tables of an empty file. */
  readonly isReadOnly?: boolean;
}

/**
 * Creates the tables in a new file, and a number for each class name that has none. Returns the number of each class name.
 *
 * Errors: bad_config for a file of another format or of another program, or for an empty file when tables `mustExist`.
 */
export function prepareSchema(database: DatabaseSync, request: SchemaRequest): Map<string, number> {
  const { file, classes, mustExist = false, isReadOnly = false } = request;
  waitForOthers(() => {
    // First, because a file that is refused stays as it is.
    findFormat(database, file);
    database.exec('PRAGMA journal_mode = WAL');
  });
  return inTransaction({ database }, () => {
    const found = findFormat(database, file);
    if (found === 0 && mustExist) {
      throw badConfig([{ path: file, message: 'has no tables of Colophon any more' }]);
    }
    if (found === 0) createTables(database);
    if (!isReadOnly) addClasses(database, classes);
    const rows = database.prepare('SELECT class, number FROM types').all();
    return new Map(rows.map((row) => [String(row.class), Number(row.number)]));
  });
}

/** Reads the format of the file. */
export const selectFormat = { sql: 'PRAGMA user_version', params: [] };

/** Throws when the file has got another format since this process opened it. Errors: store_busy. */
export function assertKnownFormat(format: unknown): void {
  const found = Number(format);
  if (found !== formatVersion) throw storeBusy(`its file ${describeOther(found)}`);
}

/** Prepares `assertKnownFormat` for the beginning of each write transaction. */
export function createFormatCheck(database: DatabaseSync): () => void {
  const select = database.prepare(selectFormat.sql);
  return () => assertKnownFormat(select.get()?.user_version);
}

/** Creates the tables of a new file in the transaction of the caller. */
export function createTables(database: DatabaseSync): void {
  database.exec(tables);
  insertFacts(database, randomUUID());
}

function addClasses(database: DatabaseSync, classes: readonly string[]): void {
  const select = database.prepare('SELECT 1 FROM types WHERE class = ?');
  for (const className of classes) if (!select.get(className)) addClass(database, className);
}

/** Adds a class name in the transaction of the caller; returns its number. */
export function addClass(database: DatabaseSync, className: string): number {
  const number = Number(
    database.prepare('INSERT INTO types (class) VALUES (?)').run(className).lastInsertRowid,
  );
  database.exec(createTypeTable(number));
  return number;
}

/** Returns the format of the file, 0 when it is empty. Errors: bad_config for another format or another program's file. */
export function findFormat(database: DatabaseSync, file: string): number {
  const version = Number(database.prepare(selectFormat.sql).get()?.user_version);
  const objects = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (version === formatVersion || (version === 0 && objects === 0)) return version;
  const message = version === 0 ? 'is a database of another program' : describeOther(version);
  throw badConfig([{ path: file, message }]);
}

const describeOther = (found: number) =>
  `has format ${found}, and this version of Colophon uses format ${formatVersion} alone: another version or program wrote it`;
