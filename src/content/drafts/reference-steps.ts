/**
 * The steps of a predicate through references, which searches with drafts replace, and the results of such searches, kept until one of the
 * types that they depend on is written to.
 */

import { LRUCache } from 'lru-cache';
import { queryTooCostly } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { BoundAny, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, buildAny, negate } from '../../query/build-comparison.ts';
import { findItems, findValues } from '../../query/path-values.ts';
import type { BoundSort } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';
import { targetsOf } from '../reading/find-assets.ts';

/** A part of a search: assets of these classes that match, in an order if that matters. */
interface SearchedDrafts {
  readonly types: readonly string[];
  readonly where: BoundPredicate | undefined;
  readonly sort?: BoundSort;
}

/** Returns the kept result of a search, or makes it and keeps it; `outdated` is the last one, before a write to the types. */
export type KeptResults<Result> = (
  searched: SearchedDrafts,
  make: (outdated: Result | undefined) => Promise<Result>,
) => Promise<Result>;

/** The size of the results in memory, in characters of their texts and about as many for each number. */
const maxSize = 4_194_304;

/** Creates the memory of one kind of results. */
export function createKeptResults<Result extends object>(
  store: Pick<ContentStore, 'revision'>,
  sizeOf: (result: Result) => number,
): KeptResults<Result> {
  const kept = new LRUCache<string, { readonly revision: string; readonly result: Result }>({
    maxSize,
    sizeCalculation: ({ result }, key) => key.length + sizeOf(result) + 100,
  });
  return async ({ types, where, sort }, make) => {
    const key = JSON.stringify([types, where, sort], finite);
    // Before the result: a write between the two causes another one.
    const revision = await store.revision([...new Set([...types, ...(where ? targetsOf(where) : [])])]);
    const known = kept.get(key);
    if (known?.revision === revision) return known.result;
    const result = await make(known?.result);
    kept.set(key, { revision, result });
    return result;
  };
}

/** JSON has no infinite numbers. */
const finite = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

/** The most references of drafts that the steps of a predicate at one level follow. */
const maxReferences = 100_000;

/** Replaces each step through a reference; returns `where` itself if none changes. */
export async function replaceSteps(
  where: BoundPredicate,
  replace: (any: BoundAny, targets: readonly string[]) => Promise<BoundPredicate>,
): Promise<BoundPredicate> {
  switch (where.kind) {
    case 'and':
    case 'or': {
      const terms: BoundPredicate[] = [];
      for (const term of where.terms) terms.push(await replaceSteps(term, replace));
      if (terms.every((term, n) => term === where.terms[n])) return where;
      return where.kind === 'and' ? allOf(terms) : anyOf(terms);
    }
    case 'not': {
      const term = await replaceSteps(where.term, replace);
      return term === where.term ? where : negate(term);
    }
    case 'any': {
      if (where.targets) return replace(where, where.targets);
      const inner = await replaceSteps(where.where, replace);
      return inner === where.where ? where : buildAny({ ...where, where: inner });
    }
    default:
      return where;
  }
}

/** The `_id`s that the steps of a predicate lead to. */
export interface References {
  readonly ofStep: Map<BoundAny, Set<string>>;
  /** Of all steps together. */
  count: number;
}

/** Adds the references that an asset, or an item of a list in it, has for each step. Errors: query_too_costly. */
export function collectReferences(where: BoundPredicate, holder: JsonObject, found: References): void {
  if (where.kind === 'and' || where.kind === 'or')
    for (const term of where.terms) collectReferences(term, holder, found);
  if (where.kind === 'not') collectReferences(where.term, holder, found);
  if (where.kind !== 'any') return;
  if (!where.targets) {
    for (const item of findItems(holder, where, () => undefined)) collectReferences(where.where, item, found);
    return;
  }
  const ids = found.ofStep.get(where) ?? new Set();
  found.ofStep.set(where, ids);
  const before = ids.size;
  for (const id of findValues(holder, where.path)) ids.add(String(id));
  found.count += ids.size - before;
  if (found.count > maxReferences) throw queryTooCostly();
}
