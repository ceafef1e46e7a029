/**
 * The reads of the store: single assets on this thread, pages and large documents on the reader threads, never more of them at once
 * than one chunk.
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
import type { Query, Row } from '../connection.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isOutOfMemory, isUnfitStatement } from '../map-error.ts';
import { createEventLoopTurns } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { compileFind } from './compile-find.ts';
import { findUnindexed } from './plan-order.ts';
import { type DocumentRequest, type FoundDocuments, locateByIds, readDocuments } from './read-documents.ts';

/** The reading half of the store, as the port has it; errors are SQLite's. */
export interface AssetReader {
  get(id: string): StoredAsset | undefined;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Errors: query_too_costly too. */
  find(request: FindRequest): Promise<FoundPage>;
}

/** What is read right here: so many assets, and bytes of their documents, but for `get`, which reads any single one. */
const maxIdsHere = 100;
const maxBytesHere = 262_144;
/** How long documents may be that are parsed as they come in. */
const maxCharactersAtOnce = 65_536;
/** How many identifiers are looked up at once. */
const maxIdsLocated = 10_000;

/** Makes the reading half. */
export function createAssetReader({
  readers,
  here,
  indexes,
}: Pick<Threads, 'readers' | 'here' | 'indexes'>): AssetReader {
  const takeTurn = createEventLoopTurns();
  // A reader answers each kind of request with its kind of result.
  const askDocuments = async (request: DocumentRequest, signal?: AbortSignal) => {
    const found = (await readers.call(request, { signal })) as FoundDocuments;
    const characters = found.rows.reduce((sum, [document]) => sum + String(document).length, 0);
    // To parse it, and to do whatever is done with it then.
    if (characters > maxCharactersAtOnce) await takeTurn();
    return found;
  };
  const askRows = async (queries: readonly Query[]) => (await readers.call(queries)) as Row[][];

  function get(id: string): StoredAsset | undefined {
    const [[row] = []] = here.run([selectAsset(id)]);
    return row && toStored(row);
  }

  /** Small assets right here, for the hand-over to a thread takes longer than they do. */
  async function getMany(wanted: readonly string[]): Promise<FoundAssets> {
    const ids = [...new Set(wanted)];
    const part = ids.slice(0, maxIdsLocated);
    const locate = locateByIds(part);
    const { rows, rest } = readHere(part, locate) ?? (await askDocuments({ locate, ...oneChunk }));
    const found = new Map(rows.map((row) => [String(row[2]), toStored(row)]));
    return { found, ...toRest([...rest, ...ids.slice(part.length)]) };
  }

  function readHere(ids: readonly string[], locate: Query): FoundDocuments | undefined {
    if (ids.length > maxIdsHere) return undefined;
    const found = here.inOneState((all) =>
      readDocuments(all, { locate, maxBytes: maxBytesHere, atLeastOne: false }),
    );
    return found.rows.length > 0 || found.rest.length === 0 ? found : undefined;
  }

  async function getChunk(ids: readonly string[]): Promise<AssetChunk> {
    const part = ids.slice(0, maxIdsLocated);
    const { rows, rest } = await askDocuments({ locate: locateByIds(part), ...oneChunk });
    return toChunk({ rows, rest: [...rest, ...ids.slice(part.length)] });
  }

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = [selectClasses(ids)];
    const [rows = []] = ids.length > maxIdsHere ? await askRows(queries) : here.run(queries);
    return new Map(rows.map(([id, className]) => [String(id), String(className)]));
  }

  async function find(request: FindRequest): Promise<FoundPage> {
    const { signal, where, types: classes } = request;
    const ask = async (known: StoredTypes) => {
      const { locate, count } = compileFind(request, known);
      if (!locate && !count) return { items: [] };
      const wanted = { ...(locate && { locate }), ...(count && { count }), ...oneChunk };
      const found = await askDocuments(wanted, signal);
      return { ...toChunk(found), ...(count && { count: found.count ?? 0 }) };
    };
    try {
      return await ask(indexes.types()).catch((error) => {
        // What an index holds can take too much memory to be tested, which documents do not.
        if (!isUnfitStatement(error) && !isOutOfMemory(error)) throw error;
        // Or a process that runs with other types has dropped an index since they were looked at.
        if (isUnfitStatement(error)) indexes.reload();
        return ask(indexes.plainTypes);
      });
    } catch (error) {
      if (!isOutOfMemory(error) && !isDomainError(error, 'query_too_costly')) throw error;
      throw queryTooCostly(where && findUnindexed(where, indexes.types(), classes));
    }
  }

  return { get, getMany, getChunk, getTypes, find };
}

/** Parses the document of a row. Every stored document is an asset, because `insert` and `patch` accept nothing else. */
export const parseAsset = (document: Row[number] | undefined) => JSON.parse(String(document)) as Asset;

const oneChunk = { maxBytes: chunkBytes, atLeastOne: true };

const toStored = ([document, version]: Row): StoredAsset => ({
  asset: parseAsset(document),
  version: String(version),
});

const toChunk = ({ rows, rest }: FoundDocuments): AssetChunk => ({
  items: rows.map(toStored),
  ...toRest(rest),
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
