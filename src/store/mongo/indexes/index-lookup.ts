/**
 * Tells which comparisons and orders MongoDB finds in the indexes that the catalog asks for.
 */
import type { Catalog } from '../../../model/content-type.ts';
import { type FieldPath, indexedPaths } from '../../../model/field-path.ts';
import type { BoundComparison } from '../../../query/ast.ts';
import type { IndexLookup } from '../../unindexed-path.ts';

/** Creates the lookup for the types of a catalog. */
export function createIndexLookup(catalog: Catalog): IndexLookup {
  const indexed = new Map(
    [...catalog.types.values()].map(({ class: name, fields }) => [
      name,
      new Set(indexedPaths(fields).map(({ path }) => path.text)),
    ]),
  );
  const orders = (path: FieldPath, className: string) =>
    path.through === undefined && indexed.get(className)?.has(path.text) === true;
  return {
    orders,
    serves: (comparison, className) => isExact(comparison) && orders(comparison.path, className),
  };
}

function isExact(comparison: BoundComparison): boolean {
  switch (comparison.kind) {
    case 'equals':
      return !comparison.ignoreCase;
    case 'compare':
      return true;
    case 'text':
      return comparison.operator === 'startsWith' && !comparison.ignoreCase;
    case 'words':
    case 'missing':
      return false;
  }
}
