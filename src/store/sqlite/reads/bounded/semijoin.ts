/**
 * Compiles conditions that look up a row's values in columns and lists, so that no document is read for the rows that do not match.
 */
import type { BoundComparison, BoundPredicate } from '../../../../query/ast.ts';
import { indexKey } from '../../indexes/field-indexes.ts';
import type { StoredType } from '../../indexes/stored-types.ts';
import type { Conditions } from '../compile-predicate.ts';
import { valueKind } from '../document-path.ts';
import { isFolded } from '../find-tests.ts';
import { toTest, type ValueCollector } from '../value-test.ts';

/** The row that is looked up: its type, and SQL for its key and its identifier. */
export interface LookedUpRow {
  readonly type: StoredType;
  readonly key: string;
  readonly id: string;
}

/** Each value is one search in the index of a list. */
const maxValues = 8;

/** Returns whether a condition can be tested on the entries of indexes, without the document. */
export const isLookedUp = (predicate: BoundPredicate, row: LookedUpRow): boolean =>
  compileSemijoin(predicate, row, { add: () => '', addTest: () => 0 }) !== undefined;

/** Compiles a condition on a row, in indexes where possible and else on the document of the row. */
export const compileOnRow = (predicate: BoundPredicate, row: LookedUpRow, conditions: Conditions): string =>
  // A condition that cannot be compiled may have added parameters already.
  (isLookedUp(predicate, row) ? compileSemijoin(predicate, row, conditions) : undefined) ??
  conditions.compileForFew(predicate, row.type);

/** Compiles a condition on the entries of indexes; `undefined` when it must be tested on the document. */
function compileSemijoin(
  predicate: BoundPredicate,
  row: LookedUpRow,
  collect: ValueCollector,
): string | undefined {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? '1' : '0';
    case 'not': {
      const term = compileSemijoin(predicate.term, row, collect);
      return term && `NOT ${term}`;
    }
    case 'and':
    case 'or': {
      const terms = predicate.terms.map((term) => compileSemijoin(term, row, collect));
      if (terms.length > maxValues || !terms.every((term) => term !== undefined)) return undefined;
      return `(${terms.join(` ${predicate.kind.toUpperCase()} `)})`;
    }
    default:
      return lookUp(predicate, row, collect);
  }
}

function lookUp(comparison: BoundComparison, row: LookedUpRow, collect: ValueCollector): string | undefined {
  const { type, key, id } = row;
  const { path } = comparison;
  if (path.through || comparison.kind === 'missing' || isFolded(comparison)) return undefined;
  if (path.leaf.kind === 'id') return toTest(comparison, { kind: 'text', scope: collect })(id);
  const [index, kind] = [type.indexes.get(indexKey(path)), valueKind(path.leaf)];
  if (!index || !kind) return undefined;
  const test = toTest(comparison, { kind, scope: collect });
  // The values of a list are found by value and key together, so each of them is one search.
  const isOneSearch = comparison.kind === 'equals' && comparison.values.length <= maxValues;
  if (index.kind === 'list' && !isOneSearch) return undefined;
  return `EXISTS (SELECT 1 FROM ${index.table} AS entry WHERE ${test(`entry.${index.column}`)} AND entry.key = ${key})`;
}
