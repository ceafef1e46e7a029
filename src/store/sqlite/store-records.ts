/**
 * What a database file tells before it is opened for content types: the record of names, a text among the facts of the store, and the
 * content types.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { NamesChange } from '../renames/recorded-names.ts';
import type { KnownTypes, ServedTypes } from '../served-types.ts';
import { assertOpenable } from './assert-openable.ts';
import { openConnection } from './connection.ts';
import { toFileError } from './map-error.ts';
import { prepareSchema } from './schema.ts';
import { inTransaction } from './writes/transaction.ts';

const busyMs = 5_000;

/** Reads the record of names of an existing file; `undefined` if it has none. Errors: bad_config for a damaged file, store_busy, store_failure. */
export const readNames = (file: string): string | undefined =>
  withFile(file, { operation: 'readNames', isReadOnly: true }, selectNames);

/**
 * Replaces the record of names in a file, which is created if there is none, unless another process has replaced it. Returns whether it
 * did.
 *
 * Errors: bad_config for a file of another format or program, or a damaged one; store_busy, store_failure.
 */
export function replaceNames(file: string, { former, names }: NamesChange): boolean {
  assertOpenable(file);
  return withFile(file, { operation: 'replaceNames', isReadOnly: false }, (database) => {
    prepareSchema(database, { file, classes: [] });
    return inTransaction({ database }, () => {
      if (selectNames(database) !== former) return false;
      insertNames(database, names);
      return true;
    });
  });
}

/**
 * Reads the types last served from an existing file, or, when none were served, the class names of the stored assets.
 *
 * Errors: bad_config for a damaged file, store_busy, store_failure.
 */
export const readTypes = (file: string): KnownTypes =>
  withFile(file, { operation: 'readTypes', isReadOnly: true }, (database) => {
    const served = selectServedTypes(database);
    return served ? { served, populated: [] } : { populated: selectPopulated(database) };
  });

/** Reads the record of names in the transaction of the caller; an empty file has no table of facts. */
export function selectNames(database: DatabaseSync): string | undefined {
  if (!hasTable(database, 'store_facts')) return undefined;
  const found = database.prepare("SELECT value FROM store_facts WHERE name = 'names'").get();
  return found && String(found.value);
}

/** Sets the record of names in the transaction of the caller. */
export function insertNames(database: DatabaseSync, names: string): void {
  database.prepare("INSERT OR REPLACE INTO store_facts (name, value) VALUES ('names', ?)").run(names);
}

/** Reads the types last served; `undefined` when none were. */
export function selectServedTypes(database: DatabaseSync): ServedTypes | undefined {
  if (!hasTable(database, 'serving')) return undefined;
  const row = database
    .prepare('SELECT types FROM serving WHERE started IS NOT NULL ORDER BY started DESC LIMIT 1')
    .get();
  // `serving-processes.ts` writes this column as JSON text of `ServedTypes`.
  return row && (JSON.parse(String(row.types)) as ServedTypes);
}

function selectPopulated(database: DatabaseSync): string[] {
  if (!hasTable(database, 'types')) return [];
  const rows = database.prepare('SELECT class FROM types WHERE total > 0 ORDER BY class').all();
  return rows.map((row) => String(row.class));
}

const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Opens a file for `work`; one that is only read must exist. */
function withFile<Result>(
  file: string,
  { operation, isReadOnly }: { operation: string; isReadOnly: boolean },
  work: (database: DatabaseSync) => Result,
): Result {
  try {
    const database = openConnection({ file, busyMs, mustExist: isReadOnly });
    try {
      if (isReadOnly) database.exec('PRAGMA query_only = TRUE');
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFileError({ file, operation }, error);
  }
}
