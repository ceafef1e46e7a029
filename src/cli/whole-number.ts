/**
 * Options that are whole numbers.
 */
import { usage } from '../base/errors.ts';
import type { CommandCall } from './command.ts';

/** The number of an option, or its fallback. Errors: usage. */
export function readWholeNumber(
  call: CommandCall,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = call.option(name);
  if (text === undefined) return fallback;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw usage(`--${name} must be a whole number from ${min} to ${max}`);
}
