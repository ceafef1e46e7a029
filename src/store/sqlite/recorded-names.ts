/**
 * The record of names in a database file: the table `stored_names`, which the first process that prepares the file creates.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordedNames, StoredNames } from '../renames/recorded-names.ts';
import { parseBackfillState, selectBackfillState } from './backfill/backfill-state.ts';
import { openConnection } from './connection.ts';
import type { StoredTypes } from './indexes/stored-types.ts';
import { hasTable } from './known-types.ts';
import { toFileError } from './map-error.ts';

const busyMs = 5_000;

const table = `CREATE TABLE IF NOT EXISTS stored_names (
  class TEXT NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (class, path)
) STRICT, WITHOUT ROWID`;

/** Adds the names of all types to the record, in the transaction of the caller. */
export const recordNames = (database: DatabaseSync, types: StoredTypes): void =>
  addNames(database, new Map([...types.values()].map(({ class: name, names }) => [name, new Set(names)])));

/** Adds names to the record, in the transaction of the caller. */
export function addNames(database: DatabaseSync, names: RecordedNames): void {
  database.exec(table);
  const add = database.prepare(
    `INSERT INTO stored_names (class, path) SELECT ?1, value FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
  );
  for (const [name, paths] of names) add.run(name, JSON.stringify([...paths]));
}

/**
 * Reads the record of an existing file, and the state of its backfill.
 *
 * Errors: bad_config for a damaged file, store_busy, store_failure.
 */
export function readRecordedNames(file: string): StoredNames {
  try {
    const database = openConnection({ file, busyMs, mustExist: true });
    try {
      // Both from one snapshot.
      database.exec('PRAGMA query_only = TRUE; BEGIN');
      return readStoredNames(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFileError({ file, operation: 'readRecordedNames' }, error);
  }
}

/** Reads the record and the state of the backfill, in the transaction of the caller. */
export function readStoredNames(database: DatabaseSync): StoredNames {
  const names = hasTable(database, 'stored_names') ? readTable(database) : new Map();
  // An empty file has no table of facts.
  const found = hasTable(database, 'store_facts') ? database.prepare(selectBackfillState).get() : undefined;
  return { names, ...(found && { backfill: parseBackfillState(found.value) }) };
}

function readTable(database: DatabaseSync): RecordedNames {
  const names = new Map<string, Set<string>>();
  for (const row of database.prepare('SELECT class, path FROM stored_names').all()) {
    const [name, path] = [String(row.class), String(row.path)];
    const known = names.get(name);
    if (known) known.add(path);
    else names.set(name, new Set([path]));
  }
  return names;
}
