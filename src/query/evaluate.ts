/**
 * The reference meaning of predicates: whether one holds of an asset in memory. Every store must agree with it.
 * What a value is, and which of two is less, is settled here for orders too (`sort.ts`).
 *
 * A value of another type than its field's declares, as foreign writers may leave, matches nothing.
 */
import type { Asset, Json } from '../model/content-type.ts';
import type { FieldPath, LeafType, PathStep } from '../model/field-path.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import type { BoundComparison, BoundPredicate, BoundValue } from './ast.ts';
import { familyOf } from './operators.ts';
import { compareText, foldCase, toWords } from './text.ts';

/** A bound predicate, the asset it is asked of, and where the assets are that references lead to. */
export interface Evaluation {
  readonly predicate: BoundPredicate;
  readonly asset: Asset;
  readonly resolve: (id: string) => Asset | undefined;
}

/** Whether a predicate holds of an asset. */
export function evaluatePredicate({ predicate, asset, resolve }: Evaluation): boolean {
  const holds = (term: BoundPredicate): boolean => {
    switch (term.kind) {
      case 'constant':
        return term.value;
      case 'and':
        return term.terms.every(holds);
      case 'or':
        return term.terms.some(holds);
      case 'not':
        return !holds(term.term);
      default:
        return compares(term, arrive([asset], term.path, resolve));
    }
  };
  return holds(predicate);
}

/** The values a path reaches within one asset, in the form predicates and orders compare; lists alone make them several. */
export function findValues(asset: Asset, path: FieldPath): readonly BoundValue[] {
  return comparables({ assets: [asset], path });
}

/** Orders two values of one field: below, above or equal to 0. Texts go by code point, and false before true. */
export function compareValues(value: BoundValue, other: BoundValue): number {
  return typeof value === 'string' && typeof other === 'string'
    ? compareText(value, other)
    : Number(value) - Number(other);
}

/** Where a path leads: the assets that hold its last field, and the rest of the path inside them. */
interface Arrival {
  readonly assets: readonly Asset[];
  readonly path: FieldPath;
}

function arrive(assets: readonly Asset[], path: FieldPath, resolve: Evaluation['resolve']): Arrival {
  if (!path.through) return { assets, path };
  const { targets, path: rest } = path.through;
  const ids = new Set(comparables({ assets, path }).map(String));
  const found = [...ids].flatMap((id) => resolve(id) ?? []);
  return arrive(
    found.filter(({ _type }) => targets.includes(_type)),
    rest,
    resolve,
  );
}

function compares(term: BoundComparison, arrival: Arrival): boolean {
  switch (term.kind) {
    case 'missing':
      return lastFields(arrival).length === 0;
    case 'equals':
      return comparables(arrival).some((value) =>
        term.values.includes(term.ignoreCase ? fold(value) : value),
      );
    case 'compare':
      return comparables(arrival).some((value) => isOnSide(term.operator, compareValues(value, term.value)));
    case 'text':
      return comparables(arrival).some((value) => {
        const text = String(term.ignoreCase ? fold(value) : value);
        return term.operator === 'contains' ? text.includes(term.value) : text.startsWith(term.value);
      });
    case 'words': {
      const { leaf } = arrival.path;
      const richText = leaf.kind === 'scalar' && leaf.scalar === 'RichText';
      return comparables(arrival).some((value) => {
        const words = new Set(toWords(String(value), { richText }));
        return term.all
          ? term.words.every((word) => words.has(word))
          : term.words.some((word) => words.has(word));
      });
    }
  }
}

/** The single values a path reaches, in the form predicates compare: a reference is its `_ref`. */
function comparables(arrival: Arrival): readonly BoundValue[] {
  const { leaf, steps } = arrival.path;
  return lastFields(arrival)
    .flatMap((value) => itemsOf(value, steps.at(-1)))
    .flatMap((value) => toComparable(value, leaf) ?? []);
}

/** The values of a path's last field, wherever it is present; a list is one of them. */
function lastFields({ assets, path }: Arrival): readonly Json[] {
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
