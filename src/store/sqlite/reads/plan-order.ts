/**
 * How the assets of one type get in order: out of an index that has them so, or by sorting what the predicate's indexes found.
 *
 * Both ways are open where one index has the order and another finds what matches. Which is shorter depends on how much is
 * found, and the statement itself looks: see `compile-page.ts`.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { allOf } from '../../../query/build-comparison.ts';
import type { BoundSort } from '../../../query/sort.ts';
import { type FieldIndex, indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';

/**
 * - `walk`: in the order of an index, of the one named or of that by `id`; a field without an index has its type sorted.
 * - `sort`: what indexes on other fields found gets sorted.
 * - `weigh`: the one or the other. An index on another field holds all that `found` says, and `rest` is the rest of the predicate.
 *   Without an index to walk by, it is the one by `id`, from where the page begins.
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
 * Plans the order of the assets of a type that a predicate finds.
 *
 * An index on a field holds every asset of its type, absent values too. A unique one has no `id`: it serves just as well, but
 * for the assets without a value, which are sorted by `id` when their turn comes.
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
  // Within a type, `_type` sorts nothing.
  const lead = sort.find(({ path }) => path.leaf.kind !== 'type')?.path;
  if (lead === undefined) throw new Error('An order ends at _id');
  const index = type.indexes.get(indexKey(lead));
  const terms = termsOf(where);
  const narrowing = terms.filter((term) => isNarrowed(term, type));
  const elsewhere = narrowing.filter((term) => !isOn(term, lead));
  const [found] = elsewhere;
  if (
    found === undefined ||
    (lead.leaf.kind === 'id' && narrowing.some((term) => isOrderedById(term, type)))
  ) {
    return index ? { kind: 'walk', index } : { kind: 'walk' };
  }
  // Of several such terms the planner takes one to search by, and here nobody knows which would be best.
  if (elsewhere.length > 1 || !isHeld(found, type)) return { kind: 'sort' };
  const rest = allOf(terms.filter((term) => term !== found));
  if (index) return { kind: 'weigh', index, found, rest };
  return lead.leaf.kind === 'id' && terms.some(isAfterId) ? { kind: 'weigh', found, rest } : { kind: 'sort' };
}

/** Whether a term says after which `_id` a page begins: who asks so reads page after page, and each would be sorted anew. */
function isAfterId(where: BoundPredicate): boolean {
  if (where.kind !== 'compare' || where.path.leaf.kind !== 'id' || where.path.through) return false;
  return where.operator === 'gt' || where.operator === 'ge';
}

/** The terms that must all hold. */
export const termsOf = (where: BoundPredicate): readonly BoundPredicate[] =>
  where.kind === 'and' ? where.terms.flatMap(termsOf) : [where];

/** Whether one index has all the rows of a type that match, side by side, so that no other row is looked at. */
export function isFoundByIndex(where: BoundPredicate, type: StoredType): boolean {
  return where.kind === 'constant' || isHeld(where, type);
}

/** A path that a predicate compares without an index on it, if there is one; nothing for a type that is not given. */
export function findUnindexed(
  where: BoundPredicate,
  types: StoredTypes,
  classes: readonly string[],
): string | undefined {
  switch (where.kind) {
    case 'constant':
      return undefined;
    case 'and':
    case 'or':
      for (const term of where.terms) {
        const found = findUnindexed(term, types, classes);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'not':
      return findUnindexed(where.term, types, classes);
    default: {
      const isServed = classes.every((name) => isHeld(where, getType(types, name)));
      return isServed || where.path.leaf.kind === 'id' ? undefined : where.path.text;
    }
  }
}

/** Whether indexes find all that matches. */
function isNarrowed(where: BoundPredicate, type: StoredType): boolean {
  switch (where.kind) {
    case 'and':
      return where.terms.some((term) => isNarrowed(term, type));
    case 'or':
      return where.terms.every((term) => isNarrowed(term, type));
    case 'equals':
    case 'compare':
    case 'text':
    case 'words':
      if (where.path.leaf.kind === 'id') return where.kind === 'equals';
      return isHeld(where, type) || (where.path.through !== undefined && hasIndex(where.path, type));
    default:
      return false;
  }
}

const hasIndex = (path: FieldPath, type: StoredType) => type.indexes.has(indexKey(path));

/** Whether a comparison is of a value just as one index has it. */
function isHeld(where: BoundPredicate, type: StoredType): boolean {
  if (!('path' in where) || where.path.through !== undefined || !hasIndex(where.path, type)) return false;
  if (where.kind === 'text') return where.operator === 'startsWith' && !where.ignoreCase;
  return where.kind === 'compare' || (where.kind === 'equals' && !where.ignoreCase);
}

/** Whether one index finds what matches, in order of `id` at that. */
function isOrderedById(where: BoundPredicate, type: StoredType): boolean {
  if (where.kind !== 'equals' || where.values.length > 1 || !isHeld(where, type)) return false;
  return type.indexes.get(indexKey(where.path))?.kind === 'value';
}

/** Whether a term compares the value at `lead` itself, in whose index all of the order is at hand. */
function isOn(where: BoundPredicate, lead: FieldPath): boolean {
  if (where.kind === 'and' || where.kind === 'or') return where.terms.every((term) => isOn(term, lead));
  return 'path' in where && where.path.through === undefined && indexKey(where.path) === indexKey(lead);
}
