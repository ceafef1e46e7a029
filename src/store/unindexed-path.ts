/**
 * Finds out why a search is too costly: which of its paths no index serves.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../query/ast.ts';
import { firstPathOf } from '../query/ast.ts';
import { type BoundSort, sortById } from '../query/sort.ts';
import { necessaryCondition } from './necessary-condition.ts';
import type { FindRequest } from './port.ts';

/** The indexes of a store, by class name. */
export interface IndexLookup {
  /** Whether an index finds the matches of a comparison. */
  serves(comparison: BoundComparison, className: string): boolean;
  /** Whether an index of fields that are unique together finds the matches of terms, which an `and` joins. */
  joins(terms: readonly BoundPredicate[], className: string): boolean;
  /** Whether an index has the order by a path. */
  orders(path: FieldPath, className: string): boolean;
}

/**
 * Finds a path that a search compares, or else sorts by, and that no index serves in one of its types. By cursor, a path that it sorts
 * by comes first: a page ends early whatever its predicate compares, if only an index has its order.
 */
export function findUnindexed(
  { types, where, sort = sortById, keyset }: Pick<FindRequest, 'types' | 'where' | 'sort' | 'keyset'>,
  indexes: IndexLookup,
): string | undefined {
  const isServed = (comparison: BoundComparison) => types.every((name) => indexes.serves(comparison, name));
  const isJoined = (terms: readonly BoundPredicate[]) => types.every((name) => indexes.joins(terms, name));
  const hasOrder = (path: FieldPath) => types.every((name) => indexes.orders(path, name));
  const compared = where && findCompared(where, { isServed, isJoined });
  if (keyset) return sort.find(({ path }) => !isKnown(path) && !hasOrder(path))?.path.text ?? compared;
  return compared ?? findSorted(sort, hasOrder);
}

function findCompared(
  where: BoundPredicate,
  tests: {
    readonly isServed: (comparison: BoundComparison) => boolean;
    readonly isJoined: (terms: readonly BoundPredicate[]) => boolean;
  },
): string | undefined {
  switch (where.kind) {
    case 'constant':
      return undefined;
    case 'and':
    case 'or':
      if (where.kind === 'and' && tests.isJoined(where.terms)) return undefined;
      for (const term of where.terms) {
        const found = findCompared(term, tests);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'not':
      return findCompared(where.term, tests);
    case 'any':
      return where.targets ? firstPathOf(where) : findCompared(necessaryCondition(where), tests);
    default:
      return isKnown(where.path) || tests.isServed(where) ? undefined : where.path.text;
  }
}

function findSorted(sort: BoundSort, hasOrder: (path: FieldPath) => boolean): string | undefined {
  const first = sort.find(({ path }) => path.leaf.kind !== 'type')?.path;
  return first === undefined || isKnown(first) || hasOrder(first) ? undefined : first.text;
}

/** Whether every store has an index of the path. */
const isKnown = ({ leaf }: FieldPath) => leaf.kind === 'id' || leaf.kind === 'type';
