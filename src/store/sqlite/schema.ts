/**
 * The tables of the database file, and its format version in `PRAGMA user_version`.
 *
 * `types` holds a number, the total and the revision of each class name. `assets` holds the documents as JSON text. Its narrow
 * index by type and `id` locates a page, so that only the documents of that page are read.
 */
import type { DatabaseSync } from 'node:sqlite';
import { badConfig } from '../../base/errors.ts';
import { inTransaction, waitForOthers } from './writes/transaction.ts';

const formatVersion = 1;

/**
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
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX assets_by_type ON assets (type, id);
  CREATE TABLE field_indexes (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    class TEXT NOT NULL,
    field TEXT NOT NULL
  ) STRICT;
  ANALYZE;
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('assets', 'assets_by_type', '1000000 1000000 1');
  ANALYZE sqlite_schema;
`;

/**
 * Creates the tables in a new file, and a number for each class name that has none.
 *
 * Returns the numbers by class name. Errors: bad_config for a file of a newer format or of another program, or for an empty
 * file when tables `mustExist`.
 */
export function prepareSchema(
  database: DatabaseSync,
  { file, classes, mustExist = false }: { file: string; classes: readonly string[]; mustExist?: boolean },
): Map<string, number> {
  waitForOthers(() => database.exec('PRAGMA journal_mode = WAL'));
  return inTransaction({ database }, () => {
    const isNew = !hasTables(database, file);
    if (isNew && mustExist) throw badConfig([{ path: file, message: 'has no tables of Colophon any more' }]);
    if (isNew) database.exec(tables);
    const add = database.prepare('INSERT INTO types (class) VALUES (?) ON CONFLICT DO NOTHING');
    for (const className of classes) add.run(className);
    const rows = database.prepare('SELECT class, number FROM types').all();
    return new Map(rows.map((row) => [String(row.class), Number(row.number)]));
  });
}

function hasTables(database: DatabaseSync, file: string): boolean {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const objects = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (version === formatVersion) return true;
  if (version === 0 && objects === 0) return false;
  const message =
    version > formatVersion
      ? `has format ${version}, and this Colophon knows formats up to ${formatVersion}: a newer one wrote it`
      : 'is a database of another program';
  throw badConfig([{ path: file, message }]);
}
