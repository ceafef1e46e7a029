/**
 * The input types of filters: which there are, what they are called, and which members they have.
 *
 * The scalars share theirs, so each content type, embedded type and enum adds one, and one for lists of it if there are any.
 */

import type { GraphQLInputObjectType } from 'graphql';
import type { Catalog, ContentType, Field, ValueType } from '../../model/content-type.ts';
import {
  type FieldPath,
  graphqlKeyName,
  type KeyPaths,
  keysOfType,
  type LeafType,
  type PathRoot,
} from '../../model/field-path.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { familyOf, type Operator, operatorFits } from '../../query/operators.ts';
import { outputNameOf } from '../schema/value-types.ts';

/** A member that compares: whether it takes one value, a list of them, or a text to search for. */
interface FilterMember {
  readonly takes: 'value' | 'list' | 'text';
  readonly description: string;
}

/** A member that compares, and the operator it stands for. */
export interface FilterOperator extends FilterMember {
  readonly operator: Operator;
}

const membersOfOperators: Readonly<Record<Operator, Readonly<Record<string, FilterMember>>>> = {
  equals: {
    eq: { takes: 'value', description: 'Equals the value; null means that there is none.' },
    in: { takes: 'list', description: 'Equals any of the values.' },
  },
  notEquals: {
    ne: { takes: 'value', description: 'Does not equal the value; null means that there is one.' },
    notIn: { takes: 'list', description: 'Equals none of the values.' },
  },
  lt: { lt: { takes: 'value', description: 'Is less than the value.' } },
  le: { le: { takes: 'value', description: 'Is less than the value, or equals it.' } },
  gt: { gt: { takes: 'value', description: 'Is greater than the value.' } },
  ge: { ge: { takes: 'value', description: 'Is greater than the value, or equals it.' } },
  startsWith: { startsWith: { takes: 'text', description: 'Starts with the text.' } },
  contains: { contains: { takes: 'text', description: 'Contains the text.' } },
  matches: { matches: { takes: 'text', description: 'Contains any of the words.' } },
  matchesAll: { matchesAll: { takes: 'text', description: 'Contains all of the words.' } },
};

/** All members that compare, by name. */
export const filterOperators: ReadonlyMap<string, FilterOperator> = new Map(
  // Object.entries loses the type of the keys.
  (Object.entries(membersOfOperators) as [Operator, Record<string, FilterMember>][]).flatMap(
    ([operator, members]) =>
      Object.entries(members).map(([name, member]) => [name, { operator, ...member }] as const),
  ),
);

/** Lists the members that compare values of one kind. The order of an enum's values means nothing; of JSON one can only ask whether it is there. */
export function operatorsOf(leaf: LeafType): readonly (readonly [name: string, FilterOperator])[] {
  const family = familyOf(leaf);
  const isEquality = leaf.kind === 'enum' || family === 'opaque';
  return [...filterOperators].filter(
    ([, { operator, takes }]) =>
      operatorFits(operator, isEquality ? 'boolean' : family) && (family !== 'opaque' || takes === 'value'),
  );
}

/** The type that filters `_type`, whose values are class names. */
export const classNameFilter = 'ClassNameFilter';

/** Returns the name of the type that filters assets or embedded values of a type with this GraphQL name, or values of a scalar or an enum. */
export const filterNameOf = (name: string) => `${name}Filter`;

export const listFilterNameOf = (name: string) => `${name}ListFilter`;

export const keyNameOf = ({ name }: Pick<ContentType, 'name'>) => `${name}Key`;

/** Tells whether null is refused in a member of an input type, which only happens in filters. Where it is not, null means that there is no value. */
export function refusesNull(type: GraphQLInputObjectType, member: string): boolean {
  if (!/.Filter$/.test(type.name)) return false;
  const isOfFields = 'and' in type.getFields();
  return isOfFields ? ['and', 'or', 'not'].includes(member) : member !== 'eq' && member !== 'ne';
}

/** Tells whether a list is filtered by its items: of JSON, one can only ask whether the list is there. */
export const isFilteredByItems = ({ type, list }: Field) =>
  list && !(type.kind === 'scalar' && isAnyJson(type.scalar));

/** Finds the fields that a filter of a type has, by GraphQL name. */
type FilterFields = (type: ValueType | ContentType) => ReadonlyMap<string, Field>;

/**
 * Creates the finder of one catalog. A reference that can lead to several types, none of which is an interface of the catalog, is
 * filtered by the fields that all of them have.
 */
export function createFilterFields(catalog: Catalog): FilterFields {
  const contentTypes = new Map(
    [...catalog.interfaces.values(), ...catalog.types.values()].map((type) => [type.name, type]),
  );
  const known = new Map<string, ReadonlyMap<string, Field>>();

  function find(type: ValueType | ContentType): Iterable<Field> {
    if ('fields' in type) return type.fields.values();
    if (type.kind === 'embedded') return type.type.fields.values();
    if (type.kind !== 'reference') return [];
    const own = contentTypes.get(type.name);
    return own ? own.fields.values() : sharedFields(type.targets);
  }

  function sharedFields(classes: readonly string[]): Field[] {
    const [first, ...others] = classes.flatMap((className) => catalog.types.get(className) ?? []);
    return [...(first?.fields.values() ?? [])].filter((field) =>
      others.every(({ fields }) => {
        const other = fields.get(field.name);
        return other?.list === field.list && outputNameOf(other.type) === outputNameOf(field.type);
      }),
    );
  }

  return (type) => {
    const name = 'fields' in type ? type.name : outputNameOf(type);
    const fields =
      known.get(name) ?? new Map([...find(type)].map((field) => [field.graphqlName, field] as const));
    known.set(name, fields);
    return fields;
  };
}

/** Lists the keys of a content type by the names that they have in GraphQL. */
export const keysOf = (type: Pick<ContentType, 'fields' | 'keys'>): ReadonlyMap<string, KeyPaths> =>
  new Map(keysOfType(type).map((paths) => [graphqlKeyName(paths), paths]));

/** Stands for a variable in the filter of a document. */
export class FilterVariable {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The coerced variables of a request, without those that it leaves out. */
export type FilterVariables = Readonly<Record<string, unknown>>;

/** A filter or a part of one, to bind to the variables of a request; `undefined` when it has vanished. */
export type FilterTerm = (variables: FilterVariables) => BoundPredicate | undefined;

/** Members of input objects and indexes of lists. */
export type FilterPlace = readonly (string | number)[];

/** One thing wrong with a filter; `at` is where. */
export interface FilterProblem {
  readonly at: FilterPlace;
  readonly reason: string;
}

/** What is called while a filter is read. */
export interface Notice {
  readonly problem: (problem: FilterProblem) => void;
  readonly path: (path: FieldPath) => void;
  /** What a variable stands for is known only in a request; `hasPaths` says whether it may name fields. */
  readonly open: (hasPaths: boolean) => void;
}

/** The state of reading one filter. */
export interface Reading {
  readonly catalog: Catalog;
  readonly fieldsOf: FilterFields;
  readonly findPath: (root: PathRoot, text: string) => FieldPath | string;
  readonly notice: Notice;
}

/** A place in a filter, and what its paths begin with. */
export interface Scope {
  readonly at: FilterPlace;
  /** What paths begin at: the listed assets, or an item of a list. */
  readonly root: PathRoot;
  /** The path of the field that the filter is about, and what stands between it and the names of members. */
  readonly path: string;
  readonly separator: '' | '.' | '/';
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether the filter is about one item of a list of values, each of which has no fields. */
  readonly isItem: boolean;
  readonly depth: number;
}

/** Reads a variable that stands for more than a value. */
export function readOpen({ notice }: Reading, hasPaths: boolean): FilterTerm {
  notice.open(hasPaths);
  return () => undefined;
}

/** Goes to a member or to an item. */
export const within = (scope: Scope, key: string | number): Scope => ({ ...scope, at: [...scope.at, key] });

/** Reports a problem at a place. */
export function report(reading: Reading, { at }: Pick<Scope, 'at'>, reason: string): undefined {
  reading.notice.problem({ at, reason });
  return undefined;
}

/** Joins conditions that must all hold; without conditions there is nothing left. */
export function joinAll(
  reading: Reading,
  scope: Scope,
  terms: readonly FilterTerm[],
): FilterTerm | undefined {
  if (terms.length === 0) return undefined;
  if (scope.isItem && terms.length > 1) {
    report(reading, scope, 'has several conditions, but a filter of the items of a list can have only one');
  }
  return joinTerms(terms, allOf);
}

/** Joins conditions as `join` does, in each request those that it has. */
export function joinTerms(
  terms: readonly FilterTerm[],
  join: (terms: readonly BoundPredicate[]) => BoundPredicate,
): FilterTerm {
  const [only] = terms;
  if (only && terms.length === 1) return only;
  return (variables) => {
    const bound = terms.flatMap((term) => term(variables) ?? []);
    return bound.length > 0 ? join(bound) : undefined;
  };
}

/** Resolves the path of a place; reports one that means nothing. */
export function resolve(reading: Reading, scope: Scope): FieldPath | undefined {
  const path = reading.findPath(scope.root, scope.path);
  if (typeof path === 'string') return report(reading, scope, path);
  reading.notice.path(path);
  return path;
}
