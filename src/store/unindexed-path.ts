/**
 * Finds out why a search is too costly: which of its paths no index serves.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../query/ast.ts';
import { type BoundSort, sortById } from '../query/sort.ts';
import type { FindRequest } from './port.ts';

/** The indexes of a store, by class name. */
export interface IndexLookup {
  /** Whether an index finds the matches of a comparison. */
  serves(comparison: BoundComparison, className: string): boolean;
  /** Whether an index has the order by a path. */
  orders(path: FieldPath, className: string): boolean;
}

/** Finds a path that a search compares, or else sorts by, and that no index serves in one of its types. */
export function findUnindexed(
  { types, where, sort = sortById }: Pick<FindRequest, 'types' | 'where' | 'sort'>,
  indexes: IndexLookup,
): string | undefined {
  const isServed = (comparison: BoundComparison) => types.every((name) => indexes.serves(comparison, name));
  return (where && findCompared(where, isServed)) ?? findSorted(sort, { types, indexes });
}

function findCompared(
  where: BoundPredicate,
  isServed: (comparison: BoundComparison) => boolean,
): string | undefined {
  switch (where.kind) {
    case 'constant':
      return undefined;
    case 'and':
    case 'or':
      for (const term of where.terms) {
        const found = findCompared(term, isServed);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'not':
      return findCompared(where.term, isServed);
    default:
      return isKnown(where.path) || isServed(where) ? undefined : where.path.text;
  }
}

function findSorted(
  sort: BoundSort,
  { types, indexes }: { types: readonly string[]; indexes: IndexLookup },
): string | undefined {
  const first = sort.find(({ path }) => path.leaf.kind !== 'type')?.path;
  if (first === undefined || isKnown(first)) return undefined;
  return types.every((name) => indexes.orders(first, name)) ? undefined : first.text;
}

/** Whether every store has an index of the path. */
const isKnown = ({ leaf }: FieldPath) => leaf.kind === 'id' || leaf.kind === 'type';
