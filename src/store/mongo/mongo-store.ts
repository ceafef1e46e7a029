/**
 * The MongoDB adapter of the store port: one collection of assets, one of records about their types.
 *
 * Standalone, replica set, or sharded by `_id`; MongoDB 5.0 or later. Nothing but atomic writes needs a transaction.
 */
import type { Logger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type ContentStore, idOfWrite } from '../port.ts';
import { createAssetReader } from './asset-reader.ts';
import { createWriter } from './create-writer.ts';
import { type Database, openDatabase } from './database.ts';
import { toStoreError } from './map-error.ts';
import { syncIndexes } from './sync-indexes.ts';
import { syncWords } from './sync-words.ts';
import { createWriteOrder } from './write-order.ts';

/**
 * Opens the store in the database that a URL names, and brings its indexes and words up to the catalog.
 *
 * Errors: bad_config (a malformed URL, a field that cannot become unique), store_busy, store_failure.
 */
export async function createMongoStore({
  url,
  catalog,
  logger,
}: {
  url: string;
  catalog: Catalog;
  logger: Logger;
}): Promise<ContentStore> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    await syncIndexes({ database, catalog, logger });
    await syncWords({ database, catalog, logger });
    return createStore(database, catalog);
  } catch (error) {
    await database?.close();
    throw toStoreError('open', error);
  }
}

function createStore(database: Database, catalog: Catalog): ContentStore {
  const reader = createAssetReader(database);
  const writer = createWriter(database, catalog);
  const inOrder = createWriteOrder();
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function run<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    if (closing) throw toStoreError(operation, new Error('The store is closed'));
    const result = work();
    running.add(result);
    try {
      return await result;
    } catch (error) {
      throw toStoreError(operation, error);
    } finally {
      running.delete(result);
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(running);
    await database.close();
  }

  return {
    capabilities: { transactions: database.transactions },
    get: (id) => run('get', () => reader.get(id)),
    getMany: (ids) => run('getMany', () => reader.getMany(ids)),
    getTypes: (ids) => run('getTypes', () => reader.getTypes(ids)),
    find: (request) => run('find', () => reader.find(request)),
    insert: (stored) => run('insert', () => inOrder(stored.asset._id, () => writer.insert(stored))),
    patch: (patch) => run('patch', () => inOrder(patch.id, () => writer.patch(patch))),
    delete: (deletion) => run('delete', () => inOrder(deletion.id, () => writer.delete(deletion))),
    write: (writes, options) =>
      run('write', () => inOrder(writes.map(idOfWrite), () => writer.write(writes, options))),
    revision: (types) => run('revision', () => reader.revision(types)),
    ping: () => run('ping', () => database.ping()),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
