/**
 * The identity of an open database file, so that every thread and every worker uses the same file, and no write to a file that was
 * removed or replaced meanwhile is confirmed.
 */
import { statSync } from 'node:fs';
import { storeGone } from '../../../base/errors.ts';

/** The database file, which must be the same one whenever a thread is restarted. */
export type OpenedFile = ReturnType<typeof createOpenedFile>;

type Opened = Parameters<typeof storeGone>[1];

/** Creates the identity of a file or a folder; `identity` is the one that another process has stored. */
export function createOpenedFile(file: string, kind?: Opened, identity?: string) {
  let stored = identity;
  /** Whether the path leads to the file that was opened. */
  const isInPlace = () => stored === undefined || stored === identify(file);
  return {
    /** Stores the identity that the writer has found. */
    remember(found: string) {
      stored = found;
    },
    /** The stored identity, which other processes of this machine can compare. */
    identity: () => stored,
    isInPlace,
    /** Returns the path. Errors: store_gone when the file was removed or replaced by another. */
    check() {
      if (!isInPlace()) throw storeGone(file, kind);
      return file;
    },
  };
}

/** Returns the identity of the file at a path: `missing` when there is none. */
export function identify(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev} ${found.ino}` : 'missing';
}

/**
 * Creates a function that throws once the database file or its WAL, both open now, is no longer at its path. SQLite itself removes the
 * WAL with the last connection only. Errors: store_gone.
 */
export function watchOpenFiles(file: string): () => void {
  const paths = [file, `${file}-wal`];
  const identities = paths.map(identify);
  return () => {
    if (paths.some((path, index) => identify(path) !== identities[index])) throw storeGone(file);
  };
}
