/** Counts the comparisons of a predicate, on which the cost of testing one asset depends. */
import type { BoundPredicate } from './ast.ts';

/** Returns how many comparisons a predicate consists of. */
export function countComparisons(predicate: BoundPredicate): number {
  if (predicate.kind === 'any') return countComparisons(predicate.where);
  if (predicate.kind === 'not') return countComparisons(predicate.term);
  if (predicate.kind !== 'and' && predicate.kind !== 'or') return 1;
  return predicate.terms.reduce((sum, term) => sum + countComparisons(term), 0);
}
