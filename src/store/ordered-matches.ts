/**
 * Tells which comparisons an index in the order of the values serves: those whose matches stand together in it.
 */
import type { BoundComparison } from '../query/ast.ts';
import { partPlaces } from '../query/operators.ts';

/** Tells whether the values that match a comparison stand together in the order of values. */
export function matchInOrder(comparison: BoundComparison): boolean {
  switch (comparison.kind) {
    case 'equals':
      return !comparison.ignoreCase;
    case 'compare':
      return true;
    case 'text':
      return partPlaces[comparison.operator] === 'beginning' && !comparison.ignoreCase;
    case 'words':
    case 'missing':
    case 'empty':
      return false;
  }
}
