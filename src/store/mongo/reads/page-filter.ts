/**
 * Translates which types a search is for, and its order, into MongoDB's filter and sort.
 */
import type { BoundSort } from '../../../query/sort.ts';
import { toValuePath } from '../documents/document-path.ts';
import type { Filter } from './compile-predicate.ts';

/** Restricts a filter to assets of some classes. */
export function toFilter(classes: readonly string[], where: Filter = {}): Filter {
  const [first] = classes;
  return { $and: [{ _type: classes.length === 1 ? first : { $in: classes } }, where] };
}

/**
 * Translates a sort into MongoDB's own order: absent and null values first, and strings by code point, since no collation is set.
 *
 * A field's index `{_type, field, _id}` has this order. A unique index leaves out absent values, so pages sorted by its field are
 * sorted in memory. MongoDB orders a value of another type than its field's by its type, whereas SQLite treats it as absent.
 */
export function toSort(sort: BoundSort): Map<string, 1 | -1> {
  return new Map(sort.map(({ path, descending }) => [toValuePath(path), descending ? -1 : 1]));
}
