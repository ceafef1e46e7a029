/**
 * Reads the position of documents in an order, and tells MongoDB to sort by the values that the order compares.
 *
 * MongoDB orders a value of another type than its field's by that type. A page by cursor must have the order of `query/sort.ts`, in
 * which such a value is none, so each range of values excludes them, or they are replaced before sorting.
 */
import type { FieldPath } from '../../../../model/field-path.ts';
import type { SortPosition } from '../../../../query/keyset.ts';
import { familyOf } from '../../../../query/operators.ts';
import type { BoundSort } from '../../../../query/sort.ts';
import type { AssetDocument } from '../../documents/document.ts';
import { toValuePath } from '../../documents/document-path.ts';

/** Returns the projection to the values that assets are sorted by. */
export const projectSort = (sort: BoundSort): Readonly<Record<string, 1>> =>
  Object.fromEntries(sort.map(({ path }) => [toValuePath(path), 1]));

/** Returns the position of a document that was read with `projectSort`. */
export const positionIn = (document: AssetDocument, sort: BoundSort): SortPosition =>
  sort.map(({ path }) => {
    let value: unknown = document;
    for (const name of toValuePath(path).split('.')) value = memberOf(value, name);
    const isOfField = typeof value === jsTypes[comparedAs(path)];
    return isOfField ? (value as string | number | boolean) : null;
  });

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns the expression that is true for the documents whose value at a path can be compared. */
export const isComparable = (path: FieldPath) => ({
  $in: [{ $type: `$${toValuePath(path)}` }, bsonTypes[comparedAs(path)]],
});

/** Returns the stages that sort by what the order compares. */
export function sortStages(sort: BoundSort): Readonly<Record<string, unknown>>[] {
  const values = sort.map(
    ({ path }, n) => [`_sort${n}`, { $cond: [isComparable(path), `$${toValuePath(path)}`, null] }] as const,
  );
  const directions = sort.map(({ descending }, n) => [`_sort${n}`, descending ? -1 : 1] as const);
  return [{ $addFields: Object.fromEntries(values) }, { $sort: Object.fromEntries(directions) }];
}

const jsTypes = { text: 'string', number: 'number', boolean: 'boolean' } as const;
const bsonTypes = {
  text: ['string'],
  number: ['int', 'long', 'double', 'decimal'],
  boolean: ['bool'],
} as const;

function comparedAs({ leaf }: FieldPath): 'text' | 'number' | 'boolean' {
  const family = familyOf(leaf);
  return family === 'number' || family === 'boolean' ? family : 'text';
}
