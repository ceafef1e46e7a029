/**
 * Compiles a bound predicate to an SQL condition on the rows of `assets` of one type.
 *
 * SQL's NULL never reaches a result: NOT wraps its operand in `coalesce`, and AND, OR and WHERE treat NULL as false. So
 * comparisons need no wrapper, and indexes can serve them.
 * `query/evaluate.ts` defines the operators. Only JavaScript can compare words (where no index has them) or ignore case: such
 * terms are tests, which the SQL function `holds` of `predicate-functions.ts` evaluates on a row, and `value_holds` on a value in the index of a list.
 */
import { queryTooCostly } from '../../../base/errors.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { allOf, anyOf } from '../../../query/build-comparison.ts';
import { type FollowedSearch, groupFollowed, toFollowed } from '../../followed-paths.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import {
  quoteText,
  reachValues,
  typedValue,
  type ValueKind,
  valueKind,
  valueSteps,
} from './document-path.ts';
import { hasTests, isLocal, isTest, withoutTests } from './find-tests.ts';
import { termsOf } from './plan-order.ts';
import { createParams } from './query-params.ts';
import { toTest, type ValueCollector, type ValueComparison, type ValueTest } from './value-test.ts';
import { matchesWords } from './word-search.ts';

/** The conditions of one statement, which share its parameters. */
export interface Conditions extends ValueCollector {
  /** Compiles the condition that is true for the assets of `type` that match `predicate`, and for no other rows. */
  compile(predicate: BoundPredicate, type: StoredType): string;
  /**
   * Compiles the same condition for rows that are known to be of `type` and few. It reads the row itself and the assets that the
   * row refers to, and no index.
   */
  compileForFew(predicate: BoundPredicate, type: StoredType): string;
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
    compile: (predicate, type) => compileRows(predicate, { ...collect, type, isForFew: false }),
    compileForFew: (predicate, type) =>
      compile(predicate, { ...collect, type: withoutIndexes(type), isForFew: true }),
  };
}

/** The context of a condition: the type of the innermost `assets`, and the statement's parameters and tests. */
interface Scope extends ValueCollector {
  readonly types: StoredTypes;
  readonly type: StoredType;
  /** Whether the condition tests a small number of rows; then it uses no index and is not interrupted. */
  readonly isForFew: boolean;
  /** Counts one more select of referenced assets. Errors: query_too_costly. */
  readonly countSelect: () => void;
}

const withoutIndexes = (type: StoredType): StoredType => ({
  ...type,
  indexes: new Map(),
  words: new Map(),
});

/**
 * Throws when the query must stop, else is true. Only every eighth row checks, which costs little beside its read. Every select
 * that visits rows has this condition, so that every statement can be stopped.
 */
export const notCancelled = '(key & 7 OR go_on())';

const ofType = ({ number }: StoredType) => `type = ${number}`;

/** Compiles the condition for one type. Terms without tests come first, so that an index reduces the rows to test. */
function compileRows(predicate: BoundPredicate, scope: Scope): string {
  const { type } = scope;
  if (scope.isForFew) return `${ofType(type)} AND ${compile(predicate, scope)}`;
  const [tested, plain] = partition(termsOf(predicate), (term) => hasTests(term, type));
  const narrowing = tested.flatMap((term) => withoutTests(term, type) ?? []);
  const terms = [...plain, ...narrowing].map((term) => compile(term, scope));
  return [
    ofType(type),
    notCancelled,
    ...(terms.length > 0 ? [joinBalanced(terms, 'AND')] : []),
    ...(tested.length > 0 ? [compile(allOf(tested), scope)] : []),
  ].join(' AND ');
}

function compile(predicate: BoundPredicate, scope: Scope): string {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? '1' : '0';
    case 'and':
    case 'or':
      return compileChain(predicate, scope);
    case 'not':
      return isTest(predicate, scope.type) ? holds(predicate, scope) : negate(compile(predicate.term, scope));
    case 'missing':
      return negate(compilePresence(predicate.path, scope));
    default:
      return isTest(predicate, scope.type) ? holds(predicate, scope) : compileComparison(predicate, scope);
  }
}

/** Compiles AND and OR. One call per row evaluates all tests of the chain together. */
function compileChain({ kind, terms }: Chain, scope: Scope): string {
  const [tests, others] = partition(terms, (term) => isTest(term, scope.type));
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
  const found = comparison.kind === 'words' && matchesWords(comparison, { type: scope.type, collect: scope });
  if (found) return found;
  const kind = valueKind(path.leaf);
  if (kind === undefined) return '0';
  return someValue({ path, kind, test: toTest(comparison, { kind, scope }) }, scope);
}

/** Compiles a condition that is true when a reference points to an asset that matches. */
const compileFollowed = ({ path, targets, where }: FollowedSearch, scope: Scope) =>
  follow({ path, targets, rows: (target) => compileRows(where, target) }, scope);

/** Compiles a condition that is true when the last field of the path has any value but null. */
function compilePresence(path: FieldPath, scope: Scope): string {
  const { through } = path;
  if (through) {
    const rows = (target: Scope) => {
      const conditions = [ofType(target.type), compilePresence(through.path, target)];
      return (target.isForFew ? conditions : conditions.toSpliced(1, 0, notCancelled)).join(' AND ');
    };
    return follow({ path, targets: through.targets, rows }, scope);
  }
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues('document', steps);
  return exists({ from, where, condition: `${value.type} <> 'null'` });
}

/** A path to references, and the condition on the assets of some types that they may point to. */
interface Followed {
  readonly path: FieldPath;
  readonly targets: readonly string[];
  readonly rows: (target: Scope) => string;
}

/** Compiles a condition that is true when a reference at `path` points to an asset of `targets` that matches `rows`. */
function follow(followed: Followed, scope: Scope): string {
  if (scope.isForFew) return followFromRow(followed, scope);
  const { path, targets, rows } = followed;
  const selects = targets.map((name) => {
    scope.countSelect();
    const type = getType(scope.types, name);
    // As with CAST, the plus sign removes the affinity, which would prevent the use of an index on the reference.
    return `SELECT +id FROM assets WHERE ${rows({ ...scope, type })}`;
  });
  const test: ValueTest = (value) => `${value} IN (${selects.join(' UNION ALL ')})`;
  return someValue({ path, kind: 'text', test }, scope);
}

/** Compiles the same condition from the row: it looks up the assets that the row refers to. */
function followFromRow({ path, targets, rows }: Followed, scope: Scope): string {
  const { from, where, value } = reachValues('document', valueSteps(path));
  const references = [
    `SELECT ${typedValue(value, 'text')} AS reference`,
    ...(from.length > 0 ? [`FROM ${from.join(', ')} WHERE ${where.join(' AND ')}`] : []),
  ].join(' ');
  const selects = targets.map((name) => {
    scope.countSelect();
    const type = withoutIndexes(getType(scope.types, name));
    return `SELECT 1 FROM (${references}) CROSS JOIN assets ON id = reference WHERE ${rows({ ...scope, type })}`;
  });
  return `EXISTS (${selects.join(' UNION ALL ')})`;
}

/** Compiles a condition that is true when `test` is true for at least one value of the path. */
function someValue(
  { path, kind, test }: { path: FieldPath; kind: ValueKind; test: ValueTest },
  { type }: Scope,
): string {
  if (path.leaf.kind === 'id') return test('id');
  if (path.leaf.kind === 'type') return test(quoteText(type.class));
  const index = type.indexes.get(indexKey(path));
  if (index?.kind === 'list')
    return `key IN (SELECT key FROM ${index.name} WHERE ${notCancelled} AND ${test('value')})`;
  const { from, where, value } = reachValues('document', valueSteps(path));
  const condition = exists({ from, where, condition: test(typedValue(value, kind)) });
  // Each branch of an OR must repeat the condition of the partial index, else the planner does not use it.
  return index ? `(type = ${type.number} AND ${condition})` : condition;
}

function exists({ from, where, condition }: { from: string[]; where: string[]; condition: string }): string {
  if (from.length === 0) return condition;
  return `EXISTS (SELECT 1 FROM ${from.join(', ')} WHERE ${[...where, condition].join(' AND ')})`;
}
