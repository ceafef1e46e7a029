/**
 * Compiles a bound predicate to an SQL condition on those rows of `assets` that have one type.
 *
 * SQL's third truth value never shows: NOT wraps its operand, and elsewhere only AND, OR and WHERE read a comparison, where
 * unknown is as good as false. So comparisons stay plain and indexes fit them.
 * What operators mean is settled in `query/evaluate.ts`; `fold` and `has_words` are its functions, defined in `predicate-functions.ts`.
 */
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundComparison, BoundPredicate, BoundValue } from '../../query/ast.ts';
import {
  quoteText,
  reachValues,
  typedValue,
  type ValueKind,
  valueKind,
  valueSteps,
} from './document-path.ts';
import { indexKey } from './field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from './stored-types.ts';

/** The conditions of one statement, which share its parameters. */
export interface Conditions {
  /** The condition that tells the assets of a type of which `predicate` holds from all other rows. */
  compile(predicate: BoundPredicate, type: StoredType): string;
  /** The values of `?1`, `?2`, ... so far; one for each value, however often it occurs. */
  readonly params: readonly (string | number)[];
}

/** Starts the conditions of a statement. */
export function createConditions(types: StoredTypes): Conditions {
  const { values, add } = createParams();
  return {
    params: values,
    compile: (predicate, type) => `type = ${type.number} AND ${compile(predicate, { types, type, add })}`,
  };
}

/** What a condition stands among: the type of the innermost `assets`, and the statement's parameters. */
interface Scope {
  readonly types: StoredTypes;
  readonly type: StoredType;
  readonly add: (value: BoundValue) => string;
}

/** SQL of a condition on a value, which is given as SQL. */
type ValueTest = (value: string) => string;

function compile(predicate: BoundPredicate, scope: Scope): string {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? '1' : '0';
    case 'and':
    case 'or': {
      const terms = predicate.terms.map((term) => compile(term, scope));
      return joinBalanced(terms, predicate.kind.toUpperCase());
    }
    case 'not':
      return negate(compile(predicate.term, scope));
    case 'missing':
      return negate(compilePresence(predicate.path, scope));
    default:
      return compileComparison(predicate, scope);
  }
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
    const condition = (target: Scope) => compileComparison({ ...comparison, path: through.path }, target);
    return follow({ path, targets: through.targets, condition }, scope);
  }
  const kind = valueKind(path.leaf);
  if (kind === undefined) return '0';
  return someValue({ path, kind, test: toTest(comparison, { kind, add: scope.add }) }, scope);
}

function toTest(
  comparison: ValueComparison,
  { kind, add }: { kind: ValueKind; add: Scope['add'] },
): ValueTest {
  switch (comparison.kind) {
    case 'equals': {
      const test = equalsAny(comparison.values, { kind, add });
      return comparison.ignoreCase ? (value) => test(`fold(${value})`) : test;
    }
    case 'compare': {
      const bound = add(comparison.value);
      return (value) => `${value} ${comparisonSigns[comparison.operator]} ${bound}`;
    }
    case 'text':
      return comparison.ignoreCase ? foldedTextTest(comparison, add) : plainTextTest(comparison, add);
    case 'words': {
      const { leaf } = comparison.path;
      const isRich = leaf.kind === 'scalar' && leaf.scalar === 'RichText';
      const words = add(JSON.stringify(comparison.words));
      return (value) => `has_words(${value}, ${words}, ${+comparison.all}, ${+isRich})`;
    }
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

function foldedTextTest({ operator, value: text }: TextComparison, add: Scope['add']): ValueTest {
  const bound = add(text);
  return (value) => `instr(fold(${value}), ${bound}) ${operator === 'startsWith' ? '= 1' : '> 0'}`;
}

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
    const condition = (target: Scope) => compilePresence(through.path, target);
    return follow({ path, targets: through.targets, condition }, scope);
  }
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return '1';
  const steps = path.steps.with(-1, { name: path.steps.at(-1)?.name ?? '', list: false });
  const { from, where, value } = reachValues('document', steps);
  return exists({ from, where, condition: `${value.type} <> 'null'` });
}

/** True when a reference at `path` points at an asset of `targets` for which `condition` is true. */
function follow(
  {
    path,
    targets,
    condition,
  }: { path: FieldPath; targets: readonly string[]; condition: (target: Scope) => string },
  scope: Scope,
): string {
  const selects = targets.map((name) => {
    const type = getType(scope.types, name);
    // Like the plus sign before CAST: the column's affinity would shut out an index on the reference.
    return `SELECT +id FROM assets WHERE type = ${type.number} AND ${condition({ ...scope, type })}`;
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

/** Equal values share a parameter: each type's select, and each target's, compares with the same ones. */
function createParams() {
  const values: (string | number)[] = [];
  const names = new Map<string | number, string>();
  const add = (value: BoundValue): string => {
    const bound = typeof value === 'boolean' ? Number(value) : value;
    const name = names.get(bound) ?? `?${values.push(bound)}`;
    names.set(bound, name);
    return name;
  };
  return { values, add };
}
