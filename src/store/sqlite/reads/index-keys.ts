/**
 * Finds which terms of a predicate an index serves, and compiles the selects of the keys that it finds.
 *
 * A select returns the key of every matching asset at least once, and reads nothing but ranges of indexes; it may return keys of other
 * assets too, unless `isExact`.
 */

import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundAny, BoundPredicate, ValueComparison } from '../../../query/ast.ts';
import { countComparisons } from '../../../query/ast.ts';
import type { KeyValues } from '../../../query/unique-values.ts';
import { findKeyTerms, type KeyTerm } from '../../joined-keys.ts';
import { necessaryCondition } from '../../necessary-condition.ts';
import { matchInOrder } from '../../ordered-matches.ts';
import type { IndexLookup } from '../../unindexed-path.ts';
import {
  type FieldIndex,
  getType,
  idIndexOf,
  indexKey,
  type StoredType,
  type StoredTypes,
  tableOf,
  toJoinedValue,
} from '../indexes/field-indexes.ts';
import { isExact as isExactByWords } from '../words/word-indexes.ts';
import { notCancelled, unchecked } from './compile-path.ts';
import { valueKind } from './document-path.ts';
import { toTest, type ValueCollector, type ValueTest } from './value-test.ts';
import { hasExactWords, selectByWords } from './word-search.ts';

/** A predicate on the assets of one type. */
interface TypeSearch {
  readonly predicate: BoundPredicate;
  readonly type: StoredType;
}

/** The context of a select: all types, and the values of the statement. */
interface KeyScope extends ValueCollector {
  readonly types: StoredTypes;
  /** Whether a limit of the statement bounds how many keys it selects. */
  readonly isBounded?: boolean;
}

export interface ColumnIndex {
  readonly name: string;
  readonly column: string;
  /** Whether the index has the assets with one value, or with none, in order of `id`. */
  readonly isById: boolean;
}

/** Returns the index of the column of a path; `undefined` when the path has none. */
export function findColumn(path: FieldPath, { number, indexes }: StoredType): ColumnIndex | undefined {
  if (path.leaf.kind === 'id') return { name: idIndexOf(number), column: 'id', isById: false };
  const index = indexes.get(indexKey(path));
  return index?.kind === 'value' ? index : undefined;
}

/** Returns the path of a term whose matches stand together in the index of a column. */
export function columnPath(term: BoundPredicate, type: StoredType): FieldPath | undefined {
  if (!('path' in term) || term.kind === 'any' || !matchInOrder(term)) return undefined;
  return findColumn(term.path, type) && term.path;
}

/** Joins the terms that one column serves, so that its index serves them as one. */
export function joinByColumn(terms: readonly BoundPredicate[], type: StoredType): BoundPredicate[] {
  const groups = Map.groupBy(terms, (term) => {
    const path = columnPath(term, type);
    return path ? indexKey(path) : term;
  });
  return [...groups.values()].flatMap((group) =>
    group.length > 1 ? { kind: 'and' as const, terms: group } : group,
  );
}

/** Returns whether an index has the entries that a term asks for by value and `_id`. */
export function canProbe(term: BoundPredicate, type: StoredType): boolean {
  const path = term.kind === 'equals' && term.values.length === 1 ? columnPath(term, type) : undefined;
  return path !== undefined && findColumn(path, type)?.isById === true;
}

/** Compiles a term that can be probed: SQLite looks for the entry of each row, which in a large table takes less than reading the row. */
export function compileProbe({ predicate, type }: TypeSearch, scope: KeyScope): string {
  // Such a term is a comparison with a value.
  const comparison = predicate as ValueComparison;
  const [column, test] = [findColumn(comparison.path, type), toIndexTest(comparison, scope)];
  if (!column || !test) throw new Error('No index serves this predicate');
  const table = tableOf(type.number);
  return `EXISTS (SELECT 1 FROM ${table} AS entry INDEXED BY ${column.name}
    WHERE ${test(`entry.${column.column}`)} AND entry.id = ${table}.id)`;
}

/** Returns the column of the reference through which a term leads. */
export const referenceColumn = (term: BoundPredicate, type: StoredType): ColumnIndex | undefined =>
  term.kind === 'any' && term.targets ? findColumn(term.path, type) : undefined;

/** Compiles the select of the keys that indexes find. The predicate is one that they serve. */
export function selectKeys(search: TypeSearch, scope: KeyScope): string {
  const select = findKeys(search, scope);
  if (select === undefined) throw new Error('No index serves this predicate');
  return select;
}

/** Returns whether indexes serve a predicate. */
export const isServed = (search: TypeSearch, types: StoredTypes): boolean =>
  findKeys(search, { types, add: () => '', addTest: () => 0 }) !== undefined;

/** Returns whether the select returns the keys of the matching assets only. The predicate is one that indexes serve. */
export function isExact(predicate: BoundPredicate): boolean {
  if (predicate.kind === 'or') return predicate.terms.every(isExact);
  if (predicate.kind === 'words') return isExactByWords(predicate);
  if (predicate.kind === 'any') return predicate.targets !== undefined && isExact(predicate.where);
  return predicate.kind !== 'and' && predicate.kind !== 'missing';
}

/** Returns whether the select returns each key once. */
export const isOnceEach = (predicate: BoundPredicate): boolean =>
  predicate.kind === 'words' || (predicate.kind === 'equals' && predicate.values.length === 1);

/** Tells which comparisons and orders the indexes of these types serve. */
export const toIndexLookup = (types: StoredTypes): IndexLookup => ({
  serves(comparison, name) {
    const type = getType(types, name);
    if (comparison.kind === 'words') return hasExactWords(comparison, type);
    return type.indexes.has(indexKey(comparison.path)) && matchInOrder(comparison);
  },
  joins: (terms, name) => findJoinedKeys(terms, getType(types, name)) !== undefined,
  orders: (path, name) => getType(types, name).indexes.has(indexKey(path)),
});

/** SQLite joins at most 500 selects. */
const maxAlternatives = 100;

function findKeys({ predicate, type }: TypeSearch, scope: KeyScope): string | undefined {
  switch (predicate.kind) {
    case 'constant':
    case 'not':
    case 'empty':
      return undefined;
    case 'any':
      if (!predicate.targets) return findKeys({ predicate: necessaryCondition(predicate), type }, scope);
      return findOfIndex(predicate.path, findTargets(predicate, scope), { type, scope });
    case 'and': {
      const joined = findJoinedKeys(predicate.terms, type);
      if (joined) return selectJoined(joined, { type, scope });
      const [path] = predicate.terms.flatMap((term) => columnPath(term, type) ?? []);
      const ofColumn = predicate.terms.filter((term) => path && isOnColumn(term, path, type));
      if (path && ofColumn.length > 0) return selectOfColumn(ofColumn, { path, type, scope });
      return predicate.terms
        .map((term) => findKeys({ predicate: term, type }, scope))
        .find((select) => select !== undefined);
    }
    case 'or': {
      if (countComparisons(predicate) > maxAlternatives) return undefined;
      const selects = predicate.terms.map((term) => findKeys({ predicate: term, type }, scope));
      return selects.every((select) => select !== undefined) ? selects.join(' UNION ALL ') : undefined;
    }
    case 'missing': {
      const column = findColumn(predicate.path, type);
      return column && selectFrom(column, `${column.column} IS NULL`, { type, scope });
    }
    case 'words':
      return selectByWords(predicate, { type, collect: scope });
    default:
      return findOfIndex(predicate.path, toIndexTest(predicate, scope), { type, scope });
  }
}

/** Returns whether the index of the column of a path serves a term. */
export function isOnColumn(term: BoundPredicate, path: FieldPath, type: StoredType): boolean {
  const other = columnPath(term, type);
  return other !== undefined && indexKey(other) === indexKey(path);
}

interface KeySource {
  readonly type: StoredType;
  readonly scope: KeyScope;
}

function selectOfColumn(
  terms: readonly BoundPredicate[],
  { path, type, scope }: KeySource & { readonly path: FieldPath },
): string | undefined {
  const [column, kind] = [findColumn(path, type), valueKind(path.leaf) ?? 'text'];
  // `columnPath` is that of comparisons with values alone.
  const tests = terms.map((term) => toTest(term as ValueComparison, { kind, scope }));
  const condition = column && tests.map((test) => test(column.column)).join(' AND ');
  return condition && selectFrom(column, condition, { type, scope });
}

function selectJoined({ index, values }: JoinedKeys, source: KeySource): string {
  const [path] = index.paths;
  if (!path) throw new Error('An index has a path');
  const equals = { kind: 'equals', path, values, ignoreCase: false } as const;
  const test = toTest(equals, { kind: 'text', scope: source.scope });
  return selectFrom({ ...index, isById: false }, test(index.column), source);
}

/** Finds the keys of the assets whose value in the index of a path passes a test. */
function findOfIndex(
  path: FieldPath,
  test: ValueTest | undefined,
  { type, scope }: KeySource,
): string | undefined {
  const [column, index] = [findColumn(path, type), type.indexes.get(indexKey(path))];
  if (!test || (!column && !index)) return undefined;
  if (column) return selectFrom(column, test(column.column), { type, scope });
  return `SELECT key FROM ${index?.name} WHERE ${checkOf(scope)} AND ${test('value')}`;
}

function toIndexTest(comparison: ValueComparison, scope: KeyScope): ValueTest | undefined {
  const kind = valueKind(comparison.path.leaf) ?? 'text';
  return matchInOrder(comparison) ? toTest(comparison, { kind, scope }) : undefined;
}

/** Compiles the condition on the column of the reference through which a term leads. The predicate is one that indexes serve. */
export function compileReference({ predicate, type }: TypeSearch, scope: KeyScope): string {
  const column = referenceColumn(predicate, type);
  const test = predicate.kind === 'any' && column ? findTargets(predicate, scope) : undefined;
  if (!column || !test) throw new Error('No index serves this predicate');
  return test(column.column);
}

/** Compiles the test of whether a reference leads to an asset that indexes find. */
function findTargets({ targets = [], where }: BoundAny, outer: KeyScope): ValueTest | undefined {
  const scope = { ...outer, isBounded: false };
  const selects = targets.map((name) => {
    const type = getType(scope.types, name);
    const keys = findKeys({ predicate: where, type }, scope);
    // The plus sign removes the affinity of the column, which would prevent the use of an index on the reference.
    return keys && `SELECT +id FROM ${tableOf(type.number)} WHERE key IN (${keys})`;
  });
  if (!selects.every((select) => select !== undefined)) return undefined;
  return (value: string) => `${value} IN (${selects.join(' UNION ALL ')})`;
}

const selectFrom = ({ name }: ColumnIndex, condition: string, { type, scope }: KeySource) =>
  `SELECT key FROM ${tableOf(type.number)} INDEXED BY ${name} WHERE ${checkOf(scope)} AND ${condition}`;

const checkOf = ({ isBounded }: KeyScope) => (isBounded ? unchecked : notCancelled);

/** The values to look up in the index. */
interface JoinedKeys {
  readonly index: FieldIndex;
  /** One term for each field. */
  readonly terms: readonly BoundPredicate[];
  readonly values: readonly string[];
}

/** With more values, other terms narrow the search as well. */
const maxValues = 1_000;

/** Finds the first index whose fields all have values in the terms, which an `and` joins. */
export function findJoinedKeys(
  terms: readonly BoundPredicate[],
  { indexes }: StoredType,
): JoinedKeys | undefined {
  if (terms.length < 2) return undefined;
  for (const index of indexes.values()) {
    const found =
      index.paths.length > 1 && index.condition === undefined ? findKeyTerms(terms, index.paths) : undefined;
    const count = found?.reduce((product, { values }) => product * values.length, 1) ?? 0;
    if (!found || count > maxValues) continue;
    return { index, terms: found.map(({ term }) => term), values: combine(found).map(toJoinedValue) };
  }
  return undefined;
}

const combine = (terms: readonly KeyTerm[]): KeyValues[] =>
  terms.reduce<KeyValues[]>(
    (known, { values }) => known.flatMap((one) => values.map((value) => [...one, value])),
    [[]],
  );
