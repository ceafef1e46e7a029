/**
 * The two trees of the predicate language.
 *
 * `Predicate` is the result of parsing: names and values as written, with their columns.
 * `BoundPredicate` is the result of `check.ts` and `prepare.ts`: paths are resolved, values have the type of their field, and of
 * the operators the kinds of `BoundComparison` remain. Stores compile only bound predicates; `evaluate.ts` defines their meaning.
 */

import type { FieldPath } from '../model/field-path.ts';
import { type Operator, type OrderOperator, type PartOperator, partPlaces } from './operators.ts';

/** A value as written. The text of a number keeps all its digits. `text` is a bare word or a quoted string; a placeholder without a number is numbered by its position. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly column: number }
  | { readonly kind: 'number'; readonly text: string; readonly column: number }
  | { readonly kind: 'boolean'; readonly boolean: boolean; readonly column: number }
  | { readonly kind: 'missing'; readonly column: number }
  | { readonly kind: 'placeholder'; readonly index: number; readonly column: number }
  /** The value of another field, as `@check` may compare with. */
  | { readonly kind: 'field'; readonly path: string; readonly column: number }
  | { readonly kind: 'list'; readonly items: readonly Operand[]; readonly column: number }
  /** A list without items, as a value: `tags = []`, but not `tags in []`. */
  | { readonly kind: 'empty'; readonly column: number };

/** How many items of a list must match. */
export type Quantifier = 'any' | 'every' | 'none';

/** A predicate as written. `and` and `or` have at least two terms. Columns count characters from 1. */
export type Predicate =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Predicate[] }
  | { readonly kind: 'not'; readonly term: Predicate }
  | {
      readonly kind: 'comparison';
      readonly path: string;
      readonly operator: Operator;
      readonly ignoreCase: boolean;
      readonly operand: Operand;
      readonly column: number;
    }
  | {
      readonly kind: 'items';
      readonly path: string;
      readonly quantifier: Quantifier;
      /** Its paths begin at an item. */
      readonly where: Predicate;
      readonly column: number;
    };

/** A value to compare with, of the field's own type: text for strings, enums, IDs, references and types, the order key for `ordered` scalars. */
export type BoundValue = string | number | boolean;

/**
 * A predicate ready for a store. For an asset, every node is either true or false: a comparison with an absent
 * field is false, and its negation true.
 *
 * - `equals`: some value of the path equals one of `values` (at least one). With `ignoreCase`, `values` are folded.
 * - `compare`: some value is less or greater than `value`, as `operator` says; texts are ordered by code point.
 * - `text`: some value has the part `value` (not empty) where `operator` says. With `ignoreCase`, `value` is folded.
 * - `words`: some value has one of `words`, or all of them (at least one, folded, sorted, without duplicates). One that ends with `*`
 *   stands for all words that begin with what precedes it.
 * - `missing`: the last field of the path is present nowhere. An empty list counts as present.
 * - `empty`: some value of the last field of the path is a list without items.
 *
 * Only `any` goes through references, so the paths of comparisons do not.
 */
export type BoundPredicate =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly BoundPredicate[] }
  | { readonly kind: 'not'; readonly term: BoundPredicate }
  | BoundAny
  | BoundComparison;

/**
 * Holds when one of the items that a path leads to matches `where`, whose paths begin at the item: at an embedded value or, with
 * `targets`, at the asset of one of these classes that a reference points to. A value that is no such item matches nothing.
 */
export interface BoundAny {
  readonly kind: 'any';
  readonly path: FieldPath;
  readonly targets?: readonly string[];
  readonly where: BoundPredicate;
}

export type BoundComparison =
  | {
      readonly kind: 'equals';
      readonly path: FieldPath;
      readonly values: readonly BoundValue[];
      readonly ignoreCase: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly path: FieldPath;
      readonly operator: OrderOperator;
      readonly value: string | number;
    }
  | {
      readonly kind: 'text';
      readonly path: FieldPath;
      readonly operator: PartOperator;
      readonly value: string;
      readonly ignoreCase: boolean;
    }
  | {
      readonly kind: 'words';
      readonly path: FieldPath;
      readonly words: readonly string[];
      readonly all: boolean;
    }
  | { readonly kind: 'missing' | 'empty'; readonly path: FieldPath };

export type ValueComparison = Exclude<BoundComparison, { kind: 'missing' | 'empty' }>;

/** Returns how many comparisons a predicate consists of, or how many of one sort. */
export function countComparisons(
  predicate: BoundPredicate,
  isCounted: (comparison: BoundComparison) => boolean = () => true,
): number {
  switch (predicate.kind) {
    case 'constant':
      return 0;
    case 'any':
      return countComparisons(predicate.where, isCounted);
    case 'not':
      return countComparisons(predicate.term, isCounted);
    case 'and':
    case 'or':
      return predicate.terms.reduce((sum, term) => sum + countComparisons(term, isCounted), 0);
    default:
      return isCounted(predicate) ? 1 : 0;
  }
}

/** Tells whether a comparison looks through whole texts, for a part or for words. */
export function readsTexts(comparison: BoundComparison): boolean {
  switch (comparison.kind) {
    case 'words':
      return true;
    case 'text':
      return partPlaces[comparison.operator] === 'anywhere';
    case 'equals':
    case 'compare':
    case 'missing':
    case 'empty':
      return false;
  }
}

/** Lists the comparisons of a predicate and its items, each item before what is compared in it. */
export function partsOf(predicate: BoundPredicate): readonly (BoundAny | BoundComparison)[] {
  switch (predicate.kind) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return predicate.terms.flatMap(partsOf);
    case 'not':
      return partsOf(predicate.term);
    case 'any':
      return [predicate, ...partsOf(predicate.where)];
    default:
      return [predicate];
  }
}

/** Lists the steps of a predicate through references, with the classes that each leads to. */
export const stepsOf = (predicate: BoundPredicate) =>
  partsOf(predicate).flatMap((part) =>
    part.kind === 'any' && part.targets ? [{ ...part, targets: part.targets }] : [],
  );

/** Returns the first path of a predicate as it is written in predicates: `author/name`. */
export function firstPathOf(predicate: BoundPredicate): string | undefined {
  const [first] = partsOf(predicate);
  if (first?.kind !== 'any') return first?.path.text;
  const inner = firstPathOf(first.where);
  return inner === undefined ? first.path.text : `${first.path.text}${first.targets ? '/' : '.'}${inner}`;
}
