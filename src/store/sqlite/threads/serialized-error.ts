/**
 * Serializes errors for messages between threads, which keep only the message, stack and cause of an error.
 */
import { DomainError, type ErrorCode, type ErrorDetails, isDomainError } from '../../../base/errors.ts';

/** An error with the properties that a message between threads would lose. */
export interface SerializedError {
  readonly error: unknown;
  /** The code and details of a domain error. */
  readonly domain?: { readonly code: ErrorCode; readonly details: ErrorDetails[ErrorCode] };
  /** SQLite's result code. */
  readonly errcode?: unknown;
}

/** Serializes an error. */
export function serializeError(error: unknown): SerializedError {
  if (isDomainError(error)) return { error, domain: { code: error.code, details: error.details } };
  if (error instanceof Error && 'errcode' in error) return { error, errcode: error.errcode };
  return { error };
}

/** Restores the error that was serialized. */
export function deserializeError({ error, domain, errcode }: SerializedError): unknown {
  if (!(error instanceof Error)) return error;
  if (domain) return new DomainError(domain.code, error.message, domain.details, { cause: error.cause });
  return errcode === undefined ? error : Object.assign(error, { errcode });
}
