/**
 * The SQLite adapter of the store port: one file, several threads.
 *
 * One thread writes and others run searches. The main thread itself runs the reads whose time does not grow with the store:
 * `get`, a short `getMany` and `revision`. Other processes may have the file open.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeBusy } from '../../base/errors.ts';
import { isAbort } from '../../base/runtime.ts';
import type { ChangeLog, ChangeOrigin } from '../changes.ts';
import type { ContentStore, TextCalls } from '../port.ts';
import { defaultTiming, type ServingTiming } from '../served-types.ts';
import { assertOpenable } from './assert-openable.ts';
import { createSqliteChanges } from './changes/sqlite-changes.ts';
import type { Query } from './connection.ts';
import { toFileError, toStoreError } from './map-error.ts';
import { createAssetReader, parseAsset } from './reads/asset-reader.ts';
import { findUnreadable } from './reads/find-unreadable.ts';
import { createRevisionReader } from './reads/revision-reader.ts';
import { assertKnownFormat, selectFormat } from './schema.ts';
import { readServing } from './serving-processes.ts';
import { type SqliteOptions, startThreads, type Threads } from './threads/store-threads.ts';
import { nowMs, type RequestResult, type SequenceResult, type WriteSequence } from './writes/group-commit.ts';
import { defaultWaitMs } from './writes/transaction.ts';
import { toWriteOutcome } from './writes/write-outcomes.ts';
import { toRequest, type WriteRequest } from './writes/write-requests.ts';

/**
 * Opens the store in a file. A missing file is created; with `isReadOnly`, an empty store takes its place.
 *
 * Errors: bad_config (a file of another format or program, or a damaged one), store_busy, store_failure.
 */
export async function createSqliteStore(options: SqliteOptions): Promise<ContentStore> {
  const { file, isReadOnly } = options;
  assertOpenable(file);
  if (isReadOnly && !existsSync(file)) return openEmptyStore(options);
  const threads = await startThreads(options).catch((error) => {
    throw toFileError({ file, operation: 'open' }, error);
  });
  return createStore(threads, options.timing);
}

/** Opens an empty store in a temporary folder, which is removed when the store is closed. */
async function openEmptyStore(options: SqliteOptions): Promise<ContentStore> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-empty-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const threads = await startThreads({ ...options, file: join(folder, 'colophon.db') });
    const store = createStore(threads, options.timing);
    return { ...store, close: () => store.close().finally(remove) };
  } catch (error) {
    remove();
    throw toStoreError('open', error);
  }
}

function createStore(threads: Threads, { expiryMs }: ServingTiming = defaultTiming): ContentStore {
  const { writer, readers, mainConnection, indexes } = threads;
  const write = async (
    request: WriteRequest | WriteSequence,
    origin: ChangeOrigin | undefined,
    signal?: AbortSignal,
  ) =>
    // The writer answers a write with its result, never with that of upkeep.
    (await writer.call(
      { ...request, origin, waitUntilMs: nowMs() + defaultWaitMs },
      signal,
    )) as RequestResult;
  let closing: Promise<void> | undefined;
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
  const patchText: TextCalls['patch'] = (patch, origin) =>
    run('patch', async () => {
      const { id, type, version } = patch;
      const text = await write(toRequest({ kind: 'patch', ...patch }), origin);
      return typeof text === 'string' ? { id, type, text, version } : undefined;
    });
  return {
    system: 'sqlite',
    capabilities: { transactions: true, changes: true },
    changes: guardCalls(createSqliteChanges({ threads, write }), run),
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
    facets: (request) => run('facets', () => read.facets(request)),
    explain: (request) => run('explain', () => read.explain(request)),
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
    write: (writes, { atomic = false, origin, signal, budget } = {}) =>
      run('write', async () => {
        const sequence = {
          kind: 'sequence',
          writes: writes.map(toRequest),
          atomic,
          left: budget?.left(),
        } as const;
        // The writer answers a sequence with its result.
        const { outcomes, spent } = (await write(sequence, origin, signal)) as SequenceResult;
        budget?.spend(spent);
        return outcomes.map(toWriteOutcome);
      }),
    countOthers: (known) =>
      run('countOthers', () => {
        const [rows = []] = mainConnection.run([selectOtherTotals(known)]);
        return new Map(rows.map(([name, total]) => [String(name), Number(total)]));
      }),
    revision: (types) => run('revision', () => readRevision(types)),
    prepare: () => run('prepare', writer.prepare),
    serve: (types) => run('serve', () => writer.serve(types)),
    readServing: () =>
      run('readServing', () => mainConnection.inSnapshot((all) => readServing(all, expiryMs))),
    findUnenforcedUniqueFields: () => run('findUnenforced', () => indexes.findMissingUnique()),
    findUnreadable: (types) => run('findUnreadable', () => findUnreadable(threads, types)),
    load() {
      const writes = writer.load?.();
      return { searches: readers.load(), ...(writes && { writer: writes }) };
    },
    readClock: async () => undefined,
    readFormat: () =>
      run('readFormat', () => {
        const [[format] = []] = mainConnection.run([selectFormat]);
        return Number(format?.[0]);
      }),
    ping: () =>
      run('ping', async () => {
        await writer.check();
        if (!readers.isRunning()) throw storeBusy('nothing can be found at present');
        const [[format] = []] = mainConnection.run([selectFormat]);
        assertKnownFormat(format?.[0]);
      }),
    canRecover: async () => !readers.isLost() && writer.opened.isInPlace() && (await writer.canRecover()),
    close() {
      closing ??= threads.stop();
      return closing;
    },
  };
}

type Run = <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>;

/** Runs each call to the log like the calls to the store. */
const guardCalls = (log: ChangeLog, run: Run): ChangeLog => ({
  position: () => run('position', log.position),
  settle: () => run('settle', log.settle),
  read: (request) => run('read', () => log.read(request)),
  history: (request) => run('history', () => log.history(request)),
  stateOf: (...request) => run('stateOf', () => log.stateOf(...request)),
  append: (event, origin) => run('append', () => log.append(event, origin)),
  trim: (request) => run('trim', () => log.trim(request)),
  erase: (erasure, origin) => run('erase', () => log.erase(erasure, origin)),
});

const selectOtherTotals = (known: readonly string[]): Query => ({
  sql: `SELECT class, total FROM types
    WHERE total > 0 AND class NOT IN (SELECT value FROM json_each(?1)) ORDER BY class`,
  params: [JSON.stringify(known)],
});
