/**
 * Defines which fields assets can be sorted by, and the order itself. Every store must agree with `compareBySort`.
 *
 * An absent value is less than any other, texts are ordered by code point, false is less than true, and a reference is compared
 * by its `_ref`. A bound order always ends with `_id`, in the direction of the key before it, so that no two assets are equal.
 */

import { invalidParameter } from '../base/errors.ts';
import type { Asset, Catalog } from '../model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';
import { compareValues } from './evaluate.ts';
import { predicateLimits } from './limits.ts';
import { familyOf, textOrderOf } from './operators.ts';
import { findValues } from './path-values.ts';

/** A field to sort by, as a caller names it: a JSON name, or a path into embedded values such as `address.city`. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Parses a sort key: a field, with `-` before it when it descends. Errors: invalid_parameter `sort`. */
export function parseSortKey(text: string): SortKey {
  const descending = text.startsWith('-');
  const field = descending ? text.slice(1) : text;
  if (field === '') throw invalidParameter('sort', 'must be names of fields, separated by commas');
  return { field, descending };
}

/** A sort key ready for a store: its path has at most one value, which can be compared. */
export interface BoundSortKey {
  readonly path: FieldPath;
  readonly descending: boolean;
}

/** A total order: its last key, and only that one, is `_id`. */
export type BoundSort = readonly BoundSortKey[];

/** The path of `_id`. */
export const idPath: FieldPath = { text: '_id', steps: [{ name: '_id', list: false }], leaf: { kind: 'id' } };

/** The default order of assets. */
export const sortById: BoundSort = [{ path: idPath, descending: false }];

const maxKeys = 8;

/**
 * Binds sort keys for assets of the given classes; without keys the order is by `_id`.
 *
 * Shapes: `classes` are class names of concrete content types.
 * Errors: invalid_parameter `sort` (more than 8 keys, a field given twice or unknown, a list, JSON, an embedded
 * value as a whole, a path through a reference).
 */
export function bindSort(catalog: Catalog, classes: readonly string[], keys: readonly SortKey[]): BoundSort {
  if (keys.length > maxKeys)
    throw invalidParameter('sort', `has ${keys.length} keys; at most ${maxKeys} are allowed`);
  const fields = new Set<string>();
  const bound = keys.map(({ field, descending }) => {
    if (fields.has(field)) throw unsortable(field, 'it is given twice');
    fields.add(field);
    return { path: resolve(catalog, classes, field), descending };
  });
  const idAt = bound.findIndex(({ path }) => path.leaf.kind === 'id');
  if (idAt >= 0) return bound.slice(0, idAt + 1);
  return [...bound, { path: idPath, descending: bound.at(-1)?.descending ?? false }];
}

function resolve(catalog: Catalog, classes: readonly string[], field: string): FieldPath {
  if (field.includes('/')) throw unsortable(field, 'it goes through a reference');
  if (field.split('.').length > predicateLimits.pathNames) throw unsortable(field, 'it has too many names');
  const path = findFieldPath(catalog, classes, field, { followsReferences: false });
  if (typeof path === 'string') throw unsortable(field, path);
  if (path.steps.at(-1)?.list) throw unsortable(field, 'it is a list');
  if (path.steps.some(({ list }) => list)) throw unsortable(field, 'it goes through a list');
  if (path.leaf.kind === 'embedded') throw unsortable(field, 'it is an embedded value as a whole');
  if (familyOf(path.leaf) === 'opaque') throw unsortable(field, 'it is JSON');
  return path;
}

const unsortable = (field: string, reason: string) =>
  invalidParameter('sort', `cannot be by ${JSON.stringify(field)}: ${reason}`);

/** Returns the comparator of an order: below 0 when `a` sorts first, 0 only for the same asset. */
export function compareBySort(sort: BoundSort): (a: Asset, b: Asset) => number {
  return (a, b) => compareInOrder(sort, (_, { path }) => [findValues(a, path)[0], findValues(b, path)[0]]);
}

/** Compares by the values of each key: below 0 when the first values sort first. */
export function compareInOrder(
  sort: BoundSort,
  valuesOf: (index: number, key: BoundSortKey) => readonly [SortValue, SortValue],
): number {
  for (const [index, key] of sort.entries()) {
    const difference = compareSortValues(...valuesOf(index, key));
    if (difference !== 0) return key.descending ? -difference : difference;
  }
  return 0;
}

/** A value that is sorted by; null or undefined where there is none. */
type SortValue = BoundValue | null | undefined;

function compareSortValues(a: SortValue, b: SortValue): number {
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  return b === undefined || b === null ? 1 : compareValues(a, b);
}

// The keys by which stores order, compare and index values. Where a database orders values as `compareValues` does, a value is its own key.

/** The key of a value: absent values, which have none, sort first. */
export type OrderKey = string | number;

/** The number of these rules. Raise it when the key of any value changes: indexes record it. */
export const orderKeyVersion = 1;

/** Names the rule that orders the values of a path: the scalar of `ordered` values, the family of all others. */
export const orderRuleOf = (leaf: LeafType): string =>
  leaf.kind === 'scalar' && textOrderOf(leaf) ? leaf.scalar : familyOf(leaf);

/** Returns the key of a value: a truth value as a number. */
const toOrderKey = (value: BoundValue): OrderKey => (typeof value === 'boolean' ? Number(value) : value);

/** Returns the keys of the values of a path within an asset. */
export const findOrderKeys = (asset: Asset, path: FieldPath): OrderKey[] =>
  findValues(asset, path).map(toOrderKey);

/** Returns a value as clients write it: the text that stands for a key. */
export function toWrittenValue({ leaf }: Pick<FieldPath, 'leaf'>, value: BoundValue): BoundValue {
  const order = textOrderOf(leaf);
  return order && typeof value === 'string' ? order.fromKey(value) : value;
}
