/**
 * The writer of a store: runs every write of the process, creates the indexes that its content types need, and keeps the record of the
 * serving process.
 *
 * `startStoreWriter` starts it in this process, on a thread. With several workers it runs in their parent, and `remote-writer.ts` calls it.
 */
import { randomUUID } from 'node:crypto';
import { storeBusy } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import { type Heartbeat, startHeartbeat } from '../../heartbeat.ts';
import { defaultTiming, type ServedTypes, type ServingTiming } from '../../served-types.ts';
import type { WriterLoad } from '../../store-load.ts';
import type { UpkeepRequest, UpkeepResult } from '../changes/log-upkeep.ts';
import { watchDatabaseSpace } from '../disk-state.ts';
import type { TypeToStore } from '../indexes/field-indexes.ts';
import type { BuildStep } from '../indexes/index-building.ts';
import { createIndexBuilding } from '../indexes/index-building.ts';
import type { IndexChange } from '../indexes/stored-indexes.ts';
import { explainDiskError, isFull, toStoreError } from '../map-error.ts';
import type { ServeRequest, ServingRequest } from '../serving-processes.ts';
import type { OpenedFile } from '../threads/opened-file.ts';
import { type StartedPool, startWorkerPool } from '../threads/worker-pool.ts';
import type { WriterData, WriterReady, WriterRequest } from '../threads/writer-entry.ts';
import type { QueuedRequest, RequestResult } from '../writes/group-commit.ts';
import { createWriteProbe } from './write-probe.ts';

/** A write, or upkeep of the change log and the file. */
export type WriterCall = QueuedRequest | UpkeepRequest;
/** The result of a call. */
export type WriterResult = RequestResult | UpkeepResult;

export interface StoreWriter {
  readonly ready: WriterReady;
  readonly opened: OpenedFile;
  /**
   * Runs a call. Errors: SQLite's and those of the call; store_busy while the thread does not run; the reason of `signal`, which ends
   * the call unless it is a single write that has begun.
   */
  call(request: WriterCall, signal?: AbortSignal): Promise<WriterResult>;
  /** Creates the indexes of the content types. Errors: bad_config. */
  prepare(): Promise<void>;
  /** Registers the process as serving these types, and keeps its indexes from then on. Errors: bad_config. */
  serve(types: ServedTypes): Promise<void>;
  /** Errors: store_busy, store_full, store_gone; while nothing can be written or the store does not fit the content types. */
  check(): Promise<void>;
  /** Whether the writer may run again without a new process. */
  canRecover(): Promise<boolean>;
  /** Returns the writes at this moment; absent where another process has the thread. */
  load?(): WriterLoad;
  /** Ends the writer after its calls. */
  stop(): Promise<void>;
}

/** The options to start a writer. */
export interface WriterOptions {
  readonly opened: OpenedFile;
  readonly types: readonly TypeToStore[];
  readonly isReadOnly?: boolean;
  /** How much memory the JavaScript of the thread may use, in MB. */
  readonly memoryMb?: number;
  readonly timing?: ServingTiming | undefined;
  readonly logger: Logger;
  /** Called when indexes were created or dropped. */
  readonly onIndexesChanged: () => void;
}

type WriterThread = StartedPool<
  WriterRequest,
  RequestResult | readonly IndexChange[] | UpkeepResult,
  WriterReady
>;

/** How much memory the JavaScript of the thread may use by default, in MB. */
export const defaultWriterMb = 2_048;
const maxWriterCalls = 1_024;

/** Starts the writer's thread, which creates a missing file. Errors: those of the thread when it prepares the file. */
export async function startStoreWriter(options: WriterOptions): Promise<StoreWriter> {
  const { opened, timing = defaultTiming, logger, onIndexesChanged } = options;
  let resumed: ServeRequest | undefined;
  // What is still to be done when there was no space for it.
  let unserved: ServeRequest | undefined;
  let registering: Promise<void> | undefined;
  const thread = await startThread(options, () => resumed);
  opened.remember(thread.ready.identity);
  let heartbeat: Heartbeat | undefined;
  const updateIndexes = async (request: ServingRequest) => {
    // The thread answers a serving request with the indexes it created and dropped.
    const changes = (await thread.call(request)) as readonly IndexChange[];
    onIndexesChanged();
    if (changes.length === 0) return;
    // A new store creates many indexes over no assets, which nobody needs to know.
    const isLong = changes.some(({ assets }) => assets > 0);
    logger[isLong ? 'info' : 'debug']({ indexes: changes }, 'Indexes created or dropped');
  };
  async function register(request: ServeRequest): Promise<void> {
    await updateIndexes(request);
    [resumed, unserved] = [request, undefined];
    building.start();
  }
  /** Registers the process as serving, if the disk was full at its start: nothing is written without the indexes of its types. */
  async function ensureServing(): Promise<void> {
    if (!unserved) return;
    registering ??= register(unserved).finally(() => {
      registering = undefined;
    });
    await registering;
  }
  const file = opened.check();
  const space = watchDatabaseSpace(file);
  const probe = createWriteProbe(async () => {
    space.check();
    await (unserved ? ensureServing() : thread.call({ kind: 'probe' })).catch(fail);
  });
  /** Explains the error of a write; one for lack of space holds until there is space. */
  function fail(thrown: unknown): never {
    const error = explainDiskError(file, thrown);
    if (!isFull(error)) throw error;
    const full = toStoreError('write', error);
    space.note(full);
    probe.note(full);
    throw full;
  }
  const building = createIndexBuilding({
    // The thread answers a request to build indexes with the step it has done.
    step: async () => (await thread.call({ kind: 'buildIndexes' })) as BuildStep,
    completed: onIndexesChanged,
    logger,
  });
  return {
    ready: thread.ready,
    opened,
    call(request, signal) {
      // The thread answers a write or upkeep with its result, never with index changes.
      const send = () => thread.call(request, { signal }) as Promise<WriterResult>;
      return (unserved ? ensureServing().then(send) : send()).catch(fail);
    },
    async prepare() {
      await updateIndexes({ kind: 'prepare' });
      await building.finish();
    },
    async serve(types) {
      const { expiryMs } = timing;
      const process = randomUUID();
      const request = { kind: 'serve', process, types: JSON.stringify(types), expiryMs } as const;
      try {
        await register(request);
      } catch (thrown) {
        const err = explainDiskError(file, thrown);
        if (!isFull(err)) throw err;
        unserved = request;
        logger.error(
          { err },
          'The disk is full: the store can be read, and is written again once there is space',
        );
      }
      heartbeat ??= startHeartbeat({
        timing,
        logger,
        async report() {
          await ensureServing();
          await updateIndexes({ kind: 'heartbeat' });
          building.start();
        },
      });
    },
    async check() {
      if (!thread.isRunning()) throw storeBusy('nothing can be written at present');
      opened.check();
      heartbeat?.assertFit();
      // A process that only reads writes nothing for this either.
      if (resumed || unserved) await probe.check();
    },
    canRecover: async () => !thread.isLost(),
    load() {
      const { running, waiting, batchSizes } = thread.load();
      return { waiting: running + waiting, batchSizes, incomplete: building.incomplete() };
    },
    async stop() {
      await heartbeat?.stop();
      await building.stop();
      // Without the mark, the record of the process expires.
      if (resumed) await thread.call({ kind: 'stopped' }).catch(() => undefined);
      await thread.stop();
    },
  };
}

/** Starts the thread; `resumed` returns the serve request that a restarted thread continues with. */
function startThread(
  { opened, types, isReadOnly = false, memoryMb = defaultWriterMb, logger }: WriterOptions,
  resumed: () => ServeRequest | undefined,
): Promise<WriterThread> {
  const data = (): WriterData => ({
    file: opened.check(),
    types,
    isReadOnly,
    identity: opened.identity(),
    resumed: resumed(),
  });
  const plan = {
    entry: 'writer',
    threads: 1,
    maxCalls: maxWriterCalls,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    whenLost: 'outcome unknown',
    data,
  } as const;
  return startWorkerPool(plan, logger);
}
