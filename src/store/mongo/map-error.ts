/**
 * Translates errors of the driver and of MongoDB into domain errors, by class and code, never by message.
 *
 * A duplicate key is left to the write that caused it: `explain-conflict.ts` finds the repeated value.
 */
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import {
  type DomainError,
  invalidBody,
  isDomainError,
  storeBusy,
  storeFailure,
  storeFull,
} from '../../base/errors.ts';

/** Codes of temporary failures: the server is unreachable, changes its role, runs out of time, or has a conflict. */
const busyCodes: ReadonlySet<number> = new Set([
  ...[6, 7, 24, 50, 63, 64, 89, 91, 112, 133, 134, 150, 189, 202, 262, 462],
  ...[9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436],
  // The server has ended the cursor or the transaction.
  ...[43, 237, 239, 246, 251, 290],
]);

/** Labels that the driver and the server set on errors that may not recur. */
const transientLabels = [
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.RetryableWriteError,
];

/** Codes of a document that is too large, as inserted or after an update. */
const tooLargeCodes: ReadonlySet<number> = new Set([10334, 17419, 17420]);

const codes = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  outOfTime: 50,
  outOfDiskSpace: 14031,
  writeConflict: 112,
  cannotCreateIndex: 67,
  transactionTooLarge: 388,
  duplicate: 11000,
};

/** Translates what `operation` threw into a domain error. */
export function toStoreError(operation: string, thrown: unknown): DomainError {
  if (isDomainError(thrown)) return thrown;
  const error = unwrap(thrown);
  if (isUnreachable(error)) return storeBusy('MongoDB cannot be reached at COLOPHON_MONGODB_URL', error);
  const code = codeOf(error);
  if (code === codes.outOfDiskSpace) return storeFull(error);
  if (code !== undefined && busyCodes.has(code)) return storeBusy('MongoDB cannot do this now', error);
  if (code !== undefined && tooLargeCodes.has(code)) {
    return invalidBody([{ path: '', message: 'The asset and its words are more than 16 MiB' }]);
  }
  if (isTransactionTooLarge(error)) {
    return invalidBody([{ path: '', message: 'These are more assets than MongoDB can write all or none' }]);
  }
  if (transientLabels.some((label) => hasLabel(error, label))) {
    return storeBusy('MongoDB cannot do this now', error);
  }
  return storeFailure(operation, error);
}

/** Returns whether a write or a new index failed because a unique value is repeated. */
export const isDuplicate = (error: unknown) => codeOf(error) === codes.duplicate;

/** Returns whether a transaction failed because it was too large. */
export const isTransactionTooLarge = (error: unknown) => codeOf(error) === codes.transactionTooLarge;

/** Returns whether the whole transaction may be retried. */
export const isTransient = (error: unknown) =>
  hasLabel(unwrap(error), MongoErrorLabel.TransientTransactionError);

/** Returns whether the outcome of a commit is unknown, so that the commit may be retried. */
export const isUnknownCommit = (error: unknown) =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** Returns whether an operation met a document that another transaction has changed. */
export const isWriteConflict = (error: unknown) => codeOf(unwrap(error)) === codes.writeConflict;

/** Returns whether the server has ended an operation at its time limit. */
export const isOutOfTime = (error: unknown) => codeOf(error) === codes.outOfTime;

/** Returns whether the index to drop did not exist. */
export const isIndexGone = (error: unknown) => codeOf(error) === codes.indexNotFound;

/** Returns whether the collection does not exist, as in a new database. */
export const isCollectionGone = (error: unknown) => codeOf(error) === codes.namespaceNotFound;

/** Returns whether the collection can never have such an index, so that a retry is useless. */
export const isIndexImpossible = (error: unknown) => codeOf(error) === codes.cannotCreateIndex;

/** Returns the errors of a command's failed writes, by their positions in it; empty when the command failed as a whole. */
export function failedWrites(error: unknown): ReadonlyMap<number, unknown> {
  if (!(error instanceof MongoBulkWriteError)) return new Map();
  const failed = [error.writeErrors].flat();
  return new Map(
    failed.map((one) => [one.index, new MongoServerError({ message: one.errmsg ?? '', code: one.code })]),
  );
}

/** Returns the driver's own error when a command of several writes wraps it. */
function unwrap(error: unknown): unknown {
  const isWrapped = error instanceof MongoBulkWriteError && error.errorResponse instanceof Error;
  return isWrapped ? error.errorResponse : error;
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}

function codeOf(error: unknown): number | undefined {
  return error instanceof MongoServerError && typeof error.code === 'number' ? error.code : undefined;
}

/** Errors of the driver about a server that does not answer, or a connection that ended, also in the middle of a reply. */
const unreachable = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoOperationTimeoutError,
  MongoClientClosedError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
];

function isUnreachable(error: unknown): boolean {
  return (
    unreachable.some((type) => error instanceof type) ||
    // No connection was free in time; the driver does not export this class.
    (error instanceof Error && error.name === 'MongoWaitQueueTimeoutError') ||
    isSocketError(error)
  );
}

/** Codes of the error of a socket that has closed. The driver passes it on as it is when it was waiting to write more. */
const socketCodes = ['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED'];

const isSocketError = (error: unknown) =>
  error instanceof Error && 'code' in error && socketCodes.includes(String(error.code));
