/**
 * Starts the threads of one store: one writes, and others read once they are needed. The main thread also has its own connection, for short reads.
 */
import { statSync } from 'node:fs';
import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { indexedPaths, searchablePaths } from '../../../model/field-path.ts';
import { shapeOf } from '../../../model/types/type-shape.ts';
import { maxWaitingReads } from '../../fair-queue.ts';
import { defaultQueryMs } from '../../port.ts';
import type { ServingTiming } from '../../served-types.ts';
import type { UpkeepResult } from '../changes/log-upkeep.ts';
import type { FoundChanges } from '../changes/read-changes.ts';
import { createQueryRunner, openConnection, type QueryRunner, type Row } from '../connection.ts';
import { createPresentIndexes, type PresentIndexes } from '../indexes/present-indexes.ts';
import type { IndexChange } from '../indexes/stored-indexes.ts';
import { createStoredTypes, type StoredTypes } from '../indexes/stored-types.ts';
import { definePredicateFunctions } from '../reads/predicate-functions.ts';
import type { FoundDocuments } from '../reads/read-documents.ts';
import { createRowCeiling, type RowCeiling } from '../reads/row-ceiling.ts';
import type { ServeRequest } from '../serving-processes.ts';
import type { RequestResult } from '../writes/group-commit.ts';
import type { ReaderData, ReadRequest } from './reader-entry.ts';
import { createWorkerPool, type StartedPool, startWorkerPool, type WorkerPool } from './worker-pool.ts';
import type { WriterData, WriterReady, WriterRequest } from './writer-entry.ts';

/** The one thread that writes. */
export type Writer = StartedPool<
  WriterRequest,
  RequestResult | readonly IndexChange[] | UpkeepResult,
  WriterReady
>;
/** The threads that read. They start when a call needs them. */
export type Readers = WorkerPool<ReadRequest, Row[][] | FoundDocuments | FoundChanges>;

/** All threads of a store. */
export interface Threads {
  readonly writer: Writer;
  readonly readers: Readers;
  /** The connection of the main thread. */
  readonly mainConnection: QueryRunner;
  /** The ceiling of searches on it. */
  readonly mainCeiling: RowCeiling;
  readonly types: StoredTypes;
  /** Which indexes a query may name. */
  readonly indexes: PresentIndexes;
  /** Sets the serve request that a restarted writer continues with. */
  resumeWith(serving: ServeRequest): void;
}

/** The options to open a database file. */
export interface SqliteOptions {
  readonly file: string;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** Whether the store is only read; then nothing is written except the tables of a new file. */
  readonly isReadOnly?: boolean;
  readonly timing?: ServingTiming;
  readonly memory?: ThreadMemory;
  /** How long a search may take on a reader thread. */
  readonly queryMs?: number;
}

/** How much memory the JavaScript of a thread may use before the thread is ended and replaced. */
export interface ThreadMemory {
  readonly readerMb: number;
  readonly writerMb: number;
}

/** At most two readers, so that one long search does not delay short ones. */
const readerCount = 2;
/** A call waits in the queue, where clients take turns, until a thread is free. */
const maxReaderCalls = 1;
const maxWriterCalls = 1_024;
const defaultMemory: ThreadMemory = { readerMb: 512, writerMb: 2_048 };
/** How long the event loop may wait for a lock, which rarely blocks a reader. */
const busyMs = 100;
/** How many bytes a search on the main thread may keep in memory, besides its result. */
const maxKeptOnMain = 16_000_000;

/** Starts the threads. Errors: those of the writer when it prepares the file. */
export async function startThreads(options: SqliteOptions): Promise<Threads> {
  const { file, catalog, logger, memory = defaultMemory, isReadOnly = false } = options;
  const { queryMs = defaultQueryMs } = options;
  const types = [...catalog.types.values()].map((type) => ({
    class: type.class,
    shape: shapeOf(type),
    unlogged: type.unlogged,
    indexes: indexedPaths(type.fields),
    searchable: searchablePaths(type.fields),
  }));
  const opened = createOpenedFile(file);
  let resumed: ServeRequest | undefined;
  const writer = await startWriter({ opened, memory, logger, data: () => ({ types, isReadOnly, resumed }) });
  let readers: Readers | undefined;
  try {
    opened.remember();
    readers = createReaders({ opened, memory, logger, queryMs });
    const mainCeiling = createRowCeiling();
    const mainConnection = openMainConnection(file, mainCeiling);
    const stored = createStoredTypes(types, writer.ready.numbers);
    const indexes = createPresentIndexes(mainConnection, stored);
    const resumeWith = (serving: ServeRequest) => {
      resumed = serving;
    };
    return { writer, readers, mainConnection, mainCeiling, indexes, types: stored, resumeWith };
  } catch (error) {
    await readers?.stop();
    await writer.stop();
    throw error;
  }
}

/** Ends the threads. The writer ends last, because the last connection to the file removes its WAL. */
export async function stopThreads({ writer, readers, mainConnection }: Threads): Promise<void> {
  await readers.stop();
  mainConnection.close();
  await writer.stop();
}

function startWriter({
  opened,
  memory,
  logger,
  data,
}: {
  opened: OpenedFile;
  data: () => Pick<WriterData, 'types' | 'isReadOnly' | 'resumed'>;
  memory: ThreadMemory;
  logger: Logger;
}): Promise<Writer> {
  const plan = {
    entry: 'writer',
    threads: 1,
    maxCalls: maxWriterCalls,
    resourceLimits: { maxOldGenerationSizeMb: memory.writerMb },
    whenLost: 'outcome unknown',
    data: (): WriterData => ({ file: opened.check(), isPrepared: opened.isRemembered(), ...data() }),
  } as const;
  return startWorkerPool(plan, logger);
}

/** Opens the connection for short reads and for the searches that `ceiling` limits. */
function openMainConnection(file: string, { isExceeded }: RowCeiling): QueryRunner {
  const database = openConnection({ file, busyMs });
  const functions = definePredicateFunctions(database, {
    isStopped: isExceeded,
    maxKeptBytes: maxKeptOnMain,
  });
  return createQueryRunner(database, functions);
}

function createReaders({
  opened,
  memory,
  logger,
  queryMs,
}: {
  opened: OpenedFile;
  memory: ThreadMemory;
  logger: Logger;
  queryMs: number;
}): Readers {
  const plan = {
    entry: 'reader',
    threads: readerCount,
    maxCalls: maxReaderCalls,
    maxWaiting: maxWaitingReads,
    resourceLimits: { maxOldGenerationSizeMb: memory.readerMb },
    whenLost: 'run again',
    data: (): ReaderData => ({ file: opened.check(), maxKeptBytes: memory.readerMb * 500_000, queryMs }),
  } as const;
  return createWorkerPool(plan, logger);
}

/** The database file, which must be the same one whenever a thread is restarted. */
interface OpenedFile {
  /** Stores the identity of the file after it was created. */
  remember(): void;
  isRemembered(): boolean;
  /** Returns the path. Errors: bad_config when the file was removed or replaced by another. */
  check(): string;
}

function createOpenedFile(file: string): OpenedFile {
  let identity: string | undefined;
  const identify = () => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  return {
    remember() {
      identity = identify();
    },
    isRemembered: () => identity !== undefined,
    check() {
      if (identity !== undefined && identity !== identify()) {
        throw badConfig([{ path: file, message: 'is no longer the file that was opened' }]);
      }
      return file;
    },
  };
}
