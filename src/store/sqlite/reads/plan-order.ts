/**
 * Plans how to order the assets of one type: by walking an index that has the order, or by sorting the rows that the
 * predicate's indexes find.
 *
 * Both ways are possible when one index has the order and another finds the matches. Which is faster depends on the number of
 * matches, so the statement decides when it runs: see `compile-page.ts`.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { allOf } from '../../../query/build-comparison.ts';
import type { BoundSort } from '../../../query/sort.ts';
import { matchInOrder } from '../../ordered-matches.ts';
import type { IndexLookup } from '../../unindexed-path.ts';
import { type FieldIndex, indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { findWordIndex, hasExactWords } from './word-search.ts';

/**
 * The plan for the order.
 *
 * - `walk`: walks `index`, or the index by `id`; for a field without an index, sorts the whole type.
 * - `sort`: sorts the rows that indexes on other fields find.
 * - `weigh`: decides between both when the statement runs. An index on another field serves the term `found`; `rest` is the rest
 *   of the predicate. Without `index`, the walk uses the index by `id` from the start of the page.
 */
export type OrderPlan =
  | { readonly kind: 'walk'; readonly index?: FieldIndex }
  | { readonly kind: 'sort' }
  | {
      readonly kind: 'weigh';
      readonly index?: FieldIndex;
      readonly found: BoundPredicate;
      readonly rest: BoundPredicate;
    };

/**
 * Plans the order of the assets of a type that match a predicate.
 *
 * An index on a field contains every asset of its type, also those without a value. A unique index does not contain `id`, so
 * SQLite sorts the assets without a value by `id`.
 */
export function planOrder({
  sort,
  where,
  type,
}: {
  sort: BoundSort;
  where: BoundPredicate;
  type: StoredType;
}): OrderPlan {
  // All assets of one type have the same `_type`, so it does not affect their order.
  const firstPath = sort.find(({ path }) => path.leaf.kind !== 'type')?.path;
  if (firstPath === undefined) throw new Error('An order ends at _id');
  // SQLite refuses to walk a named index for a condition that is never true.
  if (where.kind === 'constant' && !where.value) return { kind: 'walk' };
  const index = type.indexes.get(indexKey(firstPath));
  const terms = termsOf(where);
  const narrowing = terms.filter((term) => areFoundByIndexes(term, type));
  const onOtherPaths = narrowing.filter((term) => !comparesOnly(term, firstPath));
  const [found] = onOtherPaths;
  if (
    found === undefined ||
    (firstPath.leaf.kind === 'id' && narrowing.some((term) => isOrderedById(term, type)))
  ) {
    return index ? { kind: 'walk', index } : { kind: 'walk' };
  }
  // The planner searches by one of several such terms; which one is best cannot be known in advance.
  if (onOtherPaths.length > 1 || !hasExactIndex(found, type)) return { kind: 'sort' };
  const rest = allOf(terms.filter((term) => term !== found));
  if (index) return { kind: 'weigh', index, found, rest };
  // Unlike that of a field, the index of words has no identifiers, so sorting reads every asset that it finds.
  const isOfWordsOnly = found.kind === 'words' && terms.length === 1;
  return firstPath.leaf.kind === 'id' && (isOfWordsOnly || terms.some(isAfterId))
    ? { kind: 'weigh', found, rest }
    : { kind: 'sort' };
}

/** Whether a term sets the `_id` after which a page begins: a reader of all pages would otherwise sort again for each. */
function isAfterId(where: BoundPredicate): boolean {
  if (where.kind !== 'compare' || where.path.leaf.kind !== 'id' || where.path.through) return false;
  return where.operator === 'gt' || where.operator === 'ge';
}

/** Splits a predicate into the terms that must all hold. */
export const termsOf = (where: BoundPredicate): readonly BoundPredicate[] =>
  where.kind === 'and' ? where.terms.flatMap(termsOf) : [where];

/** Tells which comparisons and orders the indexes of these types serve. */
export const toIndexLookup = (types: StoredTypes): IndexLookup => ({
  serves: (comparison, name) => hasExactIndex(comparison, getType(types, name)),
  orders: (path, name) => hasIndex(path, getType(types, name)),
});

/** Whether indexes find all matching rows. */
function areFoundByIndexes(where: BoundPredicate, type: StoredType): boolean {
  switch (where.kind) {
    case 'and':
      return where.terms.some((term) => areFoundByIndexes(term, type));
    case 'or':
      return where.terms.every((term) => areFoundByIndexes(term, type));
    case 'equals':
    case 'compare':
    case 'text':
    case 'words':
      if (where.path.leaf.kind === 'id') return where.kind === 'equals';
      if (findWordIndex(where, type)) return true;
      return hasExactIndex(where, type) || (where.path.through !== undefined && hasIndex(where.path, type));
    default:
      return false;
  }
}

const hasIndex = (path: FieldPath, type: StoredType) => type.indexes.has(indexKey(path));

/** Whether one index finds exactly the rows that match a comparison. */
function hasExactIndex(where: BoundPredicate, type: StoredType): boolean {
  if (where.kind === 'words') return hasExactWords(where, type);
  if (!('path' in where) || where.path.through !== undefined || !hasIndex(where.path, type)) return false;
  return matchInOrder(where);
}

/** Whether one index finds the matching rows in order of `id`. */
function isOrderedById(where: BoundPredicate, type: StoredType): boolean {
  if (where.kind !== 'equals' || where.values.length > 1 || !hasExactIndex(where, type)) return false;
  return type.indexes.get(indexKey(where.path))?.kind === 'value';
}

/** Whether a term compares only the value at `firstPath`, whose index also has the order. */
function comparesOnly(where: BoundPredicate, firstPath: FieldPath): boolean {
  if (where.kind === 'and' || where.kind === 'or') {
    return where.terms.every((term) => comparesOnly(term, firstPath));
  }
  return 'path' in where && where.path.through === undefined && indexKey(where.path) === indexKey(firstPath);
}
