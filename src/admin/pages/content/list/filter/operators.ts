/**
 * The comparisons that a filter offers for a field, in words, and the conditions that they make.
 */
import type { Field } from 'colophon-client/admin';
import { viewOf } from '../../../../parts/data/scalar-views.ts';
import { quote } from './conditions.ts';

/** A comparison; `write` makes the condition of a path and a value, which is ignored unless `hasValue`. */
export interface Comparison {
  readonly words: string;
  readonly hasValue: boolean;
  /** What stands behind the path: an operator, or the whole rest where there is no value. */
  readonly operator: string;
  readonly write: (path: string, value: unknown) => string;
}

const compare = (words: string, operator: string): Comparison => ({
  words,
  hasValue: true,
  operator,
  write: (path, value) => `${path} ${operator} ${writeValue(value)}`,
});
const absent = (words: string, operator: string): Comparison => ({
  words,
  hasValue: false,
  operator: `${operator} missing`,
  write: (path) => `${path} ${operator} missing`,
});

const presence = [absent('is not set', '='), absent('is set', '!=')];
const equality = [compare('is', '='), compare('is not', '!=')];
const parts = [compare('contains', 'contains[c]'), compare('begins with', 'startsWith[c]')];
const words = [compare('has the words', 'matchesAll'), compare('has one of the words', 'matches')];
const numbers = [
  compare('is', '='),
  compare('is at least', '>='),
  compare('is at most', '<='),
  compare('is more than', '>'),
  compare('is less than', '<'),
];
const dates = [compare('is not before', '>='), compare('is before', '<')];

/** Lists the comparisons for a field. */
export function comparisonsOf({ type, searchable }: Field): readonly Comparison[] {
  switch (viewOf(type)) {
    case 'words':
      return [...(searchable ? words : []), ...parts, ...equality, ...presence];
    case 'richText':
      return [...words, ...presence];
    case 'wholeNumber':
    case 'number':
    case 'decimal':
      return [...numbers, ...presence];
    case 'day':
      return [compare('is', '='), ...dates, ...presence];
    case 'date':
    case 'dateTime':
      return [...dates, ...presence];
    case 'yesOrNo':
      return [compare('is', '='), ...presence];
    case 'json':
      return presence;
    case 'text':
    case 'url':
      return [...equality, ...parts, ...presence];
    case undefined:
      return [...equality, ...presence];
  }
}

/** A reference is compared by the ID of its asset. */
function writeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && value !== null && '_ref' in value) return quote(String(value._ref));
  return quote(String(value));
}
