/**
 * Asks the operating system whether files in a folder can be written: SQLite reports most of its errors as "disk I/O error" alone, and a small
 * write that succeeds says nothing about the next one, since the WAL has space that is written again.
 *
 * Opens only the file that it creates: closing the store's file would end the locks that this process has on it.
 */
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DomainError, storeFull } from '../../base/errors.ts';
import { isOutOfSpace } from '../../base/system-error.ts';

/** How much space there must be. */
const neededBytes = 1_048_576;

/** Returns the error of the operating system that keeps a database file from being written; `undefined` if nothing does. */
export function findDiskFault(file: string): NodeJS.ErrnoException | undefined {
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    writeSpace(folder);
    return findSizeLimit([file, `${file}-wal`]);
  } catch (error) {
    // The functions of Node.js throw no other values.
    return error as NodeJS.ErrnoException;
  }
}

/** Remembers that a write has failed for lack of space until there is space. */
export interface SpaceWatch {
  /** Notes the store_full of a write. */
  note(error: DomainError): void;
  /** Errors: store_full when the disk has no space, also before a write has failed. */
  check(): void;
}

export function watchDatabaseSpace(file: string): SpaceWatch {
  return createSpaceWatch(dirname(file), () => findDiskFault(file));
}

/** Creates the watch of a folder of files. */
export function watchFolderSpace(folder: string): SpaceWatch {
  return createSpaceWatch(folder, () => {
    try {
      writeSpace(folder);
      return undefined;
    } catch (error) {
      return error;
    }
  });
}

function createSpaceWatch(folder: string, findFault: () => unknown): SpaceWatch {
  let failed: DomainError | undefined;
  return {
    note(error) {
      failed = error;
    },
    check() {
      if (freeBytes(folder) < neededBytes) throw storeFull(failed?.cause);
      if (failed && isOutOfSpace(findFault())) throw failed;
      failed = undefined;
    },
  };
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // The folder is gone, which is another fault.
    return Number.POSITIVE_INFINITY;
  }
}

/** Writes a file and deletes it. */
function writeSpace(folder: string): void {
  const path = join(folder, `space-${process.pid}`);
  try {
    writeFileSync(path, Buffer.alloc(neededBytes), { mode: 0o600 });
  } finally {
    rmSync(path, { force: true });
  }
}

/** Returns the error of a file that may not grow any more, by a limit of the process such as `ulimit -f`. */
function findSizeLimit(files: readonly string[]): NodeJS.ErrnoException | undefined {
  const limit = readSizeLimit();
  const path = files.find((file) => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return size + neededBytes > limit;
  });
  return path === undefined
    ? undefined
    : Object.assign(new Error(`EFBIG: file too large, write '${path}'`), { code: 'EFBIG', path });
}

function readSizeLimit(): number {
  const report: unknown = process.report.getReport();
  // The declared type is `object`. The limit is in bytes, whatever its name says, and `unlimited` without one; Windows has none.
  const { userLimits } = report as { userLimits?: { file_size_blocks?: { soft: unknown } } };
  const soft = userLimits?.file_size_blocks?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
