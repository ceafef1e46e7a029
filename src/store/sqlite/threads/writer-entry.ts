/**
 * The entry of the writer thread: prepares the database file, then runs every write of this process.
 *
 * Writes that arrive during a commit share the next one, so that many writes cost one sync to disk.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createLogUpkeep, type UpkeepRequest } from '../changes/log-upkeep.ts';
import { openConnection } from '../connection.ts';
import { createStoredTypes, type StoredTypes, type TypeToStore } from '../indexes/field-indexes.ts';
import { isFull } from '../map-error.ts';
import { createFormatCheck, prepareSchema } from '../schema.ts';
import { createServing, type ServeRequest, type ServingRequest } from '../serving-processes.ts';
import { keepReserve } from '../space-reserve.ts';
import { createWordWriter } from '../words/word-writer.ts';
import { createGroupCommit, type QueuedRequest } from '../writes/group-commit.ts';
import {
  inUnsyncedTransaction,
  keepSavepointsInMemory,
  lockAttemptMs,
  withTemporaryFiles,
} from '../writes/transaction.ts';
import type { WriteRequest } from '../writes/write-requests.ts';
import { createBackgroundCheckpoints } from './background-checkpoints.ts';
import { identify, watchOpenFiles } from './opened-file.ts';
import { serveCalls } from './worker-calls.ts';

/** The start data of the thread. */
export interface WriterData {
  readonly file: string;
  readonly types: readonly TypeToStore[];
  /** Whether nothing may be written, not even a number for a new class name. */
  readonly isReadOnly: boolean;
  /** The identity of the file that an earlier thread of this process has prepared, which must be this one. */
  readonly identity?: string | undefined;
  readonly resumed?: ServeRequest | undefined;
}

/** The value that the thread sends when it is ready. */
export interface WriterReady {
  /** The number of each class name. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The identity of the file. */
  readonly identity: string;
}

export type WriterRequest = QueuedRequest | ServingRequest | UpkeepRequest;

serveCalls<WriterRequest, WriterData>({
  start({ data: { file, types, isReadOnly, identity, resumed } }) {
    const database = openConnection({ file, busyMs: lockAttemptMs, mustExist: identity !== undefined });
    const classes = types.map((type) => type.class);
    const numbers = closeOnError(database, () =>
      prepareSchema(database, { file, classes, isReadOnly, mustExist: identity !== undefined }),
    );
    const { run, mergeWords } = createService(database, {
      types: createStoredTypes(types, numbers),
      resumed,
    });
    const assertInPlace = watchOpenFiles(file);
    if (!isReadOnly) keepReserve(file);
    const checkpoints = createBackgroundCheckpoints(database, file);
    return {
      ready: { numbers, identity: identify(file) } satisfies WriterReady,
      // More would let a short write wait for the writing of many large documents.
      limits: { calls: 256, bytes: 4_194_304, sizeOf: measureRequests(database), senderOf },
      run(requests, isStopped) {
        const results = run(requests, isStopped);
        checkpoints.startIfDue();
        return confirm(results, assertInPlace);
      },
      followUp: mergeWords,
      close() {
        checkpoints.close();
        attempt(() => database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
        database.close();
        if (!isReadOnly) keepReserve(file);
      },
    };
  },
});

/** Runs what a full disk may prevent. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/** Closes the database at once when it cannot be used, because the thread ends a little later. */
function closeOnError<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Fails what was committed to a file that is no longer in its place. */
function confirm(
  results: PromiseSettledResult<unknown>[],
  assertInPlace: () => void,
): PromiseSettledResult<unknown>[] {
  const place = settle(assertInPlace);
  return place.status === 'fulfilled'
    ? results
    : results.map((result) => (result.status === 'fulfilled' ? place : result));
}

type RunRequests = (
  requests: readonly WriterRequest[],
  isStopped: (request: WriterRequest) => boolean,
) => PromiseSettledResult<unknown>[];

/**
 * Runs all writes of a batch in one transaction, and every other request in a separate one. Requests to rebuild the file share
 * one rebuild, because each was sent after its erasure. `mergeWords` merges some recent words, and returns whether more are due.
 */
function createService(
  database: DatabaseSync,
  { types, resumed }: { types: StoredTypes; resumed: ServeRequest | undefined },
): { run: RunRequests; mergeWords: () => boolean } {
  keepSavepointsInMemory(database);
  const checkFormat = createFormatCheck(database);
  const serving = createServing(database, types, resumed);
  const before = () => {
    checkFormat();
    serving.assertKept();
  };
  const words = createWordWriter(database);
  const write = createGroupCommit(database, { types, before, words });
  const maintain = createLogUpkeep(database, { types, words, before });
  const runOther = (request: ServingRequest | UpkeepRequest) =>
    // Rebuilding the file and creating an index sort as much as the database has.
    withTemporaryFiles(database, () => {
      if (!isServing(request)) return maintain(request);
      checkFormat();
      return serving.run(request);
    });
  function mergeWords(): boolean {
    try {
      let hasMore = words.isDue();
      while (hasMore) {
        hasMore = inUnsyncedTransaction({ database, waitMs: 0 }, () => {
          before();
          return words.mergeStep({ all: false });
        });
        if (!words.isOverdue()) return hasMore;
      }
    } catch {
      // Other processes may be writing. The steps that each heartbeat asks for report any other error.
    }
    return false;
  }
  const run: RunRequests = (requests, isStopped) => {
    const written = write(requests.filter(isWrite), isStopped);
    let next = 0;
    let rebuilt: PromiseSettledResult<unknown> | undefined;
    return requests.map((request) => {
      if (isWrite(request)) return written[next++] ?? { status: 'rejected', reason: undefined };
      if (request.kind !== 'rebuild') return settle(() => runOther(request));
      rebuilt ??= settle(() => runOther(request));
      return rebuilt;
    });
  };
  return { run, mergeWords };
}

function settle(work: () => unknown): PromiseSettledResult<unknown> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

const isServing = (request: WriterRequest): request is ServingRequest =>
  request.kind === 'prepare' ||
  request.kind === 'serve' ||
  request.kind === 'heartbeat' ||
  request.kind === 'stopped';

const isUpkeep = (request: WriterRequest): request is UpkeepRequest =>
  request.kind === 'trim' ||
  request.kind === 'erase' ||
  request.kind === 'rebuild' ||
  request.kind === 'buildIndexes' ||
  request.kind === 'probe' ||
  request.kind === 'keepTime' ||
  request.kind === 'emptyWal';

const isWrite = (request: WriterRequest): request is QueuedRequest =>
  !isServing(request) && !isUpkeep(request);

/** Whose turn a request takes. */
function senderOf(request: WriterRequest): string {
  return isWrite(request) ? (request.origin?.by.id ?? '') : '';
}

/** Creates a function that returns the length of the documents that a request writes. SQLite knows it of a stored one without reading it. */
function measureRequests(database: DatabaseSync) {
  const select = database.prepare('SELECT octet_length(document) AS bytes FROM assets WHERE id = ?');
  return function sizeOf(request: WriterRequest | WriteRequest): number {
    switch (request.kind) {
      case 'insert':
        return request.document.length;
      case 'patch':
        return request.changes.length + Number(select.get(request.id)?.bytes ?? 0);
      case 'sequence':
        return request.writes.reduce((sum, write) => sum + sizeOf(write), 0);
      default:
        return 0;
    }
  };
}
