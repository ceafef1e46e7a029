/**
 * What a check of an installation has found.
 */

import { isDomainError } from '../../base/errors.ts';
import { describeSystemError } from '../../base/system-error.ts';

/** How serious a finding is. */
export type Level = 'ok' | 'warning' | 'error';

/** A finding of one check. */
export interface Finding {
  /** What was checked, such as `store`. */
  readonly check: string;
  readonly level: Level;
  readonly message: string;
}

export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, level: 'ok', message }),
  warning: (message: string): Finding => ({ check, level: 'warning', message }),
  error: (message: string): Finding => ({ check, level: 'error', message }),
});

/** The text of an error and of its causes, except those that it has already. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const own = ownTextOf(error);
  const reason = cause === undefined ? '' : textOf(cause);
  return own.includes(reason) ? own : `${own}: ${reason}`;
}

function ownTextOf(error: Error): string {
  // Its message calls the store busy, which tells callers to try again.
  if (isDomainError(error, 'store_busy')) return error.details.reason;
  const system = describeSystemError(error);
  if (system !== undefined) return system;
  // An attempt to connect to several addresses has no message.
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
