/**
 * Evaluates predicates on assets in memory. This defines what predicates mean, and every store must agree with it. `sort.ts` uses
 * the same values and comparisons.
 *
 * A stored value of another type than its field declares matches nothing.
 */
import type { Asset } from '../model/content-type.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { BoundComparison, BoundPredicate, BoundValue } from './ast.ts';
import type { OrderOperator, PartOperator } from './operators.ts';
import { PathValues, type ResolveReference } from './path-values.ts';
import { compareText, toWordTest } from './text.ts';

/** A bound predicate, the asset to test, and a function that finds the targets of references. */
export interface Evaluation {
  readonly predicate: BoundPredicate;
  readonly asset: Asset;
  readonly resolve: ResolveReference;
}

/** Tells whether a predicate holds for an asset. */
export const evaluatePredicate = ({ predicate, asset, resolve }: Evaluation): boolean =>
  prepareEvaluation(predicate)(asset, resolve);

/**
 * Prepares a predicate for evaluation on many assets, one after the other. Each text of an asset is folded and split into words
 * only once, for all terms that need it. `onComparison` is called before each comparison and may throw to end a long evaluation.
 */
export function prepareEvaluation(
  predicate: BoundPredicate,
  onComparison: () => void = () => {},
): (asset: Asset, resolve: ResolveReference) => boolean {
  const valuesByPath = new Map<string | FieldPath, PathValues>();
  const valuesOf = (path: FieldPath): PathValues => {
    // Two paths that follow references can have the same text, so the path object itself is their key.
    const key = path.through ? path : path.text;
    const values = valuesByPath.get(key) ?? new PathValues(path);
    valuesByPath.set(key, values);
    return values;
  };
  const holds = toTest(predicate, { valuesOf, onComparison });
  const all = [...valuesByPath.values()];
  return (asset, resolve) => {
    for (const values of all) values.begin(asset, resolve);
    return holds();
  };
}

type Test = () => boolean;

interface TestParts {
  readonly valuesOf: (path: FieldPath) => PathValues;
  readonly onComparison: () => void;
}

function toTest(predicate: BoundPredicate, parts: TestParts): Test {
  switch (predicate.kind) {
    case 'constant':
      return () => predicate.value;
    case 'and':
    case 'or': {
      const tests = predicate.terms.map((term) => toTest(term, parts));
      const test = (each: Test) => each();
      return predicate.kind === 'and' ? () => tests.every(test) : () => tests.some(test);
    }
    case 'not': {
      const test = toTest(predicate.term, parts);
      return () => !test();
    }
    default: {
      const test = toComparison(predicate, parts.valuesOf(predicate.path));
      return () => {
        parts.onComparison();
        return test();
      };
    }
  }
}

/** Orders two values of one field: below, above or equal to 0. Texts go by code point, and false before true. */
export function compareValues(value: BoundValue, other: BoundValue): number {
  return typeof value === 'string' && typeof other === 'string'
    ? compareText(value, other)
    : Number(value) - Number(other);
}

function toComparison(term: BoundComparison, path: PathValues): Test {
  switch (term.kind) {
    case 'missing':
      return () => !path.isPresent();
    case 'equals': {
      const isWanted = (value: BoundValue) => term.values.includes(value);
      return term.ignoreCase ? () => path.folded().some(isWanted) : () => path.values().some(isWanted);
    }
    case 'compare':
      return () => path.values().some((value) => orderTests[term.operator](compareValues(value, term.value)));
    case 'text': {
      const hasPart = partTests[term.operator];
      const isWanted = (value: BoundValue) => hasPart(String(value), term.value);
      return term.ignoreCase ? () => path.folded().some(isWanted) : () => path.values().some(isWanted);
    }
    case 'words': {
      const tests = term.words.map(toWordTest);
      const hasWanted = (words: ReadonlySet<string>) =>
        term.all ? tests.every((test) => test(words)) : tests.some((test) => test(words));
      return () => path.words().some(hasWanted);
    }
  }
}

/** Whether a value with this difference to the compared one matches. */
const orderTests: Readonly<Record<OrderOperator, (difference: number) => boolean>> = {
  lt: (difference) => difference < 0,
  le: (difference) => difference <= 0,
  gt: (difference) => difference > 0,
  ge: (difference) => difference >= 0,
};

const partTests: Readonly<Record<PartOperator, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  contains: (text, part) => text.includes(part),
};
