/**
 * Reads assets: single ones on the main thread, pages and large documents on the reader threads. A reader returns at most one
 * chunk at a time.
 */
import { isDomainError, queryTooCostly } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import {
  type AssetChunk,
  chunkBytes,
  type FindRequest,
  type FoundAssets,
  type FoundPage,
  type FoundTexts,
  type StoredAsset,
  type StoredText,
  type TextChunk,
} from '../../port.ts';
import type { Query, QueryRunner, Row } from '../connection.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isOutOfMemory, isUnfitStatement } from '../map-error.ts';
import { createEventLoopTurns } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { compileFind } from './compile-find.ts';
import { findUnindexed } from './plan-order.ts';
import { type DocumentRequest, type FoundDocuments, locateByIds, readDocuments } from './read-documents.ts';

/** The read operations of the store port; their errors are SQLite's. */
export interface AssetReader {
  readonly texts: TextReader;
  get(id: string): StoredAsset | undefined;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Errors: query_too_costly too. */
  find(request: FindRequest): Promise<FoundPage>;
}

/** The reads as texts. */
export interface TextReader {
  get(id: string): StoredText | undefined;
  getChunk(ids: readonly string[]): Promise<TextChunk>;
  /** Errors: query_too_costly too. */
  find(request: FindRequest): Promise<FoundTexts>;
}

/** Limits for reads on the main thread: the number of assets and the bytes of their documents. `get` has no limit. */
const maxIdsOnMain = 100;
const maxBytesOnMain = 262_144;
/** Documents with more characters than this wait for a turn of the event loop before they are parsed. */
const maxCharactersAtOnce = 65_536;
/** How many identifiers one query looks up. */
const maxIdsLocated = 10_000;

/** Creates the read operations. */
export function createAssetReader({
  readers,
  writer,
  mainConnection,
  indexes,
  types,
}: Omit<Threads, 'resumeWith'>): AssetReader {
  const takeTurn = createEventLoopTurns();
  const shape = writer.ready.hasLog ? 'shape' : 'NULL';
  const oneChunk = { maxBytes: chunkBytes, atLeastOne: true, shape } as const;
  const classes = createClassNames(mainConnection, types);
  // A reader answers each kind of request with its kind of result.
  const askDocuments = async (request: DocumentRequest, signal?: AbortSignal) => {
    const found = (await readers.call(request, { signal })) as FoundDocuments;
    const characters = found.rows.reduce((sum, [document]) => sum + String(document).length, 0);
    // The caller parses and processes the documents in this turn.
    if (characters > maxCharactersAtOnce) await takeTurn();
    return found;
  };
  const askRows = async (queries: readonly Query[]) => (await readers.call(queries)) as Row[][];

  const toText = ([text, version, id, type, shape]: Row): StoredText => ({
    id: String(id),
    type: classes.get(Number(type)),
    text: String(text),
    version: String(version),
    ...(shape !== null && { shape: String(shape) }),
  });

  const toChunk = ({ rows, rest }: FoundDocuments): TextChunk => ({
    items: rows.map(toText),
    ...toRest(rest),
  });

  const selectText = {
    sql: `SELECT document, version, id, type, ${shape} FROM assets WHERE id = ?1`,
  };

  function getText(id: string): StoredText | undefined {
    const [[row] = []] = mainConnection.run([{ ...selectText, params: [id] }]);
    return row && toText(row);
  }

  /** Reads small assets on the main thread, because sending a message to another thread takes longer than reading them. */
  async function getMany(wanted: readonly string[]): Promise<FoundAssets> {
    const ids = [...new Set(wanted)];
    const part = ids.slice(0, maxIdsLocated);
    const locate = locateByIds(part);
    const { rows, rest } = readOnMain(part, locate) ?? (await askDocuments({ locate, ...oneChunk }));
    const found = new Map(rows.map((row) => [String(row[2]), toStored(toText(row))]));
    return { found, ...toRest([...rest, ...ids.slice(part.length)]) };
  }

  function readOnMain(ids: readonly string[], locate: Query): FoundDocuments | undefined {
    if (ids.length > maxIdsOnMain) return undefined;
    const found = mainConnection.inSnapshot((all) =>
      readDocuments(all, { locate, shape, maxBytes: maxBytesOnMain, atLeastOne: false }),
    );
    return found.rows.length > 0 || found.rest.length === 0 ? found : undefined;
  }

  async function getTexts(ids: readonly string[]): Promise<TextChunk> {
    const part = ids.slice(0, maxIdsLocated);
    const { rows, rest } = await askDocuments({ locate: locateByIds(part), ...oneChunk });
    return toChunk({ rows, rest: [...rest, ...ids.slice(part.length)] });
  }

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = [selectClasses(ids)];
    const [rows = []] = ids.length > maxIdsOnMain ? await askRows(queries) : mainConnection.run(queries);
    return new Map(rows.map(([id, className]) => [String(id), String(className)]));
  }

  async function findTexts(request: FindRequest): Promise<FoundTexts> {
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
        // Testing the values of an index can need too much memory; testing documents does not.
        if (!isUnfitStatement(error) && !isOutOfMemory(error)) throw error;
        // Or a process with other types has dropped an index since this process last read which exist.
        if (isUnfitStatement(error)) indexes.reload();
        return ask(indexes.plainTypes);
      });
    } catch (error) {
      if (!isOutOfMemory(error) && !isDomainError(error, 'query_too_costly')) throw error;
      throw queryTooCostly(where && findUnindexed(where, indexes.types(), classes));
    }
  }

  return {
    texts: { get: getText, getChunk: getTexts, find: findTexts },
    get(id) {
      const found = getText(id);
      return found && toStored(found);
    },
    getMany,
    getChunk: async (ids) => parseItems(await getTexts(ids)),
    getTypes,
    find: async (request) => parseItems(await findTexts(request)),
  };
}

/** Parses a document. Every stored document is an asset, because `insert` and `patch` accept nothing else. */
export const parseAsset = (document: string) => JSON.parse(document) as Asset;

const toStored = ({ text, version }: StoredText): StoredAsset => ({ asset: parseAsset(text), version });

const parseItems = <Page extends TextChunk>({ items, ...page }: Page) => ({
  ...page,
  items: items.map(toStored),
});

/** Finds class names by their numbers, also those of types that another process has added. */
function createClassNames(connection: QueryRunner, types: StoredTypes): { get(number: number): string } {
  const names = new Map([...types.values()].map((type) => [type.number, type.class]));
  const reload = () => {
    const [rows = []] = connection.run([{ sql: 'SELECT number, class FROM types', params: [] }]);
    for (const [number, name] of rows) names.set(Number(number), String(name));
  };
  return {
    get(number) {
      if (!names.has(number)) reload();
      return names.get(number) ?? '';
    },
  };
}

const toRest = (rest: readonly string[]) => (rest.length > 0 ? { rest } : {});

const selectClasses = (ids: readonly string[]): Query => ({
  sql: `SELECT id, (SELECT class FROM types WHERE number = type)
    FROM assets WHERE id IN (SELECT value FROM json_each(?1))`,
  params: [JSON.stringify(ids)],
});
