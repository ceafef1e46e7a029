/**
 * Reads a scalar value from its draft and checks its constraint.
 */

import type { Constraint, Field } from 'colophon-client/admin';
import { compilePattern } from '../../../../text/compile-pattern.ts';
import { dateOrder, dateTimeOrder, decimalOrder } from '../../../../text/ordered-texts.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';

/** The value to send, or an error message that follows the name of the field. */
export interface ScalarReading {
  readonly value?: unknown;
  readonly flaw?: string | undefined;
}

/** Reads the draft of a scalar. */
export function readScalar({ type, constraint }: Field, draft: string | number | boolean): ScalarReading {
  switch (viewOf(type)) {
    case 'yesOrNo':
      return { value: draft };
    case 'wholeNumber':
      return readNumber(draft, constraint, isInt32);
    case 'date':
      return readNumber(draft, constraint, isEpochMillis);
    case 'number':
      return readNumber(draft, constraint, isFiniteNumber);
    case 'day':
      return { value: draft, flaw: dateOrder.toKey(String(draft)) ? undefined : 'must be a date' };
    case 'dateTime':
      return { value: draft, flaw: dateTimeOrder.toKey(String(draft)) ? undefined : dateTimeFlaw };
    case 'decimal':
      return { value: draft, flaw: findDecimalFlaw(String(draft), constraint) };
    case 'json':
      return readJson(String(draft));
    case 'url':
      return { value: draft, flaw: findTextFlaw(String(draft), constraint) ?? isUrl(String(draft)) };
    case 'text':
    case 'words':
    case 'richText':
    case undefined:
      return { value: draft, flaw: findTextFlaw(String(draft), constraint) };
  }
}

type Rule<Value> = (value: Value) => string | undefined;

function readNumber(
  draft: string | number | boolean,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Constraint,
  rule: Rule<number>,
): ScalarReading {
  const text = String(draft).trim();
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) return { flaw: 'must be a number' };
  if (value < min) return { flaw: `must be at least ${min}` };
  if (value > max) return { flaw: `must be at most ${max}` };
  return { value, flaw: rule(value) };
}

const isInt32: Rule<number> = (number) =>
  (number | 0) === number ? undefined : 'must be a whole number from -2147483648 to 2147483647';

const isEpochMillis: Rule<number> = (number) =>
  Number.isInteger(number) && Math.abs(number) <= 8.64e15
    ? undefined
    : 'must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000';

const isFiniteNumber: Rule<number> = (number) =>
  Number.isFinite(number) ? undefined : 'must be a finite number';

function readJson(text: string): ScalarReading {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { flaw: 'must not be null; leave it empty instead' } : { value };
  } catch (error) {
    return { flaw: `must be JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const dateTimeFlaw =
  'must be a date and time with its offset from UTC, such as +01:00 or Z, and at most 6 digits after the seconds';

/** The messages of the server. */
function findDecimalFlaw(text: string, { min, max, scale }: Constraint): string | undefined {
  const { toKey } = decimalOrder;
  const key = toKey(text);
  if (key === undefined) return 'must be a decimal number of at most 34 digits, 9 of them after the point';
  if (min !== undefined && key < (toKey(String(min)) ?? '')) return `must be at least ${min}`;
  if (max !== undefined && key > (toKey(String(max)) ?? key)) return `must be at most ${max}`;
  const digits = text.split('.')[1]?.length ?? 0;
  return scale !== undefined && digits > scale
    ? `must have at most ${scale} digits after the point`
    : undefined;
}

const isUrl: Rule<string> = (text) =>
  URL.canParse(text) && text.trim() === text ? undefined : 'must be an absolute URL';

function findTextFlaw(text: string, { minLength = 0, maxLength, pattern }: Constraint): string | undefined {
  const length = [...text].length;
  if (length < minLength) return tooFew(minLength, 'characters');
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !compilePattern(pattern)(text)) return `must match ${pattern}`;
  return undefined;
}

/** The server's message for a text or list with fewer than `least` characters or items. */
export function tooFew(least: number, unit: 'characters' | 'items'): string {
  return least === 1 ? 'must not be empty' : `must have at least ${least} ${unit}`;
}
