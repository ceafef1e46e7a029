/**
 * Builds predicates from typed fields. Paths follow from property accesses; only the generated types know which paths exist.
 */

import type { FieldsFrom } from '../cma/fields.gen.ts';
import type { PredicateValue } from '../query-types.ts';
import { assertCondition, type Condition } from './condition.ts';
import type { PathNode, QueryableType, ReferenceValue, TextOptions } from './fields.ts';

/** A predicate over the assets of one class. Its members are parameters of queries, GraphQL lists and routes. */
export interface AssetPredicate<From extends string = string> {
  from: From;
  where: string;
  /** The values of the placeholders in `where`, in order. */
  values: PredicateValue[];
}

/**
 * Builds a predicate: `where(Article, (article) => article.status.eq('PUBLISHED'))`.
 *
 * A field whose name is that of an operator of references has a `$` in front: `article.place.$exists`.
 * Throws a TypeError or a RangeError for values that no field can have.
 */
export function where<From extends keyof FieldsFrom>(
  type: QueryableType<From>,
  build: (asset: FieldsFrom[From]) => Condition,
): AssetPredicate<From> {
  // The generated types describe what the proxy returns.
  const { text, values } = assertCondition(build(enter(type, '') as FieldsFrom[From]));
  return { from: type.from, where: text, values: [...values] };
}

/** The operators in front of the fields of a reference's target, or of an embedded value. */
const operatorsOf = {
  '/': ['eq', 'ne', 'anyOf', 'noneOf', 'exists', 'isMissing', 'isEmpty'],
  '.': ['exists', 'isMissing', 'isEmpty'],
} as const;

/** Makes an object whose properties are fields. */
function enter({ inner }: PathNode, prefix: string, operators: object = {}): object {
  const nodes = inner();
  return new Proxy(operators, {
    get(_target, name) {
      if (typeof name === 'symbol') return undefined;
      if (Object.hasOwn(operators, name)) return Reflect.get(operators, name);
      const field = name.startsWith('$') ? name.slice(1) : name;
      return fieldAt(prefix + field, Object.hasOwn(nodes, field) ? nodes[field] : undefined);
    },
  });
}

function fieldAt(path: string, node: PathNode | undefined): object {
  const all = comparisonsOf(path);
  if (!node) return all;
  const operators = Object.fromEntries(operatorsOf[node.separator].map((name) => [name, all[name]]));
  return enter(node, path + node.separator, { ...operators, ...itemOperatorsOf(path, node) });
}

/** Makes the conditions on one item of a list, whose paths begin at the item. */
function itemOperatorsOf(path: string, node: PathNode) {
  const items = (quantifier: string) => (build: (item: object) => Condition) => {
    const { text, values } = assertCondition(build(enter(node, '')));
    return { kind: 'comparison', text: `${writePath(path)} ${quantifier} (${text})`, values } as const;
  };
  return { any: items('any'), every: items('every'), none: items('none') };
}

type Value = PredicateValue | Date | ReferenceValue;

function comparisonsOf(path: string) {
  const name = writePath(path);
  const compare = (operator: string, operand: string, values: readonly Value[]): Condition => ({
    kind: 'comparison',
    text: `${name} ${operator} ${operand}`,
    values: values.map((value) => toPredicateValue(path, value)),
  });
  const one = (operator: string) => (value: Value, options?: TextOptions) =>
    compare(operator + suffix(options), '?', [value]);
  const several = (operator: string) => (values: readonly Value[], options?: TextOptions) =>
    compare(operator + suffix(options), `[${values.map(() => '?').join(', ')}]`, values);
  return {
    eq: one('='),
    ne: one('!='),
    lt: one('<'),
    le: one('<='),
    gt: one('>'),
    ge: one('>='),
    startsWith: one('startsWith'),
    contains: one('contains'),
    matches: one('matches'),
    matchesAll: one('matchesAll'),
    anyOf: several('in'),
    noneOf: several('notIn'),
    exists: () => compare('!=', 'missing', []),
    isMissing: () => compare('=', 'missing', []),
    isEmpty: () => compare('=', '[]', []),
  };
}

const suffix = (options?: TextOptions) => (options?.ignoreCase ? '[c]' : '');

/** Quotes a path that is not a plain word, or that begins a predicate as a keyword does. */
function writePath(path: string): string {
  const isPlain = /^[a-z_][\w./]*$/i.test(path) && !/^(and|or|not|true|false)$/i.test(path);
  return isPlain ? path : `'${path.replace(/[\\']/g, '\\$&')}'`;
}

function toPredicateValue(path: string, value: Value): PredicateValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || value instanceof Date) {
    const number = Number(value);
    // JSON would turn these into null, which compares with absent fields.
    if (Number.isFinite(number)) return number;
    throw new RangeError(`${path} cannot be compared with ${number}`);
  }
  const id: unknown = value && ('_id' in value ? value._id : value._ref);
  if (typeof id === 'string') return id;
  throw new TypeError(
    `${path} cannot be compared with ${value === null ? 'null' : `a value of the type ${typeof value}`}`,
  );
}
