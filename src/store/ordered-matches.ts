/**
 * Tells which comparisons an index in the order of the values serves: those whose matches stand together in it.
 */
import type { BoundComparison } from '../query/ast.ts';
import type { PartOperator } from '../query/operators.ts';

/** Whether the texts that have a part stand together in the order of texts. */
const partsInOrder: Readonly<Record<PartOperator, boolean>> = { startsWith: true, contains: false };

/** Tells whether the values that match a comparison stand together in the order of values. */
export function matchInOrder(comparison: BoundComparison): boolean {
  switch (comparison.kind) {
    case 'equals':
      return !comparison.ignoreCase;
    case 'compare':
      return true;
    case 'text':
      return partsInOrder[comparison.operator] && !comparison.ignoreCase;
    case 'words':
    case 'missing':
    case 'empty':
      return false;
  }
}
