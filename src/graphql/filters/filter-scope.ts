/**
 * What the functions that read a filter share: the place they are at, and the problems they report.
 */
import type { Catalog, Field } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { predicateLimits } from '../../query/limits.ts';
import type { FilterFields } from './filter-types.ts';

/** Stands for a value that only a request has, when the filter of a document is inspected. */
export const openValue = Symbol('a value that only the request has');

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
  readonly open: () => void;
}

/** The state of reading one filter. */
export interface Reading {
  readonly catalog: Catalog;
  readonly fieldsOf: FilterFields;
  readonly findPath: (text: string) => FieldPath | string;
  readonly notice: Notice;
  comparisons: number;
  operands: number;
}

/** A place in a filter, and what its paths begin with. */
export interface Scope {
  readonly at: FilterPlace;
  /** The path of the field that the filter is about, and what stands between it and the names of members. */
  readonly path: string;
  readonly separator: '' | '.' | '/';
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether the filter is about one item of a list. */
  readonly isItem: boolean;
  readonly depth: number;
}

/** A condition of which nothing is known yet. */
export const anything: BoundPredicate = { kind: 'constant', value: true };

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
  terms: readonly BoundPredicate[],
): BoundPredicate | undefined {
  if (terms.length === 0) return undefined;
  if (scope.isItem && terms.length > 1) {
    report(reading, scope, 'has several conditions, but a filter of the items of a list can have only one');
  }
  return allOf(terms);
}

/** Resolves the path of a place, for one comparison; reports a path that means nothing. */
export function resolve(reading: Reading, scope: Scope): FieldPath | undefined {
  const path = reading.findPath(scope.path);
  if (typeof path === 'string') return report(reading, scope, path);
  reading.notice.path(path);
  if (++reading.comparisons <= predicateLimits.comparisons) return path;
  return report(reading, scope, `has more than ${predicateLimits.comparisons} comparisons`);
}
