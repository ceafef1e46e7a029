/**
 * The SQLite adapter of the store port: one file, several threads.
 *
 * One thread writes and others run searches. The main thread itself runs the reads whose time does not grow with the store:
 * `get`, a short `getMany` and `revision`. Other processes may have the file open.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damagedStore, isDamagedStore, storeBusy } from '../../base/errors.ts';
import type { ChangeOrigin } from '../changes.ts';
import type { AssetDeletion, AssetPatch, AssetWrite, ContentStore, StoredAsset } from '../port.ts';
import { defaultTiming } from '../served-types.ts';
import { createCallRunner, runCalls } from '../store-calls.ts';
import type { WriteOptions } from '../write-options.ts';
import { assertOpenable } from './assert-openable.ts';
import { createSqliteChanges } from './changes/sqlite-changes.ts';
import type { Query } from './connection.ts';
import { readProgress } from './indexes/index-filling.ts';
import { toFileError, toStoreError } from './map-error.ts';
import { createAssetReader, createRevisionReader, parseAsset } from './reads/asset-reader.ts';
import { assertKnownFormat, selectFormat } from './schema.ts';
import { readServing } from './serving-processes.ts';
import { type SqliteOptions, startThreads, type Threads } from './threads/store-threads.ts';
import { nowMs, type RequestResult, type SequenceResult, type WriteSequence } from './writes/group-commit.ts';
import { createSequenceSender } from './writes/send-sequence.ts';
import { defaultWaitMs } from './writes/transaction.ts';
import { toRequest, toWriteOutcome, type WriteRequest } from './writes/write-requests.ts';

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
  return createStore(threads, options);
}

/** Opens an empty store in a temporary folder, which is removed when the store is closed. */
async function openEmptyStore(options: SqliteOptions): Promise<ContentStore> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-empty-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const threads = await startThreads({ ...options, file: join(folder, 'colophon.db') });
    const store = createStore(threads, options);
    return { ...store, close: () => store.close().finally(remove) };
  } catch (error) {
    remove();
    throw toStoreError('open', error);
  }
}

function createStore(
  threads: Threads,
  { timing: { expiryMs } = defaultTiming, meter }: Pick<SqliteOptions, 'timing' | 'meter'>,
): ContentStore {
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
  let isDamaged = false;
  const toError = (operation: string, thrown: unknown) => {
    const error = toStoreError(operation, thrown);
    isDamaged ||= isDamagedStore(error);
    return error;
  };
  const run = createCallRunner({
    ...{ system, meter, toError },
    isClosed: () => closing !== undefined,
  });
  const { texts, ...reads } = createAssetReader(threads);
  const sequences = createSequenceSender(async (sequence, { origin, signal }) => {
    // The writer answers a sequence with its result.
    return (await write(sequence, origin, signal)) as SequenceResult;
  });
  const readFormat = () => {
    const [[format] = []] = mainConnection.run([selectFormat]);
    return Number(format?.[0]);
  };
  const patchText: ContentStore['texts']['patch'] = async (patch, origin) => {
    const { id, type, version } = patch;
    const text = await write(toRequest({ kind: 'patch', ...patch }), origin);
    return typeof text === 'string' ? { id, type, text, version } : undefined;
  };
  return {
    system,
    capabilities: { transactions: true, changes: true },
    changes: runCalls(run, createSqliteChanges({ threads, write }), 'changes.'),
    texts: runCalls(run, { ...texts, patch: patchText }),
    ...runCalls(run, {
      ...reads,
      async insert(stored: StoredAsset, origin?: ChangeOrigin) {
        await write(toRequest({ kind: 'insert', ...stored }), origin);
        return stored;
      },
      async patch(patch: AssetPatch, origin?: ChangeOrigin) {
        const changed = await patchText(patch, origin);
        return changed && { asset: parseAsset(changed.text), version: changed.version };
      },
      delete: async (deletion: AssetDeletion, origin?: ChangeOrigin) =>
        (await write(toRequest({ kind: 'delete', ...deletion }), origin)) === true,
      async write(writes: readonly AssetWrite[], options: WriteOptions = {}) {
        const outcomes = await sequences(writes.map(toRequest), options);
        const answered = outcomes.map(toWriteOutcome);
        isDamaged ||= answered.some((outcome) => outcome.kind === 'failed' && isDamagedStore(outcome.error));
        return answered;
      },
      countOthers(known: readonly string[]) {
        const [rows = []] = mainConnection.run([selectOtherTotals(known)]);
        return new Map(rows.map(([name, total]) => [String(name), Number(total)]));
      },
      revision: createRevisionReader(mainConnection),
      prepare: writer.prepare,
      serve: writer.serve,
      readServing: () => mainConnection.inSnapshot((all) => readServing(all, expiryMs)),
      findUnenforcedUniqueFields: () => indexes.findMissingUnique(),
      findIncompleteIndexes: () => mainConnection.inSnapshot(readProgress),
      readFormat,
      async readHighestTime() {
        const [[row] = []] = mainConnection.run([selectHighestTime]);
        return row && Number(row[0]);
      },
      async keepTime(time: { atMs: number; isAccepted?: boolean }) {
        await writer.call({ kind: 'keepTime', ...time });
      },
      async ping() {
        if (isDamaged) throw damagedStore();
        await writer.check();
        if (!readers.isRunning()) throw storeBusy('nothing can be found at present');
        assertKnownFormat(readFormat());
      },
    }),
    load() {
      const writes = writer.load?.();
      return { isDamaged, searches: readers.load(), ...(writes && { writer: writes }) };
    },
    readClock: async () => undefined,
    canRecover: async () => !readers.isLost() && writer.opened.isInPlace() && (await writer.canRecover()),
    close() {
      closing ??= threads.stop();
      return closing;
    },
  };
}

const system = 'sqlite';

const selectHighestTime = { sql: "SELECT value FROM store_facts WHERE name = 'highest_time'", params: [] };

const selectOtherTotals = (known: readonly string[]): Query => ({
  sql: `SELECT class, total FROM types
    WHERE total > 0 AND class NOT IN (SELECT value FROM json_each(?1)) ORDER BY class`,
  params: [JSON.stringify(known)],
});
