/**
 * Compiles a bound predicate to an SQL condition on the rows of `assets` of one type.
 *
 * SQL's NULL never reaches a result: NOT wraps its operand in `coalesce`, and AND, OR and WHERE treat NULL as false. So
 * comparisons need no wrapper, and indexes can serve them.
 * `query/evaluate.ts` defines the operators. Only JavaScript can compare words or ignore case: such terms are tests, which the
 * SQL function `holds` of `predicate-functions.ts` evaluates on a row, and `value_holds` on a value in the index of a list.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison, BoundPredicate, BoundValue } from '../../../query/ast.ts';
import { allOf, anyOf } from '../../../query/build-comparison.ts';
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
import { hasTests, isFolded, isTest, toValueTest, withoutTests } from './find-tests.ts';
import { termsOf } from './plan-order.ts';
import { createParams } from './query-params.ts';

/** The conditions of one statement, which share its parameters. */
export interface Conditions {
  /** Compiles the condition that is true for the assets of `type` that match `predicate`, and for no other rows. */
  compile(predicate: BoundPredicate, type: StoredType): string;
  /** The values of `?1`, `?2`, ... so far; equal values share a parameter. */
  readonly params: readonly (string | number)[];
  /** The predicates that `holds` and `value_holds` evaluate, by number. */
  readonly tests: readonly BoundPredicate[];
}

/** Creates the compiler for the conditions of one statement. */
export function createConditions(types: StoredTypes): Conditions {
  const { values, add } = createParams();
  const tests: BoundPredicate[] = [];
  const addTest = (test: BoundPredicate) => tests.push(test) - 1;
  return {
    params: values,
    tests,
    compile: (predicate, type) => compileRows(predicate, { types, type, add, addTest }),
  };
}

/** The context of a condition: the type of the innermost `assets`, and the statement's parameters and tests. */
interface Scope {
  readonly types: StoredTypes;
  readonly type: StoredType;
  readonly add: (value: BoundValue) => string;
  readonly addTest: (test: BoundPredicate) => number;
}

/** Returns the SQL of a condition on a value, itself given as SQL. */
type ValueTest = (value: string) => string;

/**
 * Throws when the query must stop, else is true. Only every eighth row checks, which costs little beside its read. Every select
 * that visits rows has this condition, so that every statement can be stopped.
 */
export const notCancelled = '(key & 7 OR go_on())';

const ofType = ({ number }: StoredType) => `type = ${number}`;

/** Compiles the condition for one type. Terms without tests come first, so that an index reduces the rows to test. */
function compileRows(predicate: BoundPredicate, scope: Scope): string {
  const { type } = scope;
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
  const conditions = [
    ...others.map((term) => compile(term, scope)),
    ...(tests.length > 0 ? [holds(join(tests), scope)] : []),
  ];
  return joinBalanced(conditions, kind.toUpperCase());
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

/** A comparison with a value, which every kind but `missing` is. */
type ValueComparison = Exclude<BoundComparison, { kind: 'missing' }>;

function compileComparison(comparison: ValueComparison, scope: Scope): string {
  const { path } = comparison;
  const { through } = path;
  if (through) {
    const rows = (target: Scope) => compileRows({ ...comparison, path: through.path }, target);
    return follow({ path, targets: through.targets, rows }, scope);
  }
  const kind = valueKind(path.leaf);
  if (kind === undefined) return '0';
  return someValue({ path, kind, test: toTest(comparison, { kind, scope }) }, scope);
}

function toTest(
  comparison: ValueComparison,
  { kind, scope: { add, addTest } }: { kind: ValueKind; scope: Scope },
): ValueTest {
  if (isFolded(comparison)) {
    const number = addTest(toValueTest(comparison));
    return (value) => `value_holds(${value}, ${number})`;
  }
  switch (comparison.kind) {
    case 'equals':
      return equalsAny(comparison.values, { kind, add });
    case 'compare': {
      const bound = add(comparison.value);
      return (value) => `${value} ${comparisonSigns[comparison.operator]} ${bound}`;
    }
    case 'text':
      return plainTextTest(comparison, add);
    case 'words':
      throw new Error('Words are looked for by evaluation alone');
  }
}

const comparisonSigns = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

function equalsAny(
  values: readonly BoundValue[],
  { kind, add }: { kind: ValueKind; add: Scope['add'] },
): ValueTest {
  const [first, ...others] = values;
  if (first !== undefined && others.length === 0) {
    const bound = add(first);
    return (value) => `${value} = ${bound}`;
  }
  const bound = add(JSON.stringify(values));
  // The plus sign removes the type affinity of the cast, which would prevent the use of an index.
  const item = kind === 'number' ? '+CAST(value AS REAL)' : 'value';
  return (value) => `${value} IN (SELECT ${item} FROM json_each(${bound}))`;
}

type TextComparison = Extract<BoundComparison, { kind: 'text' }>;

function plainTextTest({ operator, value: text }: TextComparison, add: Scope['add']): ValueTest {
  const bound = add(text);
  if (operator === 'contains') return (value) => `instr(${value}, ${bound}) > 0`;
  const end = endOfPrefix(text);
  if (end === undefined) return (value) => `${value} >= ${bound}`;
  const boundEnd = add(end);
  return (value) => `(${value} >= ${bound} AND ${value} < ${boundEnd})`;
}

/** Finds the first text after all texts with this prefix, in code point order; U+10FFFF repeated has none. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const last = points.findLastIndex((point) => point < 0x10ffff);
  const point = points[last];
  if (point === undefined) return undefined;
  // Skips the surrogates, which are not characters.
  const next = point >= 0xd7ff && point < 0xe000 ? 0xe000 : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}

/** Compiles a condition that is true when the last field of the path has any value but null. */
function compilePresence(path: FieldPath, scope: Scope): string {
  const { through } = path;
  if (through) {
    const rows = (target: Scope) =>
      `${ofType(target.type)} AND ${notCancelled} AND ${compilePresence(through.path, target)}`;
    return follow({ path, targets: through.targets, rows }, scope);
  }
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues('document', steps);
  return exists({ from, where, condition: `${value.type} <> 'null'` });
}

/** Compiles a condition that is true when a reference at `path` points to an asset of `targets` that matches `rows`. */
function follow(
  { path, targets, rows }: { path: FieldPath; targets: readonly string[]; rows: (target: Scope) => string },
  scope: Scope,
): string {
  const selects = targets.map((name) => {
    const type = getType(scope.types, name);
    // As with CAST, the plus sign removes the affinity, which would prevent the use of an index on the reference.
    return `SELECT +id FROM assets WHERE ${rows({ ...scope, type })}`;
  });
  const test: ValueTest = (value) => `${value} IN (${selects.join(' UNION ALL ')})`;
  return someValue({ path, kind: 'text', test }, scope);
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
