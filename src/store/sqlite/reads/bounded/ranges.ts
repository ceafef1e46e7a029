/**
 * Joins the terms that limit one path to a range, so that an index serves them as one.
 */
import type { FieldPath } from '../../../../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../../../../query/ast.ts';
import { matchInOrder } from '../../../ordered-matches.ts';
import { indexKey } from '../../indexes/field-indexes.ts';
import type { ValueKind } from '../document-path.ts';
import { toTest, type ValueCollector, type ValueTest } from '../value-test.ts';

/** A comparison that limits the values of a path which has at most one. */
type Limit = Extract<BoundComparison, { kind: 'compare' | 'text' }>;

/** Joins the limits of each path to one term `and`; the other terms stay as they are. */
export function joinRanges(terms: readonly BoundPredicate[]): BoundPredicate[] {
  const limits = terms.filter(isLimit);
  const paths = Map.groupBy(limits, ({ path }) => indexKey(path));
  const ranges = [...paths.values()].filter(({ length }) => length > 1);
  const joined = new Set<BoundPredicate>(ranges.flat());
  return [
    ...terms.filter((term) => !joined.has(term)),
    ...ranges.map((range) => ({ kind: 'and' as const, terms: range })),
  ];
}

/** Returns the limits of a term that limits one path alone, else nothing. */
export function limitsOf(term: BoundPredicate): readonly Limit[] {
  if (isLimit(term)) return [term];
  if (term.kind !== 'and' || !term.terms.every(isLimit)) return [];
  const paths = new Set(term.terms.map(({ path }) => indexKey(path)));
  return paths.size === 1 ? term.terms : [];
}

/** Returns the path that a term limits. */
export const limitedPath = (term: BoundPredicate): FieldPath | undefined => limitsOf(term)[0]?.path;

/** Compiles all limits of a term. */
export function toRangeTest(
  term: BoundPredicate,
  { kind, scope }: { kind: ValueKind; scope: ValueCollector },
): ValueTest {
  const tests = limitsOf(term).map((limit) => toTest(limit, { kind, scope }));
  return (value) => tests.map((test) => test(value)).join(' AND ');
}

function isLimit(term: BoundPredicate): term is Limit {
  if (term.kind !== 'compare' && term.kind !== 'text') return false;
  if (term.path.through || term.path.steps.some(({ list }) => list)) return false;
  return matchInOrder(term);
}
