/**
 * Reads assets by identifier, and pages of assets.
 */

import { setImmediate } from 'node:timers/promises';
import type { Collection, Document } from 'mongodb';
import { invalidParameter, queryTooCostly } from '../../../base/errors.ts';
import { createTaskQueue } from '../../../base/fair-queue.ts';
import { createAssetWork } from '../../../query/asset-work.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { prepareEvaluation } from '../../../query/evaluate.ts';
import { sortById } from '../../../query/sort.ts';
import type { FacetRequest, FoundFacets } from '../../facets.ts';
import type { ContentStore, FindRequest, FoundPage, StoreReads } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import { findUnindexed, type IndexLookup } from '../../unindexed-path.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import { assetForm, createChunkReader, textForm } from './chunk-reader.ts';
import { compilePredicate, type Filter, type FindIds } from './compile-predicate.ts';
import { countFacets } from './facets/facet-finder.ts';
import { isIndexed } from './indexed-search.ts';
import { createKeysetFinder, isOrdered, lastWindowMs } from './keyset/keyset-finder.ts';
import { toFilter, toSort } from './page-filter.ts';
import { isUsedUp, type SearchBudget, searchWithin } from './search-budget.ts';
import type { ReadTurns } from './search-turns.ts';

/** The number of identifiers in one query. */
const chunkSize = 1_000;

/** Creates the reads over an open database. Errors: the driver's; `find` also query_too_costly, invalid_parameter. */
export function createAssetReader(
  { assets, types }: Database,
  options: SearchOptions,
): StoreReads & Pick<ContentStore, 'countOthers' | 'getVersions'> {
  const pages = createPageFinder(assets, options);
  const inAssets = createChunkReader(assets, assetForm);
  const inTexts = createChunkReader(assets, textForm);

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { _type: 1 } }).toArray(),
    );
    return new Map((await Promise.all(queries)).flat().map(({ _id, _type }) => [_id, _type]));
  }

  async function getVersions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { '_colophon.version': 1 } }).toArray(),
    );
    return new Map(
      (await Promise.all(queries)).flat().map(({ _id, _colophon: { version } }) => [_id, version]),
    );
  }

  /** Counts only classes with a record in `types`: a process that prepares the store writes one for each of its classes. */
  async function countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const others = await types.find({ _id: { $nin: [...known] } }, { sort: { _id: 1 } }).toArray();
    const counts = new Map<string, number>();
    for (const { _id } of others) {
      const count = await assets.countDocuments({ _type: _id });
      if (count > 0) counts.set(_id, count);
    }
    return counts;
  }

  return {
    texts: {
      get: inTexts.readOne,
      getChunk: inTexts.readChunk,
      find: (request) => pages.find(inTexts, request),
    },
    get: inAssets.readOne,
    getMany: inAssets.readMany,
    getChunk: inAssets.readChunk,
    getTypes,
    getVersions,
    find: (request) => pages.find(inAssets, request),
    facets: pages.facets,
    explain: pages.explain,
    countOthers,
  };
}

function chunksOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / chunkSize);
  return Array.from({ length: count }, (_, n) => ids.slice(n * chunkSize, (n + 1) * chunkSize));
}

// Finds pages of assets. What indexes find is tried at once, with little time; anything else waits until it is its client's turn,
// and has the budget of a search.

interface SearchOptions {
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
function createPageFinder(
  assets: Collection<AssetDocument>,
  { indexes, older, queryMs, turns }: SearchOptions,
) {
  const findByKeyset = createKeysetFinder(assets, indexes);

  /** Errors: query_too_costly, invalid_parameter, store_busy, the driver's. */
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

  /** Errors: those of `find`. */
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

/** A search to explain, with its compiled filter. */
interface ExplainedSearch {
  readonly request: Pick<FindRequest, 'sort' | 'offset' | 'limit' | 'withCount'>;
  readonly filter: Filter;
  readonly budget: SearchBudget;
}

/** Runs the commands of a search. Errors: query_too_costly, the driver's. */
export async function explainSearch(
  assets: Collection<AssetDocument>,
  { request: { sort = sortById, offset, limit, withCount }, filter, budget }: ExplainedSearch,
): Promise<SearchPlan> {
  const page = { sort: toSort(sort), skip: offset, limit, allowDiskUse: true };
  const commands = [...(limit > 0 ? [page] : []), ...(withCount ? [{}] : [])];
  const startedMs = performance.now();
  const plans: Document[] = [];
  for (const options of commands) {
    plans.push(await assets.find(filter, { ...options, ...budget() }).explain('executionStats'));
  }
  const ms = performance.now() - startedMs;
  const rows = plans.map(({ executionStats }) => countRows(executionStats));
  const indexes = [...new Set(plans.flatMap(({ queryPlanner }) => findIndexes(queryPlanner?.winningPlan)))];
  if (rows.includes(undefined)) return { indexes, ms };
  return { indexes, rowsVisited: rows.reduce<number>((sum, count) => sum + (count ?? 0), 0), ms };
}

/** Returns how many keys or documents were visited, whichever are more: a key leads to its document. */
function countRows(stats: unknown): number | undefined {
  const { totalKeysExamined: keys, totalDocsExamined: documents } = Object(stats);
  return typeof keys === 'number' && typeof documents === 'number' ? Math.max(keys, documents) : undefined;
}

/** Lists the fields of the indexes in a plan; every index begins with the type, and most end with `_id`. */
function findIndexes(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const own = 'keyPattern' in plan ? [nameIndex(Object(plan.keyPattern))] : [];
  const below = Object.entries(plan).flatMap(([name, part]) =>
    name === 'keyPattern' ? [] : findIndexes(part),
  );
  return [...own, ...below];
}

function nameIndex(keys: object): string {
  const fields = Object.keys(keys).filter((key) => key !== '_type' && key !== '_id');
  return fields.map((field) => field.replace(/\._ref$/, '')).join() || '_id';
}

// Finds the assets that a predicate matches by testing each: for words that MongoDB does not have yet, and for items of lists, with
// which it has no words and order keys.

/** How long assets are tested before other work may run. */
const testMs = 20;

interface Tested {
  readonly filter: Filter;
  /** A predicate that follows no references. */
  readonly tested: BoundPredicate;
  readonly budget: SearchBudget;
}

/** Returns the ids of the assets that match. Errors: query_too_costly, the driver's. */
async function testAssets(
  assets: Collection<AssetDocument>,
  { filter, tested, budget }: Tested,
): Promise<string[]> {
  const work = createAssetWork();
  const holds = prepareEvaluation(tested, work.add);
  const options = { projection: withoutIndex, batchSize: 100, ...budget() } as const;
  const found: string[] = [];
  let startMs = performance.now();
  for await (const document of assets.find(filter, options)) {
    const { asset } = fromDocument(document);
    work.begin();
    if (holds(asset, () => undefined)) found.push(asset._id);
    if (performance.now() - startMs < testMs) continue;
    await setImmediate();
    budget();
    startMs = performance.now();
  }
  return found;
}
