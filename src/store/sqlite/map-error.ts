/**
 * What the errors of `node:sqlite` mean, by SQLite's result code, never by message.
 *
 * A broken unique constraint means something only to the write that broke it: `write-batch.ts` finds out which.
 */
import { DomainError, storeBusy, storeFailure } from '../../base/errors.ts';

const codes = { error: 1, busy: 5, locked: 6, protocol: 15 };
const constraintUnique = 2067;

/** The domain error to answer with when `operation` threw `error`. */
export function toStoreError(operation: string, error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  switch (primaryCode(error)) {
    case codes.busy:
    case codes.locked:
    case codes.protocol:
      return storeBusy('another process is writing to the database file', error);
    default:
      return storeFailure(operation, error);
  }
}

/** Whether a write repeated the value of a unique column or index. */
export const isUniqueViolation = (error: unknown) => resultCode(error) === constraintUnique;

/** Whether the statement does not fit the database: it names a table that another process has dropped since. */
export const isUnfitStatement = (error: unknown) => resultCode(error) === codes.error;

/** SQLite's extended result code; its low byte is the primary one. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}
