/**
 * Compiles a bound predicate to SQL for the matching assets of one type: the rows of its table, with their documents only where a
 * condition has no column.
 *
 * SQL's NULL never reaches a result: NOT wraps its operand in `coalesce`, and AND, OR and WHERE treat NULL as false. So
 * comparisons need no wrapper, and indexes can serve them.
 * `query/evaluate.ts` defines the operators. Only JavaScript can compare words (where no index has them) or ignore case, and it reads a
 * value once for many comparisons: such terms are tests, which the SQL function `holds` of `value-test.ts` evaluates on a row, and
 * `value_holds` on a value in the index of a list.
 */
import { queryTooCostly } from '../../../base/errors.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundAny, BoundPredicate, ValueComparison } from '../../../query/ast.ts';
import { countComparisons, readsTexts } from '../../../query/ast.ts';
import { allOf, anyOf, termsOf } from '../../../query/build-comparison.ts';
import type { StoredType, StoredTypes } from '../indexes/field-indexes.ts';
import { tableOf } from '../indexes/field-indexes.ts';
import {
  countLists,
  exists,
  follow,
  isEntryOfRow,
  type OuterScope,
  type RowOptions,
  type Scope,
  selectRows,
  someItem,
  someValue,
} from './compile-path.ts';
import { reachValues, type ValueSql, valueKind } from './document-path.ts';
import { compileProbe, compileReference, selectKeys } from './index-keys.ts';
import {
  createParams,
  hasTests,
  isFolded,
  isLocal,
  isTest,
  type Test,
  toTest,
  type ValueCollector,
  withoutTests,
} from './value-test.ts';
import { matchesWords } from './word-search.ts';

/** The conditions of one statement, which share its parameters. */
export interface Conditions extends ValueCollector {
  /** Compiles FROM and WHERE of a select of the assets of `type` that match `predicate`. */
  compile(predicate: BoundPredicate, type: StoredType, rows?: RowOptions): string;
  /** Compiles the select of the keys that indexes find for a predicate; see `index-keys.ts`. */
  selectKeys(predicate: BoundPredicate, type: StoredType, options?: Pick<RowOptions, 'isBounded'>): string;
  /** Compiles the condition on the column of a reference that a term leads through; see `index-keys.ts`. */
  compileReference(predicate: BoundPredicate, type: StoredType): string;
  /** Compiles a term as a search of its index for the entry of each row; see `index-keys.ts`. */
  compileProbe(predicate: BoundPredicate, type: StoredType): string;
  /** The values of `?1`, `?2`, ... so far; equal values share a parameter. */
  readonly params: readonly (string | number)[];
  /** The predicates that `holds` and `value_holds` evaluate, by number. */
  readonly tests: readonly Test[];
}

/** The most selects of referenced assets in one statement: SQLite cannot be stopped while it plans them. */
const maxSelects = 2_000;
/** For each term of an OR, SQLite considers a separate search by an index. With more terms, the time to plan grows as their square. */
const maxPlannedTerms = 32;
/** So many comparisons read values in SQL, each for itself, which cannot be stopped within a row. */
const maxComparisonsInSql = 16;

/** Creates the compiler for the conditions of one statement. `compile` throws query_too_costly for paths through too many references. */
export function createConditions(types: StoredTypes): Conditions {
  const { values, add } = createParams();
  const tests: Test[] = [];
  const addTest = (predicate: BoundPredicate, lists: readonly FieldPath[] = []) =>
    tests.push({ predicate, lists }) - 1;
  let selects = 0;
  const countSelect = () => {
    if (++selects > maxSelects) throw queryTooCostly();
  };
  const collect = { types, add, addTest, countSelect };
  return {
    params: values,
    tests,
    add,
    addTest,
    compile: (predicate, type, rows) => {
      const hasMany = countComparisons(predicate) > maxComparisonsInSql;
      return compileRows(predicate, { ...collect, type, isByRow: rows?.isByRow === true, hasMany }, rows);
    },
    selectKeys: (predicate, type, options) => selectKeys({ predicate, type }, { ...collect, ...options }),
    compileProbe: (predicate, type) => compileProbe({ predicate, type }, collect),
    compileReference: (predicate, type) => compileReference({ predicate, type }, collect),
  };
}

/** Compiles the matching rows of one type. Terms without tests come first, so that they reduce the rows to test. */
function compileRows(predicate: BoundPredicate, outer: OuterScope, options?: RowOptions): string {
  const isTested = (term: BoundPredicate) => hasTests(term, outer);
  const [tested, plain] = partition(termsOf(predicate), isTested);
  const narrowing = tested.flatMap((term) => withoutTests(term, outer) ?? []);
  return selectRows(
    outer,
    (scope) => {
      const terms = [...plain, ...narrowing].map((term) => compile(term, scope));
      return [
        ...(terms.length > 0 ? [joinBalanced(terms, 'AND')] : []),
        ...(tested.length > 0 ? [compile(allOf(tested), scope)] : []),
      ];
    },
    options,
  );
}

function compile(predicate: BoundPredicate, scope: Scope): string {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? '1' : '0';
    case 'and':
    case 'or':
      return compileChain(predicate, scope);
    case 'not':
      if (isTest(predicate, scope)) return holds(predicate, scope);
      return predicate.term.kind === 'missing'
        ? compilePresence(predicate.term.path, scope)
        : negate(compile(predicate.term, scope));
    case 'missing':
      return negate(compilePresence(predicate.path, scope));
    case 'empty':
      return compileField(
        predicate.path,
        ({ type, value }) => `${type} = 'array' AND ${value} = '[]'`,
        scope,
      );
    case 'any':
      return isTest(predicate, scope) ? holds(predicate, scope) : compileAny(predicate, scope);
    default:
      return isTest(predicate, scope) ? holds(predicate, scope) : compileComparison(predicate, scope);
  }
}

/** Compiles AND and OR. One call per row evaluates all tests of the chain together. */
function compileChain({ kind, terms }: Chain, scope: Scope): string {
  const [tests, others] = partition(terms, (term) => isTest(term, scope));
  const join = kind === 'and' ? allOf : anyOf;
  const conditions = [
    ...others.map((term) => compile(term, scope)),
    ...(tests.length > 0 ? [holds(join(tests), scope)] : []),
  ];
  const sql = joinBalanced(conditions, kind.toUpperCase());
  const isUnplanned = kind === 'or' && conditions.length > maxPlannedTerms && !terms.every(isLocal);
  // The plus sign keeps SQLite from considering the terms.
  return isUnplanned ? `+${sql}` : sql;
}

type Chain = Extract<BoundPredicate, { kind: 'and' | 'or' }>;

/** Compiles the call that evaluates a test on the document of a row, or on the item of nested lists at their indexes. */
function holds(test: BoundPredicate, { addTest, lists, type }: Scope): string {
  const number = addTest(test, lists);
  if (lists.length === 0) return `holds(key, ${number})`;
  const indexes = Array.from({ length: countLists(lists) }, (_, n) => `item${n + 1}.key`);
  return `holds(${[`${tableOf(type.number)}.key`, number, ...indexes].join(', ')})`;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

const negate = (condition: string) => `NOT coalesce(${condition}, 0)`;

/** Joins terms as a balanced tree, because SQLite rejects expressions deeper than 1,000. */
function joinBalanced(terms: readonly string[], operator: string): string {
  const [first = ''] = terms;
  if (terms.length < 2) return first;
  const middle = terms.length >> 1;
  const halves = [terms.slice(0, middle), terms.slice(middle)];
  return `(${halves.map((half) => joinBalanced(half, operator)).join(` ${operator} `)})`;
}

function compileComparison(comparison: ValueComparison, scope: Scope): string {
  const { path } = comparison;
  const found =
    comparison.kind === 'words' &&
    !scope.isByRow &&
    matchesWords(comparison, { type: scope.type, collect: scope });
  if (found) return found;
  const kind = valueKind(path.leaf);
  if (kind === undefined) return '0';
  const test = toTest(comparison, { kind, scope });
  const readsWhole = readsTexts(comparison) && !isFolded(comparison);
  return someValue({ path, kind, test, readsWhole, isOfEntry: isEntryOfRow(comparison) }, scope);
}

/** Compiles a condition that is true when a reference points to an asset that matches, or an item of a list matches. */
function compileAny({ path, targets, where }: BoundAny, scope: Scope): string {
  if (!targets) return someItem(path, (item) => compile(where, item), scope);
  return follow({ path, targets, rows: (target, options) => compileRows(where, target, options) }, scope);
}

/** Compiles a condition that is true when the last field of the path has any value but null. */
function compilePresence(path: FieldPath, scope: Scope): string {
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  return compileField(path, ({ type }) => `${type} <> 'null'`, scope);
}

/** Compiles a condition on the whole value of the last field of the path. */
function compileField(path: FieldPath, condition: (field: ValueSql) => string, scope: Scope): string {
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues(scope.document(), steps, countLists(scope.lists));
  return exists({ from, where, condition: condition(value) });
}
