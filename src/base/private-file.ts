/**
 * Creates files that only their owner may read. SQLite gives the files that it adds to a database the same mode.
 */
import { closeSync, existsSync, openSync } from 'node:fs';

/** Creates an empty file, unless there is a file of that name: closing one would end the locks that this process has on it. */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  }
}
