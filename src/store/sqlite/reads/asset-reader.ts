/**
 * Reads assets, as texts and as objects. `document-finder.ts` reads the documents.
 */

import type { Asset } from '../../../model/content-type.ts';
import type {
  Chunk,
  ContentStore,
  FindRequest,
  FoundAssets,
  FoundPage,
  StoredAsset,
  StoredText,
  StoreReads,
} from '../../port.ts';
import type { Query, QueryRunner, Row } from '../connection.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { createEventLoopQueue } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { createDocumentFinder } from './document-finder.ts';
import type { FoundDocuments } from './read-documents.ts';

/** How many identifiers are looked up in one round of the event loop. */
const maxIdsAtOnce = 1_000;

/** Creates the reads. Errors: SQLite's; those of searches also query_too_costly. */
export function createAssetReader(threads: Threads): StoreReads & Pick<ContentStore, 'getVersions'> {
  const { mainConnection, types } = threads;
  const yieldToEventLoop = createEventLoopQueue();
  const classes = createClassNames(mainConnection, types);
  const documents = createDocumentFinder(threads);

  const toText = ([text, version, id, type, shape]: Row): StoredText => ({
    id: String(id),
    type: classes.get(Number(type)),
    text: String(text),
    version: String(version),
    ...(shape !== null && { shape: String(shape) }),
  });

  const toChunk = ({ rows, rest, next }: FoundDocuments) => ({
    items: rows.map(toText),
    ...toRest(rest),
    ...(next && { next }),
  });

  const selectText = {
    sql: 'SELECT document, version, id, type, shape FROM assets WHERE id = ?1',
  };

  async function getText(id: string): Promise<StoredText | undefined> {
    const [[row] = []] = mainConnection.run([{ ...selectText, params: [id] }]);
    return row && toText(row);
  }

  async function getMany(wanted: readonly string[]): Promise<FoundAssets> {
    const { rows, rest } = await documents.readByIds([...new Set(wanted)]);
    return { found: new Map(rows.map((row) => [String(row[2]), toStored(toText(row))])), ...toRest(rest) };
  }

  const getTexts = async (ids: readonly string[]) => toChunk(await documents.readByIds(ids));

  /** Reads a text of each asset, by id. */
  const readColumn = (column: string) => {
    const sql = `SELECT id, ${column} FROM assets WHERE id IN (SELECT value FROM json_each(?1))`;
    return async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const found = new Map<string, string>();
      for (let start = 0; start < ids.length; start += maxIdsAtOnce) {
        if (start > 0) await yieldToEventLoop();
        const params = [JSON.stringify(ids.slice(start, start + maxIdsAtOnce))];
        const [rows = []] = mainConnection.run([{ sql, params }]);
        for (const [id, value] of rows) found.set(String(id), String(value));
      }
      return found;
    };
  };

  async function findTexts(request: FindRequest): Promise<FoundPage<StoredText>> {
    if (request.limit === 0 && !request.withCount) return { items: [] };
    const found = await documents.find(request);
    return { ...toChunk(found), ...(found.count !== undefined && { count: found.count }) };
  }

  return {
    texts: { get: getText, getChunk: getTexts, find: findTexts },
    async get(id) {
      const found = await getText(id);
      return found && toStored(found);
    },
    getMany,
    getChunk: async (ids) => parseItems(await getTexts(ids)),
    getTypes: readColumn('(SELECT class FROM types WHERE number = type)'),
    getVersions: readColumn('version'),
    find: async (request) => parseItems(await findTexts(request)),
    facets: documents.facets,
    explain: documents.explain,
  };
}

/** Parses a document. Every stored document is an asset, because `insert` and `patch` accept nothing else. */
export const parseAsset = (document: string) => JSON.parse(document) as Asset;

const toStored = ({ text, version }: StoredText): StoredAsset => ({ asset: parseAsset(text), version });

const parseItems = <Page extends Chunk<StoredText>>({ items, ...page }: Page) => ({
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

// Reads the revision of types: a text that changes with every write of their assets.
//
// Every write adds one to the revision of its type, so the sum never returns to an earlier value of the same epoch. SQLite knows
// whether any other connection has changed the file, and all writes come from other connections: until then the sums of the last
// calls hold.

/** Reads the revision of types, by their class names. Errors: those of SQLite. */
type RevisionReader = (classes: readonly string[]) => string;

/** Creates the reader on a connection that writes nothing. */
export function createRevisionReader(connection: Pick<QueryRunner, 'run'>): RevisionReader {
  const known = new Map<string, string>();
  let knownVersion: number | undefined;

  const readValue = (query: Query) => connection.run([query])[0]?.[0]?.[0];

  return (classes) => {
    const version = Number(readValue(selectDataVersion));
    // The sums are read after the version, so a change in between is noticed by the next call.
    if (version !== knownVersion || known.size >= maxKnown) known.clear();
    knownVersion = version;
    const types = JSON.stringify(classes);
    const revision = known.get(types) ?? String(readValue(sumRevisions(types)));
    known.set(types, revision);
    return revision;
  };
}

const maxKnown = 1_000;

const selectDataVersion: Query = { sql: 'PRAGMA data_version', params: [] };

const sumRevisions = (types: string): Query => ({
  sql: `SELECT (SELECT value FROM store_facts WHERE name = 'epoch') || '-' || ifnull(sum(revision), 0)
    FROM types WHERE class IN (SELECT value FROM json_each(?1))`,
  params: [types],
});
