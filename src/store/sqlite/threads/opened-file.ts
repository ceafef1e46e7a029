/**
 * The identity of an open database file, so that every thread and every worker uses the same file, even if the path leads to another
 * one meanwhile.
 */
import { statSync } from 'node:fs';
import { badConfig } from '../../../base/errors.ts';

/** The database file, which must be the same one whenever a thread is restarted. */
export interface OpenedFile {
  /** Stores the identity of the file after it was created. */
  remember(): void;
  /** The stored identity, which other processes of this machine can compare. */
  identity(): string | undefined;
  /** Returns the path. Errors: bad_config when the file was removed or replaced by another. */
  check(): string;
}

/** Creates the identity of a file; `identity` is the one that another process has stored. */
export function createOpenedFile(file: string, identity?: string): OpenedFile {
  let stored = identity;
  const identify = () => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  return {
    remember() {
      stored = identify();
    },
    identity: () => stored,
    check() {
      if (stored !== undefined && stored !== identify()) {
        throw badConfig([{ path: file, message: 'is no longer the file that was opened' }]);
      }
      return file;
    },
  };
}
