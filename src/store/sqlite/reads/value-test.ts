/**
 * Compiles the comparison of one value, given as SQL: in a document, in an index or in the table of a list's values.
 */

import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate, BoundValue, ValueComparison } from '../../../query/ast.ts';
import type { OrderOperator, PartOperator } from '../../../query/operators.ts';
import type { ValueKind } from './document-path.ts';
import { isFolded, toValueTest } from './find-tests.ts';

/** Returns the SQL of a condition on a value, itself given as SQL. */
export type ValueTest = (value: string) => string;

/** A predicate that JavaScript evaluates on a document, or on an item of nested lists of it. */
export interface Test {
  readonly predicate: BoundPredicate;
  /** The paths of these lists, each from the item of the one before it. */
  readonly lists: readonly FieldPath[];
}

/** Adds values to a statement. */
export interface ValueCollector {
  /** Adds a parameter and returns its name. */
  readonly add: (value: BoundValue) => string;
  /** Adds a predicate for `holds` and `value_holds` and returns its number; `lists` are as in `Test`. */
  readonly addTest: (predicate: BoundPredicate, lists?: readonly FieldPath[]) => number;
}

/** Compiles a comparison with values of this kind. */
export function toTest(
  comparison: ValueComparison,
  { kind, scope: { add, addTest } }: { kind: ValueKind; scope: ValueCollector },
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
      return partTests[comparison.operator](comparison.value, add);
    case 'words':
      throw new Error('Words are looked for by evaluation alone');
  }
}

const comparisonSigns: Readonly<Record<OrderOperator, string>> = { lt: '<', le: '<=', gt: '>', ge: '>=' };

function equalsAny(
  values: readonly BoundValue[],
  { kind, add }: { kind: ValueKind; add: ValueCollector['add'] },
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

type PartTest = (part: string, add: ValueCollector['add']) => ValueTest;

const partTests: Readonly<Record<PartOperator, PartTest>> = {
  startsWith: (part, add) => {
    const bound = add(part);
    const end = endOfPrefix(part);
    if (end === undefined) return (value) => `${value} >= ${bound}`;
    const boundEnd = add(end);
    return (value) => `(${value} >= ${bound} AND ${value} < ${boundEnd})`;
  },
  contains: (part, add) => {
    // SQLite keeps a copy of the text for each call of a function that has a constant argument. A subquery is none.
    const bound = `(SELECT ${add(part)})`;
    return (value) => `instr(${value}, ${bound}) > 0`;
  },
};

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

/** Starts a list of parameters. Equal values share one, because the select of each type compares with the same values. */
export function createParams() {
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
