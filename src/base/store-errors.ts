/**
 * The errors of the store itself, whatever is read or written.
 */
import { DomainError, type ErrorCode, isDomainError } from './domain-error.ts';

/** The store cannot do the work now; a retry may succeed. */
export const storeBusy = (reason: string, cause?: unknown) =>
  new DomainError('store_busy', `The store is busy: ${reason}`, { reason }, { cause });

/** The disk of the store is full: it can be read, and written again once there is space. */
export const storeFull = (cause?: unknown) =>
  new DomainError(
    'store_full',
    'The disk of the store is full: nothing can be written until there is space',
    {},
    { cause },
  );

/** A file or a folder of the store was removed or replaced while it was open, so nothing that is written to it lasts. */
export const storeGone = (file: string, kind: 'database file' | 'data folder' = 'database file') =>
  new DomainError('store_gone', `The ${kind} is no longer where it was opened, so nothing was written`, {
    file,
  });

/** Whether an error is of the store itself, and not of what is read or written. */
export const isStoreError = (error: unknown): error is DomainError =>
  isDomainError(error) && storeErrors.has(error.code);

const storeErrors: ReadonlySet<ErrorCode> = new Set([
  'store_busy',
  'store_full',
  'store_gone',
  'store_failure',
]);

/** A driver's error that Colophon does not recognize; its cause is logged and never sent to callers. */
export const storeFailure = (operation: string, cause: unknown) =>
  new DomainError('store_failure', `The store failed in ${operation}`, { operation }, { cause });

const readOfDamagedFile = 'read of a damaged file';

/** The bytes of a stored file are known to be fewer or more than were uploaded. */
export const damagedFile = (reason: string) => storeFailure(readOfDamagedFile, new Error(reason));

/** Whether an error says that the bytes of a stored file are damaged, or that a disk cannot read them. */
export const isDamagedFile = (error: unknown): boolean =>
  isDomainError(error)
    ? error.code === 'store_failure' && error.details.operation === readOfDamagedFile
    : error instanceof Error && 'code' in error && error.code === 'EIO';

const readOfDamagedStore = 'read of a damaged database file';

/** The database file is damaged where it was read. */
export const damagedStore = (cause?: unknown) => storeFailure(readOfDamagedStore, cause);

/** Whether an error says that the database file is damaged. */
export const isDamagedStore = (error: unknown): boolean =>
  isDomainError(error, 'store_failure') && error.details.operation === readOfDamagedStore;
