/**
 * Reads assets: those with known ids, and pages that visit few rows, at once on the main thread; all others on the reader threads.
 *
 * A page and a count that both visit few rows come from one snapshot. Otherwise the count may be of a later state than the page: it
 * does not hold up the page, nor the page's plan the count. At most one chunk is read at a time.
 */
import { isDomainError, queryTooCostly } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import {
  type AssetChunk,
  chunkBytes,
  type FindRequest,
  type FoundAssets,
  type FoundPage,
  type StoredAsset,
} from '../../port.ts';
import { findUnindexed } from '../../unindexed-path.ts';
import type { Query, Row } from '../connection.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isOutOfMemory, isUnfitStatement } from '../map-error.ts';
import { createEventLoopTurns } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { findBounded } from './bounded/bounded-find.ts';
import { compileFind, type FindQueries } from './compile-find.ts';
import { toIndexLookup } from './plan-order.ts';
import {
  type DocumentRequest,
  type FoundDocuments,
  locateByIds,
  readDocuments,
  readFirst,
} from './read-documents.ts';

/** The read operations of the store port; their errors are SQLite's. */
export interface AssetReader {
  get(id: string): StoredAsset | undefined;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Errors: query_too_costly too. */
  find(request: FindRequest): Promise<FoundPage>;
}

/** Documents with more characters than this wait for a turn of the event loop before they are parsed. */
const maxCharactersAtOnce = 65_536;
/** How many identifiers one query looks up. */
const maxIdsLocated = 1_000;
/** How many rows a search on the main thread visits that indexes bound, and any other, which suffices for types with few assets. */
const maxRowsByIndex = 20_000;
const maxRowsOtherwise = 256;

/** Creates the read operations. */
export function createAssetReader({
  readers,
  mainConnection,
  mainCeiling,
  indexes,
}: Pick<Threads, 'readers' | 'mainConnection' | 'mainCeiling' | 'indexes'>): AssetReader {
  const takeTurn = createEventLoopTurns();

  /** Waits for a turn of the event loop in which the caller parses and processes many characters. */
  const inTurn = async (found: FoundDocuments) => {
    const characters = found.rows.reduce((sum, [document]) => sum + String(document).length, 0);
    if (characters > maxCharactersAtOnce) await takeTurn();
    return found;
  };
  const readOnMain = (request: DocumentRequest) =>
    mainConnection.inSnapshot((all) => readDocuments(all, request));
  // A reader answers each kind of request with its kind of result.
  const readOnThread = async (request: DocumentRequest, signal: AbortSignal | undefined) =>
    (await readers.call(request, { signal })) as FoundDocuments;

  function get(id: string): StoredAsset | undefined {
    const [[row] = []] = mainConnection.run([selectAsset(id)]);
    return row && toStored(row);
  }

  async function getMany(wanted: readonly string[]): Promise<FoundAssets> {
    const ids = [...new Set(wanted)];
    const { rows, rest } = await readById(ids);
    return { found: new Map(rows.map((row) => [String(row[2]), toStored(row)])), ...toRest(rest) };
  }

  const getChunk = async (ids: readonly string[]) => toChunk(await readById(ids));

  async function readById(ids: readonly string[]): Promise<FoundDocuments> {
    const part = ids.slice(0, maxIdsLocated);
    const { rows, rest } = await inTurn(readOnMain({ locate: locateByIds(part), ...oneChunk }));
    return { rows, rest: [...rest, ...ids.slice(part.length)] };
  }

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let start = 0; start < ids.length; start += maxIdsLocated) {
      if (start > 0) await takeTurn();
      const [rows = []] = mainConnection.run([selectClasses(ids.slice(start, start + maxIdsLocated))]);
      for (const [id, className] of rows) found.set(String(id), String(className));
    }
    return found;
  }

  /**
   * Finds what visits few rows: what indexes bound, or a whole search of a type with few assets. The statements never visit more,
   * whatever the indexes promise.
   */
  function findOnMain(request: FindRequest, known: StoredTypes): Partial<FoundDocuments> {
    const bounded = mainCeiling.within(maxRowsByIndex, () =>
      mainConnection.inSnapshot((all) => {
        const { located, count } = findBounded(all, { request, types: known });
        return {
          ...(located && readFirst(all, { located, ...oneChunk })),
          ...(count !== undefined && { count }),
        };
      }),
    );
    if (bounded && isComplete(bounded, request)) return bounded;
    const wanted = toDocumentRequest(compileFind(request, known));
    return mainCeiling.within(maxRowsOtherwise, () => readOnMain(wanted)) ?? bounded ?? {};
  }

  async function search(request: FindRequest, known: StoredTypes): Promise<FoundPage> {
    const { limit, withCount, signal } = request;
    if (limit === 0 && !withCount) return { items: [] };
    const onMain = findOnMain(request, known);
    const missing = {
      ...request,
      limit: onMain.rows ? 0 : limit,
      withCount: withCount && onMain.count === undefined,
    };
    const onThread = isComplete(onMain, request)
      ? {}
      : await readOnThread(toDocumentRequest(compileFind(missing, known)), signal);
    const { rows = [], rest = [], count } = { ...onThread, ...onMain };
    return { ...toChunk(await inTurn({ rows, rest })), ...(withCount && { count: count ?? 0 }) };
  }

  async function find(request: FindRequest): Promise<FoundPage> {
    // Only from here on, so that nothing is searched for a caller that leaves at once.
    await undefined;
    request.signal?.throwIfAborted();
    try {
      return await search(request, indexes.types()).catch((error) => {
        // Testing the values of an index can need too much memory; testing documents does not.
        if (!isUnfitStatement(error) && !isOutOfMemory(error)) throw error;
        // Or a process with other types has dropped an index since this process last read which exist.
        if (isUnfitStatement(error)) indexes.reload();
        return search(request, indexes.plainTypes);
      });
    } catch (error) {
      if (!isOutOfMemory(error) && !isDomainError(error, 'query_too_costly')) throw error;
      throw queryTooCostly(findUnindexed(request, toIndexLookup(indexes.types())));
    }
  }

  return { get, getMany, getChunk, getTypes, find };
}

/** Parses the document of a row. Every stored document is an asset, because `insert` and `patch` accept nothing else. */
export const parseAsset = (document: Row[number] | undefined) => JSON.parse(String(document)) as Asset;

const oneChunk = { maxBytes: chunkBytes };

const toStored = ([document, version]: Row): StoredAsset => ({
  asset: parseAsset(document),
  version: String(version),
});

const toChunk = ({ rows, rest }: FoundDocuments): AssetChunk => ({
  items: rows.map(toStored),
  ...toRest(rest),
});

const isComplete = ({ rows, count }: Partial<FoundDocuments>, { limit, withCount }: FindRequest) =>
  (limit === 0 || rows !== undefined) && (!withCount || count !== undefined);

const toDocumentRequest = ({ locate, count }: FindQueries): DocumentRequest => ({
  ...(locate && { locate }),
  ...(count && { count }),
  ...oneChunk,
});

const toRest = (rest: readonly string[]) => (rest.length > 0 ? { rest } : {});

const selectAsset = (id: string): Query => ({
  sql: 'SELECT document, version FROM assets WHERE id = ?1',
  params: [id],
});

const selectClasses = (ids: readonly string[]): Query => ({
  sql: `SELECT id, (SELECT class FROM types WHERE number = type)
    FROM assets WHERE id IN (SELECT value FROM json_each(?1))`,
  params: [JSON.stringify(ids)],
});
