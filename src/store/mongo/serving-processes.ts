/**
 * The records of the processes that serve the store, in the collection `serving`, and what follows from them.
 *
 * A record names the indexes and text fields that its process needs and holds its SDL. `remove-unused.ts` removes what no record needs
 * that was seen lately. A process that could not report for long may have lost its record: `assure`, before and after each call
 * that relies on indexes or words, then writes it again and makes what is missing, so that no such call is answered without them.
 */
import { randomUUID } from 'node:crypto';
import { isDomainError, storeBusy } from '../../base/errors.ts';
import { type Logger, systemClock } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type Heartbeat, startHeartbeat } from '../heartbeat.ts';
import type { ServedTypes, ServingTiming, UnenforcedField } from '../served-types.ts';
import type { Database } from './database.ts';
import { cleaningId, removeUnneeded, waitForCleaning } from './indexes/remove-unused.ts';
import { listIndexNames, makeIndexes, neededIndexes } from './indexes/stored-indexes.ts';
import { addWords, neededTexts } from './indexes/stored-words.ts';
import type { UniqueFields } from './indexes/unique-values.ts';
import { withinLimit } from './writes/time-limits.ts';

/** What a process does for its types besides reading and writing. */
export interface Serving {
  /** Makes the indexes and words that are missing. Errors: bad_config, the driver's. */
  prepare(): Promise<void>;
  /** Prepares, remembers the types, and reports from then on. Errors: bad_config, the driver's. */
  serve(types: ServedTypes): Promise<void>;
  findUnenforced(): Promise<UnenforcedField[]>;
  /** Takes notice of what other processes keep unique. */
  learn(): Promise<void>;
  /** Resolves when what this process needs is there; at once unless it has not reported for long. Errors: store_busy. */
  assure(): Promise<void>;
  /** Errors: store_busy, while the store cannot be made fit. */
  assertFit(): void;
  stop(): Promise<void>;
}

/** Makes it over an open database. */
export function createServing({
  database,
  catalog,
  uniqueFields,
  logger,
  timing,
}: {
  database: Database;
  catalog: Catalog;
  uniqueFields: UniqueFields;
  logger: Logger;
  timing: ServingTiming;
}): Serving {
  const { serving } = database;
  const { expiryMs } = timing;
  const process = randomUUID();
  const needed = neededIndexes(catalog);
  const texts = neededTexts(catalog);
  // Well before other processes may take this one for dead.
  const lease = createLease((expiryMs * 2) / 3);
  let served: ServedTypes | undefined;
  let heartbeat: Heartbeat | undefined;
  let renewing: Promise<void> | undefined;

  async function prepare(): Promise<void> {
    await makeIndexes(database, { needed, logger });
    await addWords(database, { catalog, othersNeed: await readOthersNeed(), logger });
    await learn();
  }

  async function learn(): Promise<void> {
    uniqueFields.learn(await listIndexNames(database));
  }

  async function readOthersNeed(): Promise<Set<string>> {
    const own = await serving.findOne({ _id: process });
    const nowMs = own?.seen?.getTime();
    const others = { _id: { $nin: [process, cleaningId] }, stopped: { $ne: true } };
    const running = await serving.find(others).toArray();
    return new Set(
      running
        .filter(({ seen }) => nowMs === undefined || (seen?.getTime() ?? 0) >= nowMs - expiryMs)
        .flatMap((record) => record.texts ?? []),
    );
  }

  async function writeRecord(types: ServedTypes, started: { started?: number }): Promise<void> {
    lease.renew();
    const own = { indexes: [...needed.keys()], texts, types, ...started };
    const { upsertedCount } = await withinLimit(() =>
      serving.updateOne({ _id: process }, { ...report, $setOnInsert: own }, { upsert: true }),
    );
    // Of a record that was there, the needs are heeded by whoever cleans.
    if (upsertedCount > 0) await waitForCleaning(database, { process, expiryMs });
  }

  /** An index may take longer to make than a silent process is waited for. */
  async function prepareReporting(): Promise<void> {
    const timer = setInterval(() => {
      serving.updateOne({ _id: process }, report).catch(() => undefined);
    }, timing.heartbeatMs);
    try {
      await prepare();
    } finally {
      clearInterval(timer);
    }
  }

  async function serve(types: ServedTypes): Promise<void> {
    await writeRecord(types, {});
    try {
      await prepareReporting();
      const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
      await serving.updateOne({ _id: process }, { $set: { started: (last?.started ?? 0) + 1 }, ...report });
    } catch (error) {
      await serving.deleteOne({ _id: process }).catch(() => undefined);
      throw error;
    }
    served = types;
    lease.confirm();
    await removeUnneeded(database, { process, expiryMs, logger });
    heartbeat = startHeartbeat({ timing, logger, report: renew });
  }

  /** The record, and with it indexes and words, may have gone while this process could not report. */
  async function renew(): Promise<void> {
    if (served === undefined) return;
    await writeRecord(served, { started: 0 });
    await prepareReporting();
    lease.confirm();
    await removeUnneeded(database, { process, expiryMs, logger });
  }

  async function assure(): Promise<void> {
    if (served === undefined || lease.holds()) return;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    try {
      await renewing;
    } catch (error) {
      if (!isDomainError(error, 'bad_config')) throw error;
      throw storeBusy(`this process was not heard of for too long, and ${error.message}`, error);
    }
  }

  return {
    prepare,
    serve,
    learn,
    assure,
    async findUnenforced() {
      const known = await listIndexNames(database);
      const missing = [...needed.values()].filter(({ unique, name }) => unique && !known.has(name));
      return missing.map(({ type, field }) => ({ type, field }));
    },
    assertFit: () => heartbeat?.assertFit(),
    async stop() {
      await heartbeat?.stop();
      await renewing?.catch(() => undefined);
      if (served) await serving.updateOne({ _id: process }, { $set: { stopped: true } });
    },
  };
}

const report = { $currentDate: { seen: true } } as const;

/**
 * Whether a report was made lately. Both clocks are asked: one stands still while a machine sleeps, the other may be set.
 */
function createLease(lengthMs: number) {
  let began = readClocks();
  let confirmed = began;
  return {
    renew() {
      began = readClocks();
    },
    /** What was renewed last has reached the store. */
    confirm() {
      confirmed = began;
    },
    holds: () => readClocks().every((ms, index) => Math.abs(ms - (confirmed[index] ?? 0)) < lengthMs),
  };
}

const readClocks = () => [performance.now(), systemClock.nowMs()];
