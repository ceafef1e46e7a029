/**
 * Tells which searches indexes may answer in a short time, whatever the size of the store. Those are tried at once, with little
 * time; all others wait for a turn.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../../../query/ast.ts';
import { countComparisons } from '../../../query/ast.ts';
import { sortById } from '../../../query/sort.ts';
import { necessaryCondition } from '../../necessary-condition.ts';
import type { FindRequest } from '../../port.ts';
import type { IndexLookup } from '../../unindexed-path.ts';

/** A predicate with more comparisons can take long on few assets. */
const maxComparisons = 32;

/** Some types, and their indexes. */
interface IndexedTypes {
  readonly types: readonly string[];
  readonly indexes: IndexLookup;
}

/** Whether indexes find the assets that match, or have the order when all do. */
export function isIndexed(
  { types, where, sort = sortById }: Pick<FindRequest, 'types' | 'where' | 'sort'>,
  indexes: IndexLookup,
): boolean {
  if (where && (where.kind !== 'constant' || !where.value)) {
    return countComparisons(where) <= maxComparisons && isFound(where, { types, indexes });
  }
  const [first] = sort;
  return first === undefined || isOrdered(first.path, { types, indexes });
}

/** Whether indexes find all assets that match. */
function isFound(where: BoundPredicate, { types, indexes }: IndexedTypes): boolean {
  switch (where.kind) {
    case 'constant':
      return !where.value;
    case 'and':
      return (
        types.every((name) => indexes.joins(where.terms, name)) ||
        where.terms.some((term) => isFound(term, { types, indexes }))
      );
    case 'or':
      return where.terms.every((term) => isFound(term, { types, indexes }));
    case 'not':
      return false;
    case 'any':
      if (!where.targets) return isFound(necessaryCondition(where), { types, indexes });
      return (
        isOrdered(where.path, { types, indexes }) && isFound(where.where, { types: where.targets, indexes })
      );
    default:
      return isServed(where, { types, indexes });
  }
}

function isServed(comparison: BoundComparison, { types, indexes }: IndexedTypes): boolean {
  const { path, kind } = comparison;
  if (path.leaf.kind === 'id') return kind === 'equals' || kind === 'compare';
  return types.every((name) => indexes.serves(comparison, name));
}

const isOrdered = (path: FieldPath, { types, indexes }: IndexedTypes) =>
  path.leaf.kind === 'id' || types.every((name) => indexes.orders(path, name));
