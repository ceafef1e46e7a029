/**
 * Evaluates predicates on assets in memory. This defines what predicates mean, and every store must agree with it. `sort.ts` uses
 * the same values and comparisons.
 *
 * A stored value of another type than its field declares matches nothing.
 */
import type { Asset, JsonObject } from '../model/content-type.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { BoundAny, BoundComparison, BoundPredicate, BoundValue } from './ast.ts';
import { readsTexts } from './ast.ts';
import type { OrderOperator, PartOperator } from './operators.ts';
import { findItems, PathValues, type ResolveReference } from './path-values.ts';
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
 * only once, for all terms that need it.
 */
export function prepareEvaluation(
  predicate: BoundPredicate,
  onComparison: ComparisonObserver = () => {},
): EvaluationTest {
  const outcomes: Outcomes[] = [];
  const holds = prepareWithin(predicate, { onComparison, outcomes });
  return (holder, resolve) => {
    for (const known of outcomes) known.clear();
    return holds(holder, resolve);
  };
}

/**
 * Called before each comparison, with the number of characters that it looks through; may throw to end a long evaluation.
 */
export type ComparisonObserver = (characters: number) => void;

/** Which of the assets that references lead to match, by `_id`: in one evaluation, each is tested once at each step of a path. */
type Outcomes = Map<unknown, boolean>;

interface EvaluationParts {
  readonly onComparison: ComparisonObserver;
  readonly outcomes: Outcomes[];
}

function prepareWithin(predicate: BoundPredicate, parts: EvaluationParts): EvaluationTest {
  const valuesByPath = new Map<string, PathValues>();
  const valuesOf = (path: FieldPath): PathValues => {
    const values = valuesByPath.get(path.text) ?? new PathValues(path);
    valuesByPath.set(path.text, values);
    return values;
  };
  const holds = toTest(predicate, { ...parts, valuesOf });
  const all = [...valuesByPath.values()];
  return (holder, resolve) => {
    for (const values of all) values.begin(holder);
    return holds(holder, resolve);
  };
}

/** Tells whether a predicate holds for an asset, or for the embedded value at which its paths begin. */
export type EvaluationTest = (holder: JsonObject, resolve: ResolveReference) => boolean;

interface TestParts extends EvaluationParts {
  readonly valuesOf: (path: FieldPath) => PathValues;
}

function toTest(predicate: BoundPredicate, parts: TestParts): EvaluationTest {
  switch (predicate.kind) {
    case 'constant':
      return () => predicate.value;
    case 'and':
    case 'or': {
      const tests = predicate.terms.map((term) => toTest(term, parts));
      return predicate.kind === 'and'
        ? (...of) => tests.every((test) => test(...of))
        : (...of) => tests.some((test) => test(...of));
    }
    case 'not': {
      const test = toTest(predicate.term, parts);
      return (...of) => !test(...of);
    }
    case 'any':
      return toItemTest(predicate, parts);
    default: {
      const values = parts.valuesOf(predicate.path);
      const test = toComparison(predicate, values);
      return () => {
        parts.onComparison(readsTexts(predicate) ? values.characters() : 0);
        return test();
      };
    }
  }
}

function toItemTest(any: BoundAny, { onComparison, outcomes }: TestParts): EvaluationTest {
  const holds = prepareWithin(any.where, { onComparison, outcomes });
  const known: Outcomes = new Map();
  if (any.targets) outcomes.push(known);
  return (holder, resolve) => {
    onComparison(0);
    return findItems(holder, any, resolve).some((item) => {
      if (!any.targets) return holds(item, resolve);
      const outcome = known.get(item._id) ?? holds(item, resolve);
      known.set(item._id, outcome);
      return outcome;
    });
  };
}

/** Orders two values of one field: below, above or equal to 0. Texts go by code point, and false before true. */
export function compareValues(value: BoundValue, other: BoundValue): number {
  return typeof value === 'string' && typeof other === 'string'
    ? compareText(value, other)
    : Number(value) - Number(other);
}

function toComparison(term: BoundComparison, path: PathValues): () => boolean {
  switch (term.kind) {
    case 'missing':
      return () => !path.isPresent();
    case 'empty':
      return () => path.isEmptyList();
    case 'equals': {
      const wanted = new Set(term.values);
      const isWanted = (value: BoundValue) => wanted.has(value);
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
export const orderTests: Readonly<Record<OrderOperator, (difference: number) => boolean>> = {
  lt: (difference) => difference < 0,
  le: (difference) => difference <= 0,
  gt: (difference) => difference > 0,
  ge: (difference) => difference >= 0,
};

const partTests: Readonly<Record<PartOperator, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  contains: (text, part) => text.includes(part),
};
