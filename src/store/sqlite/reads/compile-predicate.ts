/**
 * Compiles a bound predicate to an SQL condition on those rows of `assets` that have one type.
 *
 * SQL's third truth value never shows: NOT wraps its operand, and elsewhere only AND, OR and WHERE read a comparison, where
 * unknown is as good as false. So comparisons stay plain and indexes fit them.
 * What operators mean is settled in `query/evaluate.ts`. Case and words are its affair alone: such terms are tests, which the
 * function `holds` of `predicate-functions.ts` evaluates on a row of `assets`, and `value_holds` on a value in an index of a list.
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
import { isFoundByIndex, termsOf } from './plan-order.ts';
import { createParams } from './query-params.ts';

/** The conditions of one statement, which share its parameters. */
export interface Conditions {
  /** The condition that tells the assets of a type of which `predicate` holds from all other rows. */
  compile(predicate: BoundPredicate, type: StoredType): string;
  /** The values of `?1`, `?2`, ... so far; one for each value, however often it occurs. */
  readonly params: readonly (string | number)[];
  /** What `holds` and `value_holds` evaluate, by number. */
  readonly tests: readonly BoundPredicate[];
}

/** Starts the conditions of a statement. */
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

/** What a condition stands among: the type of the innermost `assets`, and the statement's parameters and tests. */
interface Scope {
  readonly types: StoredTypes;
  readonly type: StoredType;
  readonly add: (value: BoundValue) => string;
  readonly addTest: (test: BoundPredicate) => number;
}

/** SQL of a condition on a value, which is given as SQL. */
type ValueTest = (value: string) => string;

/** True in a row unless the query is to stop; asked of every eighth row, which costs nothing next to reading a document. */
export const goOn = '(key & 7 OR go_on())';

const ofType = ({ number }: StoredType) => `type = ${number}`;

/** The rows of the scope's type that match. What is no test says first, so that an index may narrow down what is tested. */
function compileRows(predicate: BoundPredicate, scope: Scope): string {
  const { type } = scope;
  const [tested, plain] = partition(termsOf(predicate), (term) => hasTests(term, type));
  const narrowing = tested.flatMap((term) => withoutTests(term, type) ?? []);
  const terms = [...plain, ...narrowing].map((term) => compile(term, scope));
  return [
    ofType(type),
    ...(isFoundByIndex(predicate, type) ? [] : [goOn]),
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

/** The tests of one chain are evaluated together, once for a row. */
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

/** A chain as a tree of the least depth: SQLite refuses expressions deeper than 1,000. */
function joinBalanced(terms: readonly string[], operator: string): string {
  const [first = ''] = terms;
  if (terms.length < 2) return first;
  const middle = terms.length >> 1;
  const halves = [terms.slice(0, middle), terms.slice(middle)];
  return `(${halves.map((half) => joinBalanced(half, operator)).join(` ${operator} `)})`;
}

/** A comparison that compares with something; `missing` is the one that does not. */
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
  // The plus sign takes the cast's affinity away, with which no index would fit.
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

/** The first text after all that start with `prefix`, in order of code points; none after U+10FFFF alone. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const last = points.findLastIndex((point) => point < 0x10ffff);
  const point = points[last];
  if (point === undefined) return undefined;
  // Surrogates are no characters.
  const next = point >= 0xd7ff && point < 0xe000 ? 0xe000 : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}

/** True when the last field of the path is there, whatever it holds; JSON's null is nothing. */
function compilePresence(path: FieldPath, scope: Scope): string {
  const { through } = path;
  if (through) {
    const rows = (target: Scope) =>
      `${ofType(target.type)} AND ${goOn} AND ${compilePresence(through.path, target)}`;
    return follow({ path, targets: through.targets, rows }, scope);
  }
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues('document', steps);
  return exists({ from, where, condition: `${value.type} <> 'null'` });
}

/** True when a reference at `path` points at an asset of `targets` that is among `rows`. */
function follow(
  { path, targets, rows }: { path: FieldPath; targets: readonly string[]; rows: (target: Scope) => string },
  scope: Scope,
): string {
  const selects = targets.map((name) => {
    const type = getType(scope.types, name);
    // Like the plus sign before CAST: the column's affinity would shut out an index on the reference.
    return `SELECT +id FROM assets WHERE ${rows({ ...scope, type })}`;
  });
  const test: ValueTest = (value) => `${value} IN (${selects.join(' UNION ALL ')})`;
  return someValue({ path, kind: 'text', test }, scope);
}

/** True when `test` is true of some value of the path. */
function someValue(
  { path, kind, test }: { path: FieldPath; kind: ValueKind; test: ValueTest },
  { type }: Scope,
): string {
  if (path.leaf.kind === 'id') return test('id');
  if (path.leaf.kind === 'type') return test(quoteText(type.class));
  const index = type.indexes.get(indexKey(path));
  if (index?.kind === 'list') return `key IN (SELECT key FROM ${index.name} WHERE ${test('value')})`;
  const { from, where, value } = reachValues('document', valueSteps(path));
  const condition = exists({ from, where, condition: test(typedValue(value, kind)) });
  // Each branch of an OR must say by itself that a partial index holds what it looks for.
  return index ? `(type = ${type.number} AND ${condition})` : condition;
}

function exists({ from, where, condition }: { from: string[]; where: string[]; condition: string }): string {
  if (from.length === 0) return condition;
  return `EXISTS (SELECT 1 FROM ${from.join(', ')} WHERE ${[...where, condition].join(' AND ')})`;
}
