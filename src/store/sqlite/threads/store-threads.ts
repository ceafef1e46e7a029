/**
 * Starts the threads of one store: one writes, unless the parent process has the writer, and others read once they are needed. The main
 * thread also has its own connection, for short reads.
 */
import type { Duplex } from 'node:stream';
import type { RunObserver } from '../../../base/fair-queue.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { searchablePaths } from '../../../model/field-path.ts';
import { shapeOf } from '../../../types/type-shape.ts';
import { defaultQueryMs } from '../../port.ts';
import { maxWaitingReads } from '../../read-caller.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { OpenOptions } from '../../store-adapter.ts';
import type { FoundChanges } from '../changes/read-changes.ts';
import { createQueryRunner, openConnection, type QueryRunner, type Row } from '../connection.ts';
import {
  createStoredTypes,
  listIndexDefinitions,
  type StoredTypes,
  type TypeToStore,
} from '../indexes/field-indexes.ts';
import { createPresentIndexes, type PresentIndexes } from '../indexes/present-indexes.ts';
import type { FoundWindow } from '../reads/explain-search.ts';
import type { FoundDocuments } from '../reads/read-documents.ts';
import { createRowCeiling, type RowCeiling } from '../reads/search-budget.ts';
import { definePredicateFunctions } from '../reads/value-test.ts';
import { connectWriter } from '../writer/remote-writer.ts';
import { defaultWriterMb, type StoreWriter, startStoreWriter } from '../writer/store-writer.ts';
import { createOpenedFile, type OpenedFile } from './opened-file.ts';
import type { ReaderData, ReadRequest } from './reader-entry.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** The threads that read. They start when a call needs them. */
export type Readers = WorkerPool<
  ReadRequest,
  Row[][] | FoundDocuments | FoundWindow | SearchPlan | FoundChanges
>;

export interface Threads {
  readonly writer: StoreWriter;
  readonly readers: Readers;
  readonly mainConnection: QueryRunner;
  /** The ceiling of searches on it. */
  readonly mainCeiling: RowCeiling;
  readonly types: StoredTypes;
  /** Which indexes a query may name. */
  readonly indexes: PresentIndexes;
  /** How long a search may take on a reader thread. */
  readonly queryMs: number;
  /** Ends the threads. The writer ends last, because the last connection to the file removes its WAL. */
  stop(): Promise<void>;
}

/** Which database file to open, and how. */
export interface SqliteOptions extends Omit<OpenOptions, 'openWriterChannel'> {
  readonly file: string;
  /** The channel to the writer of the parent process; absent where this process has the writer. */
  readonly writer?: Duplex | undefined;
  readonly memory?: ThreadMemory;
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
const defaultMemory: ThreadMemory = { readerMb: 512, writerMb: defaultWriterMb };
/** How long the event loop may wait for a lock, which rarely blocks a reader. */
const busyMs = 100;
/** How many bytes a search on the main thread may keep in memory, besides its result. */
const maxKeptOnMain = 16_000_000;

/** Starts the threads. Errors: those of the writer when it prepares the file. */
export async function startThreads(options: SqliteOptions): Promise<Threads> {
  const { catalog, logger, memory = defaultMemory, queryMs = defaultQueryMs } = options;
  const types = toTypesToStore(catalog);
  // Absent before the connection is open, and after it is closed.
  let loaded: PresentIndexes | undefined;
  const onIndexesChanged = () => {
    try {
      loaded?.reload();
    } catch (err) {
      logger.warn({ err }, 'The list of indexes could not be read; searches use the last one');
    }
  };
  const writer = await startWriter(options, { types, memory, onIndexesChanged });
  const { opened } = writer;
  const readers = createReaders({ opened, memory, logger, queryMs, onRun: options.onSearch });
  try {
    const mainCeiling = createRowCeiling();
    const mainConnection = openMainConnection(opened.check(), mainCeiling);
    const stored = createStoredTypes(types, writer.ready.numbers);
    const indexes = createPresentIndexes(mainConnection, stored);
    loaded = indexes;
    const stop = async () => {
      await readers.stop();
      loaded = undefined;
      mainConnection.close();
      await writer.stop();
    };
    const connection = { mainConnection, mainCeiling, indexes, types: stored };
    return { writer, readers, ...connection, queryMs, stop };
  } catch (error) {
    await readers.stop();
    await writer.stop();
    throw error;
  }
}

/** Converts the types of a catalog to the form that is sent to threads. */
export const toTypesToStore = (catalog: Catalog): TypeToStore[] =>
  [...catalog.types.values()].map((type) => ({
    class: type.class,
    shape: shapeOf(type),
    unlogged: type.unlogged,
    indexes: listIndexDefinitions(type),
    searchable: searchablePaths(type.fields),
  }));

function startWriter(
  { file, logger, isReadOnly = false, timing, writer: channel }: SqliteOptions,
  shared: { types: readonly TypeToStore[]; memory: ThreadMemory; onIndexesChanged: () => void },
): Promise<StoreWriter> {
  if (channel) return connectWriter({ channel, file, ...shared });
  const { writerMb: memoryMb } = shared.memory;
  return startStoreWriter({
    ...shared,
    opened: createOpenedFile(file),
    memoryMb,
    logger,
    isReadOnly,
    timing,
  });
}

/** Opens the connection for short reads and for the searches that `ceiling` limits. */
function openMainConnection(file: string, { isExceeded }: RowCeiling): QueryRunner {
  const database = openConnection({ file, busyMs, mustExist: true });
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
  onRun,
}: {
  opened: OpenedFile;
  memory: ThreadMemory;
  logger: Logger;
  queryMs: number;
  onRun: RunObserver | undefined;
}): Readers {
  const plan = {
    entry: 'reader',
    threads: readerCount,
    maxCalls: maxReaderCalls,
    maxWaiting: maxWaitingReads,
    onRun,
    resourceLimits: { maxOldGenerationSizeMb: memory.readerMb },
    whenLost: 'run again',
    data: (): ReaderData => ({ file: opened.check(), maxKeptBytes: memory.readerMb * 125_000, queryMs }),
  } as const;
  return createWorkerPool(plan, logger);
}
