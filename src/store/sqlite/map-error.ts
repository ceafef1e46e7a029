/**
 * Maps errors of `node:sqlite` to domain errors by SQLite's result code, never by message.
 *
 * A unique violation is not mapped: `row-writer.ts` finds out which value is in use.
 */
import {
  badConfig,
  type DomainError,
  damagedStore,
  isDomainError,
  storeBusy,
  storeFailure,
  storeFull,
} from '../../base/errors.ts';
import { fromSystemError, isOutOfFiles, isOutOfSpace, systemReason } from '../../base/system-error.ts';
import { findDiskFault } from './disk-state.ts';

/** Extended result codes carry the primary one in their low byte. */
const primaryMask = 0xff;
const genericError = 1;
const busyCodes: ReadonlySet<number> = new Set([5, 6, 15]); // BUSY, LOCKED, PROTOCOL
const constraintUnique = 2067;
const outOfMemory = 7;
const full = 13;
/** IOERR_SHMSIZE: the file beside the database that its connections share cannot grow. */
const sharedMemorySize = 4874;
const damagedCodes: ReadonlySet<number> = new Set([11, 26]); // CORRUPT, NOTADB
/** IOERR_READ, IOERR_SHORT_READ, IOERR_DATA, IOERR_CORRUPTFS: the disk does not return what was written. */
const unreadableCodes: ReadonlySet<number> = new Set([266, 522, 8202, 8458]);
const tooBig = 18;
const systemCodes: ReadonlySet<number> = new Set([8, 10, 14]); // READONLY, IOERR, CANTOPEN

/** Returns the domain error for an error that `operation` threw. */
export function toStoreError(operation: string, error: unknown): DomainError {
  if (isDomainError(error)) return error;
  if (isFull(error)) return storeFull(error);
  if (isDamage(error)) return damagedStore(error);
  return isBusy(error)
    ? storeBusy('another process is writing to the database file', error)
    : storeFailure(operation, error);
}

/** Returns the domain error for an error of opening or reading a whole file, which may be damaged. */
export function toFileError(
  { file, operation }: { file: string; operation: string },
  error: unknown,
): DomainError {
  if (isDamage(error)) return badConfig([{ path: file, message: damaged }]);
  return toStoreError(operation, explainDiskError(file, error));
}

/**
 * Returns the domain error for an error of SQLite that the operating system has caused, with the path and the reason; any other error as
 * it is.
 */
export function explainDiskError(file: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const fault = findDiskFault(file);
  if (isOutOfSpace(fault) || isOutOfFiles(fault)) return fromSystemError('write', fault);
  const message = systemReason(fault);
  return fault && message ? badConfig([{ path: fault.path ?? file, message }]) : error;
}

const damaged =
  'is damaged or is no database. `colophon verify` says what is damaged, `colophon verify --repair` repairs indexes, ' +
  '`colophon backup create <backup>` saves what can be read; where it ends with this message as well, SQLite can read nothing, and only ' +
  '`colophon backup restore <backup> --replace` helps, which brings a backup back';

/** Whether SQLite cannot make sense of the file, or the disk cannot read it. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && (damagedCodes.has(code & primaryMask) || unreadableCodes.has(code));
}

/**
 * Whether a stored row cannot be read: a page is damaged, or the row claims a value that is too long, or a number that is too large for
 * any that was written.
 */
export function isUnreadable(error: unknown): boolean {
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  const code = resultCode(error);
  return isDamage(error) || isTooLarge || code === tooBig || code === outOfMemory;
}

/** Whether another connection holds a lock, so that a later attempt may succeed. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && busyCodes.has(code & primaryMask);
}

/** Whether a write failed on the disk, so that no other write of its transaction can succeed. */
export const isDiskFault = (error: unknown): boolean => isFull(error) || isSystemError(error);

/** Whether the operating system caused an error, for a reason that SQLite does not tell. */
function isSystemError(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && systemCodes.has(code & primaryMask) && !isDamage(error) && !isFull(error);
}

/** Whether the disk has no space for a write, or for the memory that the connections to a file share. */
export function isFull(error: unknown): boolean {
  if (isDomainError(error, 'store_full')) return true;
  const code = resultCode(error);
  return code === sharedMemorySize || (code !== undefined && (code & primaryMask) === full);
}

/** Whether a write repeated the value of a unique column or index. */
export const isUniqueViolation = (error: unknown) => resultCode(error) === constraintUnique;

/** Whether a statement does not fit the schema: it names a table or an index that another process has dropped. */
export const isUnfitStatement = (error: unknown) => resultCode(error) === genericError;

/** Whether a statement needed more memory than one statement may use. */
export const isOutOfMemory = (error: unknown) => resultCode(error) === outOfMemory;

/** Creates the error that an SQL function throws when its statement would need too much memory. */
export const outOfMemoryError = () =>
  Object.assign(new Error('The statement would keep too much in memory'), { errcode: outOfMemory });

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}
