/**
 * Suggests how a predicate can go on: with a field, an operator, a value of an enum, or `and` and `or`.
 */
import type { ContentType, Field } from 'colophon-client/admin';
import type { Operator } from '../../../query/operators.ts';
import { type FieldPath, fieldPaths } from '../data/field-paths.ts';
import { type ScalarView, viewOf } from '../data/scalar-views.ts';

/** A suggestion: the word, and the whole predicate with it. */
export interface Suggestion {
  readonly word: string;
  readonly text: string;
}

/** What can come next; `field` is that of the comparison under way, undefined for a path that is not one of the type's own. */
type Expected =
  | { readonly kind: 'path' | 'connector' }
  | { readonly kind: 'operator' | 'value' | 'item'; readonly field: Field | undefined };

const maxSuggestions = 12;

const closedQuote = /^(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")$/s;

/** Quoted text, an operator, `[c]`, a word, blanks, or another character. */
const lexeme =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|<>|[<>!^~]?=|[<>]|&&|\|\||\[c\]|[\p{L}\p{M}\p{N}_./:@+-]+|\s+|./gsu;

/** Lists suggestions for the end of a predicate: words that begin with its last word, or any after a blank. */
export function suggest(type: ContentType, where: string): Suggestion[] {
  const paths = fieldPaths(type);
  const tokens = [...where.matchAll(lexeme)].map(([token]) => token);
  const last = tokens.at(-1) ?? '';
  if (/^['"]/.test(last) && !closedQuote.test(last)) return [];
  const begun = /^[\p{L}\p{M}\p{N}_./:@+<>=!^~-]+$/u.test(last) ? last : '';
  const before = tokens.slice(0, begun === '' ? tokens.length : -1);
  const kept = before.join('');
  return wordsFor(findExpected(paths, before), paths)
    .filter((word) => word !== begun && word.toLowerCase().startsWith(begun.toLowerCase()))
    .slice(0, maxSuggestions)
    .map((word) => ({ word, text: `${kept}${word} ` }));
}

function findExpected(paths: readonly FieldPath[], tokens: readonly string[]): Expected {
  let expected: Expected = { kind: 'path' };
  for (const token of tokens) if (token.trim() !== '') expected = follow(expected, token, paths);
  return expected;
}

function follow(expected: Expected, token: string, paths: readonly FieldPath[]): Expected {
  switch (expected.kind) {
    case 'path': {
      if (/^(not|!|\()$/i.test(token)) return expected;
      const path = /^['"]/.test(token) ? token.slice(1, -1) : token;
      return { kind: 'operator', field: paths.find((each) => each.path === path)?.field };
    }
    case 'operator':
      return { kind: 'value', field: expected.field };
    case 'value':
      if (token === '[c]') return expected;
      return token === '[' ? { kind: 'item', field: expected.field } : { kind: 'connector' };
    case 'item':
      return token === ']' ? { kind: 'connector' } : expected;
    case 'connector':
      return /^(and|or|&&|\|\|)$/i.test(token) ? { kind: 'path' } : expected;
  }
}

function wordsFor(expected: Expected, paths: readonly FieldPath[]): readonly string[] {
  switch (expected.kind) {
    case 'path':
      return [...paths.map(({ path }) => path), '_id', '_type', 'not'];
    case 'operator':
      return operatorsOf(expected.field);
    case 'value':
      return [...valuesOf(expected.field), 'missing'];
    case 'item':
      return valuesOf(expected.field);
    case 'connector':
      return ['and', 'or'];
  }
}

/** The spellings that are suggested of each operator. */
const spellings: Readonly<Record<Operator, readonly string[]>> = {
  equals: ['=', 'in'],
  notEquals: ['!=', 'notIn'],
  contains: ['contains[c]', 'contains'],
  startsWith: ['startsWith[c]', 'startsWith'],
  matches: ['matches'],
  matchesAll: ['matchesAll'],
  lt: ['<'],
  le: ['<='],
  gt: ['>'],
  ge: ['>='],
};

const { equals, notEquals, lt, le, gt, ge } = spellings;
const equality = [...equals, ...notEquals];
const order = [...equality, ...lt, ...le, ...gt, ...ge];
const all = Object.values(spellings).flat();

/** The spellings for the values of each view. */
const byView: Readonly<Record<ScalarView, readonly string[]>> = {
  text: all,
  words: all,
  richText: all,
  url: all,
  wholeNumber: order,
  number: order,
  day: order,
  dateTime: order,
  decimal: order,
  date: order,
  yesOrNo: equality,
  json: ['=', '!='],
};

function operatorsOf(field: Field | undefined): readonly string[] {
  if (field?.type.kind === 'reference') return equality;
  const view = field && viewOf(field.type);
  return view ? byView[view] : all;
}

function valuesOf(field: Field | undefined): string[] {
  if (field && viewOf(field.type) === 'yesOrNo') return ['true', 'false'];
  return field?.type.values ?? [];
}
