/**
 * Keeps what searches have found out about the drafts in one state, until one of the types that it depends on is written to.
 */
import { LRUCache } from 'lru-cache';
import type { BoundPredicate } from '../../query/ast.ts';
import type { BoundSort } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';
import { targetsOf } from './reference-steps.ts';

/** A part of a search: assets of these classes that match, in an order if that matters. */
export interface SearchedDrafts {
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
