/**
 * Compiles conditions that look up a row's entry in an index, so that no document is read for the rows that do not match.
 *
 * The statement names the key and the identifier of the row `wanted` and `wanted_id`.
 */
import type { BoundComparison, BoundPredicate } from '../../../../query/ast.ts';
import { indexKey } from '../../indexes/field-indexes.ts';
import type { StoredType } from '../../indexes/stored-types.ts';
import { reachValues, typedValue, valueKind, valueSteps } from '../document-path.ts';
import { isFolded } from '../find-tests.ts';
import { toTest, type ValueCollector } from '../value-test.ts';

/** Each value is one search in the index. */
const maxValues = 8;

/** Compiles a condition on the entries of indexes; `undefined` when it must be tested on the document. */
export function compileSemijoin(
  predicate: BoundPredicate,
  type: StoredType,
  collect: ValueCollector,
): string | undefined {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? '1' : '0';
    case 'not': {
      const term = compileSemijoin(predicate.term, type, collect);
      return term && `NOT ${term}`;
    }
    case 'and':
    case 'or': {
      const terms = predicate.terms.map((term) => compileSemijoin(term, type, collect));
      if (terms.length > maxValues || !terms.every((term) => term !== undefined)) return undefined;
      return `(${terms.join(` ${predicate.kind.toUpperCase()} `)})`;
    }
    default:
      return lookUp(predicate, type, collect);
  }
}

function lookUp(comparison: BoundComparison, type: StoredType, collect: ValueCollector): string | undefined {
  const { path } = comparison;
  if (path.through || comparison.kind === 'missing' || isFolded(comparison)) return undefined;
  if (path.leaf.kind === 'id') return toTest(comparison, { kind: 'text', scope: collect })('wanted_id');
  const [index, kind] = [type.indexes.get(indexKey(path)), valueKind(path.leaf)];
  if (!index || !kind || index.unique) return undefined;
  if (comparison.kind !== 'equals' || comparison.values.length > maxValues) return undefined;
  const test = toTest(comparison, { kind, scope: collect });
  if (index.kind === 'list') {
    return `EXISTS (SELECT 1 FROM ${index.name} WHERE ${test('value')} AND key = wanted)`;
  }
  const { value } = reachValues('entry.document', valueSteps(path));
  return `EXISTS (SELECT 1 FROM assets AS entry INDEXED BY ${index.name}
    WHERE entry.type = ${type.number} AND ${test(typedValue(value, kind))} AND entry.id = wanted_id)`;
}
