/**
 * The table of scalars: one row for each, with everything that distinguishes it.
 *
 * Validators, predicates, documents, mapped routes and GraphQL derive what they need from here, so a new scalar is one more row;
 * a row without all columns does not compile. The limits of a single field (`@constraint`) are checked in `validate-scalar.ts`.
 */

import {
  dateOrder,
  dateTimeOrder,
  decimalOrder,
  longestOrderedText,
  type TextOrder,
} from '../../text/ordered-texts.ts';
import type { Json, JsonObject, ScalarName } from '../content-type.ts';
import { isExactNumber } from './exact-numbers.ts';

/**
 * The kind of a scalar's values, which decides its operators and constraints. `ordered` values are texts that are compared by what
 * they stand for; `opaque` ones are any JSON: present or missing.
 */
export type ScalarFamily = 'text' | 'number' | 'boolean' | 'ordered' | 'opaque';

/** The formats of JSON Schema that values of scalars have. */
export type ScalarFormat = 'uri' | 'int32' | 'int64' | 'double' | 'date' | 'date-time' | 'decimal';

/** One row of the table. */
export interface Scalar {
  readonly family: ScalarFamily;
  /** Whether a field of it may be `@indexed`. */
  readonly indexable: boolean;
  /** Whether a field of it may be `@searchable`. */
  readonly searchable: boolean;
  /** What a value must be, worded to follow "must be". */
  readonly expected: string;
  /** Returns the value that another one may stand for, to end a message; empty when there is none. */
  readonly hint?: (given: unknown) => string;
  /** Tells whether a value belongs to the scalar. */
  readonly accepts: (value: unknown) => boolean;
  /** Tells whether GraphQL accepts a value for it that `accepts` refuses. */
  readonly alsoAccepts?: (value: unknown) => boolean;
  /** Finds what keeps an accepted value from being stored, worded to follow its path. */
  readonly findFlaw: (value: Json) => string | undefined;
  /** Reads a value from the text of a query string or form; `undefined` when the text does not represent one. */
  readonly fromText: (text: string) => unknown;
  /** The order of `ordered` values. */
  readonly order?: TextOrder;
  /** Set for texts that are numbers, which may have a least and a greatest value, and so many digits after the point. */
  readonly isNumeric?: true;
  /** Set for texts that are HTML, of which searches by words see the words that a reader sees. */
  readonly isHtml?: true;
  readonly jsonSchema: JsonObject & { readonly format?: ScalarFormat };
  /** The scalar whose values it can be compared with; its own unless given. */
  readonly comparedAs?: ScalarName;
  /** The unit of a number, as a sentence for descriptions. */
  readonly unit?: string;
  /** The TypeScript type of a value. */
  readonly typescript: string;
}

const isText = (value: unknown) => typeof value === 'string';
const asWritten = (text: string) => text;
const noFlaw = () => undefined;

/** Makes a function that reads numbers in one notation. Adding 0 turns -0 into 0. */
const numberIn = (notation: RegExp) => (text: string) =>
  notation.test(text) && isExactNumber(text) ? Number(text) + 0 : undefined;

const readInteger = numberIn(/^-?(0|[1-9][0-9]*)$/);
const readDecimal = numberIn(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/);

/** The range of `EpochMillis` in both directions: the range of a JavaScript date. */
const maxEpochMillis = 8.64e15;

/** Says which number a date in ISO 8601 is; without a zone it is in UTC. */
function readMoment(given: unknown): string {
  const [text, time, zone] = (typeof given === 'string' && given.length < 40 && isoDate.exec(given)) || [];
  if (text === undefined) return '';
  const ms = Date.parse(time && !zone ? `${text}Z` : text);
  return Number.isNaN(ms) ? '' : `; ${JSON.stringify(text)} is ${ms}`;
}

const isoDate = /^\d{4}-\d\d(?:-\d\d)?(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

const text = {
  family: 'text',
  indexable: true,
  searchable: false,
  expected: 'a string',
  accepts: isText,
  findFlaw: (value) => findTextFlaw(String(value)),
  fromText: asWritten,
  jsonSchema: { type: 'string' },
  typescript: 'string',
} as const satisfies Scalar;

const number = {
  family: 'number',
  indexable: true,
  searchable: false,
  findFlaw: noFlaw,
  typescript: 'number',
} as const;

/** Returns the columns that all scalars of the family `ordered` share. */
const ordered = (order: TextOrder) =>
  ({
    family: 'ordered',
    indexable: true,
    searchable: false,
    order,
    accepts: (value: unknown) => typeof value === 'string' && order.toKey(value) !== undefined,
    findFlaw: noFlaw,
    fromText: asWritten,
    typescript: 'string',
  }) as const;

/** Returns the pattern of decimal numbers with at most so many digits after the point. */
export const decimalPatternOf = (scale: number): string =>
  scale === 0 ? '^-?[0-9]+$' : `^-?[0-9]+(\\.[0-9]{1,${scale}})?$`;

/** Says how to write a number as a text. */
const quoteNumber = (given: unknown) =>
  typeof given === 'number' ? `; write ${given} as the text "${given}"` : '';

/** The scalars of the SDL. */
export const scalars: Readonly<Record<ScalarName, Scalar>> = {
  String: { ...text, searchable: true },
  ID: { ...text, alsoAccepts: Number.isSafeInteger },
  RichText: {
    ...text,
    indexable: false,
    searchable: true,
    isHtml: true,
    jsonSchema: { type: 'string', contentMediaType: 'text/html' },
  },
  Url: {
    ...text,
    findFlaw: (value) => findTextFlaw(String(value)) ?? findUrlFlaw(String(value)),
    jsonSchema: { type: 'string', format: 'uri' },
  },
  Int: {
    ...number,
    expected: 'a whole number from -2147483648 to 2147483647',
    accepts: (value) => typeof value === 'number' && (value | 0) === value,
    fromText: readInteger,
    jsonSchema: { type: 'integer', format: 'int32' },
    comparedAs: 'Float',
  },
  EpochMillis: {
    ...number,
    expected: `a whole number of milliseconds since 1970, from -${maxEpochMillis} to ${maxEpochMillis}`,
    hint: readMoment,
    accepts: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= maxEpochMillis,
    fromText: readInteger,
    jsonSchema: { type: 'integer', format: 'int64' },
    unit: 'Milliseconds since 1970-01-01T00:00Z.',
  },
  Float: {
    ...number,
    expected: 'a number',
    accepts: Number.isFinite,
    fromText: readDecimal,
    jsonSchema: { type: 'number', format: 'double' },
  },
  Date: {
    ...ordered(dateOrder),
    expected: 'a day of the calendar as YYYY-MM-DD, in the years 0001 to 9999',
    jsonSchema: { type: 'string', format: 'date' },
  },
  DateTime: {
    ...ordered(dateTimeOrder),
    expected:
      'a date and time with its offset, such as 2026-01-31T18:30:00+01:00, in the years 0001 to 9999, with at most 6 digits after the seconds',
    jsonSchema: { type: 'string', format: 'date-time' },
  },
  Decimal: {
    ...ordered(decimalOrder),
    expected: 'a decimal number as a text, such as "12.50", of at most 34 digits, 9 of them after the point',
    hint: quoteNumber,
    isNumeric: true,
    jsonSchema: {
      type: 'string',
      format: 'decimal',
      pattern: decimalPatternOf(9),
      maxLength: longestOrderedText,
    },
  },
  Boolean: {
    family: 'boolean',
    indexable: true,
    searchable: false,
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    findFlaw: noFlaw,
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    jsonSchema: { type: 'boolean' },
    typescript: 'boolean',
  },
  JSON: {
    family: 'opaque',
    indexable: false,
    searchable: false,
    expected: 'a value',
    accepts: () => true,
    findFlaw: findJsonFlaw,
    fromText: asWritten,
    jsonSchema: {},
    typescript: 'unknown',
  },
};

/** Says what a value of a scalar must be, and which one the given one may stand for; worded to follow "must be". */
export function expectedFor(name: ScalarName, given: unknown): string {
  const { expected, hint } = scalars[name];
  return expected + (hint?.(given) ?? '');
}

/** Returns the order of a scalar's values, of one of the family `ordered`. */
export function orderOf(name: ScalarName): TextOrder {
  const { order } = scalars[name];
  if (!order) throw new Error(`${name} is not of the family "ordered"`);
  return order;
}

/** Tells whether the values of a scalar are any JSON. */
export const isAnyJson = (name: ScalarName): boolean => scalars[name].family === 'opaque';

/** Tells whether there is a scalar of this name. */
export const isScalarName = (name: string): name is ScalarName => Object.hasOwn(scalars, name);

/** Converts a text to the name of a scalar. Throws for other names, which would be a bug: types are checked when loaded. */
export function asScalarName(name: string): ScalarName {
  if (!isScalarName(name)) throw new Error(`${name} is not a scalar of content types`);
  return name;
}

// Finds what keeps texts, URLs and JSON values from being stored, worded to follow the path of the value.
//
// Texts are Unicode without U+0000 and without lone surrogates, which some store, XML or UTF-8 cannot hold.

/** Finds what no text may contain. */
export function findTextFlaw(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

function findUrlFlaw(text: string): string | undefined {
  return URL.canParse(text) && text.trim() === text ? undefined : 'must be an absolute URL';
}

/** Finds what a store would not give back as it was, anywhere in a JSON value. */
function findJsonFlaw(root: Json): string | undefined {
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      const flaw = findTextFlaw(value);
      if (flaw) return flaw;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return 'must hold finite numbers only';
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) pending.push(name, member);
    }
  }
  return undefined;
}
