/**
 * Evaluates predicates on assets in memory. This defines what predicates mean, and every store must agree with it. `sort.ts` uses
 * the same values and comparisons.
 *
 * A stored value of another type than its field declares matches nothing.
 */
import type { Asset, Json } from '../model/content-type.ts';
import type { FieldPath, LeafType, PathStep } from '../model/field-path.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { BoundComparison, BoundPredicate, BoundValue } from './ast.ts';
import { familyOf } from './operators.ts';
import { compareText, foldCase, toWords } from './text.ts';

/** A bound predicate, the asset to test, and a function that finds the targets of references. */
export interface Evaluation {
  readonly predicate: BoundPredicate;
  readonly asset: Asset;
  readonly resolve: (id: string) => Asset | undefined;
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
): (asset: Asset, resolve: Evaluation['resolve']) => boolean {
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

/** Finds the values of a path within one asset, in the form that predicates and orders compare. Only lists give more than one. */
export function findValues(asset: Asset, path: FieldPath): readonly BoundValue[] {
  return comparables({ assets: [asset], path });
}

/** Orders two values of one field: below, above or equal to 0. Texts go by code point, and false before true. */
export function compareValues(value: BoundValue, other: BoundValue): number {
  return typeof value === 'string' && typeof other === 'string'
    ? compareText(value, other)
    : Number(value) - Number(other);
}

/** The end of a path: the assets that contain its last field, and the rest of the path inside them. */
interface PathEnd {
  readonly assets: readonly Asset[];
  readonly path: FieldPath;
}

/** Follows the references of a path from the given assets. */
function resolvePath(assets: readonly Asset[], path: FieldPath, resolve: Evaluation['resolve']): PathEnd {
  if (!path.through) return { assets, path };
  const { targets, path: rest } = path.through;
  const ids = new Set(comparables({ assets, path }).map(String));
  const found = [...ids].flatMap((id) => resolve(id) ?? []);
  return resolvePath(
    found.filter(({ _type }) => targets.includes(_type)),
    rest,
    resolve,
  );
}

/** The values of a path in the current asset, as stored, case-folded, and as words. Each form is computed when first needed. */
class PathValues {
  readonly #path: FieldPath;
  readonly #richText: boolean;
  #asset: Asset | undefined;
  #resolve: Evaluation['resolve'] = () => undefined;
  #values: readonly BoundValue[] | undefined;
  #folded: readonly BoundValue[] | undefined;
  #words: readonly ReadonlySet<string>[] | undefined;

  constructor(path: FieldPath) {
    const { leaf } = lastOf(path);
    this.#path = path;
    this.#richText = leaf.kind === 'scalar' && leaf.scalar === 'RichText';
  }

  begin(asset: Asset, resolve: Evaluation['resolve']): void {
    this.#asset = asset;
    this.#resolve = resolve;
    this.#values = undefined;
    this.#folded = undefined;
    this.#words = undefined;
  }

  isPresent(): boolean {
    return lastFields(this.#resolvePath()).length > 0;
  }

  values(): readonly BoundValue[] {
    this.#values ??= comparables(this.#resolvePath());
    return this.#values;
  }

  folded(): readonly BoundValue[] {
    this.#folded ??= this.values().map(fold);
    return this.#folded;
  }

  words(): readonly ReadonlySet<string>[] {
    this.#words ??= this.values().map(
      (value) => new Set(toWords(String(value), { richText: this.#richText })),
    );
    return this.#words;
  }

  #resolvePath(): PathEnd {
    return resolvePath(this.#asset ? [this.#asset] : [], this.#path, this.#resolve);
  }
}

const lastOf = (path: FieldPath): FieldPath => (path.through ? lastOf(path.through.path) : path);

function toComparison(term: BoundComparison, path: PathValues): Test {
  switch (term.kind) {
    case 'missing':
      return () => !path.isPresent();
    case 'equals': {
      const isWanted = (value: BoundValue) => term.values.includes(value);
      return term.ignoreCase ? () => path.folded().some(isWanted) : () => path.values().some(isWanted);
    }
    case 'compare':
      return () => path.values().some((value) => isOnSide(term.operator, compareValues(value, term.value)));
    case 'text': {
      const isWanted = (value: BoundValue) =>
        term.operator === 'contains'
          ? String(value).includes(term.value)
          : String(value).startsWith(term.value);
      return term.ignoreCase ? () => path.folded().some(isWanted) : () => path.values().some(isWanted);
    }
    case 'words': {
      const hasWanted = (words: ReadonlySet<string>) =>
        term.all ? term.words.every((word) => words.has(word)) : term.words.some((word) => words.has(word));
      return () => path.words().some(hasWanted);
    }
  }
}

/** Finds the single values of a path, in the form that predicates compare: a reference is its `_ref`. */
function comparables(end: PathEnd): readonly BoundValue[] {
  const { leaf, steps } = end.path;
  const found: BoundValue[] = [];
  for (const field of lastFields(end)) {
    for (const item of itemsOf(field, steps.at(-1))) {
      const value = toComparable(item, leaf);
      if (value !== undefined) found.push(value);
    }
  }
  return found;
}

/** Finds all values of a path's last field. A list counts as one value. */
function lastFields({ assets, path }: PathEnd): readonly Json[] {
  let holders: readonly Json[] = assets;
  let fields: readonly Json[] = [];
  for (const step of path.steps) {
    fields = holders.flatMap((holder) => membersOf(holder, step.name));
    holders = fields.flatMap((field) => itemsOf(field, step));
  }
  return fields;
}

function membersOf(holder: Json, name: string): readonly Json[] {
  const value = isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
  return value === undefined || value === null ? [] : [value];
}

function itemsOf(field: Json, step: PathStep | undefined): readonly Json[] {
  if (!step?.list) return [field];
  return Array.isArray(field) ? field : [];
}

function toComparable(value: Json | undefined, leaf: LeafType): BoundValue | undefined {
  switch (familyOf(leaf)) {
    case 'reference':
      return isJsonObject(value) && typeof value._ref === 'string' ? value._ref : undefined;
    case 'text':
    case 'type':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'opaque':
      return undefined;
  }
}

const fold = (value: BoundValue): BoundValue => (typeof value === 'string' ? foldCase(value) : value);

function isOnSide(operator: 'lt' | 'le' | 'gt' | 'ge', difference: number): boolean {
  switch (operator) {
    case 'lt':
      return difference < 0;
    case 'le':
      return difference <= 0;
    case 'gt':
      return difference > 0;
    case 'ge':
      return difference >= 0;
  }
}
