/**
 * The tables of the change log, of the database file.
 *
 * `changes` has one row for each entry. `seq` is one more than the greatest one in the table, so the newest row is never
 * removed. Small columns come first: reading them does not read the former values. Names of fields and runs, and actors, are
 * stored once each and referred to by number. `store_facts` holds single values by name.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeAction } from '../../changes.ts';

/**
 * The statements that create the tables.
 *
 * - `asset`: see `stored-id.ts`.
 * - `previous`: the version before the change. The version after it is the `id` of an entry that creates or updates.
 * - `store_facts`: `epoch` is the random name of the store's line of history; the log has an entry for every write after
 *   `logged_since`, in milliseconds since 1970.
 * - `changed`: a JSON list of numbers of names. `before` and `state`: JSON objects without secret fields.
 */
export const changeTables = `
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY,
    asset ANY NOT NULL,
    number INTEGER NOT NULL,
    type INTEGER NOT NULL,
    action INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor INTEGER NOT NULL,
    run INTEGER,
    id TEXT NOT NULL,
    previous TEXT,
    request TEXT,
    changed TEXT,
    before TEXT,
    state TEXT
  ) STRICT;
  CREATE UNIQUE INDEX changes_by_asset ON changes (asset, number);
  CREATE INDEX changes_by_run ON changes (run) WHERE run IS NOT NULL;
  CREATE TABLE change_names (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE change_actors (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT, name TEXT) STRICT;
  CREATE INDEX change_actors_by_id ON change_actors (kind, id, name);
  CREATE TABLE store_facts (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The numbers that stand for actions in the column `action`. */
export const actionNumbers: Readonly<Record<ChangeAction, number>> = {
  create: 1,
  update: 2,
  delete: 3,
  erase: 4,
  signIn: 5,
};

/** Milliseconds since 1970, as an SQL expression. */
export const sqlNow = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Inserts the facts of a new file. */
export function insertFacts(database: DatabaseSync, epoch: string): void {
  database
    .prepare("INSERT INTO store_facts (name, value) VALUES ('epoch', ?), ('logged_since', 0)")
    .run(epoch);
}
