/**
 * Checks a parsed predicate against the catalog: resolves its paths, and verifies that each operator and value fits its field.
 *
 * Does all work that needs no placeholder values, so that binding is cheap and a checked predicate can be cached together with
 * its catalog.
 */
import { DomainError, predicateType } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType, targetsOfPath } from '../model/field-path.ts';
import type { BoundComparison, Operand, Predicate } from './ast.ts';
import { buildComparison } from './build-comparison.ts';
import { type ConversionTarget, type Converted, convertValue, describeTarget } from './convert-value.ts';
import { familyOf, isOrdering, operatorFits, operatorSpellings, operators } from './operators.ts';

/** A predicate that is complete except for the values of its placeholders. */
export interface CheckedPredicate {
  readonly term: CheckedTerm;
  /** The number of values it needs. */
  readonly placeholders: number;
  /** The classes that its paths go on to through references. */
  readonly targets: readonly string[];
}

/** A term whose comparisons are bound, or open when they contain a placeholder. */
export type CheckedTerm =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly CheckedTerm[] }
  | { readonly kind: 'not'; readonly term: CheckedTerm }
  | BoundComparison
  | OpenComparison;

/** A comparison with placeholders among its values. */
export interface OpenComparison {
  readonly kind: 'open';
  readonly target: ConversionTarget;
  readonly items: readonly OpenItem[];
}

/** The value of a literal, or a placeholder. A placeholder inside a list cannot have a list as its value. */
export type OpenItem =
  | { readonly kind: 'value'; readonly value: Converted }
  | {
      readonly kind: 'placeholder';
      readonly index: number;
      readonly column: number;
      readonly inList: boolean;
    };

/**
 * Checks a predicate for assets of the given classes.
 *
 * Shapes: `classes` are class names of concrete content types.
 * Errors: unknown_field, predicate_type (column, and what was expected).
 */
export function checkPredicate(request: {
  catalog: Catalog;
  classes: readonly string[];
  predicate: Predicate;
}): CheckedPredicate {
  const checking: Checking = { ...request, paths: new Map(), placeholders: 0 };
  const term = checkTerm(checking, request.predicate);
  const targets = [...new Set([...checking.paths.values()].flatMap(targetsOfPath))];
  return { term, placeholders: checking.placeholders, targets };
}

interface Checking {
  readonly catalog: Catalog;
  readonly classes: readonly string[];
  readonly paths: Map<string, FieldPath>;
  placeholders: number;
}

function checkTerm(checking: Checking, predicate: Predicate): CheckedTerm {
  switch (predicate.kind) {
    case 'constant':
      return predicate;
    case 'and':
    case 'or':
      return { kind: predicate.kind, terms: predicate.terms.map((term) => checkTerm(checking, term)) };
    case 'not':
      return { kind: 'not', term: checkTerm(checking, predicate.term) };
    case 'comparison':
      return checkComparison(checking, predicate);
  }
}

function checkComparison(checking: Checking, comparison: Predicate & { kind: 'comparison' }): CheckedTerm {
  const { operator, ignoreCase, operand, column } = comparison;
  const path = resolvePath(checking, comparison.path, column);
  const target = { catalog: checking.catalog, path, leaf: leafOf(path), operator, ignoreCase };
  assertOperator(target, column);
  const inList = operand.kind === 'list';
  const items = (inList ? operand.items : [operand]).map((item) => checkItem(target, item, inList));
  for (const item of items) {
    if (item.kind === 'placeholder') checking.placeholders = Math.max(checking.placeholders, item.index + 1);
  }
  const values = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
  return values.length === items.length ? buildComparison(target, values) : { kind: 'open', target, items };
}

function resolvePath({ catalog, classes, paths }: Checking, text: string, column: number): FieldPath {
  const known = paths.get(text);
  if (known) return known;
  const path = findFieldPath(catalog, classes, text);
  if (typeof path === 'string') {
    const details = { path: text, type: classes[0] ?? '', column };
    throw new DomainError('unknown_field', `Column ${column}: ${path}`, details);
  }
  paths.set(text, path);
  return path;
}

function leafOf({ leaf, through }: FieldPath): LeafType {
  return through ? leafOf(through.path) : leaf;
}

function assertOperator(target: ConversionTarget, column: number): void {
  const { operator, ignoreCase, leaf } = target;
  const family = familyOf(leaf);
  if (!operatorFits(operator, family)) {
    const fitting = operators.filter((other) => operatorFits(other, family));
    const spellings = fitting.map((other) => operatorSpellings[other][0]).join(' ');
    throw predicateType(column, `expected one of ${spellings} for ${describeTarget(target)}`);
  }
  if (ignoreCase && (family !== 'text' || isOrdering(operator))) {
    throw predicateType(column, `expected no [c], which applies to texts, but not to their order`);
  }
}

function checkItem(target: ConversionTarget, operand: Operand, inList: boolean): OpenItem {
  const { kind, column } = operand;
  if (kind === 'placeholder') return { kind, index: operand.index, column, inList };
  const value = { value: literalOf(operand), column, literal: true };
  const written = kind === 'number' ? { ...value, written: operand.text } : value;
  return { kind: 'value', value: convertValue(target, written) };
}

function literalOf(operand: Exclude<Operand, { kind: 'placeholder' }>): unknown {
  switch (operand.kind) {
    case 'text':
      return operand.text;
    case 'number':
      return Number(operand.text);
    case 'boolean':
      return operand.boolean;
    case 'missing':
      return null;
    case 'list':
      // The parser never builds a list inside a list; the conversion refuses one in any other tree.
      return operand.items;
  }
}
