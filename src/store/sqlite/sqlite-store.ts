/**
 * The SQLite adapter of the store port: one file, several threads.
 *
 * One thread writes, others find; what takes no longer when the store grows (`get`, a short `getMany`, `revision`) is read
 * right here. Other processes may have the file open.
 */
import type { Logger } from '../../base/runtime.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { indexedPaths } from '../../model/field-path.ts';
import type { ContentStore, FindRequest, FoundPage, StoredAsset } from '../port.ts';
import type { WriteRequest } from './asset-writer.ts';
import { compileFind } from './compile-find.ts';
import { createQueryRunner, openConnection, type Query, type QueryRunner, type Row } from './connection.ts';
import { isUnfitStatement, toStoreError } from './map-error.ts';
import type { ReaderData } from './reader.ts';
import { createStoredTypes, type StoredTypes } from './stored-types.ts';
import { type CalledWorker, startWorker } from './worker-call.ts';
import type { BatchResult, SeveralWrites } from './write-batch.ts';
import { toRequest, toWriteOutcome } from './write-requests.ts';
import type { WriterData, WriterReady } from './writer.ts';

/**
 * Opens the store in a file, which is made when there is none, and brings its indexes up to the catalog.
 *
 * Errors: bad_config (a file of a newer format or of another program; a field that cannot become unique), store_busy,
 * store_failure.
 */
export async function createSqliteStore({
  file,
  catalog,
  logger,
}: {
  file: string;
  catalog: Catalog;
  logger: Logger;
}): Promise<ContentStore> {
  const threads = await startThreads(file, catalog).catch((error) => {
    throw toStoreError('open', error);
  });
  for (const change of threads.writer.ready.changes) {
    // An index over nothing, as a new store has many, is not worth a line.
    logger[change.assets > 0 ? 'info' : 'debug'](change, `Index ${change.change}`);
  }
  return createStore(threads);
}

type Writer = CalledWorker<WriteRequest | SeveralWrites, BatchResult, WriterReady>;
type Reader = CalledWorker<readonly Query[], Row[][], undefined>;

interface Threads {
  readonly writer: Writer;
  readonly readers: readonly Reader[];
  /** The connection of this thread. */
  readonly here: QueryRunner;
  readonly types: StoredTypes;
  /** The types without their indexes. */
  readonly plainTypes: StoredTypes;
}

/** Two, so that one long search does not hold up the short ones. */
const readerCount = 2;
/** How long the event loop may wait for a lock, which readers hardly ever meet. */
const busyMs = 100;
const maxIdsHere = 100;

async function startThreads(file: string, catalog: Catalog): Promise<Threads> {
  const types = [...catalog.types.values()].map((type) => ({
    class: type.class,
    indexes: indexedPaths(type.fields),
  }));
  const writer: Writer = await startWorker('writer', { file, types } satisfies WriterData);
  const readers: Reader[] = [];
  try {
    while (readers.length < readerCount) {
      readers.push(await startWorker('reader', { file } satisfies ReaderData));
    }
    const { numbers } = writer.ready;
    return {
      writer,
      readers,
      here: createQueryRunner(openConnection({ file, busyMs })),
      types: createStoredTypes(types, numbers),
      plainTypes: createStoredTypes(
        types.map((type) => ({ ...type, indexes: [] })),
        numbers,
      ),
    };
  } catch (error) {
    await Promise.all([writer, ...readers].map((worker) => worker.stop()));
    throw error;
  }
}

function createStore(threads: Threads): ContentStore {
  const { writer, readers, here } = threads;
  let closing: Promise<void> | undefined;
  const run = async <Result>(operation: string, work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      if (closing) throw new Error('The store is closed');
      return await work();
    } catch (error) {
      throw toStoreError(operation, error);
    }
  };
  const selectByIds = async (ids: readonly string[], columns: string): Promise<Row[]> => {
    const queries = [selectAssets(ids, columns)];
    const [rows = []] = await (ids.length > maxIdsHere ? idlest(readers).call(queries) : here.run(queries));
    return rows;
  };
  return {
    capabilities: { transactions: true },
    get: (id) =>
      run('get', () => {
        const [[row] = []] = here.run([selectAsset(id)]);
        return row && toStored(row);
      }),
    getMany: (ids) =>
      run('getMany', async () => {
        const rows = await selectByIds(ids, 'version, document, id');
        return new Map(rows.map((row) => [String(row[2]), toStored(row)]));
      }),
    getTypes: (ids) =>
      run('getTypes', async () => {
        const rows = await selectByIds(ids, 'id, (SELECT class FROM types WHERE number = type)');
        return new Map(rows.map(([id, className]) => [String(id), String(className)]));
      }),
    find: (request) => run('find', () => find(threads, request)),
    insert: (stored) =>
      run('insert', async () => {
        await writer.call(toRequest({ kind: 'insert', ...stored }));
      }),
    patch: (patch) =>
      run('patch', async () => {
        const document = await writer.call(toRequest({ kind: 'patch', ...patch }));
        return typeof document === 'string'
          ? { asset: parseAsset(document), version: patch.version }
          : undefined;
      }),
    delete: (deletion) =>
      run('delete', async () => (await writer.call(toRequest({ kind: 'delete', ...deletion }))) === true),
    write: (writes, { atomic = false } = {}) =>
      run('write', async () => {
        const outcomes = await writer.call({ kind: 'several', writes: writes.map(toRequest), atomic });
        if (!Array.isArray(outcomes)) throw new Error('The writer has answered several writes as one');
        return outcomes.map(toWriteOutcome);
      }),
    revision: (types) =>
      run('revision', () => {
        const [[row] = []] = here.run([sumRevisions(types)]);
        return String(row?.[0] ?? 0);
      }),
    ping: () =>
      run('ping', async () => {
        writer.assertRunning();
        await Promise.all(readers.map((reader) => reader.call([{ sql: 'SELECT 1', params: [] }])));
      }),
    close() {
      closing ??= stopThreads(threads);
      return closing;
    },
  };
}

async function find(threads: Threads, request: FindRequest): Promise<FoundPage> {
  const reader = idlest(threads.readers);
  const ask = async (types: StoredTypes) => {
    const { page, count } = compileFind(request, types);
    const queries = [page, count].filter((query) => query !== undefined);
    const answers = queries.length > 0 ? await reader.call(queries) : [];
    const rows = page ? (answers[0] ?? []) : [];
    const items = rows.map(([document]) => parseAsset(document));
    return count ? { items, count: Number(answers.at(-1)?.[0]?.[0]) } : { items };
  };
  try {
    return await ask(threads.types);
  } catch (error) {
    if (!isUnfitStatement(error)) throw error;
    // A process that runs with other types has dropped an index since this store was opened.
    return ask(threads.plainTypes);
  }
}

const idlest = (readers: readonly Reader[]) => readers.reduce((a, b) => (b.pending() < a.pending() ? b : a));

const selectAsset = (id: string): Query => ({
  sql: 'SELECT version, document FROM assets WHERE id = ?1',
  params: [id],
});

const selectAssets = (ids: readonly string[], columns: string): Query => ({
  sql: `SELECT ${columns} FROM assets WHERE id IN (SELECT value FROM json_each(?1))`,
  params: [JSON.stringify(ids)],
});

/** Each write adds one to the revision of its type, so that the sum never comes back to an earlier value. */
const sumRevisions = (types: readonly string[]): Query => ({
  sql: 'SELECT sum(revision) FROM types WHERE class IN (SELECT value FROM json_each(?1))',
  params: [JSON.stringify(types)],
});

/** A stored document is an asset: `insert` and `patch` were given one. */
const parseAsset = (document: Row[number] | undefined) => JSON.parse(String(document)) as Asset;

const toStored = ([version, document]: Row): StoredAsset => ({
  asset: parseAsset(document),
  version: String(version),
});

/** The writer goes last: the last connection to the file tidies it up. */
async function stopThreads({ writer, readers, here }: Threads): Promise<void> {
  await Promise.all(readers.map((reader) => reader.stop()));
  here.close();
  await writer.stop();
}
