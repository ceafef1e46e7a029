/**
 * Errors on their way between threads, which keeps of an error no more than message, stack and cause.
 */
import { DomainError, type ErrorCode, type ErrorDetails, isDomainError } from '../../../base/errors.ts';

/** An error with the facts that would get lost. */
export interface SerializedError {
  readonly error: unknown;
  /** Of a domain error. */
  readonly domain?: { readonly code: ErrorCode; readonly details: ErrorDetails[ErrorCode] };
  /** SQLite's result code. */
  readonly errcode?: unknown;
}

/** Makes an error fit to be sent. */
export function serializeError(error: unknown): SerializedError {
  if (isDomainError(error)) return { error, domain: { code: error.code, details: error.details } };
  if (error instanceof Error && 'errcode' in error) return { error, errcode: error.errcode };
  return { error };
}

/** The error that was packed. */
export function deserializeError({ error, domain, errcode }: SerializedError): unknown {
  if (!(error instanceof Error)) return error;
  if (domain) return new DomainError(domain.code, error.message, domain.details, { cause: error.cause });
  return errcode === undefined ? error : Object.assign(error, { errcode });
}
