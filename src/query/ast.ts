/**
 * The predicate language's two trees.
 *
 * `Predicate` is what the parser reads and the printer writes: names and values as they were written, with columns.
 * `BoundPredicate` is what `check.ts` and `bind.ts` make of it for one content type: paths resolved, values converted to the
 * field's type, operators reduced to five. Stores compile bound predicates and nothing else; `evaluate.ts` says what each means.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { Operator } from './operators.ts';

/** A value as written. `text` is a bare word or a quoted string; an unnumbered placeholder gets its index from its order. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly column: number }
  | { readonly kind: 'number'; readonly number: number; readonly column: number }
  | { readonly kind: 'boolean'; readonly boolean: boolean; readonly column: number }
  | { readonly kind: 'missing'; readonly column: number }
  | { readonly kind: 'placeholder'; readonly index: number; readonly column: number }
  | { readonly kind: 'list'; readonly items: readonly Operand[]; readonly column: number };

/** A predicate as written. `and` and `or` hold two terms or more. Columns count characters from 1. */
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
    };

/** A value to compare with, of the field's own type: text for strings, enums, IDs, references and types. */
export type BoundValue = string | number | boolean;

/**
 * A predicate ready for a store. Every node is either true or false of an asset, never unknown: a comparison of an absent
 * field is false, and `not` turns that round.
 *
 * - `equals`: some value of the path equals one of `values` (one at least). With `ignoreCase`, `values` are folded.
 * - `compare`: some value lies on that side of `value`; texts are ordered by code point.
 * - `text`: some value starts with, or contains, `value` (not empty). With `ignoreCase`, `value` is folded.
 * - `words`: some value has one of `words`, or all of them (one at least, folded, sorted, without repeats).
 * - `missing`: the path reaches no value: nowhere along it is the last field present. An empty list is present.
 */
export type BoundPredicate =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly BoundPredicate[] }
  | { readonly kind: 'not'; readonly term: BoundPredicate }
  | BoundComparison;

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
      readonly operator: 'lt' | 'le' | 'gt' | 'ge';
      readonly value: string | number;
    }
  | {
      readonly kind: 'text';
      readonly path: FieldPath;
      readonly operator: 'startsWith' | 'contains';
      readonly value: string;
      readonly ignoreCase: boolean;
    }
  | {
      readonly kind: 'words';
      readonly path: FieldPath;
      readonly words: readonly string[];
      readonly all: boolean;
    }
  | { readonly kind: 'missing'; readonly path: FieldPath };
