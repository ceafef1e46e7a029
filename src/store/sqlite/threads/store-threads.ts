/**
 * The threads of one store and what each is started with: one writes, others read, and this one has a connection of its own.
 */
import { statSync } from 'node:fs';
import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { indexedPaths } from '../../../model/field-path.ts';
import type { ServingTiming } from '../../served-types.ts';
import { createQueryRunner, openConnection, type QueryRunner, type Row } from '../connection.ts';
import { createPresentIndexes, type PresentIndexes } from '../indexes/present-indexes.ts';
import type { IndexChange } from '../indexes/stored-indexes.ts';
import { createStoredTypes } from '../indexes/stored-types.ts';
import type { FoundDocuments } from '../reads/read-documents.ts';
import type { ServeRequest } from '../serving-processes.ts';
import type { RequestResult } from '../writes/group-commit.ts';
import type { ReaderData, ReadRequest } from './reader-entry.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';
import type { WriterData, WriterReady, WriterRequest } from './writer-entry.ts';

/** The one thread that writes. */
export type Writer = WorkerPool<WriterRequest, RequestResult | readonly IndexChange[], WriterReady>;
/** The threads that read. */
export type Readers = WorkerPool<ReadRequest, Row[][] | FoundDocuments, true>;

/** All threads of a store. */
export interface Threads {
  readonly writer: Writer;
  readonly readers: Readers;
  /** The connection of this thread. */
  readonly here: QueryRunner;
  /** Which indexes a query may name. */
  readonly indexes: PresentIndexes;
  /** Has a writer that is started again go on with what this process serves. */
  resumeWith(serving: ServeRequest): void;
}

/** How a file is opened. */
export interface SqliteOptions {
  readonly file: string;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** Whether only reading is meant; then nothing is written but the tables of a new file. */
  readonly isReadOnly?: boolean;
  readonly timing?: ServingTiming;
  readonly memory?: ThreadMemory;
}

/** How much memory the JavaScript of a thread may take before the thread is given up and replaced. */
export interface ThreadMemory {
  readonly readerMb: number;
  readonly writerMb: number;
}

/** Two, so that one long search does not hold up the short ones. */
const readerCount = 2;
/** Enough for a thread to have its next calls at hand, and few enough for none to wait for long behind others. */
const callsOfReader = 16;
const callsOfWriter = 1_024;
const enoughMemory: ThreadMemory = { readerMb: 512, writerMb: 2_048 };
/** How long the event loop may wait for a lock, which readers hardly ever meet. */
const busyMs = 100;

/** Starts them. Errors: what the writer threw when it prepared the file. */
export async function startThreads(options: SqliteOptions): Promise<Threads> {
  const { file, catalog, logger, memory = enoughMemory, isReadOnly = false } = options;
  const types = [...catalog.types.values()].map((type) => ({
    class: type.class,
    indexes: indexedPaths(type.fields),
  }));
  const opened = createOpenedFile(file);
  let resumed: ServeRequest | undefined;
  const writer = await startWriter({ opened, memory, logger, data: () => ({ types, isReadOnly, resumed }) });
  let readers: Readers | undefined;
  try {
    opened.remember();
    readers = await startReaders({ opened, memory, logger });
    const here = createQueryRunner(openConnection({ file, busyMs }));
    const indexes = createPresentIndexes(here, createStoredTypes(types, writer.ready.numbers));
    const resumeWith = (serving: ServeRequest) => {
      resumed = serving;
    };
    return { writer, readers, here, indexes, resumeWith };
  } catch (error) {
    await readers?.stop();
    await writer.stop();
    throw error;
  }
}

/** Ends them. The writer goes last: the last connection to the file tidies it up. */
export async function stopThreads({ writer, readers, here }: Threads): Promise<void> {
  await readers.stop();
  here.close();
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
    maxCalls: callsOfWriter,
    resourceLimits: { maxOldGenerationSizeMb: memory.writerMb },
    whenLost: 'outcome unknown',
    data: (): WriterData => ({ file: opened.check(), isPrepared: opened.isRemembered(), ...data() }),
  } as const;
  return createWorkerPool(plan, logger);
}

function startReaders({
  opened,
  memory,
  logger,
}: {
  opened: OpenedFile;
  memory: ThreadMemory;
  logger: Logger;
}): Promise<Readers> {
  const plan = {
    entry: 'reader',
    threads: readerCount,
    maxCalls: callsOfReader,
    resourceLimits: { maxOldGenerationSizeMb: memory.readerMb },
    whenLost: 'run again',
    data: (): ReaderData => ({ file: opened.check(), maxKeptBytes: memory.readerMb * 500_000 }),
  } as const;
  return createWorkerPool(plan, logger);
}

/** The database file, which must be the same whenever a thread is started again. */
interface OpenedFile {
  /** Notes which file it is, once it is there. */
  remember(): void;
  isRemembered(): boolean;
  /** The path. Errors: bad_config when another file has taken its place, or none. */
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
