/** Counts the comparisons of a predicate, on which the cost of testing one asset depends. */
import type { BoundComparison, BoundPredicate } from './ast.ts';

/** Returns how many comparisons a predicate consists of, or how many of one sort. */
export function countComparisons(
  predicate: BoundPredicate,
  isCounted: (comparison: BoundComparison) => boolean = () => true,
): number {
  switch (predicate.kind) {
    case 'constant':
      return 0;
    case 'any':
      return countComparisons(predicate.where, isCounted);
    case 'not':
      return countComparisons(predicate.term, isCounted);
    case 'and':
    case 'or':
      return predicate.terms.reduce((sum, term) => sum + countComparisons(term, isCounted), 0);
    default:
      return isCounted(predicate) ? 1 : 0;
  }
}

/** Whether a comparison looks through whole texts, for a part or for words. */
export const readsTexts = (comparison: BoundComparison): boolean =>
  comparison.kind === 'words' || (comparison.kind === 'text' && comparison.operator === 'contains');
