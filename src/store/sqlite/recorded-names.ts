/**
 * The record of names in a database file: one text among the facts of the store.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { NamesChange } from '../renames/recorded-names.ts';
import { assertOpenable } from './assert-openable.ts';
import { openConnection } from './connection.ts';
import { hasTable } from './known-types.ts';
import { toFileError } from './map-error.ts';
import { prepareSchema } from './schema.ts';
import { inTransaction } from './writes/transaction.ts';

const busyMs = 5_000;

/** Reads the record of an existing file; `undefined` if it has none. Errors: bad_config for a damaged file, store_busy, store_failure. */
export const readRecordedNames = (file: string): string | undefined =>
  withFile(file, { operation: 'readRecordedNames', mustExist: true }, (database) => {
    database.exec('PRAGMA query_only = TRUE');
    return selectNames(database);
  });

/**
 * Replaces the record of a file, which is created if there is none, unless another process has replaced it. Returns whether it did.
 *
 * Errors: bad_config for a file of another format or program, or a damaged one; store_busy, store_failure.
 */
export function replaceRecordedNames(file: string, { former, names }: NamesChange): boolean {
  assertOpenable(file);
  return withFile(file, { operation: 'replaceRecordedNames', mustExist: false }, (database) => {
    prepareSchema(database, { file, classes: [] });
    return inTransaction({ database }, () => {
      if (selectNames(database) !== former) return false;
      insertNames(database, names);
      return true;
    });
  });
}

/** Reads the record in the transaction of the caller; an empty file has no table of facts. */
export function selectNames(database: DatabaseSync): string | undefined {
  if (!hasTable(database, 'store_facts')) return undefined;
  const found = database.prepare("SELECT value FROM store_facts WHERE name = 'names'").get();
  return found && String(found.value);
}

/** Sets the record in the transaction of the caller. */
export function insertNames(database: DatabaseSync, names: string): void {
  database.prepare("INSERT OR REPLACE INTO store_facts (name, value) VALUES ('names', ?)").run(names);
}

function withFile<Result>(
  file: string,
  { operation, mustExist }: { operation: string; mustExist: boolean },
  work: (database: DatabaseSync) => Result,
): Result {
  try {
    const database = openConnection({ file, busyMs, mustExist });
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFileError({ file, operation }, error);
  }
}
