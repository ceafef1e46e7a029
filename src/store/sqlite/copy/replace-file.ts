/**
 * Puts a complete database file in the place of the former one, which no process may have open.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { transferFailed } from '../../../base/errors.ts';
import { openConnection } from '../connection.ts';
import { isBusy, isDamage } from '../map-error.ts';

/** The name of a file that is being loaded. */
export const partialOf = (file: string) => `${file}.restoring`;

/** Asserts that a file may be put in the place of another. Errors: transfer_failed, those of SQLite. */
export function assertReplaceable(file: string, isReplacing: boolean): void {
  if (!existsSync(file)) return;
  if (!isReplacing && hasContent(file)) {
    throw transferFailed(
      `${file} is a store already. With --replace, the backup replaces all that it has; or name another COLOPHON_DATA_DIR`,
    );
  }
  closeFormer(file);
}

/** Puts the loaded file in its place, and waits until that survives a crash. Errors: transfer_failed, the file system's. */
export function replaceFile(file: string): void {
  sync(partialOf(file));
  if (existsSync(file)) closeFormer(file);
  renameSync(partialOf(file), file);
  // Empty ones, unless the former file was damaged.
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  sync(dirname(file));
}

/** Whether a file has anything but the tables of a store that was never used. */
function hasContent(file: string): boolean {
  if (statSync(file).size === 0) return false;
  const database = openConnection({ file, busyMs: 0, mustExist: true });
  try {
    database.exec('PRAGMA query_only = TRUE');
    const has = (table: string) =>
      database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !==
      undefined;
    if (!has('assets')) return database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
    const isFilled = (table: string) =>
      has(table) && database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
    return isFilled('assets') || isFilled('changes');
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Moves what the WAL has into the file, and leaves WAL mode, which only a process that is alone with the file can do.
 *
 * Errors: transfer_failed when it is not.
 */
function closeFormer(file: string): void {
  try {
    const database = openConnection({ file, busyMs: 0, mustExist: true });
    try {
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    } finally {
      database.close();
    }
  } catch (error) {
    if (isBusy(error)) {
      throw transferFailed(`${file} is in use. Stop every server and command that uses it, then try again`);
    }
    // What is damaged is replaced as it is.
    if (!isDamage(error)) throw error;
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
