/**
 * Builds predicates from typed fields. Paths follow from property accesses; only the generated types know which paths exist.
 */
import type { FieldsFrom } from './cma/fields.gen.ts';
import type { PredicateValue } from './cma-client.ts';

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
} as const satisfies Record<PathNode['separator'], readonly (keyof ListField<TextField>)[]>;

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
  } satisfies Record<keyof ListField<TextField>, unknown>;
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

/** A condition that assets fulfil or not. `text` is predicate text with a `?` for each of `values`. */
export interface Condition {
  readonly kind: 'comparison' | 'and' | 'or' | 'not';
  readonly text: string;
  readonly values: readonly PredicateValue[];
}

/** Holds when all conditions hold; without conditions it always holds. */
export const and = (...conditions: readonly Condition[]): Condition => join('and', conditions);

/** Holds when any of the conditions holds; without conditions it never holds. */
export const or = (...conditions: readonly Condition[]): Condition => join('or', conditions);

/** Holds when the condition does not hold. */
export function not(condition: Condition): Condition {
  const { kind, text, values } = assertCondition(condition);
  const isChain = kind === 'and' || kind === 'or';
  return { kind: 'not', text: `not ${isChain ? `(${text})` : text}`, values };
}

/** Returns a condition unchanged. Throws a TypeError for any other value, which JavaScript or a cast lets through. */
function assertCondition(value: Condition): Condition {
  if (typeof value?.text === 'string' && Array.isArray(value.values)) return value;
  throw new TypeError('Expected a condition, such as article.headline.eq("News")');
}

function join(kind: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions.map(assertCondition);
  if (first === undefined) return { kind: 'comparison', text: String(kind === 'and'), values: [] };
  if (others.length === 0) return first;
  const all = [first, ...others];
  // `and` binds closer than `or`.
  const write = (term: Condition) => (kind === 'and' && term.kind === 'or' ? `(${term.text})` : term.text);
  return { kind, text: all.map(write).join(` ${kind} `), values: all.flatMap(({ values }) => values) };
}

/** Operators that every field has. */
export interface PresenceField {
  /** Holds when the field has a value. An empty list is one. */
  exists(): Condition;
  /** Holds when the field is absent. */
  isMissing(): Condition;
}

/** A field that is compared for equality. */
export interface EqualityField<Value> extends PresenceField {
  eq(value: Value): Condition;
  /** Holds for another value, and when the field is absent. */
  ne(value: Value): Condition;
  /** Holds for one of the values; of no values, never. */
  anyOf(values: readonly Value[]): Condition;
  /** Holds for none of the values, and when the field is absent. */
  noneOf(values: readonly Value[]): Condition;
}

/** A field whose values have an order. A Date, DateTime or Decimal is a text, compared as the day, instant or number that it stands for. */
export interface OrderedField<Value> extends EqualityField<Value> {
  lt(value: Value): Condition;
  le(value: Value): Condition;
  gt(value: Value): Condition;
  ge(value: Value): Condition;
}

/** How texts are compared. */
export interface TextOptions {
  readonly ignoreCase?: boolean | undefined;
}

/** A text; texts are ordered by code point. */
export interface TextField extends OrderedField<string> {
  eq(value: string, options?: TextOptions): Condition;
  ne(value: string, options?: TextOptions): Condition;
  anyOf(values: readonly string[], options?: TextOptions): Condition;
  noneOf(values: readonly string[], options?: TextOptions): Condition;
  startsWith(value: string, options?: TextOptions): Condition;
  contains(value: string, options?: TextOptions): Condition;
  /** Holds when the text has any of the words, in upper or lower case. */
  matches(words: string): Condition;
  /** Holds when the text has all of the words, in upper or lower case. */
  matchesAll(words: string): Condition;
}

/** An enum value, or a class name. */
export type EnumField<Member extends string> = EqualityField<Member>;

export type NumberField = OrderedField<number>;

/** A time; numbers are milliseconds since 1970. */
export type DateField = OrderedField<number | Date>;

/** True or false. */
export type BooleanField = EqualityField<boolean>;

/** A reference, compared by the ID of its target. Its other members are the fields of the target. */
export type ReferenceField<Target> = EqualityField<ReferenceValue> & Target;

/** What a reference is compared with: an ID, an asset, or a reference. */
export type ReferenceValue = string | { readonly _id: string } | { readonly _ref: string };

/** An embedded value. Its other members are its fields. */
export type EmbeddedField<Inner> = PresenceField & Inner;

/** A list: its other members compare its items. */
export type ListField<Field> = Field & {
  /** Holds when the list is there and has no items. */
  isEmpty(): Condition;
};

/** A list of embedded values or of references. Its other members compare its items, each for itself. */
export type ItemsField<Field, Item> = ListField<Field> & {
  /** Holds when at least one item fulfils the condition. */
  any(build: (item: Item) => Condition): Condition;
  /** Holds when all items fulfil the condition, and when there are none. */
  every(build: (item: Item) => Condition): Condition;
  /** Holds when no item fulfils the condition. */
  none(build: (item: Item) => Condition): Condition;
};

/** A step of a path into a reference's target or into an embedded value, and the fields from which paths lead on. */
export interface PathNode {
  readonly separator: '/' | '.';
  readonly inner: () => Readonly<Record<string, PathNode>>;
}

/** A content type or an interface. */
export interface QueryableType<From extends string> extends PathNode {
  /** The class name. */
  readonly from: From;
}
