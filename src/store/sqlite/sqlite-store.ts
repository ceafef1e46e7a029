/**
 * The SQLite adapter of the store port: one file, several threads.
 *
 * One thread writes and others run searches. The main thread itself runs the reads whose time does not grow with the store:
 * `get`, a short `getMany` and `revision`. Other processes may have the file open.
 */
import { randomUUID } from 'node:crypto';
import { storeBusy } from '../../base/errors.ts';
import { isAbort } from '../../base/runtime.ts';
import type { ChangeLog, ChangeOrigin } from '../changes.ts';
import { type Heartbeat, startHeartbeat } from '../heartbeat.ts';
import type { ContentStore, TextCalls } from '../port.ts';
import { defaultTiming } from '../served-types.ts';
import { createUnsupportedChanges } from '../unsupported-changes.ts';
import { createSqliteChanges } from './changes/sqlite-changes.ts';
import type { Query } from './connection.ts';
import type { IndexChange } from './indexes/stored-indexes.ts';
import { toStoreError } from './map-error.ts';
import { createAssetReader, parseAsset } from './reads/asset-reader.ts';
import { createRevisionReader } from './reads/revision-reader.ts';
import { assertKnownFormat, selectFormat } from './schema.ts';
import type { ServingRequest } from './serving-processes.ts';
import { type SqliteOptions, startThreads, stopThreads, type Threads } from './threads/store-threads.ts';
import type { BuildStep } from './words/stored-words.ts';
import { createWordBuilding } from './words/word-building.ts';
import { nowMs, type RequestResult, type WriteSequence } from './writes/group-commit.ts';
import { defaultWaitMs } from './writes/transaction.ts';
import { toWriteOutcome } from './writes/write-outcomes.ts';
import { toRequest, type WriteRequest } from './writes/write-requests.ts';

/**
 * Opens the store in a file, and creates the file when it does not exist.
 *
 * Errors: bad_config (a file of a newer format or of another program), store_busy, store_failure.
 */
export async function createSqliteStore(options: SqliteOptions): Promise<ContentStore> {
  const threads = await startThreads(options).catch((error) => {
    throw toStoreError('open', error);
  });
  return createStore(threads, options);
}

function createStore(threads: Threads, { logger, timing = defaultTiming }: SqliteOptions): ContentStore {
  const { writer, readers, mainConnection, indexes } = threads;
  const write = async (request: WriteRequest | WriteSequence, origin: ChangeOrigin | undefined) =>
    // The writer answers a write with its result, never with index changes.
    (await writer.call({ ...request, origin, waitUntilMs: nowMs() + defaultWaitMs })) as RequestResult;
  let closing: Promise<void> | undefined;
  let heartbeat: Heartbeat | undefined;
  const run = async <Result>(operation: string, work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      if (closing) throw new Error('The store is closed');
      return await work();
    } catch (error) {
      throw isAbort(error) ? error : toStoreError(operation, error);
    }
  };
  const read = createAssetReader(threads);
  const readRevision = createRevisionReader(mainConnection);
  const updateIndexes = async (request: ServingRequest) => {
    // The writer answers a serving request with the indexes it created and dropped.
    const changes = (await writer.call(request)) as readonly IndexChange[];
    indexes.reload();
    for (const change of changes) {
      // A new store creates many indexes over no assets: those are logged at debug level only.
      logger[change.assets > 0 ? 'info' : 'debug'](change, `Index ${change.change}`);
    }
  };
  const patchText: TextCalls['patch'] = (patch, origin) =>
    run('patch', async () => {
      const { id, type, version } = patch;
      const text = await write(toRequest({ kind: 'patch', ...patch }), origin);
      return typeof text === 'string' ? { id, type, text, version } : undefined;
    });
  const words = createWordBuilding({
    // The writer answers a request to build words with the step it has done.
    step: async () => (await writer.call({ kind: 'buildWords' })) as BuildStep,
    completed: indexes.reload,
    logger,
  });
  const close = async () => {
    await heartbeat?.stop();
    await words.stop();
    await stopThreads(threads);
  };
  return {
    capabilities: { transactions: true, changes: writer.ready.hasLog },
    changes: writer.ready.hasLog
      ? guardCalls(createSqliteChanges({ threads, write }), run)
      : createUnsupportedChanges('The store has no change log until a server or a command has written to it'),
    texts: {
      get: (id) => run('get', () => read.texts.get(id)),
      getChunk: (ids) => run('getChunk', () => read.texts.getChunk(ids)),
      find: (request) => run('find', () => read.texts.find(request)),
      patch: patchText,
    },
    get: (id) => run('get', () => read.get(id)),
    getMany: (ids) => run('getMany', () => read.getMany(ids)),
    getChunk: (ids) => run('getChunk', () => read.getChunk(ids)),
    getTypes: (ids) => run('getTypes', () => read.getTypes(ids)),
    find: (request) => run('find', () => read.find(request)),
    insert: (stored, origin) =>
      run('insert', async () => {
        await write(toRequest({ kind: 'insert', ...stored }), origin);
      }),
    async patch(patch, origin) {
      const changed = await patchText(patch, origin);
      return changed && { asset: parseAsset(changed.text), version: changed.version };
    },
    delete: (deletion, origin) =>
      run('delete', async () => (await write(toRequest({ kind: 'delete', ...deletion }), origin)) === true),
    write: (writes, { atomic = false, origin } = {}) =>
      run('write', async () => {
        const outcomes = await write({ kind: 'sequence', writes: writes.map(toRequest), atomic }, origin);
        if (!Array.isArray(outcomes)) throw new Error('The writer has answered several writes as one');
        return outcomes.map(toWriteOutcome);
      }),
    countOthers: (known) =>
      run('countOthers', () => {
        const [rows = []] = mainConnection.run([selectOtherTotals(known)]);
        return new Map(rows.map(([name, total]) => [String(name), Number(total)]));
      }),
    revision: (types) => run('revision', () => readRevision(types)),
    prepare: () =>
      run('prepare', async () => {
        await updateIndexes({ kind: 'prepare' });
        await words.finish();
      }),
    serve: (types) =>
      run('serve', async () => {
        const { expiryMs } = timing;
        const process = randomUUID();
        const request = { kind: 'serve', process, types: JSON.stringify(types), expiryMs } as const;
        await updateIndexes(request);
        threads.resumeWith(request);
        words.start();
        heartbeat ??= startHeartbeat({
          timing,
          logger,
          async report() {
            await updateIndexes({ kind: 'heartbeat' });
            words.start();
          },
        });
      }),
    findUnenforcedUniqueFields: () => run('findUnenforced', () => indexes.findMissingUnique()),
    ping: () =>
      run('ping', async () => {
        if (!writer.isRunning()) throw storeBusy('nothing can be written at present');
        if (!readers.isRunning()) throw storeBusy('nothing can be found at present');
        heartbeat?.assertFit();
        const [[format] = []] = mainConnection.run([selectFormat]);
        assertKnownFormat(format?.[0]);
      }),
    canRecover: () => !writer.isLost() && !readers.isLost(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

type Run = <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>;

/** Runs each call to the log like the calls to the store. */
const guardCalls = (log: ChangeLog, run: Run): ChangeLog => ({
  position: () => run('position', log.position),
  read: (request) => run('read', () => log.read(request)),
  history: (request) => run('history', () => log.history(request)),
  stateOf: (asset, moment, caller) => run('stateOf', () => log.stateOf(asset, moment, caller)),
  append: (event, origin) => run('append', () => log.append(event, origin)),
  trim: (request) => run('trim', () => log.trim(request)),
  erase: (erasure, origin) => run('erase', () => log.erase(erasure, origin)),
});

const selectOtherTotals = (known: readonly string[]): Query => ({
  sql: `SELECT class, total FROM types
    WHERE total > 0 AND class NOT IN (SELECT value FROM json_each(?1)) ORDER BY class`,
  params: [JSON.stringify(known)],
});
