/**
 * What the functions that read a filter share: the place they are at, and the problems they report.
 */
import type { Catalog, Field } from '../../model/content-type.ts';
import type { FieldPath, PathRoot } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import type { FilterFields } from './filter-types.ts';

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
