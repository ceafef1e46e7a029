/**
 * The MongoDB adapter of the store port: a collection of assets, one of records about their types, one of serving processes, one of
 * the entries of the change log, and one of documents about the store itself.
 *
 * It supports MongoDB 5.0 or later: standalone, replica set, or sharded by `_id`. Atomic batches and the change log need
 * transactions, which a standalone server does not have.
 */
import type { ChangeLog } from '../changes.ts';
import { type ContentStore, defaultQueryMs, idOfWrite } from '../port.ts';
import type { ReadCaller } from '../read-caller.ts';
import { defaultTiming } from '../served-types.ts';
import type { OpenOptions } from '../store-adapter.ts';
import { createCallRunner, type RunCall, runCalls } from '../store-metrics.ts';
import { createUnsupportedChanges } from '../unsupported-changes.ts';
import { createChangeLog } from './changes/change-log.ts';
import { createLoggedWrites } from './changes/logged-writes.ts';
import { createNumbering } from './changes/numbering.ts';
import { createStoreFormat } from './changes/store-format.ts';
import { type ClockRecord, type Database, openDatabase } from './database.ts';
import { createIndexLookup } from './indexes/index-lookup.ts';
import type { OlderWords } from './indexes/remake-words.ts';
import { createUniqueFields } from './indexes/unique-values.ts';
import { toStoreError } from './map-error.ts';
import { toText } from './reads/chunk-reader.ts';
import { createAssetReader } from './reads/page-finder.ts';
import { createRevisionReader } from './reads/revision-reader.ts';
import { createReadTurns } from './reads/search-turns.ts';
import { createServing } from './serving-processes.ts';
import { createWriter } from './writes/create-writer.ts';
import { createDeletionRules } from './writes/deletion-rules.ts';
import { operationLimitMs, withinLimit } from './writes/transaction.ts';
import { createWriteOrder } from './writes/write-order.ts';

/**
 * Opens the store in the database that a URL names.
 *
 * Errors: bad_config for a malformed URL, store_busy, store_failure.
 */
export async function createMongoStore({
  url,
  ...options
}: OpenOptions & { url: string }): Promise<ContentStore> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    return await createStore(database, options);
  } catch (error) {
    await database?.close();
    throw toStoreError('open', error);
  }
}

const readLimitMs = 10_000;

const noTransactions =
  'A standalone MongoDB server has no transactions, so it keeps no change log; run it as a replica set';

async function createStore(
  database: Database,
  { catalog, logger, timing = defaultTiming, queryMs = defaultQueryMs, onSearch, meter }: OpenOptions,
): Promise<ContentStore> {
  const uniqueFields = createUniqueFields(catalog);
  const format = createStoreFormat(database);
  await format.check();
  const older: OlderWords = new Set();
  const rules = createDeletionRules(database, catalog);
  const serving = createServing({ database, catalog, uniqueFields, rules, format, older, logger, timing });
  await serving.refresh();
  const isLogged = (className: string) =>
    database.transactions && catalog.types.get(className)?.unlogged !== 'all';
  const turns = createReadTurns(onSearch);
  const options = { indexes: createIndexLookup(catalog, older), older, queryMs, turns };
  const { texts, get, getMany, getChunk, getTypes, getVersions, countOthers, ...searches } =
    createAssetReader(database, options);
  const numbering = createNumbering({ database, format, logger });
  const runLogged = createLoggedWrites(database, numbering);
  const writer = createWriter(database, { catalog, isLogged, uniqueFields, rules, runLogged });
  const inOrder = createWriteOrder();
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const runCall = createCallRunner({
    system,
    meter,
    toError: toStoreError,
    isClosed: () => closing !== undefined,
  });
  const run: RunCall = (operation, work) => {
    const result = runCall(operation, work);
    running.add(result);
    const forget = () => void running.delete(result);
    result.then(forget, forget);
    return result;
  };

  /** Runs work that needs indexes or words: other processes may have removed them while this one could not report. */
  const runWhenReady: RunCall = (operation, work) =>
    run(operation, async () => {
      await serving.ensureReady();
      const result = await work();
      await serving.ensureReady();
      return result;
    });

  const write: RunCall = (operation, work) =>
    runWhenReady(operation, async () => {
      await format.ensure();
      format.assertKnown();
      return work();
    });

  /** Runs a read whose cost does not depend on the size of the store. */
  const read: RunCall = (operation, work) =>
    run(operation, () => withinLimit(async () => work(), readLimitMs));

  const log = createChangeLog(database, { catalog, rules, runLogged });
  async function readNumbered<Result>(work: () => Promise<Result>): Promise<Result> {
    await format.ensure();
    numbering.start();
    return work();
  }
  /** Runs a read of the log in its client's turn, whose time begins then. */
  const readInTurn = <Result>(operation: string, caller: ReadCaller, work: () => Promise<Result>) =>
    run(operation, () => turns.short.run(() => withinLimit(work, readLimitMs), caller));
  const changes: ChangeLog = {
    position: () => read('changes.position', () => readNumbered(log.position)),
    waitUntilNumbered: () => run('changes.waitUntilNumbered', () => readNumbered(log.waitUntilNumbered)),
    read: (request) => readInTurn('changes.read', request, () => readNumbered(() => log.read(request))),
    history: (request) => readInTurn('changes.history', request, () => log.history(request)),
    stateOf: (asset, moment, caller = {}) =>
      readInTurn('changes.stateOf', caller, () => log.stateOf(asset, moment, caller)),
    append: (event, origin) =>
      write('changes.append', () => inOrder(event.asset, () => log.append(event, origin))),
    trim: (request) => write('changes.trim', () => log.trim(request)),
    erase: (erasure, origin) =>
      write('changes.erase', () => inOrder(erasure.id, () => log.erase(erasure, origin))),
    purge: log.purge,
  };

  async function close(): Promise<void> {
    // A database that does not answer must not keep the process from ending.
    await withinLimit(() => Promise.allSettled(running), operationLimitMs).catch(() => {});
    await withinLimit(numbering.stop, 2 * operationLimitMs).catch(() => {});
    await withinLimit(serving.stop, operationLimitMs).catch(() => {});
    await withinLimit(() => database.close(), operationLimitMs).catch(() => {});
  }

  const patch: ContentStore['patch'] = (change, origin) =>
    write('patch', () => inOrder(change.id, () => writer.patch(change, origin)));

  return {
    system,
    capabilities: { transactions: database.transactions, changes: database.transactions },
    changes: database.transactions ? changes : createUnsupportedChanges(noTransactions),
    texts: {
      ...runCalls(read, { get: texts.get, getChunk: texts.getChunk }),
      ...runCalls(runWhenReady, { find: texts.find }),
      async patch(change, origin) {
        const changed = await patch(change, origin);
        return changed && toText(changed);
      },
    },
    ...runCalls(read, {
      get,
      getMany,
      getChunk,
      getTypes,
      getVersions,
      revision: createRevisionReader(database, isLogged),
      readServing: serving.readServing,
    }),
    ...runCalls(runWhenReady, searches),
    insert: (stored, origin) =>
      write('insert', () => inOrder(stored.asset._id, () => writer.insert(stored, origin))),
    patch,
    delete: (deletion, origin) =>
      write('delete', () => inOrder(deletion.id, () => writer.delete(deletion, origin))),
    write: (writes, options) =>
      write('write', () => inOrder(writes.map(idOfWrite), () => writer.write(writes, options))),
    ...runCalls(run, {
      countOthers,
      prepare: serving.prepare,
      findUnenforcedUniqueFields: serving.findUnenforcedUniqueFields,
      readFormat: format.read,
      async readHighestTime() {
        // Safe: this `_id` is that of the clock.
        const found = (await database.store.findOne({ _id: 'clock' })) as ClockRecord | null;
        return found?.highest.getTime();
      },
      async keepTime({ atMs, isAccepted = false }: { atMs: number; isAccepted?: boolean }) {
        const highest = { highest: new Date(atMs) };
        const update = isAccepted ? { $set: highest } : { $max: highest };
        await database.store.updateOne({ _id: 'clock' }, update, { upsert: true });
      },
      readClock: async () => (await database.readClock()).getTime(),
      async ping() {
        serving.assertFit();
        await database.ping();
      },
    }),
    async serve(types) {
      await run('serve', () => serving.serve(types));
      if (database.transactions) numbering.start();
    },
    // A database that stores no text has none that cannot be read.
    findIncompleteIndexes: async () => [],
    load: () => ({ searches: turns.load() }),
    // The driver reconnects by itself, but a newer format stays.
    canRecover: async () => format.isKnown,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const system = 'mongodb';
