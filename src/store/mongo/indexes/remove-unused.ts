/**
 * Removes the indexes and words that no process needs which was seen lately.
 *
 * Only one process does so at a time: its mark, the record `cleaning`, is written before the needs are read. A process that starts
 * or comes back writes its own record first and looks for the mark after that. So either the one who cleans sees the needs of the
 * other, or the other waits until it is done, and then makes what is missing.
 */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../base/runtime.ts';
import type { Database, ServingRecord } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import { dropIndex, listIndexNames } from './stored-indexes.ts';
import { listUnneededTexts, removeWords } from './stored-words.ts';

/** The `_id` of the mark. */
export const cleaningId = 'cleaning';

const pollMs = 50;
const report = { $currentDate: { seen: true } } as const;

interface Own {
  readonly process: string;
  readonly expiryMs: number;
}

/** Removes what nobody needs, unless another process is at it. */
export async function removeUnneeded(
  database: Database,
  { process, expiryMs, logger }: Own & { logger: Logger },
): Promise<void> {
  const { serving } = database;
  const { silent, unneeded } = await look(database, { process, expiryMs });
  if (silent.length === 0 && !unneeded.isAny) return;
  if (!(await mark(database, { process, expiryMs }))) return;
  try {
    for (const { _id, seen } of silent) await serving.deleteOne({ _id, ...(seen ? { seen } : {}) });
    const { indexes, texts } = (await look(database, { process, expiryMs })).unneeded;
    for (const name of indexes) await dropIndex(database, name, logger);
    const keepOn = () => keepMark(database);
    for (const [type, fields] of texts) {
      await removeWords(database, { type, texts: fields, keepOn });
      logger.info({ type, texts: fields.length }, 'Words removed');
    }
  } finally {
    await serving.deleteOne({ _id: cleaningId });
  }
}

/** Waits while another process cleans, unless its mark is as old as that of a process that died. */
export async function waitForCleaning({ serving }: Database, { process, expiryMs }: Own): Promise<void> {
  const own = await serving.findOne({ _id: process });
  const endMs = performance.now() + expiryMs;
  for (;;) {
    const found = await serving.findOne({ _id: cleaningId });
    if (!found) return;
    const isSilent = isOlder(found, own, expiryMs);
    if (isSilent || performance.now() > endMs) {
      await serving.deleteOne({ _id: cleaningId, ...(found.seen ? { seen: found.seen } : {}) });
      return;
    }
    await setTimeout(pollMs);
  }
}

async function look(database: Database, { process, expiryMs }: Own) {
  const records = await database.serving.find({ _id: { $ne: cleaningId } }).toArray();
  // This process has just reported, so what it was seen at is now, by the server's clock.
  const own = records.find(({ _id }) => _id === process);
  const silent = records.filter((record) => record !== own && isOlder(record, own, expiryMs));
  const heard = records.filter((record) => !silent.includes(record));
  const indexes = new Set(heard.flatMap((record) => record.indexes ?? []));
  const names = [...(await listIndexNames(database))].filter((name) => !indexes.has(name));
  const texts = await listUnneededTexts(database, new Set(heard.flatMap((record) => record.texts ?? [])));
  // A process without a record knows nobody's needs, its own included.
  const isAny = own !== undefined && (names.length > 0 || texts.size > 0);
  return {
    silent,
    unneeded: { isAny, indexes: own ? names : [], texts: own ? texts : new Map<string, string[]>() },
  };
}

function isOlder(record: ServingRecord, own: ServingRecord | null | undefined, expiryMs: number): boolean {
  if (!own?.seen || !record.seen) return false;
  return record.seen.getTime() < own.seen.getTime() - expiryMs;
}

/** Marks that this process is cleaning up. Returns false when another process is; removes the mark of a process that died. */
async function mark({ serving }: Database, { process, expiryMs }: Own): Promise<boolean> {
  try {
    await serving.updateOne({ _id: cleaningId, seen: { $exists: false } }, report, { upsert: true });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const [found, own] = [
      await serving.findOne({ _id: cleaningId }),
      await serving.findOne({ _id: process }),
    ];
    if (found?.seen && isOlder(found, own, expiryMs)) {
      await serving.deleteOne({ _id: cleaningId, seen: found.seen });
    }
    return false;
  }
}

/** Renews the mark. Errors: a plain error that ends the cleaning, when another process considered this one dead. */
async function keepMark({ serving }: Database): Promise<void> {
  const { matchedCount } = await serving.updateOne({ _id: cleaningId }, report);
  if (matchedCount === 0) throw new Error('Another process has ended the cleaning');
}
