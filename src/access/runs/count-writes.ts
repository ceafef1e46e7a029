/**
 * Counts the writes of a run from the log. The record keeps how far they are counted, so that a long run is counted once.
 */

import { isOfRelease } from '../../content/drafts/draft-record.ts';
import type { ChangeEntry, RunEntries } from '../../content/runs/run-entries.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { RunWrites } from './run.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

/** The writes of a run. */
export interface CountedWrites {
  readonly writes: RunWrites;
  /** Whether these are all. */
  readonly isCounted: boolean;
  readonly lastWriteAtMs?: number;
}

/** Counts the writes of a run until a time, which `performance.now()` gives. */
export type WriteCounter = (record: RunRecord, untilMs: number) => Promise<CountedWrites>;

const pageSize = 1000;

/** Creates the counter. */
export function createWriteCounter(records: RunRecords, runEntries: RunEntries): WriteCounter {
  return async (record, untilMs) => {
    const count = readCount(record);
    let isCounted = false;
    while (!isCounted && (count.total === 0 || performance.now() < untilMs)) {
      const { entries, next } = await runEntries.read({
        order: 'oldest first',
        run: record.name,
        limit: pageSize,
        ...(count.to !== undefined && { from: count.to }),
      });
      for (const entry of entries) add(count, entry);
      isCounted = next === undefined;
      if (next !== undefined) count.to = next;
    }
    // Fails if the record changed meanwhile; then the next call counts again from what is stored.
    if (count.total >= pageSize) await records.update(record, toFields(count)).catch(() => {});
    const { create, update, lastAtMs } = count;
    return {
      writes: { create, update, delete: count.delete },
      isCounted,
      ...(lastAtMs !== undefined && { lastWriteAtMs: lastAtMs }),
    };
  };
}

/** A count in progress. `to` is the `seq` of the last entry that was counted. */
interface Count {
  create: number;
  update: number;
  delete: number;
  total: number;
  to?: number;
  lastAtMs?: number;
}

function readCount({ stored: { asset } }: RunRecord): Count {
  const [create, update, removed] = [asset.created, asset.updated, asset.deleted].map((value) =>
    Number(value ?? 0),
  );
  const { countedTo, lastWriteAt } = asset;
  const count: Count = { create: create ?? 0, update: update ?? 0, delete: removed ?? 0, total: 0 };
  if (countedTo !== undefined) count.to = Number(countedTo);
  if (lastWriteAt !== undefined) count.lastAtMs = Number(lastWriteAt);
  return count;
}

function toFields({ create, update, to, lastAtMs, ...count }: Count): JsonObject {
  return {
    created: create,
    updated: update,
    deleted: count.delete,
    ...(to !== undefined && { countedTo: to }),
    ...(lastAtMs !== undefined && { lastWriteAt: lastAtMs }),
  };
}

function add(count: Count, { action, seq, atMs, type }: ChangeEntry): void {
  const isContent = !isOfRelease(type);
  if (isContent && (action === 'create' || action === 'update' || action === 'delete')) count[action]++;
  count.total++;
  if (seq !== undefined) count.to = seq;
  count.lastAtMs = atMs;
}
