/**
 * Keeps the record of this process in the collection `serving`, and the indexes and words that the process needs.
 *
 * A record names the indexes and text fields that its process needs and contains its SDL. `remove-unused.ts` removes indexes and
 * words that no recently seen process needs. A process that could not report for long may have lost its record: `ensureReady`,
 * called before and after each call that needs indexes or words, then writes it again and creates what is missing.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDomainError, storeBusy } from '../../base/errors.ts';
import { type Logger, systemClock } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type Heartbeat, startHeartbeat } from '../heartbeat.ts';
import type { ServedTypes, ServingTiming, UnenforcedField } from '../served-types.ts';
import type { StoreFormat } from './changes/store-format.ts';
import type { Database } from './database.ts';
import { type FieldIndex, isIndexAmong, isWordIndex } from './indexes/field-indexes.ts';
import { fillKeys, findUnfilled } from './indexes/fill-keys.ts';
import { createWordRemaking, type OlderWords } from './indexes/remake-words.ts';
import { cleanupLeaseId, removeUnused, waitForCleanup } from './indexes/remove-unused.ts';
import { createIndexes, listIndexNames, neededIndexes } from './indexes/stored-indexes.ts';
import { addWords, listSearchableWords, neededTexts } from './indexes/stored-words.ts';
import type { UniqueFields } from './indexes/unique-values.ts';
import type { DeletionRules } from './writes/deletion-rules.ts';
import { withinLimit } from './writes/transaction.ts';

/** Prepares the store for the content types of this process, and reports that the process runs. */
export function createServing({
  database,
  catalog,
  uniqueFields,
  rules,
  format,
  older,
  logger,
  timing,
}: {
  database: Database;
  catalog: Catalog;
  uniqueFields: UniqueFields;
  rules: DeletionRules;
  format: StoreFormat;
  older: OlderWords;
  logger: Logger;
  timing: ServingTiming;
}) {
  const { serving } = database;
  const { expiryMs } = timing;
  const process = randomUUID();
  const needed = neededIndexes(catalog);
  const indexesOf = divideIndexes(needed);
  const texts = neededTexts(catalog);
  // Shorter than `expiryMs`, after which other processes consider this one dead.
  const lastReport = createLastReport((expiryMs * 2) / 3);
  const remaking = createWordRemaking({ database, catalog, older, logger });
  let served: ServedTypes | undefined;
  let isRecorded = false;
  let heartbeat: Heartbeat | undefined;
  let renewing: Promise<void> | undefined;

  /** Creates the missing indexes and words. Errors: bad_config, the driver's. */
  async function prepare(): Promise<void> {
    await format.ensure();
    await createIndexes(database, { needed: indexesOf.values, logger });
    const others = await readOthers(serving, { process, expiryMs });
    const othersNeed = new Set(others.flatMap((record) => record.texts ?? []));
    await addWords(database, { catalog, othersNeed, older, logger });
    // First, because a string of words can be a very long key of the index.
    await listSearchableWords(database, { catalog, indexNames: await listIndexNames(database), logger });
    await createIndexes(database, { needed: indexesOf.words, logger });
    await refreshUniqueFields();
    await rules.prepare();
    await refreshRules({ isBuilt: true });
    const unfilled = await findUnfilled(database, needed.values());
    if (unfilled.length === 0) return;
    await waitForDerivation(unfilled.map(({ name }) => name));
    await fillKeys(database, { unfilled, logger });
  }

  /** Reads the rules of deletion of other processes, and reports that this one obeys them. Returns whether all others obey its own. */
  async function refreshRules({ isBuilt }: { isBuilt: boolean }): Promise<boolean> {
    const others = await readOthers(serving, { process, expiryMs });
    const all = others.length > 0 || isRecorded ? others : await readLast(serving, process);
    const built = all.flatMap((record) => (record.isBuilt ? (record.rules ?? []) : []));
    const names = all.flatMap((record) => record.rules ?? []);
    rules.adopt(names, { built: isBuilt ? [...built, ...rules.own] : built });
    if (isBuilt) await serving.updateOne({ _id: process }, { $set: { isBuilt, obeys: rules.names() } });
    return others.every(({ obeys = [] }) => rules.own.every((name) => obeys.includes(name)));
  }

  /** Waits until the other processes obey the rules of this one: each at its next report, and at most for the time after which one counts as silent. */
  async function waitForRules(): Promise<void> {
    if (await refreshRules({ isBuilt: true })) return;
    logger.info({}, 'The start waits until the other servers know the rules of deletion');
    const endMs = performance.now() + expiryMs;
    while (!(await refreshRules({ isBuilt: true })) && performance.now() < endMs) await sleep(pollMs);
  }

  /** Reads which fields other processes keep unique, and reports which members this one derives from then on. */
  async function refreshUniqueFields(): Promise<void> {
    const names = await listIndexNames(database);
    uniqueFields.update(names);
    const among = [...names].filter(isIndexAmong);
    if (among.length > 0) await serving.updateOne({ _id: process }, { $set: { derives: among } });
  }

  /**
   * Waits until the other processes derive the members of these indexes: each at its next report, and at most for the time after which one
   * counts as silent.
   */
  async function waitForDerivation(names: readonly string[]): Promise<void> {
    const isKnown = async () => {
      const others = await readOthers(serving, { process, expiryMs });
      return others.every(({ derives = [] }) => names.every((name) => derives.includes(name)));
    };
    if (await isKnown()) return;
    logger.info({}, 'The start waits until the other servers know the keys with a condition');
    const endMs = performance.now() + expiryMs;
    while (!(await isKnown()) && performance.now() < endMs) await sleep(pollMs);
  }

  async function writeRecord(types: ServedTypes, started: { started?: number }): Promise<void> {
    lastReport.markSent();
    isRecorded = true;
    const own = { indexes: [...needed.keys()], texts, rules: rules.own, types, ...started };
    const { upsertedCount } = await withinLimit(() =>
      serving.updateOne({ _id: process }, { ...seenNow, $setOnInsert: own }, { upsert: true }),
    );
    // A running cleanup already respects a record that existed before.
    if (upsertedCount > 0) await waitForCleanup(database, { process, expiryMs });
  }

  /** Prepares the store and keeps reporting meanwhile, since creating an index may take longer than `expiryMs`. */
  async function prepareReporting(): Promise<void> {
    const timer = setInterval(() => {
      serving.updateOne({ _id: process }, seenNow).catch(() => undefined);
    }, timing.heartbeatMs);
    try {
      await prepare();
      if (served === undefined) await waitForRules();
    } finally {
      clearInterval(timer);
    }
  }

  /** Prepares the store, records the types, and reports from then on. Errors: bad_config, the driver's. */
  async function serve(types: ServedTypes): Promise<void> {
    await writeRecord(types, {});
    try {
      // Again, because a backup may be restored since the store was opened. From here on, this record keeps that from beginning.
      await format.check();
      await prepareReporting();
      const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
      await serving.updateOne({ _id: process }, { $set: { started: (last?.started ?? 0) + 1 }, ...seenNow });
    } catch (error) {
      await serving.deleteOne({ _id: process }).catch(() => undefined);
      throw error;
    }
    served = types;
    lastReport.markConfirmed();
    await cleanUp();
    heartbeat = startHeartbeat({ timing, logger, report: renew });
  }

  /** Reports, and restores the record, indexes and words that others may have removed while this process could not report. */
  async function renew(): Promise<void> {
    if (served === undefined) return;
    await format.check();
    await writeRecord(served, { started: 0 });
    await prepareReporting();
    lastReport.markConfirmed();
    await cleanUp();
  }

  /** Makes older words anew in the background. Removing unused words would remove new ones whose type is not complete yet. */
  async function cleanUp(): Promise<void> {
    if (older.size > 0) remaking.start();
    else await removeUnused(database, { process, expiryMs, logger });
  }

  /** Resolves when the needed indexes and words exist: at once if this process has reported lately. Errors: store_busy. */
  async function ensureReady(): Promise<void> {
    if (served === undefined || lastReport.isRecent()) return;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    try {
      await renewing;
    } catch (error) {
      if (!isDomainError(error, 'bad_config')) throw error;
      throw storeBusy(`this process did not report to the store for too long, and ${error.message}`, error);
    }
  }

  return {
    prepare,
    serve,
    /** Reads what the store and other processes keep: unique fields and rules of deletion. */
    async refresh(): Promise<void> {
      await refreshUniqueFields();
      await refreshRules({ isBuilt: false });
    },
    ensureReady,
    /** Reads the types of the processes that serve the store: not marked as ended, and seen lately. */
    async readServing(): Promise<readonly ServedTypes[]> {
      const seen = { $gte: new Date((await database.readClock()).getTime() - expiryMs) };
      const running = { _id: { $ne: cleanupLeaseId }, stopped: { $ne: true }, seen };
      const records = await serving.find(running, { projection: { types: 1 } }).toArray();
      return records.flatMap(({ types }) => types ?? []);
    },
    /** Finds the unique fields of the catalog that no index enforces. */
    async findUnenforcedUniqueFields(): Promise<UnenforcedField[]> {
      const known = await listIndexNames(database);
      const missing = [...needed.values()].filter(({ unique, name }) => unique && !known.has(name));
      return missing.map(({ type, field }) => ({ type, field }));
    },
    /** Errors: store_busy, while the store cannot be prepared for the content types. */
    assertFit: (): void => heartbeat?.assertFit(),
    async stop(): Promise<void> {
      await heartbeat?.stop();
      await renewing?.catch(() => undefined);
      await remaking.stop();
      if (served) await serving.updateOne({ _id: process }, { $set: { stopped: true } });
    },
  };
}

const pollMs = 50;

/** Divides the indexes into those of values and those of words. */
function divideIndexes(needed: ReadonlyMap<string, FieldIndex>) {
  const [words, values] = [new Map<string, FieldIndex>(), new Map<string, FieldIndex>()];
  for (const [name, index] of needed) (isWordIndex(name) ? words : values).set(name, index);
  return { words, values };
}

const seenNow = { $currentDate: { seen: true } } as const;

/** Reads the records of the other running processes. */
async function readOthers(
  serving: Database['serving'],
  { process, expiryMs }: { process: string; expiryMs: number },
) {
  const own = await serving.findOne({ _id: process });
  const nowMs = own?.seen?.getTime();
  const others = { _id: { $nin: [process, cleanupLeaseId] }, stopped: { $ne: true } };
  const running = await serving.find(others).toArray();
  return running.filter(({ seen }) => nowMs === undefined || (seen?.getTime() ?? 0) >= nowMs - expiryMs);
}

/** Reads the record of the process that began to serve last. */
async function readLast(serving: Database['serving'], process: string) {
  const started = { _id: { $ne: process }, started: { $exists: true } };
  return serving.find(started).sort({ started: -1 }).limit(1).toArray();
}

/** The time of the last report. Measured by two clocks: one stops while the machine sleeps, the other can be set. */
function createLastReport(maxAgeMs: number) {
  let sent = readClocks();
  let confirmed = sent;
  return {
    markSent() {
      sent = readClocks();
    },
    /** Records that the last report sent has reached the store. */
    markConfirmed() {
      confirmed = sent;
    },
    isRecent: () => readClocks().every((ms, index) => Math.abs(ms - (confirmed[index] ?? 0)) < maxAgeMs),
  };
}

const readClocks = () => [performance.now(), systemClock.nowMs()];
