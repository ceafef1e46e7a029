/**
 * Counts the values of fields with drafts laid over the store: adds the values of the assets with drafts to those that the store counts.
 */
import { queryTooCostly } from '../../base/errors.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate, BoundValue } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { compareValues } from '../../query/evaluate.ts';
import type { FacetValue } from '../../query/facets.ts';
import { findValues } from '../../query/path-values.ts';
import type { FacetRequest, FoundFacets } from '../../store/facets.ts';
import type { ContentStore } from '../../store/port.ts';
import type { DraftMatcher } from './match-drafts.ts';

/** What counting works with. */
export interface DraftedCounting {
  readonly store: Pick<ContentStore, 'facets'>;
  readonly matcher: DraftMatcher;
}

/** The most values of one field that are in memory. */
const maxValues = 100_000;
/** Stores cut longer texts to so many characters. */
const maxCharacters = 2_001;

/** Counts values. Errors: those of the store's count; query_too_costly. */
export async function countWithDrafts(
  { store, matcher }: DraftedCounting,
  request: FacetRequest,
): Promise<FoundFacets> {
  const { types, where: asked, paths, limit } = request;
  const { where, drafted } = await matcher.toLive(types, asked);
  const live = { ...request, ...(where && { where }) };
  if (!drafted) return store.facets(live);
  const changes = paths.map((path) => createChanges(path));
  const before = await store.facets({ ...request, where: drafted, limit: maxValues + 1 });
  for (const [n, values] of before.entries())
    for (const { value, count } of values) changes[n]?.add(value, -count);
  await matcher.visit(types, asked, (asset) => {
    for (const { path, add } of changes)
      for (const value of new Set(findValues(asset, path).map(cut))) add(value, 1);
  });
  // Each changed value may displace another one.
  const most = limit + Math.max(0, ...changes.map(({ counts }) => counts.size));
  const found = await store.facets({ ...live, limit: most });
  const merged: FacetValue[][] = [];
  for (const [n, { path, counts }] of changes.entries()) {
    const known = new Map((found[n] ?? []).map(({ value, count }) => [value, count]));
    const isWhole = known.size < most;
    const unknown = isWhole ? [] : [...counts.keys()].filter((value) => !known.has(value));
    const others = await countValues(store, { live, path, values: unknown });
    for (const [value, change] of counts)
      known.set(value, change + (known.get(value) ?? others.get(value) ?? 0));
    merged.push(toFirst(known, limit));
  }
  return merged;
}

/** By how much drafts change the counts of the values of a field. */
function createChanges(path: FieldPath) {
  const counts = new Map<BoundValue, number>();
  return {
    path,
    counts,
    add(value: BoundValue, change: number): void {
      counts.set(value, (counts.get(value) ?? 0) + change);
      if (counts.size > maxValues) throw queryTooCostly(path.text);
    },
  };
}

/** Counts the live assets with each of some values. Those of lists come with the other values of the same lists. */
async function countValues(
  store: DraftedCounting['store'],
  {
    live,
    path,
    values,
  }: { readonly live: FacetRequest; readonly path: FieldPath; readonly values: readonly BoundValue[] },
): Promise<ReadonlyMap<BoundValue, number>> {
  if (values.length === 0) return new Map();
  const hasValue: BoundPredicate = { kind: 'equals', path, values, ignoreCase: false };
  const where = allOf([hasValue, ...(live.where ? [live.where] : [])]);
  for (let limit = values.length + 100; ; limit *= 10) {
    const [found = []] = await store.facets({ ...live, where, paths: [path], limit });
    const counts = new Map(found.map(({ value, count }) => [value, count]));
    if (found.length < limit || values.every((value) => counts.has(value))) return counts;
    if (limit > maxValues) throw queryTooCostly(path.text);
  }
}

const toFirst = (counts: ReadonlyMap<BoundValue, number>, limit: number): FacetValue[] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value))
    .slice(0, limit);

const cut = (value: BoundValue) => (typeof value === 'string' ? value.slice(0, maxCharacters) : value);
