/**
 * Finds which terms of a predicate an index serves, and compiles the selects of the keys that it finds.
 *
 * A select returns the key of every matching asset at least once, and reads nothing but one range of an index for each value; it
 * may return keys of other assets too, unless `isExact`.
 */
import type { FieldPath } from '../../../../model/field-path.ts';
import type { BoundPredicate } from '../../../../query/ast.ts';
import { countComparisons } from '../../../../query/count-comparisons.ts';
import { matchInOrder } from '../../../ordered-matches.ts';
import { type FieldIndex, indexKey } from '../../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../../indexes/stored-types.ts';
import { idIndexOf, tableOf } from '../../indexes/type-tables.ts';
import { isExact as isExactByWords } from '../../words/word-indexes.ts';
import { notCancelled } from '../compile-path.ts';
import { valueKind } from '../document-path.ts';
import { isFolded } from '../find-tests.ts';
import { toTest, type ValueCollector, type ValueComparison } from '../value-test.ts';
import { selectByWords } from '../word-search.ts';
import { limitedPath, limitsOf, toRangeTest } from './ranges.ts';

/** A predicate on the assets of one type. */
export interface TypeSearch {
  readonly predicate: BoundPredicate;
  readonly type: StoredType;
}

/** The context of a select: all types, and the values of the statement. */
export interface KeyScope extends ValueCollector {
  readonly types: StoredTypes;
  /** Whether the select also returns the identifiers, which only the index of a single value has; each key comes once then. */
  readonly withIds?: boolean;
}

/** Compiles the select of the keys that indexes find for a predicate; `undefined` when none serves it. */
export function selectKeys({ predicate, type }: TypeSearch, scope: KeyScope): string | undefined {
  switch (predicate.kind) {
    case 'constant':
    case 'not':
      return undefined;
    case 'and': {
      const range = selectRange(predicate, { type, scope });
      if (range !== undefined) return range;
      const served = findServed({ terms: predicate.terms, type }, scope.types);
      return served && selectKeys({ predicate: served, type }, scope);
    }
    case 'or': {
      if (scope.withIds || countComparisons(predicate) > maxAlternatives) return undefined;
      const selects = predicate.terms.map((term) => selectKeys({ predicate: term, type }, scope));
      return selects.every((select) => select !== undefined) ? selects.join(' UNION ALL ') : undefined;
    }
    case 'missing':
      return scope.withIds ? undefined : selectMissing(predicate.path, { type, scope });
    default:
      return selectComparison(predicate, { type, scope });
  }
}

/** Returns whether indexes serve a predicate. */
export const isServed = (search: TypeSearch, types: StoredTypes): boolean =>
  selectKeys(search, { types, add: () => '', addTest: () => 0 }) !== undefined;

/** Returns whether the select returns the keys of the matching assets only. The predicate is one that indexes serve. */
export function isExact(predicate: BoundPredicate): boolean {
  if (predicate.kind === 'or') return predicate.terms.every(isExact);
  if (predicate.kind === 'words') return isExactByWords(predicate);
  return predicate.kind === 'and' ? limitsOf(predicate).length > 0 : predicate.kind !== 'missing';
}

/** Returns whether the select returns the keys in order of `id`, each once. */
export function isInIdOrder({ predicate, type }: TypeSearch): boolean {
  if (!('path' in predicate) || predicate.path.through) return false;
  if (predicate.path.leaf.kind === 'id') return predicate.kind === 'compare';
  if (predicate.kind !== 'equals' || predicate.values.length > 1 || isFolded(predicate)) return false;
  const index = indexOf(predicate.path, type);
  return index?.kind === 'value' && !index.unique;
}

/**
 * Lists the searches for the assets that the references of a predicate lead to, the innermost first. The select of keys runs them
 * completely, so its cost is bounded only when theirs is.
 */
export function innerSearches({ predicate, type }: TypeSearch, types: StoredTypes): TypeSearch[] {
  switch (predicate.kind) {
    case 'constant':
    case 'not':
    case 'missing':
      return [];
    case 'and': {
      const served = findServed({ terms: predicate.terms, type }, types);
      return served ? innerSearches({ predicate: served, type }, types) : [];
    }
    case 'or':
      return predicate.terms.flatMap((term) => innerSearches({ predicate: term, type }, types));
    default:
      return targetsOf(predicate, types).flatMap((target) => [...innerSearches(target, types), target]);
  }
}

type Terms = { readonly terms: readonly BoundPredicate[]; readonly type: StoredType };

const findServed = ({ terms, type }: Terms, types: StoredTypes) =>
  terms.find((predicate) => isServed({ predicate, type }, types));

/** SQLite joins at most 500 selects. */
const maxAlternatives = 100;

function selectComparison(
  comparison: ValueComparison,
  { type, scope }: { type: StoredType; scope: KeyScope },
): string | undefined {
  const { path } = comparison;
  if (path.through) return selectReferring(comparison, { type, scope });
  if (comparison.kind === 'words') {
    return scope.withIds ? undefined : selectByWords(comparison, { type, collect: scope });
  }
  if (!matchInOrder(comparison)) return undefined;
  if (path.leaf.kind === 'id') {
    const test = toTest(comparison, { kind: 'text', scope });
    return selectFrom(idIndexOfType(type), { type, scope, test });
  }
  const [index, kind] = [indexOf(path, type), valueKind(path.leaf)];
  if (!index || !kind) return undefined;
  return selectFrom(index, { type, scope, test: toTest(comparison, { kind, scope }) });
}

/** Selects the keys of the assets whose value is within all limits of its path. */
function selectRange(
  predicate: BoundPredicate,
  { type, scope }: { type: StoredType; scope: KeyScope },
): string | undefined {
  const path = limitedPath(predicate);
  const kind = path && valueKind(path.leaf);
  const index = path?.leaf.kind === 'id' ? idIndexOfType(type) : path && indexOf(path, type);
  return index && kind && selectFrom(index, { type, scope, test: toRangeTest(predicate, { kind, scope }) });
}

/** Selects the keys of the assets whose indexed reference leads to assets that indexes find. */
function selectReferring(
  comparison: ValueComparison,
  { type, scope }: { type: StoredType; scope: KeyScope },
): string | undefined {
  const index = indexOf(comparison.path, type);
  if (!index) return undefined;
  const selects = targetsOf(comparison, scope.types).map((target) =>
    selectKeys(target, { ...scope, withIds: false }),
  );
  if (!selects.every((select) => select !== undefined)) return undefined;
  // The plus sign removes the affinity of the column, which would prevent the use of an index on the reference.
  const targets = `SELECT +id FROM assets WHERE key IN (${selects.join(' UNION ALL ')})`;
  return selectFrom(index, { type, scope, test: (value) => `${value} IN (${targets})` });
}

function targetsOf(comparison: ValueComparison, types: StoredTypes): TypeSearch[] {
  const { through } = comparison.path;
  if (!through) return [];
  const predicate = { ...comparison, path: through.path };
  return through.targets.map((name) => ({ predicate, type: getType(types, name) }));
}

/** Selects the keys of the assets without a value, or with one of another type than the field's. */
function selectMissing(
  path: FieldPath,
  { type, scope }: { type: StoredType; scope: KeyScope },
): string | undefined {
  const index = path.through ? undefined : indexOf(path, type);
  if (index?.kind !== 'value') return undefined;
  return selectFrom(index, { type, scope, test: (value) => `${value} IS NULL` });
}

const idIndexOfType = ({ number }: StoredType): KeyIndex => ({
  name: idIndexOf(number),
  kind: 'value',
  table: tableOf(number),
  column: 'id',
  unique: false,
});

type KeyIndex = Pick<FieldIndex, 'name' | 'kind' | 'table' | 'column' | 'unique'>;

interface KeyTest {
  readonly type: StoredType;
  readonly scope: KeyScope;
  readonly test: (value: string) => string;
}

function selectFrom(
  { name, kind, table, column, unique }: KeyIndex,
  { scope: { withIds }, test }: KeyTest,
): string | undefined {
  if (withIds && (kind === 'list' || unique)) return undefined;
  const columns = withIds ? 'key, id' : 'key';
  const rows = kind === 'list' ? table : `${table} INDEXED BY ${name}`;
  return `SELECT ${columns} FROM ${rows} WHERE ${notCancelled} AND ${test(column)}`;
}

const indexOf = (path: FieldPath, type: StoredType) => type.indexes.get(indexKey(path));
