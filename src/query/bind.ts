/**
 * Fills the placeholders of a checked predicate. The result is the bound predicate that stores compile.
 *
 * Values are converted to the declared type of the field they are compared with; nothing is parsed or resolved again.
 */
import { predicateType, valuesMismatch } from '../base/errors.ts';
import type { BoundPredicate } from './ast.ts';
import { allOf, anyOf, buildComparison, buildItems, negate } from './build-comparison.ts';
import type { CheckedPredicate, CheckedTerm, OpenComparison, OpenItem } from './check.ts';
import { type ConversionTarget, type Converted, convertValue } from './convert-value.ts';
import type { Literal } from './cut-literals.ts';
import { predicateLimits } from './limits.ts';

/**
 * Binds a predicate to the values of its placeholders.
 *
 * Shapes: each of `values` is a text, number, boolean, `null` (missing), or a list of these (any of them).
 * Errors: values_mismatch; predicate_type, with the placeholder's column.
 */
export function bindPredicate(checked: CheckedPredicate, values: readonly unknown[]): BoundPredicate {
  if (values.length !== checked.placeholders) throw valuesMismatch(checked.placeholders, values.length);
  return bindTerm({ values, filled: 0 }, checked.term);
}

/**
 * Binds a predicate whose placeholders stand for the literals of a text. The columns of errors are those of another text.
 *
 * Errors: predicate_type.
 */
export function bindLiterals(outline: CheckedPredicate, literals: readonly Literal[]): BoundPredicate {
  return bindTerm({ values: [], literals, filled: 0 }, outline.term);
}

/**
 * Checks one value against each placeholder that it fills, independently of the other values.
 *
 * Errors: predicate_type, with the placeholder's column.
 */
export function checkValue({ term }: CheckedPredicate, index: number, value: unknown): void {
  const values: unknown[] = [];
  values[index] = value;
  const check = (within: CheckedTerm): void => {
    if (within.kind === 'and' || within.kind === 'or') within.terms.forEach(check);
    if (within.kind === 'not') check(within.term);
    if (within.kind === 'items') check(within.where);
    if (within.kind !== 'open') return;
    for (const item of within.items) {
      if (item.kind === 'placeholder' && item.index === index)
        fill({ values, filled: 0 }, within.target, item);
    }
  };
  check(term);
}

interface Binding {
  readonly values: readonly unknown[];
  /** What fills the placeholders in place of values. */
  readonly literals?: readonly Literal[];
  filled: number;
}

function bindTerm(binding: Binding, term: CheckedTerm): BoundPredicate {
  switch (term.kind) {
    case 'and':
      return allOf(term.terms.map((each) => bindTerm(binding, each)));
    case 'or':
      return anyOf(term.terms.map((each) => bindTerm(binding, each)));
    case 'not':
      return negate(bindTerm(binding, term.term));
    case 'items':
      return buildItems(term.path, term.quantifier, bindTerm(binding, term.where));
    case 'open':
      return bindComparison(binding, term);
    default:
      return term;
  }
}

function bindComparison(binding: Binding, { target, items }: OpenComparison): BoundPredicate {
  return buildComparison(
    target,
    items.flatMap((item) => fill(binding, target, item)),
  );
}

function fill(binding: Binding, target: ConversionTarget, item: OpenItem): readonly Converted[] {
  if (item.kind === 'value') return [item.value];
  const { index, column, inList } = item;
  const literal = binding.literals?.[index];
  if (literal) return [convertValue(target, { ...literal, column })];
  const given = binding.values[index];
  // A list inside a list is not a single value, so the conversion refuses it.
  const singles = Array.isArray(given) && !inList ? given : [given];
  binding.filled += singles.length;
  if (binding.filled > predicateLimits.operands) {
    throw predicateType(column, `expected at most ${predicateLimits.operands} values in total`);
  }
  return singles.map((value) => convertValue(target, { value, column, literal: false, index }));
}
