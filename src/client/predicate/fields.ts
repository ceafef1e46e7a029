/**
 * The fields of assets as predicates see them: which operators each kind of field has, and what it can be compared with.
 *
 * On a list a comparison holds when any item fulfils it; `ne` and `noneOf` hold when no item equals a value.
 */
import type { Condition } from './condition.ts';

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

/** A number. */
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
