/**
 * What the errors of the driver and of MongoDB mean, by class and code, never by message.
 *
 * A repeated unique value means something only to the write that met it: `explain-conflict.ts` finds out which.
 */
import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { type DomainError, invalidBody, isDomainError, storeBusy, storeFailure } from '../../base/errors.ts';

/** Codes of a server that cannot do it now: unreachable, taking over or stepping down, out of time, in conflict. */
const busyCodes: ReadonlySet<number> = new Set([
  ...[6, 7, 24, 50, 63, 64, 89, 91, 112, 133, 134, 150, 189, 202, 262, 462],
  ...[9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436],
  // A cursor or a transaction that the server has ended.
  ...[43, 237, 239, 246, 251, 290],
]);

/** By which the driver and the server say that the same may succeed later. */
const transientLabels = [
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.RetryableWriteError,
];

/** Of a document, by itself or after an update. */
const tooLargeCodes: ReadonlySet<number> = new Set([10334, 17419, 17420]);

const codes = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  outOfTime: 50,
  cannotCreateIndex: 67,
  transactionTooLarge: 388,
  duplicate: 11000,
};

/** The domain error to answer with when `operation` threw `error`. */
export function toStoreError(operation: string, thrown: unknown): DomainError {
  if (isDomainError(thrown)) return thrown;
  const error = unwrap(thrown);
  if (isUnreachable(error)) return storeBusy('MongoDB cannot be reached', error);
  const code = codeOf(error);
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

/** Whether a write or a new index met a value twice that must be unique. */
export const isDuplicate = (error: unknown) => codeOf(error) === codes.duplicate;

/** Whether a transaction has met no error but that of its own size. */
export const isTransactionTooLarge = (error: unknown) => codeOf(error) === codes.transactionTooLarge;

/** Whether the whole transaction may be tried again. */
export const isTransient = (error: unknown) =>
  hasLabel(unwrap(error), MongoErrorLabel.TransientTransactionError);

/** Whether it is not known if a transaction was committed, so that committing may be tried again. */
export const isUnknownCommit = (error: unknown) =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** Whether the server has ended an operation at its limit. */
export const isOutOfTime = (error: unknown) => codeOf(error) === codes.outOfTime;

/** Whether the index to drop was gone already. */
export const isIndexGone = (error: unknown) => codeOf(error) === codes.indexNotFound;

/** Whether there is no such collection, as in a database that is new. */
export const isCollectionGone = (error: unknown) => codeOf(error) === codes.namespaceNotFound;

/** Whether the collection cannot have such an index, however often it is tried. */
export const isIndexImpossible = (error: unknown) => codeOf(error) === codes.cannotCreateIndex;

/** The writes that failed of several in one command, each with its error, by their places; none when the command failed as a whole. */
export function failedWrites(error: unknown): ReadonlyMap<number, unknown> {
  if (!(error instanceof MongoBulkWriteError)) return new Map();
  const failed = [error.writeErrors].flat();
  return new Map(
    failed.map((one) => [one.index, new MongoServerError({ message: one.errmsg ?? '', code: one.code })]),
  );
}

/** A command of several writes wraps what the driver could not do. */
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

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoOperationTimeoutError ||
    // All connections were taken for too long; the driver keeps this class to itself.
    (error instanceof Error && error.name === 'MongoWaitQueueTimeoutError')
  );
}
