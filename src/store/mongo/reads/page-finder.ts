/**
 * Finds pages of assets. What indexes find is tried at once, with little time; anything else waits until it is its client's turn,
 * and has the budget of a search.
 */
import type { Collection } from 'mongodb';
import { invalidParameter, queryTooCostly } from '../../../base/errors.ts';
import { createTaskQueue } from '../../../base/task-queue.ts';
import { type BoundSort, sortById } from '../../../query/sort.ts';
import type { FindRequest } from '../../port.ts';
import { findUnindexed, type IndexLookup } from '../../unindexed-path.ts';
import type { AssetDocument } from '../documents/document.ts';
import { toValuePath } from '../documents/document-path.ts';
import type { createChunkReader } from './chunk-reader.ts';
import { compilePredicate, type Filter, type FindIds } from './compile-predicate.ts';
import { isIndexed } from './indexed-search.ts';
import { isUsedUp, type SearchBudget, searchWithin } from './search-budget.ts';
import type { ReadTurns } from './search-turns.ts';

/** Finds pages, in the form of a chunk reader. */
export interface PageFinder {
  /** Errors: query_too_costly, invalid_parameter, store_busy, the driver's. */
  find<Item>(reader: Reader<Item>, request: FindRequest): Promise<FoundItems<Item>>;
}

/** How to search. */
export interface SearchOptions {
  readonly indexes: IndexLookup;
  readonly queryMs: number;
  readonly turns: ReadTurns;
}

type Reader<Item> = ReturnType<typeof createChunkReader<Item>>;

/** Items in one form. */
interface FoundChunk<Item> {
  readonly items: readonly Item[];
  readonly rest?: readonly string[];
}

/** A page in one form. */
interface FoundItems<Item> extends FoundChunk<Item> {
  readonly count?: number;
}

/** What a search has found; the page or the count is absent when it was not asked for, or took too long. */
interface SearchResult<Item> {
  readonly page?: FoundChunk<Item>;
  readonly count?: number;
}

/** A search, and what its page and its count become when they fail. */
interface Search {
  readonly request: FindRequest;
  readonly budget: SearchBudget;
  readonly ifInTime?: <Value>(value: Promise<Value>) => Promise<Value | undefined>;
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
  { indexes, queryMs, turns }: SearchOptions,
): PageFinder {
  async function find<Item>(reader: Reader<Item>, request: FindRequest): Promise<FoundItems<Item>> {
    try {
      const first = isIndexed(request, indexes) ? await tryAtOnce(reader, request) : {};
      if (isComplete(first, request)) return toFound(first);
      const rest = without(request, first);
      const found = await turns.long.run(
        (signal) => searchWithin(queryMs, (budget) => search(reader, { request: rest, budget }), signal),
        request,
      );
      return toFound({ ...found, ...first });
    } catch (error) {
      throw isUsedUp(error) ? queryTooCostly(findUnindexed(request, indexes)) : error;
    }
  }

  /** Finds what takes little time: the page, the count, both or neither. */
  function tryAtOnce<Item>(reader: Reader<Item>, request: FindRequest): Promise<SearchResult<Item>> {
    const ifInTime = <Value>(value: Promise<Value>) =>
      value.catch((error) => {
        if (isUsedUp(error)) return undefined;
        throw error;
      });
    const searchOnce = async (budget: SearchBudget) =>
      (await ifInTime(search(reader, { request, budget, ifInTime }))) ?? {};
    return turns.short.run((signal) => searchWithin(atOnceMs, searchOnce, signal), request);
  }

  async function search<Item>(
    { readPage }: Reader<Item>,
    { request, budget, ifInTime = (value) => value }: Search,
  ): Promise<SearchResult<Item>> {
    const { types: classes, where, sort = sortById, offset, limit, withCount } = request;
    const filter = toFilter(classes, where && (await compilePredicate(where, createIdFinder(budget))));
    const [page, count] = await Promise.all([
      limit > 0 ? ifInTime(readPage(filter, { sort: toSort(sort), skip: offset, limit }, budget)) : undefined,
      withCount ? ifInTime(assets.countDocuments(filter, budget())) : undefined,
    ]);
    return { ...(page && { page }), ...(count !== undefined && { count }) };
  }

  /** Creates the search for the targets of one predicate's references; all its calls share the limit. */
  function createIdFinder(budget: SearchBudget): FindIds {
    const queue = createTaskQueue(maxCommands);
    let left = maxTargets;
    return (classes, filter) =>
      queue.run(async () => {
        if (left < 0) throw tooManyTargets();
        const options = { projection: { _id: 1 }, limit: left + 1, ...budget() };
        const targets = await assets.find(toFilter(classes, filter), options).toArray();
        left -= targets.length;
        if (left < 0) throw tooManyTargets();
        return targets.map(({ _id }) => _id);
      });
  }

  return { find };
}

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

const toFound = <Item>({ page, count }: SearchResult<Item>): FoundItems<Item> => ({
  ...(page ?? { items: [] }),
  ...(count !== undefined && { count }),
});

function toFilter(classes: readonly string[], where: Filter = {}): Filter {
  const [first] = classes;
  return { $and: [{ _type: classes.length === 1 ? first : { $in: classes } }, where] };
}

/**
 * Translates a sort into MongoDB's own order: absent and null values first, and strings by code point, since no collation is set.
 *
 * A field's index `{_type, field, _id}` has this order. A unique index leaves out absent values, so pages sorted by its field are
 * sorted in memory. MongoDB orders a value of another type than its field's by its type, whereas SQLite treats it as absent.
 */
function toSort(sort: BoundSort): Map<string, 1 | -1> {
  return new Map(sort.map(({ path, descending }) => [toValuePath(path), descending ? -1 : 1]));
}
