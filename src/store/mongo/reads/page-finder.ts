/**
 * Finds pages of assets. What indexes find is tried at once, with little time; anything else waits until it is its client's turn,
 * and has the budget of a search.
 */
import type { Collection } from 'mongodb';
import { invalidParameter, queryTooCostly } from '../../../base/errors.ts';
import { createTaskQueue } from '../../../base/task-queue.ts';
import { sortById } from '../../../query/sort.ts';
import type { FacetRequest, FoundFacets } from '../../facets.ts';
import type { FindRequest, FoundPage } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import { findUnindexed, type IndexLookup } from '../../unindexed-path.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { createChunkReader } from './chunk-reader.ts';
import { compilePredicate, type FindIds } from './compile-predicate.ts';
import { explainSearch } from './explain-search.ts';
import { countFacets } from './facets/facet-finder.ts';
import { isIndexed } from './indexed-search.ts';
import { createKeysetFinder, isOrdered, lastWindowMs } from './keyset/keyset-finder.ts';
import { toFilter, toSort } from './page-filter.ts';
import { isUsedUp, type SearchBudget, searchWithin } from './search-budget.ts';
import type { ReadTurns } from './search-turns.ts';
import { testAssets } from './test-assets.ts';

/** Finds pages, in the form of a chunk reader. */
export interface PageFinder {
  /** Errors: query_too_costly, invalid_parameter, store_busy, the driver's. */
  find<Item>(reader: Reader<Item>, request: FindRequest): Promise<FoundPage<Item>>;
  /** Errors: those of `find`. */
  facets(request: FacetRequest): Promise<FoundFacets>;
  /** Errors: those of `find`. */
  explain(request: FindRequest): Promise<SearchPlan>;
}

/** How to search. */
export interface SearchOptions {
  readonly indexes: IndexLookup;
  /** The classes whose words are being made anew. */
  readonly older: ReadonlySet<string>;
  readonly queryMs: number;
  readonly turns: ReadTurns;
}

type Reader<Item> = ReturnType<typeof createChunkReader<Item>>;

/** What a search has found; the page or the count is absent when it was not asked for, or took too long. */
interface SearchResult<Item> {
  readonly page?: FoundPage<Item>;
  readonly count?: number;
}

/** A search, and what its page and its count become when they fail. */
interface Search {
  readonly request: FindRequest;
  readonly budget: SearchBudget;
  readonly ifInTime?: <Value>(value: Promise<Value>) => Promise<Value | undefined>;
  /** The time after which a page by cursor ends early; absent means that it fails when the budget is used up. */
  readonly windowsMs?: number;
}

/** The most assets that the references of one predicate may lead to: one filter of 16 MiB holds all their identifiers. */
const maxTargets = 100_000;
/** The most commands of one predicate that run at once. */
const maxCommands = 2;
/** How long a search may take that is tried without waiting. */
const atOnceMs = 250;

/** Creates the finder over the collection of assets. */
export function createPageFinder(
  assets: Collection<AssetDocument>,
  { indexes, older, queryMs, turns }: SearchOptions,
): PageFinder {
  const findByKeyset = createKeysetFinder(assets, indexes);

  async function find<Item>(reader: Reader<Item>, request: FindRequest): Promise<FoundPage<Item>> {
    try {
      const first = isIndexed(request, indexes) ? await tryAtOnce(reader, request) : {};
      if (isComplete(first, request)) return toFound(first);
      const rest = without(request, first);
      const inWindows = rest.keyset !== undefined && isOrdered(rest, indexes);
      const windowsMs = inWindows ? { windowsMs: queryMs } : {};
      const budgetMs = inWindows ? queryMs + lastWindowMs : queryMs;
      const found = await turns.long.run(
        (signal) =>
          searchWithin(budgetMs, (budget) => search(reader, { request: rest, budget, ...windowsMs }), signal),
        request,
      );
      return toFound({ ...found, ...first });
    } catch (error) {
      throw isUsedUp(error) ? queryTooCostly(findUnindexed(request, indexes)) : error;
    }
  }

  /** Finds what takes little time: the page, the count, both or neither. */
  function tryAtOnce<Item>(reader: Reader<Item>, request: FindRequest): Promise<SearchResult<Item>> {
    const searchOnce = async (budget: SearchBudget) =>
      (await orUndefined(search(reader, { request, budget, ifInTime: orUndefined }))) ?? {};
    return turns.short.run((signal) => searchWithin(atOnceMs, searchOnce, signal), request);
  }

  async function search<Item>(
    reader: Reader<Item>,
    { request, budget, ifInTime = (value) => value, windowsMs }: Search,
  ): Promise<SearchResult<Item>> {
    const { types: classes, where, sort = sortById, offset, limit, withCount } = request;
    const findIds = createIdFinder(budget);
    const wanted = where ? await compilePredicate(where, findIds, { classes, older }) : {};
    const filter = toFilter(classes, wanted);
    const readPage = () =>
      request.keyset
        ? findByKeyset({ reader, request, budget, findIds, wanted, windowsMs })
        : reader.readPage(filter, { sort: toSort(sort), skip: offset, limit }, budget);
    const countAll = () => assets.countDocuments(filter, budget());
    const page = limit > 0 ? await ifInTime(readPage()) : undefined;
    if (!withCount) return { ...(page && { page }) };
    // A page by cursor lacks its count when counting takes too long.
    const countInTime = request.keyset ? orUndefined : ifInTime;
    const count = (page && countOf(page, request)) ?? (await countInTime(Promise.try(countAll)));
    return { ...(page && { page }), ...(count !== undefined && { count }) };
  }

  /** Creates the search for the targets of one predicate's references; all its calls share the limit. */
  function createIdFinder(budget: SearchBudget): FindIds {
    const queue = createTaskQueue(maxCommands);
    let left = maxTargets;
    return (classes, filter, tested) =>
      queue.run(async () => {
        if (left < 0) throw tooManyTargets();
        if (tested) return testAssets(assets, { filter: toFilter(classes, filter), tested, budget });
        const options = { projection: { _id: 1 }, limit: left + 1, ...budget() };
        const targets = await assets.find(toFilter(classes, filter), options).toArray();
        left -= targets.length;
        if (left < 0) throw tooManyTargets();
        return targets.map(({ _id }) => _id);
      });
  }

  /** Counts values: what indexes find at once, with little time; anything else in its client's turn. */
  async function facets(request: FacetRequest): Promise<FoundFacets> {
    const { types: classes, where, paths, limit } = request;
    const count = async (budget: SearchBudget) => {
      const wanted = where ? await compilePredicate(where, createIdFinder(budget), { classes, older }) : {};
      return countFacets(assets, { filter: toFilter(classes, wanted), paths, limit, budget });
    };
    try {
      const found = isIndexed(request, indexes)
        ? await turns.short.run((signal) => orUndefined(searchWithin(atOnceMs, count, signal)), request)
        : undefined;
      return found ?? (await turns.long.run((signal) => searchWithin(queryMs, count, signal), request));
    } catch (error) {
      throw isUsedUp(error) ? queryTooCostly(findUnindexed(request, indexes)) : error;
    }
  }

  async function explain(request: FindRequest): Promise<SearchPlan> {
    const { types: classes, where } = request;
    const run = async (budget: SearchBudget) => {
      const wanted = where ? await compilePredicate(where, createIdFinder(budget), { classes, older }) : {};
      return explainSearch(assets, { request, filter: toFilter(classes, wanted), budget });
    };
    try {
      return await turns.long.run((signal) => searchWithin(queryMs, run, signal), request);
    } catch (error) {
      throw isUsedUp(error) ? queryTooCostly(findUnindexed(request, indexes)) : error;
    }
  }

  return { find, facets, explain };
}

/** Returns the count where the page tells it, because nothing follows. */
function countOf<Item>({ items, rest = [], next }: FoundPage<Item>, { keyset, offset, limit }: FindRequest) {
  const length = items.length + rest.length;
  if (keyset) return keyset.after || next ? undefined : length;
  return length < limit && (length > 0 || offset === 0) ? offset + length : undefined;
}

/** Makes nothing of a search whose time was used up. */
const orUndefined = <Value>(value: Promise<Value>): Promise<Value | undefined> =>
  value.catch((error) => {
    if (isUsedUp(error)) return undefined;
    throw error;
  });

const tooManyTargets = () =>
  invalidParameter('where', `goes through references that more than ${maxTargets} assets match`);

const isComplete = <Item>({ page, count }: SearchResult<Item>, { limit, withCount }: FindRequest) =>
  (limit === 0 || page !== undefined) && (!withCount || count !== undefined);

/** Returns the request for what was not found. */
const without = <Item>(request: FindRequest, { page, count }: SearchResult<Item>): FindRequest => ({
  ...request,
  ...(page && { limit: 0 }),
  withCount: request.withCount && count === undefined,
});

const toFound = <Item>({ page, count }: SearchResult<Item>): FoundPage<Item> => ({
  ...(page ?? { items: [] }),
  ...(count !== undefined && { count }),
});
