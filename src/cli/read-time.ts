/**
 * Reads options that are points in time.
 */
import { usage } from '../base/errors.ts';
import type { CommandCall } from './command.ts';

/** Reads an option such as `2026-11-22T09:30:00Z`, or in milliseconds since 1970; `undefined` when it is absent. Errors: usage. */
export function readTime(call: CommandCall, name: string): number | undefined {
  const text = call.option(name);
  if (text === undefined) return undefined;
  const timeMs = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(timeMs) && timeMs >= 0) return timeMs;
  throw usage(`--${name} must be a time such as 2026-11-22T09:30:00Z, or milliseconds since 1970`);
}
