/**
 * Converts a value in a predicate to the type of the field it is compared with.
 *
 * A literal must already have the kind of the field. The value of a placeholder may also be a text in its notation, because values
 * arrive in query strings. A value that cannot be converted is refused with its column.
 */

import { predicateType } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import { classNames } from '../model/catalog.ts';
import type { Catalog } from '../model/content-type.ts';
import type { FieldPath, LeafType } from '../model/field-path.ts';
import { findTextFlaw } from '../model/values/scalar-flaws.ts';
import { type Scalar, scalars } from '../model/values/scalars.ts';
import { suggest } from '../text/suggest.ts';
import type { BoundValue } from './ast.ts';
import { predicateLimits } from './limits.ts';
import { familyOf, isEquality, isOrdering, isPartSearch, type Operator, textOrderOf } from './operators.ts';
import { countCharacters, foldCase, toSearchedTerms } from './text.ts';
import { isNumber } from './tokens.ts';

/** The field and operator that a value is compared with; `leaf` is the end of the whole path, after all references. */
export interface ConversionTarget {
  readonly catalog: Catalog;
  readonly path: FieldPath;
  readonly leaf: LeafType;
  readonly operator: Operator;
  readonly ignoreCase: boolean;
}

/** A value before conversion; `column` is the column of the literal or placeholder. */
export interface GivenValue {
  readonly value: unknown;
  readonly column: number;
  /** True for a value in the predicate's text. */
  readonly literal: boolean;
  /** The text of a number in the predicate's text. */
  readonly written?: string;
  /** The index of a value that was given for a placeholder. */
  readonly index?: number;
}

/** The converted values, any of which may match, or `null` for missing. */
export type Converted = readonly BoundValue[] | null;

/**
 * Converts one value to the type of its field.
 *
 * Errors: predicate_type, with the value's column and what was expected.
 */
export function convertValue(target: ConversionTarget, given: GivenValue): Converted {
  const refuse = (expected: string, hint = '') =>
    predicateType(given.column, `expected ${expected} for ${describeTarget(target)}${hint}`, given.index);
  if (given.value === null) {
    if (isEquality(target.operator)) return null;
    throw refuse('a value, because only = and != can compare with missing,');
  }
  switch (familyOf(target.leaf)) {
    case 'text':
      return toTexts(target, given, refuse);
    case 'number':
      return [toNumber(target, given, refuse)];
    case 'ordered':
      return [toKey(target, given, refuse)];
    case 'boolean':
      return [toBoolean(given, refuse)];
    case 'reference':
      return [toUuid(given, refuse)];
    case 'type':
      return toClassNames(target, given, refuse);
    case 'opaque':
      throw refuse('null or missing, the only values that can be compared,');
  }
}

/** Names the field that a path ends at, for messages. */
export function describeTarget({ path, leaf }: Pick<ConversionTarget, 'path' | 'leaf'>): string {
  const name = JSON.stringify(path.text);
  switch (leaf.kind) {
    case 'id':
    case 'type':
      return name;
    case 'scalar':
      return `${name} (${leaf.scalar})`;
    case 'enum':
      return `${name} (${leaf.name})`;
    case 'reference':
      return `${name} (a reference)`;
    case 'embedded':
      return `${name} (an embedded ${leaf.type.name})`;
  }
}

/** `hint` ends the message. */
type Refuse = (expected: string, hint?: string) => Error;

function toTexts(target: ConversionTarget, given: GivenValue, refuse: Refuse): readonly string[] {
  const { leaf, operator, ignoreCase } = target;
  const comparesWholeText = isEquality(operator) || isOrdering(operator);
  if (leaf.kind === 'id' && isEquality(operator)) return [toUuid(given, refuse)];
  const text = toText(given, refuse);
  if (leaf.kind === 'enum' && comparesWholeText) {
    const members = ignoreCase
      ? leaf.values.filter((member) => foldCase(member) === foldCase(text))
      : leaf.values.filter((member) => member === text);
    if (members.length === 0) throw refuse(`one of ${leaf.values.join(', ')}`, suggest([text], leaf.values));
    return members;
  }
  if (!comparesWholeText) assertSearchable(text, operator, refuse);
  return [text];
}

function assertSearchable(text: string, operator: Operator, refuse: Refuse): void {
  const { searchCharacters } = predicateLimits;
  const isEmpty = text === '' && isPartSearch(operator);
  if (isEmpty || countCharacters(text) > searchCharacters) {
    throw refuse(`a string of 1 to ${searchCharacters} characters`);
  }
  if (operator === 'matchesAll' && toSearchedTerms(text).length === 0)
    throw refuse('a string with a word', ': there is no word in it');
}

function toText({ value, literal }: GivenValue, refuse: Refuse): string {
  if (typeof value !== 'string') throw refuse(literal ? 'a string in quotes' : 'a string');
  if (findTextFlaw(value)) throw refuse('a string without U+0000 and lone surrogates');
  return value;
}

function toNumber({ leaf }: ConversionTarget, { value, literal }: GivenValue, refuse: Refuse): number {
  const isText = typeof value === 'string' && !literal && isNumber(value);
  const number = isText ? Number(value) : value;
  const { accepts, expected, hint } = comparedScalar(leaf);
  if (typeof number === 'number' && accepts(number)) return number === 0 ? 0 : number;
  const isQuoted = literal && typeof value === 'string';
  throw refuse(isQuoted ? `${expected} without quotes` : expected, hint?.(value));
}

/** Returns the scalar of the values that a field can be compared with. An Int can be compared with any number, such as 1.5. */
function comparedScalar(leaf: LeafType): Scalar {
  const name = leaf.kind === 'scalar' ? leaf.scalar : 'Float';
  return scalars[scalars[name].comparedAs ?? name];
}

/** Returns the order key of a value. Numbers in the predicate's text keep their digits. */
function toKey({ leaf }: ConversionTarget, { value, written }: GivenValue, refuse: Refuse): string {
  const text = written ?? value;
  const key = typeof text === 'string' ? textOrderOf(leaf)?.toKey(text) : undefined;
  if (key !== undefined) return key;
  const { expected, hint } = comparedScalar(leaf);
  throw refuse(expected, hint?.(text));
}

function toBoolean({ value, literal }: GivenValue, refuse: Refuse): boolean {
  if (typeof value === 'boolean') return value;
  if (!literal && (value === 'true' || value === 'false')) return value === 'true';
  throw refuse(literal ? 'true or false without quotes' : 'true or false');
}

function toUuid({ value }: GivenValue, refuse: Refuse): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw refuse('a UUID');
}

function toClassNames(
  { catalog }: ConversionTarget,
  { value }: GivenValue,
  refuse: Refuse,
): readonly string[] {
  const type = typeof value === 'string' ? catalog.find(value) : undefined;
  if (type) return catalog.concrete(type);
  const hint = typeof value === 'string' ? suggest([value], classNames(catalog)) : '';
  throw refuse('the class name or type ID of a content type', hint);
}
