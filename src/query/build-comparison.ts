/**
 * Reduces operators to the kinds of bound comparison, and simplifies the logic that joins them.
 *
 * `!=` becomes a negated `=`, a list becomes alternatives, a path through references becomes conditions on their targets, and a term
 * with the same result for every asset becomes a constant.
 */

import { predicateType } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import { classNames } from '../model/catalog.ts';
import type { Catalog } from '../model/content-type.ts';
import type { FieldPath, LeafType } from '../model/field-path.ts';
import { findTextFlaw, type Scalar, scalars } from '../model/values/scalars.ts';
import { suggest } from '../text/suggest.ts';
import type { BoundAny, BoundPredicate, BoundValue, Quantifier } from './ast.ts';
import { predicateLimits } from './limits.ts';
import { familyOf, isEquality, isOrdering, isPartSearch, type Operator, textOrderOf } from './operators.ts';
import { countCharacters, foldCase, toSearchedTerms } from './text.ts';
import { isNumber } from './tokens.ts';

/** Builds one comparison with any of several converted values. */
export function buildComparison(target: ConversionTarget, converted: readonly Converted[]): BoundPredicate {
  const { operator, path } = target;
  if (operator === 'notEquals') return negate(buildComparison({ ...target, operator: 'equals' }, converted));
  const found = behindReferences(path, (end) => compare({ ...target, path: end }, converted));
  if (operator !== 'equals' || !converted.includes(null)) return found;
  return anyOf([found, buildMissing(path)]);
}

/** Builds the condition that a path leads to no value. Behind references, none of their targets has one. */
export const buildMissing = (path: FieldPath): BoundPredicate =>
  negate(behindReferences(path, (end) => negate({ kind: 'missing', path: end })));

/** Builds the condition that a path leads to a list without items. */
export const buildEmpty = (path: FieldPath): BoundPredicate =>
  behindReferences(path, (end) => ({ kind: 'empty', path: end }));

/**
 * Builds a condition on the items that a path leads to. A path to the `_id` of targets (`author/_id`) leads to these.
 */
export function buildItems(path: FieldPath, quantifier: Quantifier, where: BoundPredicate): BoundPredicate {
  const wanted = quantifier === 'every' ? negate(where) : where;
  const found = behindReferences(path, (end) =>
    end.leaf.kind === 'id' ? wanted : buildAny({ path: end, where: wanted }),
  );
  return quantifier === 'any' ? found : negate(found);
}

/** Builds the condition that an item matches; one that a single value decides becomes a comparison of the values of all items. */
export function buildAny({ path, targets, where }: Omit<BoundAny, 'kind'>): BoundPredicate {
  if (where.kind === 'constant' && !where.value) return where;
  const isOfValue = where.kind === 'any' || ('path' in where && where.kind !== 'missing');
  if (!targets && isOfValue) return { ...where, path: joinPaths(path, where.path) };
  return { kind: 'any', path, ...(targets && { targets }), where };
}

/** Returns the path to what a path leads to from each item of another one. */
export function joinPaths(outer: FieldPath, { leaf, ...inner }: FieldPath): FieldPath {
  return { text: `${outer.text}.${inner.text}`, steps: [...outer.steps, ...inner.steps], leaf };
}

/** Builds a condition on the end of a path: what is behind its references is a condition on their targets. */
function behindReferences(whole: FieldPath, build: (end: FieldPath) => BoundPredicate): BoundPredicate {
  if (!whole.through) return build(whole);
  const { through, ...path } = whole;
  const { targets, path: rest } = through;
  const text = path.steps.map(({ name }) => name).join('.');
  return buildAny({ path: { ...path, text }, targets, where: behindReferences(rest, build) });
}

function compare(target: ConversionTarget, converted: readonly Converted[]): BoundPredicate {
  const { path, operator, ignoreCase } = target;
  const values = [...new Set(converted.flatMap((value) => value ?? []))];
  const texts = values.filter((value) => typeof value === 'string');
  switch (operator) {
    case 'equals':
    case 'notEquals':
      return buildEquals(target, values);
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const ordered = values.filter((value) => typeof value !== 'boolean');
      return anyOf(ordered.map((value) => ({ kind: 'compare', path, operator, value })));
    }
    case 'startsWith':
    case 'contains': {
      const searched = ignoreCase ? [...new Set(texts.map(foldCase))] : texts;
      return anyOf(searched.map((value) => ({ kind: 'text', path, operator, value, ignoreCase })));
    }
    case 'matches':
    case 'matchesAll':
      return anyOf(texts.map((text) => buildWords(target, text)));
  }
}

function buildEquals(
  { path, leaf, ignoreCase: asked }: ConversionTarget,
  values: readonly BoundValue[],
): BoundPredicate {
  if (values.length === 0) return anyOf([]);
  // Identifiers and enum values are already normalized.
  const ignoreCase = asked && leaf.kind === 'scalar';
  const folded = values.map((value) => (ignoreCase && typeof value === 'string' ? foldCase(value) : value));
  return { kind: 'equals', path, values: [...new Set(folded)], ignoreCase };
}

/** Joins the words of a text: single words in one comparison, and each run of words that must all be found in another. */
function buildWords({ path, operator }: ConversionTarget, text: string): BoundPredicate {
  const terms = toSearchedTerms(text);
  const isAll = operator === 'matchesAll';
  const single = isAll ? [] : terms.filter((words) => words.length === 1);
  const joined = isAll ? [terms.flat()] : terms.filter((words) => words.length > 1);
  const toTerm = (words: readonly string[], all: boolean): BoundPredicate[] =>
    words.length > 0 ? [{ kind: 'words', path, words: [...new Set(words)].sort(), all }] : [];
  return anyOf([...toTerm(single.flat(), false), ...joined.flatMap((words) => toTerm(words, true))]);
}

/** Joins terms that must all hold; without terms it is true. */
export const allOf = (terms: readonly BoundPredicate[]): BoundPredicate => join('and', terms);

/** Splits a predicate into the terms that must all hold. */
export const termsOf = (where: BoundPredicate): readonly BoundPredicate[] =>
  where.kind === 'and' ? where.terms.flatMap(termsOf) : [where];

/** Joins terms of which any must hold; without terms it is false. */
export const anyOf = (terms: readonly BoundPredicate[]): BoundPredicate => join('or', terms);

export function negate(term: BoundPredicate): BoundPredicate {
  if (term.kind === 'constant') return { kind: 'constant', value: !term.value };
  return term.kind === 'not' ? term.term : { kind: 'not', term };
}

function join(kind: 'and' | 'or', terms: readonly BoundPredicate[]): BoundPredicate {
  const neutral = kind === 'and';
  const joined = terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  const flat = kind === 'or' ? groupByReference(joined) : joined;
  if (flat.some((term) => term.kind === 'constant' && term.value !== neutral)) {
    return { kind: 'constant', value: !neutral };
  }
  const [first, ...others] = flat.filter((term) => term.kind !== 'constant');
  if (first === undefined) return { kind: 'constant', value: neutral };
  return others.length === 0 ? first : { kind, terms: [first, ...others] };
}

/** Makes one search for the targets of each reference that several alternatives follow. */
function groupByReference(terms: readonly BoundPredicate[]): BoundPredicate[] {
  const groups = Map.groupBy(terms, (term) =>
    term.kind === 'any' && term.targets ? JSON.stringify([term.path.steps, term.targets]) : term,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first?.kind !== 'any' || group.length === 1) return group;
    return buildAny({
      ...first,
      where: anyOf(group.flatMap((each) => (each.kind === 'any' ? each.where : []))),
    });
  });
}

// Converts a value in a predicate to the type of the field it is compared with.
//
// A literal must already have the kind of the field. The value of a placeholder may also be a text in its notation, because values
// arrive in query strings. A value that cannot be converted is refused with its column.

/** The field and operator that a value is compared with; `leaf` is the end of the whole path, after all references. */
export interface ConversionTarget {
  readonly catalog: Catalog;
  readonly path: FieldPath;
  readonly leaf: LeafType;
  readonly operator: Operator;
  readonly ignoreCase: boolean;
}

/** A value before conversion; `column` is the column of the literal or placeholder. */
interface GivenValue {
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
