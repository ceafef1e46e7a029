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

/** What an operator does with a value: compares it for equality or by order, or searches it for a part or for words. */
type OperatorKind = 'equality' | 'order' | 'part' | 'words';

interface OperatorTraits {
  readonly kind: OperatorKind;
  /** Whether `[c]` may follow it. */
  readonly allowsIgnoreCase: boolean;
}

const traits = {
  equals: { kind: 'equality', allowsIgnoreCase: true },
  notEquals: { kind: 'equality', allowsIgnoreCase: true },
  lt: { kind: 'order', allowsIgnoreCase: false },
  le: { kind: 'order', allowsIgnoreCase: false },
  gt: { kind: 'order', allowsIgnoreCase: false },
  ge: { kind: 'order', allowsIgnoreCase: false },
  startsWith: { kind: 'part', allowsIgnoreCase: true },
  contains: { kind: 'part', allowsIgnoreCase: true },
  matches: { kind: 'words', allowsIgnoreCase: true },
  matchesAll: { kind: 'words', allowsIgnoreCase: true },
} as const satisfies Record<Operator, OperatorTraits>;

type OperatorOf<Kind> = {
  [Name in Operator]: (typeof traits)[Name]['kind'] extends Kind ? Name : never;
}[Operator];

/** An operator that compares by order. */
export type OrderOperator = OperatorOf<'order'>;
/** An operator that searches a text for a part of it. */
export type PartOperator = OperatorOf<'part'>;

/**
 * Where a text has the part. Of texts that begin with a part, only the beginning is read, and they stand together in the order of texts;
 * a search anywhere reads whole texts.
 */
export const partPlaces: Readonly<Record<PartOperator, 'beginning' | 'anywhere'>> = {
  startsWith: 'beginning',
  contains: 'anywhere',
};

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

/** The families of values that operators of each kind can be used with. */
const familiesOf: Readonly<Record<OperatorKind, readonly ValueFamily[]>> = {
  equality: ['text', 'number', 'boolean', 'ordered', 'opaque', 'reference', 'type'],
  order: ['text', 'number', 'ordered'],
  part: ['text'],
  words: ['text'],
};

/** Tells whether an operator compares for equality, which all families allow. */
export function isEquality(operator: Operator): operator is OperatorOf<'equality'> {
  return traits[operator].kind === 'equality';
}

/** Tells whether an operator compares by order, which truth values and references lack. */
export function isOrdering(operator: Operator): operator is OrderOperator {
  return traits[operator].kind === 'order';
}

/** Tells whether an operator searches a text for a part of it. */
export function isPartSearch(operator: Operator): operator is PartOperator {
  return traits[operator].kind === 'part';
}

/** Tells whether `[c]` may follow an operator, when it compares texts. */
export const allowsIgnoreCase = (operator: Operator): boolean => traits[operator].allowsIgnoreCase;

/** Tells whether an operator can be used with values of a family. */
export const operatorFits = (operator: Operator, family: ValueFamily): boolean =>
  familiesOf[traits[operator].kind].includes(family);
