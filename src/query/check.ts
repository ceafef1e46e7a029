/**
 * Checks a parsed predicate against the catalog: resolves its paths, and verifies that each operator and value fits its field.
 *
 * Does all work that needs no placeholder values, so that binding is cheap and a checked predicate can be cached together with
 * its catalog.
 */
import { DomainError, predicateType } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import {
  type FieldPath,
  findFieldPath,
  lastTargetsOf,
  type PathRoot,
  targetsOfPath,
} from '../model/field-path.ts';
import type { BoundAny, BoundComparison, Operand, Predicate, Quantifier } from './ast.ts';
import {
  buildComparison,
  buildEmpty,
  type ConversionTarget,
  type Converted,
  convertValue,
  describeTarget,
} from './build-comparison.ts';
import { allowsIgnoreCase, familyOf, operatorFits, operatorSpellings, operators } from './operators.ts';

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
  | BoundAny
  | BoundComparison
  | OpenComparison
  | OpenItems;

/** A condition on the items of a list; of references, `path` leads to the `_id` of their targets. */
export interface OpenItems {
  readonly kind: 'items';
  readonly path: FieldPath;
  readonly quantifier: Quantifier;
  readonly where: CheckedTerm;
}

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
 * Checks a predicate for assets of some classes, or for embedded values of a type.
 *
 * Errors: unknown_field, predicate_type (column, and what was expected).
 */
export function checkPredicate(request: {
  catalog: Catalog;
  root: PathRoot;
  predicate: Predicate;
}): CheckedPredicate {
  const found: Found = { placeholders: 0, targets: new Set() };
  const { catalog, root, predicate } = request;
  const term = checkTerm({ catalog, root, paths: new Map(), found }, predicate);
  return { term, placeholders: found.placeholders, targets: [...found.targets] };
}

/** What paths begin at, and what a predicate turns out to need. */
interface Checking {
  readonly catalog: Catalog;
  readonly root: PathRoot;
  readonly paths: Map<string, FieldPath>;
  readonly found: Found;
}

interface Found {
  placeholders: number;
  readonly targets: Set<string>;
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
    case 'items':
      return checkItems(checking, predicate);
  }
}

function checkItems(checking: Checking, items: Predicate & { kind: 'items' }): CheckedTerm {
  const { path: text, quantifier, column } = items;
  const list = resolvePath(checking, text, column);
  const { steps, leaf } = endOf(list);
  const isReference = leaf.kind === 'reference';
  if (!steps.at(-1)?.list || !(isReference || leaf.kind === 'embedded')) {
    const expected = `expected a list of embedded values or of references before "${quantifier}"`;
    throw predicateType(column, `${expected}, not ${describeTarget({ path: list, leaf })}`);
  }
  const path = isReference ? resolvePath(checking, `${text}/_id`, column) : list;
  const root = isReference ? lastTargetsOf(path) : leaf.type;
  const where = checkTerm({ ...checking, root, paths: new Map() }, items.where);
  return { kind: 'items', path, quantifier, where };
}

function checkComparison(checking: Checking, comparison: Predicate & { kind: 'comparison' }): CheckedTerm {
  const { operator, ignoreCase, operand, column } = comparison;
  const path = resolvePath(checking, comparison.path, column);
  const { leaf, steps } = endOf(path);
  const target = { catalog: checking.catalog, path, leaf, operator, ignoreCase };
  assertOperator(target, column);
  if (operand.kind === 'empty') {
    if (!steps.at(-1)?.list)
      throw predicateType(
        operand.column,
        `expected no [] for ${describeTarget(target)}, which is not a list`,
      );
    return operator === 'equals' ? buildEmpty(path) : { kind: 'not', term: buildEmpty(path) };
  }
  const inList = operand.kind === 'list';
  const items = (inList ? operand.items : [operand]).map((item) => checkItem(target, item, inList));
  for (const item of items) {
    if (item.kind === 'placeholder')
      checking.found.placeholders = Math.max(checking.found.placeholders, item.index + 1);
  }
  const values = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
  return values.length === items.length ? buildComparison(target, values) : { kind: 'open', target, items };
}

function resolvePath({ catalog, root, paths, found }: Checking, text: string, column: number): FieldPath {
  const known = paths.get(text);
  if (known) return known;
  const path = findFieldPath(catalog, root, text);
  if (typeof path === 'string') {
    const details = { path: text, type: ('fields' in root ? root.name : root[0]) ?? '', column };
    throw new DomainError('unknown_field', `Column ${column}: ${path}`, details);
  }
  paths.set(text, path);
  for (const target of targetsOfPath(path)) found.targets.add(target);
  return path;
}

const endOf = (path: FieldPath): FieldPath => (path.through ? endOf(path.through.path) : path);

function assertOperator(target: ConversionTarget, column: number): void {
  const { operator, ignoreCase, leaf } = target;
  const family = familyOf(leaf);
  if (!operatorFits(operator, family)) {
    const fitting = operators.filter((other) => operatorFits(other, family));
    const spellings = fitting.map((other) => operatorSpellings[other][0]).join(' ');
    throw predicateType(column, `expected one of ${spellings} for ${describeTarget(target)}`);
  }
  if (ignoreCase && family !== 'text') throw predicateType(column, 'expected no [c], which applies to texts');
  if (ignoreCase && !allowsIgnoreCase(operator))
    throw predicateType(column, `expected no [c] after ${operatorSpellings[operator][0]}`);
}

function checkItem(target: ConversionTarget, operand: Operand, inList: boolean): OpenItem {
  const { kind, column } = operand;
  if (kind === 'field')
    throw predicateType(
      column,
      `expected a value for ${describeTarget(target)}: only @check compares with field(…), outside of lists`,
    );
  if (kind === 'placeholder') return { kind, index: operand.index, column, inList };
  const value = { value: literalOf(operand), column, literal: true };
  const written = kind === 'number' ? { ...value, written: operand.text } : value;
  return { kind: 'value', value: convertValue(target, written) };
}

function literalOf(operand: Exclude<Operand, { kind: 'placeholder' | 'field' }>): unknown {
  switch (operand.kind) {
    case 'text':
      return operand.text;
    case 'number':
      return Number(operand.text);
    case 'boolean':
      return operand.boolean;
    case 'missing':
      return null;
    case 'empty':
      return [];
    case 'list':
      // The parser never builds a list inside a list; the conversion refuses one in any other tree.
      return operand.items;
  }
}
