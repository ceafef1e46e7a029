/**
 * Suggests how a predicate can go on: with a field, an operator, a value of an enum, or `and` and `or`.
 */
import type { ContentType, Field } from 'colophon-client/admin';
import type { Quantifier } from '../../../query/ast.ts';
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
  | { readonly kind: 'path' | 'connector' | 'items' }
  | { readonly kind: 'operator' | 'value' | 'item'; readonly field: Field | undefined };

/** What can come next, and what paths begin at within each of the open parentheses. */
interface Place {
  readonly expected: Expected;
  readonly scopes: readonly Scope[];
}

/** The fields at which paths begin: those of the assets, or of an item of a list. */
interface Scope {
  readonly paths: readonly FieldPath[];
  readonly isAsset: boolean;
}

/** Enough for all operators of a text. */
const maxSuggestions = 20;

const closedQuote = /^(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")$/s;

/** Quoted text, an operator, `[c]`, a word, blanks, or another character. */
const lexeme =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|<>|[<>!^~]?=|[<>]|&&|\|\||\[c\]|[\p{L}\p{M}\p{N}_./:@+-]+|\s+|./gsu;

/** Lists suggestions for the end of a predicate: words that begin with its last word, or any after a blank. */
export function suggest(type: ContentType, where: string): Suggestion[] {
  const tokens = [...where.matchAll(lexeme)].map(([token]) => token);
  const last = tokens.at(-1) ?? '';
  if (/^['"]/.test(last) && !closedQuote.test(last)) return [];
  const begun = /^[\p{L}\p{M}\p{N}_./:@+<>=!^~-]+$/u.test(last) ? last : '';
  const before = tokens.slice(0, begun === '' ? tokens.length : -1);
  const kept = before.join('');
  return wordsFor(findPlace(type, before))
    .filter((word) => word !== begun && word.toLowerCase().startsWith(begun.toLowerCase()))
    .slice(0, maxSuggestions)
    .map((word) => ({ word, text: `${kept}${word} ` }));
}

function findPlace(type: ContentType, tokens: readonly string[]): Place {
  const whole = { paths: fieldPaths(type, { withLists: true }), isAsset: true };
  return tokens
    .filter((token) => token.trim() !== '')
    .reduce<Place>((place, token) => follow(place, token, type), {
      expected: { kind: 'path' },
      scopes: [whole],
    });
}

function follow({ expected, scopes }: Place, token: string, type: ContentType): Place {
  const go = (next: Expected, within = scopes): Place => ({ expected: next, scopes: within });
  const scope = scopes.at(-1);
  switch (expected.kind) {
    case 'path': {
      if (token === '(' && scope) return go(expected, [...scopes, scope]);
      if (/^(not|!)$/i.test(token)) return go(expected);
      const path = /^['"]/.test(token) ? token.slice(1, -1) : token;
      const known = scope?.paths.find((each) => each.path === path)?.field;
      return go({ kind: 'operator', field: known ?? otherFields(type).find(({ name }) => name === path) });
    }
    case 'operator':
      if (isQuantifier(token) && hasItems(expected.field))
        return go({ kind: 'items' }, [...scopes, itemsOf(type, expected.field)]);
      return go({ kind: 'value', field: expected.field });
    case 'items':
      return go(token === '(' ? { kind: 'path' } : expected);
    case 'value':
      if (token === '[c]') return go(expected);
      return go(token === '[' ? { kind: 'item', field: expected.field } : { kind: 'connector' });
    case 'item':
      return go(token === ']' ? { kind: 'connector' } : expected);
    case 'connector':
      if (token === ')' && scopes.length > 1) return go(expected, scopes.slice(0, -1));
      return go(/^(and|or|&&|\|\|)$/i.test(token) ? { kind: 'path' } : expected);
  }
}

/** Fields that are not suggested or not a type's own, but have fewer operators than texts: embedded values as a whole, and `_type`. */
const otherFields = ({ fields }: ContentType): readonly Field[] => [
  ...fields.filter((field) => field.type.kind === 'embedded'),
  classField,
];

/** The class of an asset, which is compared for equality, as a reference is. */
const classField: Field = {
  name: '_type',
  graphqlName: '_type',
  type: { kind: 'reference', name: 'Content' },
  list: false,
  required: true,
  constraint: {},
};

/** Returns the fields of the items of a list; those of referenced assets are not known here. */
function itemsOf(type: ContentType, field: Field): Scope {
  if (field.type.kind === 'reference') return { paths: [], isAsset: true };
  const items = type.embeddedTypes.find(({ name }) => name === field.type.name)?.fields ?? [];
  return { paths: fieldPaths({ ...type, fields: items }, { withLists: true }), isAsset: false };
}

/** Whether conditions can be about single items of a field. */
const hasItems = (field: Field | undefined): field is Field =>
  field?.list === true && ['embedded', 'reference'].includes(field.type.kind);

const isQuantifier = (token: string) => quantifiers.some((word) => word === token.toLowerCase());

const quantifiers: readonly Quantifier[] = ['any', 'every', 'none'];

function wordsFor({ expected, scopes }: Place): readonly string[] {
  switch (expected.kind) {
    case 'path': {
      const { paths = [], isAsset = false } = scopes.at(-1) ?? {};
      return [...paths.map(({ path }) => path), ...(isAsset ? ['_id', '_type'] : []), 'not'];
    }
    case 'operator':
      return [...operatorsOf(expected.field), ...(hasItems(expected.field) ? quantifiers : [])];
    case 'items':
      return ['('];
    case 'value':
      return [...valuesOf(expected.field), 'missing', ...(expected.field?.list ? ['[]'] : [])];
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
  if (field?.type.kind === 'embedded') return ['=', '!='];
  const view = field && viewOf(field.type);
  return view ? byView[view] : all;
}

function valuesOf(field: Field | undefined): string[] {
  if (field && viewOf(field.type) === 'yesOrNo') return ['true', 'false'];
  return field?.type.values ?? [];
}
