/**
 * Reads from a database file which content types it holds, for a process that does not yet know its content types.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { KnownTypes, ServedTypes } from '../served-types.ts';
import { openConnection } from './connection.ts';
import { toFileError } from './map-error.ts';

const busyMs = 5_000;

/**
 * Reads the types last served, or, when none were served, the names of the types that have assets.
 *
 * Errors: bad_config for a damaged file, store_busy, store_failure.
 */
export function readSqliteTypes(file: string): KnownTypes {
  try {
    const database = openConnection({ file, busyMs, mustExist: true });
    try {
      database.exec('PRAGMA query_only = TRUE');
      const served = readServedTypes(database);
      return served ? { served, populated: [] } : { populated: readPopulated(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFileError({ file, operation: 'readKnownTypes' }, error);
  }
}

/** Reads the types last served; `undefined` when none were. */
export function readServedTypes(database: DatabaseSync): ServedTypes | undefined {
  if (!hasTable(database, 'serving')) return undefined;
  const row = database
    .prepare('SELECT types FROM serving WHERE started IS NOT NULL ORDER BY started DESC LIMIT 1')
    .get();
  // `sqlite-store.ts` writes this column as JSON text of `ServedTypes`.
  return row && (JSON.parse(String(row.types)) as ServedTypes);
}

function readPopulated(database: DatabaseSync): string[] {
  if (!hasTable(database, 'types')) return [];
  const rows = database.prepare('SELECT class FROM types WHERE total > 0 ORDER BY class').all();
  return rows.map((row) => String(row.class));
}

/** Tells whether the file has a table. */
export const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
