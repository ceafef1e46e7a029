/**
 * Compiles a bound predicate to SQL for the matching assets of one type: the rows of its table, with their documents only where a
 * condition has no column.
 *
 * SQL's NULL never reaches a result: NOT wraps its operand in `coalesce`, and AND, OR and WHERE treat NULL as false. So
 * comparisons need no wrapper, and indexes can serve them.
 * `query/evaluate.ts` defines the operators. Only JavaScript can compare words (where no index has them) or ignore case: such
 * terms are tests, which the SQL function `holds` of `predicate-functions.ts` evaluates on a row, and `value_holds` on a value in the index of a list.
 */
import { queryTooCostly } from '../../../base/errors.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { allOf, anyOf, termsOf } from '../../../query/build-comparison.ts';
import { type FollowedSearch, groupFollowed, toFollowed } from '../../followed-paths.ts';
import type { StoredType, StoredTypes } from '../indexes/stored-types.ts';
import {
  exists,
  follow,
  isEntryOfRow,
  type OuterScope,
  type RowOptions,
  type Scope,
  selectRows,
  someValue,
} from './compile-path.ts';
import { reachValues, valueKind } from './document-path.ts';
import { hasTests, isLocal, isTest, withoutTests } from './find-tests.ts';
import { compileProbe, compileReference, selectKeys } from './index-keys.ts';
import { createParams } from './query-params.ts';
import { toTest, type ValueCollector, type ValueComparison } from './value-test.ts';
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
  readonly tests: readonly BoundPredicate[];
}

/** The most selects of referenced assets in one statement: SQLite cannot be stopped while it plans them. */
const maxSelects = 2_000;
/** For each term of an OR, SQLite considers a separate search by an index. With more terms, the time to plan grows as their square. */
const maxPlannedTerms = 32;

/** Creates the compiler for the conditions of one statement. `compile` throws query_too_costly for paths through too many references. */
export function createConditions(types: StoredTypes): Conditions {
  const { values, add } = createParams();
  const tests: BoundPredicate[] = [];
  const addTest = (test: BoundPredicate) => tests.push(test) - 1;
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
    compile: (predicate, type, rows) =>
      compileRows(predicate, { ...collect, type, isByRow: rows?.isByRow === true }, rows),
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
      return isTest(predicate, scope) ? holds(predicate, scope) : negate(compile(predicate.term, scope));
    case 'missing':
      return negate(compilePresence(predicate.path, scope));
    default:
      return isTest(predicate, scope) ? holds(predicate, scope) : compileComparison(predicate, scope);
  }
}

/** Compiles AND and OR. One call per row evaluates all tests of the chain together. */
function compileChain({ kind, terms }: Chain, scope: Scope): string {
  const [tests, others] = partition(terms, (term) => isTest(term, scope));
  const join = kind === 'and' ? allOf : anyOf;
  const { followed, rest } = kind === 'or' ? groupFollowed(others) : { followed: [], rest: others };
  const conditions = [
    ...followed.map((each) => compileFollowed(each, scope)),
    ...rest.map((term) => compile(term, scope)),
    ...(tests.length > 0 ? [holds(join(tests), scope)] : []),
  ];
  const sql = joinBalanced(conditions, kind.toUpperCase());
  const isUnplanned = kind === 'or' && conditions.length > maxPlannedTerms && !terms.every(isLocal);
  // The plus sign keeps SQLite from considering the terms.
  return isUnplanned ? `+${sql}` : sql;
}

type Chain = Extract<BoundPredicate, { kind: 'and' | 'or' }>;

const holds = (test: BoundPredicate, { addTest }: Scope) => `holds(key, ${addTest(test)})`;

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
  const followed = toFollowed(comparison);
  if (followed) return compileFollowed(followed, scope);
  const found =
    comparison.kind === 'words' &&
    !scope.isByRow &&
    matchesWords(comparison, { type: scope.type, collect: scope });
  if (found) return found;
  const kind = valueKind(path.leaf);
  if (kind === undefined) return '0';
  const test = toTest(comparison, { kind, scope });
  return someValue({ path, kind, test, isOfEntry: isEntryOfRow(comparison) }, scope);
}

/** Compiles a condition that is true when a reference points to an asset that matches. */
const compileFollowed = ({ path, targets, where }: FollowedSearch, scope: Scope) =>
  follow({ path, targets, rows: (target, options) => compileRows(where, target, options) }, scope);

/** Compiles a condition that is true when the last field of the path has any value but null. */
function compilePresence(path: FieldPath, scope: Scope): string {
  const { through } = path;
  if (through) {
    const rows = (target: OuterScope, options?: RowOptions) =>
      selectRows(target, (inner) => [compilePresence(through.path, inner)], options);
    return follow({ path, targets: through.targets, rows }, scope);
  }
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues(scope.document(), steps);
  return exists({ from, where, condition: `${value.type} <> 'null'` });
}
