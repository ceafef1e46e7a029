/**
 * Counts the writes of a run from the log. The record keeps how far they are counted, so that a long run is counted once.
 */

import { isOfRelease } from '../../content/drafts/draft.ts';
import type { ChangeEntry, RunEntries } from '../../content/runs/run-segment.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { RunWrites } from './run.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

/** The writes of a run. */
export interface CountedWrites {
  readonly writes: RunWrites;
  /** Whether these are all. */
  readonly isCounted: boolean;
  /** Whether some of these have erased an asset. */
  readonly isIrreversible?: true;
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
    const { create, update, erased, lastAtMs } = count;
    return {
      writes: { create, update, delete: count.delete },
      isCounted,
      ...(erased > 0 && { isIrreversible: true }),
      ...(lastAtMs !== undefined && { lastWriteAtMs: lastAtMs }),
    };
  };
}

/** A count in progress. `to` is the `seq` of the last entry that was counted. */
interface Count {
  create: number;
  update: number;
  delete: number;
  /** How many of the deletions are erasures. */
  erased: number;
  total: number;
  to?: number;
  lastAtMs?: number;
}

function readCount({ stored: { asset } }: RunRecord): Count {
  const numberOf = (name: string) => Number(asset[name] ?? 0);
  const { countedTo, lastWriteAt } = asset;
  const count: Count = {
    create: numberOf('created'),
    update: numberOf('updated'),
    delete: numberOf('deleted'),
    erased: numberOf('erased'),
    total: 0,
  };
  if (countedTo !== undefined) count.to = Number(countedTo);
  if (lastWriteAt !== undefined) count.lastAtMs = Number(lastWriteAt);
  return count;
}

function toFields({ create, update, erased, to, lastAtMs, ...count }: Count): JsonObject {
  return {
    created: create,
    updated: update,
    deleted: count.delete,
    erased,
    ...(to !== undefined && { countedTo: to }),
    ...(lastAtMs !== undefined && { lastWriteAt: lastAtMs }),
  };
}

function add(count: Count, { action, previousVersion, seq, atMs, type }: ChangeEntry): void {
  const isContent = !isOfRelease(type);
  if (isContent && (action === 'create' || action === 'update' || action === 'delete')) count[action]++;
  if (isContent && action === 'erase') {
    count.erased++;
    // Other entries are about former types of the asset, or about one that was deleted before.
    if (previousVersion !== undefined) count.delete++;
  }
  count.total++;
  if (seq !== undefined) count.to = seq;
  count.lastAtMs = atMs;
}
