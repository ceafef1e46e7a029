/**
 * What the errors of `node:sqlite` mean, by SQLite's result code, never by message.
 *
 * A broken unique constraint means something only to the write that broke it: `row-writer.ts` finds out which.
 */
import { type DomainError, isDomainError, storeBusy, storeFailure } from '../../base/errors.ts';

/** Extended result codes carry the primary one in their low byte. */
const primaryMask = 0xff;
const genericError = 1;
const busyCodes: ReadonlySet<number> = new Set([5, 6, 15]); // BUSY, LOCKED, PROTOCOL
const constraintUnique = 2067;
const outOfMemory = 7;

/** The domain error to answer with when `operation` threw `error`. */
export function toStoreError(operation: string, error: unknown): DomainError {
  if (isDomainError(error)) return error;
  return isBusy(error)
    ? storeBusy('another process is writing to the database file', error)
    : storeFailure(operation, error);
}

/** Whether another connection is in the way, so that the same may succeed later. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && busyCodes.has(code & primaryMask);
}

/** Whether a write repeated the value of a unique column or index. */
export const isUniqueViolation = (error: unknown) => resultCode(error) === constraintUnique;

/** Whether the statement does not fit the database: it names a table or an index that another process has dropped since. */
export const isUnfitStatement = (error: unknown) => resultCode(error) === genericError;

/** Whether a statement needed more memory than there is for one. */
export const isOutOfMemory = (error: unknown) => resultCode(error) === outOfMemory;

/** The error of a function whose statement would need too much memory. */
export const outOfMemoryError = () =>
  Object.assign(new Error('The statement would keep too much in memory'), { errcode: outOfMemory });

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}
