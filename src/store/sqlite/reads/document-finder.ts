/**
 * Reads documents, one chunk at a time: those with known ids, and pages that visit few rows, at once on the main thread; all other
 * pages on the reader threads.
 *
 * A page and a count that both visit few rows come from one snapshot. Otherwise the count may be of a later state than the page: neither
 * waits for the other.
 */
import { isDomainError, queryTooCostly } from '../../../base/errors.ts';
import { countComparisons } from '../../../query/ast.ts';
import type { FacetRequest, FoundFacets } from '../../facets.ts';
import { chunkBytes, type FindRequest } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import { findUnindexed } from '../../unindexed-path.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { isOutOfMemory, isUnfitStatement } from '../map-error.ts';
import { createEventLoopQueue } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { createFacetFinder } from './facets/facet-finder.ts';
import { fewEntries, missingIn, readPage, type SearchRun } from './find-page.ts';
import { toIndexLookup } from './index-keys.ts';
import { createKeysetFinder } from './keyset-finder.ts';
import { type FoundDocuments, locateByIds, readFirst, resolveTargets } from './read-documents.ts';
import { createMainThreadBudget } from './search-budget.ts';

/** Documents with more characters than this wait for a round of the event loop before they are processed. */
const maxCharactersAtOnce = 65_536;
/** How many identifiers one query looks up. */
const maxIdsLocated = 1_000;
/** A predicate with more comparisons takes long even on few rows, so a search with it never runs on the main thread. */
const maxComparisonsOnMain = 32;
/** How many rows the count of the values of fields visits on the main thread. */
const maxFacetRows = 256;

export function createDocumentFinder({
  readers,
  mainConnection,
  mainCeiling,
  indexes,
  queryMs,
}: Pick<Threads, 'readers' | 'mainConnection' | 'mainCeiling' | 'indexes' | 'queryMs'>) {
  const yieldToEventLoop = createEventLoopQueue();
  const mainBudget = createMainThreadBudget();
  const oneChunk = { maxBytes: chunkBytes };

  const onMain = <Found>(search: (run: SearchRun) => Found): Found =>
    mainConnection.inSnapshot((all) => search({ all, within: mainCeiling.within, few: fewEntries }));
  /** Looks up the assets whose `_id` a predicate compares behind a reference. */
  const withTargets = <Request extends Searched>(request: Request, known: StoredTypes): Request => {
    const { where } = request;
    if (!where || !isShort(request)) return request;
    const resolved = resolveTargets((query) => mainConnection.run([query])[0] ?? [], where, known);
    return resolved === where ? request : { ...request, where: resolved };
  };
  const findByKeyset = createKeysetFinder({ readers, mainBudget, onMain, queryMs });
  const facetLimits = { rowsOtherwise: maxFacetRows, comparisons: maxComparisonsOnMain };
  const countFacets = createFacetFinder({
    readers,
    mainConnection,
    mainCeiling,
    mainBudget,
    onMain: facetLimits,
  });

  /** Waits for a round of the event loop where the caller processes many characters. */
  const afterYield = async (found: FoundDocuments) => {
    const characters = found.rows.reduce((sum, [document]) => sum + String(document).length, 0);
    if (characters > maxCharactersAtOnce) await yieldToEventLoop();
    return found;
  };
  /** Reads the first chunk of the documents with these ids, in their order. */
  async function readByIds(ids: readonly string[]): Promise<FoundDocuments> {
    const part = ids.slice(0, maxIdsLocated);
    const { rows, rest } = await afterYield(
      mainConnection.inSnapshot((all) => readFirst(all, { located: all(locateByIds(part)), ...oneChunk })),
    );
    return { rows, rest: [...rest, ...ids.slice(part.length)] };
  }

  async function search(request: FindRequest, known: StoredTypes): Promise<FoundDocuments> {
    const { signal, client, ...find } = request;
    const found = await mainBudget.run(() => {
      signal?.throwIfAborted();
      return isShort(request) ? onMain((run) => readPage(run, request, known)) : {};
    });
    const missing = missingIn(found, request);
    if (missing.limit === 0 && !missing.withCount) return afterYield({ rows: [], rest: [], ...found });
    const wanted = { kind: 'find', find: { ...find, ...missing }, types: known } as const;
    // A reader answers each kind of request with its kind of result.
    const onThread = (await readers.call(wanted, { signal, client })) as FoundDocuments;
    return afterYield({ ...onThread, ...found });
  }

  /** Finds a page by cursor. Its count is left out when it takes too long: the page ends early then, too. */
  async function searchByKeyset(request: FindRequest, known: StoredTypes): Promise<FoundDocuments> {
    const { keyset, ...whole } = request;
    const page = await findByKeyset(request, { types: known, isShort: isShort(request) });
    if (!request.withCount) return afterYield(page);
    const counted = await search({ ...whole, limit: 0 }, known).catch((error) => {
      if (isDomainError(error, 'query_too_costly')) return {};
      throw error;
    });
    return afterYield({ ...counted, ...page });
  }

  /** Explains a search on a reader thread, which has the time for it. */
  async function explain({ signal, client, ...find }: FindRequest, types: StoredTypes): Promise<SearchPlan> {
    const request = { kind: 'explain', find, types, isShort: isShort(find) } as const;
    // A reader answers each kind of request with its kind of result.
    return (await readers.call(request, { signal, client })) as SearchPlan;
  }

  /** Runs a search with the present indexes, and again without any when it cannot use them. Errors: query_too_costly, SQLite's. */
  async function run<Request extends Searched, Found>(
    request: Request,
    searchIn: (request: Request, known: StoredTypes) => Promise<Found>,
  ): Promise<Found> {
    // Only from here on, so that nothing is searched for a caller that leaves at once.
    await undefined;
    request.signal?.throwIfAborted();
    const resolved = withTargets(request, indexes.types());
    try {
      return await searchIn(resolved, indexes.types()).catch((error) => {
        // Testing the values of an index can need too much memory; testing documents does not.
        if (!isUnfitStatement(error) && !isOutOfMemory(error)) throw error;
        // Or a process with other types has dropped an index since this process last read which exist.
        if (isUnfitStatement(error)) indexes.reload();
        return searchIn(resolved, indexes.plainTypes);
      });
    } catch (error) {
      if (!isOutOfMemory(error) && !isDomainError(error, 'query_too_costly')) throw error;
      throw queryTooCostly(findUnindexed(resolved, toIndexLookup(indexes.types())));
    }
  }

  return {
    readByIds,
    /** Errors: query_too_costly, SQLite's. */
    find: (request: FindRequest): Promise<FoundDocuments> =>
      run(request, request.keyset ? searchByKeyset : search),
    /** Errors: query_too_costly, SQLite's. */
    facets: (request: FacetRequest): Promise<FoundFacets> => run(request, countFacets),
    /** Errors: query_too_costly, SQLite's. */
    explain: (request: FindRequest): Promise<SearchPlan> => run(request, explain),
  };
}

/** The part of a search by which it is named too costly. */
type Searched = Pick<FindRequest, 'types' | 'where' | 'sort' | 'keyset' | 'signal'>;

/** Whether a search has so few comparisons that it may run on the main thread. */
const isShort = ({ where }: Pick<FindRequest, 'where'>) =>
  !where || countComparisons(where) <= maxComparisonsOnMain;
