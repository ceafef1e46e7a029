/**
 * Removes unused indexes and words: those that no recently seen process needs.
 *
 * A lease, the record `cleaning`, lets only one process clean up at a time. It acquires the lease before it reads the records of
 * the others. A process that starts or returns writes its own record first and looks for the lease after that. So either the
 * cleanup sees this record, or the process waits for the end of the cleanup and then creates what is missing.
 */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../base/runtime.ts';
import type { Database, ServingRecord } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import { dropIndex, listIndexNames } from './stored-indexes.ts';
import { listUnusedTexts, removeWords } from './stored-words.ts';

/** The `_id` of the lease. */
export const cleanupLeaseId = 'cleaning';

const pollMs = 50;
const seenNow = { $currentDate: { seen: true } } as const;

/** The calling process, and the time without a report after which another process counts as silent. */
interface Cleaner {
  readonly process: string;
  readonly expiryMs: number;
}

/** Removes unused indexes and words, and the records of silent processes, unless another process holds the lease. */
export async function removeUnused(
  database: Database,
  { process, expiryMs, logger }: Cleaner & { logger: Logger },
): Promise<void> {
  const { serving } = database;
  const { silent, unused } = await findUnused(database, { process, expiryMs });
  if (silent.length === 0 && !unused.isAny) return;
  if (!(await acquireLease(database, { process, expiryMs }))) return;
  try {
    for (const { _id, seen } of silent) await serving.deleteOne({ _id, ...(seen ? { seen } : {}) });
    const { indexes, texts } = (await findUnused(database, { process, expiryMs })).unused;
    for (const name of indexes) await dropIndex(database, name, logger);
    for (const [type, fields] of texts) {
      await removeWords(database, { type, texts: fields, renewLease: () => renewLease(database) });
      logger.info({ type, texts: fields.length }, 'Words removed');
    }
  } finally {
    await serving.deleteOne({ _id: cleanupLeaseId });
  }
}

/** Waits while another process cleans up. Removes the lease when its holder is silent, or after `expiryMs`. */
export async function waitForCleanup({ serving }: Database, { process, expiryMs }: Cleaner): Promise<void> {
  const own = await serving.findOne({ _id: process });
  const endMs = performance.now() + expiryMs;
  for (;;) {
    const found = await serving.findOne({ _id: cleanupLeaseId });
    if (!found) return;
    const isSilent = isOlder(found, own, expiryMs);
    if (isSilent || performance.now() > endMs) {
      await serving.deleteOne({ _id: cleanupLeaseId, ...(found.seen ? { seen: found.seen } : {}) });
      return;
    }
    await setTimeout(pollMs);
  }
}

/** Finds the records of silent processes, and the indexes and text fields that no other record names. */
async function findUnused(database: Database, { process, expiryMs }: Cleaner) {
  const records = await database.serving.find({ _id: { $ne: cleanupLeaseId } }).toArray();
  // This process has just reported, so its `seen` is the current time of the server.
  const own = records.find(({ _id }) => _id === process);
  const silent = records.filter((record) => record !== own && isOlder(record, own, expiryMs));
  const alive = records.filter((record) => !silent.includes(record));
  const indexes = new Set(alive.flatMap((record) => record.indexes ?? []));
  const names = [...(await listIndexNames(database))].filter((name) => !indexes.has(name));
  const texts = await listUnusedTexts(database, new Set(alive.flatMap((record) => record.texts ?? [])));
  // Without its own record, this process has no current time to compare with.
  const isAny = own !== undefined && (names.length > 0 || texts.size > 0);
  return {
    silent,
    unused: { isAny, indexes: own ? names : [], texts: own ? texts : new Map<string, string[]>() },
  };
}

function isOlder(record: ServingRecord, own: ServingRecord | null | undefined, expiryMs: number): boolean {
  if (!own?.seen || !record.seen) return false;
  return record.seen.getTime() < own.seen.getTime() - expiryMs;
}

/** Acquires the lease. Returns false when another process holds it, after removing it if that process is silent. */
async function acquireLease({ serving }: Database, { process, expiryMs }: Cleaner): Promise<boolean> {
  try {
    await serving.updateOne({ _id: cleanupLeaseId, seen: { $exists: false } }, seenNow, { upsert: true });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const [found, own] = [
      await serving.findOne({ _id: cleanupLeaseId }),
      await serving.findOne({ _id: process }),
    ];
    if (found?.seen && isOlder(found, own, expiryMs)) {
      await serving.deleteOne({ _id: cleanupLeaseId, seen: found.seen });
    }
    return false;
  }
}

/** Renews the lease. Errors: a plain error that ends the cleanup, when another process has removed the lease. */
async function renewLease({ serving }: Database): Promise<void> {
  const { matchedCount } = await serving.updateOne({ _id: cleanupLeaseId }, seenNow);
  if (matchedCount === 0) throw new Error('Another process has ended the cleaning');
}
