/**
 * The operators of the predicate language: their spellings, and the values that each can be used with.
 *
 * Spellings are words (any case) or symbols; the first spelling of each is the one the printer writes.
 */
import type { LeafType } from '../model/field-path.ts';
import { type ScalarFamily, scalars } from '../model/values/scalars.ts';
import type { TextOrder } from '../text/ordered-texts.ts';

export const operatorSpellings = {
  equals: ['=', 'in'],
  notEquals: ['!=', 'notIn'],
  lt: ['<'],
  le: ['<='],
  gt: ['>'],
  ge: ['>='],
  startsWith: ['startsWith'],
  contains: ['contains'],
  matches: ['matches'],
  matchesAll: ['matchesAll'],
} as const;

/** The name of an operator, independent of its spelling. */
export type Operator = keyof typeof operatorSpellings;

/** The names of all operators. */
// Object.keys returns string[]; the object above has no other members.
export const operators = Object.keys(operatorSpellings) as Operator[];

/** What each operator does with a value: compares it for equality or by order, or searches it for a part or for words. */
const operatorKinds = {
  equals: 'equality',
  notEquals: 'equality',
  lt: 'order',
  le: 'order',
  gt: 'order',
  ge: 'order',
  startsWith: 'part',
  contains: 'part',
  matches: 'words',
  matchesAll: 'words',
} as const satisfies Record<Operator, 'equality' | 'order' | 'part' | 'words'>;

type OperatorOf<Kind> = {
  [Name in Operator]: (typeof operatorKinds)[Name] extends Kind ? Name : never;
}[Operator];

/** An operator that compares by order. */
export type OrderOperator = OperatorOf<'order'>;
/** An operator that searches a text for a part of it. */
export type PartOperator = OperatorOf<'part'>;

/** The kinds of values that operators distinguish; `ordered` ones are compared by their order keys, `opaque` ones can only be present or missing. */
export type ValueFamily = ScalarFamily | 'reference' | 'type';

const bySpelling: ReadonlyMap<string, Operator> = new Map(
  operators.flatMap((operator) =>
    operatorSpellings[operator].map((spelling) => [spelling.toLowerCase(), operator] as const),
  ),
);

export function findOperator(spelling: string): Operator | undefined {
  return bySpelling.get(spelling.toLowerCase());
}

/** Returns the family of the values that a path ends at. */
export function familyOf(leaf: LeafType): ValueFamily {
  switch (leaf.kind) {
    case 'id':
    case 'enum':
      return 'text';
    case 'type':
    case 'reference':
      return leaf.kind;
    case 'embedded':
      return 'opaque';
    case 'scalar':
      return scalars[leaf.scalar].family;
  }
}

/** Returns the order of the values that a path ends at; `undefined` unless they are of the family `ordered`. */
export const textOrderOf = (leaf: LeafType): TextOrder | undefined =>
  leaf.kind === 'scalar' ? scalars[leaf.scalar].order : undefined;

/** Tells whether the values that a path ends at are texts in HTML. */
export const isRichText = (leaf: LeafType): boolean =>
  leaf.kind === 'scalar' && scalars[leaf.scalar].isHtml === true;

/** Tells whether an operator compares for equality, which all families allow. */
export function isEquality(operator: Operator): operator is OperatorOf<'equality'> {
  return operatorKinds[operator] === 'equality';
}

/** Tells whether an operator compares by order, which truth values and references lack. */
export function isOrdering(operator: Operator): operator is OrderOperator {
  return operatorKinds[operator] === 'order';
}

/** Tells whether an operator searches a text for a part of it. */
export function isPartSearch(operator: Operator): operator is PartOperator {
  return operatorKinds[operator] === 'part';
}

/** Tells whether an operator can be used with values of a family. */
export function operatorFits(operator: Operator, family: ValueFamily): boolean {
  const hasOrder = family === 'number' || family === 'ordered';
  return isEquality(operator) || family === 'text' || (hasOrder && isOrdering(operator));
}
