/**
 * Runs, as people see them: their list, their writes, and their reverts.
 */

import { invalidParameter, notSupported } from '../../base/errors.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isOfRelease } from '../../content/drafts/draft.ts';
import type { ChangeEntry, RunEntries } from '../../content/runs/run-segment.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { createRunReverts, type RunReverts } from './revert-runs.ts';
import type { RunLedger, RunRecord, RunRecords } from './run-records.ts';
import { quietMs, type Revert, type Run, type RunWrites } from './run-records.ts';

/** A page of runs, the newest first. `next` is the `cursor` of the next page; absent after the oldest run. */
interface RunListPage {
  readonly items: readonly Run[];
  readonly next?: string;
}

/** Lists and reverts runs. A store without a change log rejects every call with `not_supported`. */
export interface Runs extends RunReverts {
  /** Errors: invalid_parameter. */
  list(page: { readonly cursor?: string; readonly limit: number }): Promise<RunListPage>;
  /** Errors: not_found. */
  get(name: string): Promise<Run>;
}

/** How long a page of runs, or one, is counted. */
const countMs = 1000;

/** After how long without a sign of its process a revert is shown as interrupted. */
export const abandonedMs = 10_000;

export function createRuns(parts: {
  records: RunRecords;
  ledger: RunLedger;
  system: ContentService;
  content: ContentService;
  /** Whether the store keeps a change log. */
  isLogged: boolean;
  origins: RequestOrigins;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
}): Runs {
  const { records, content, isLogged, clock } = parts;
  const reverts = createRunReverts(parts);
  const countWrites = createWriteCounter(records, content.runEntries);

  async function list({ cursor, limit }: { cursor?: string; limit: number }): Promise<RunListPage> {
    assertLogged();
    const after = cursor === undefined ? {} : { after: readCursor(cursor) };
    const found = await records.list({ ...after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const untilMs = performance.now() + countMs;
    const items: Run[] = [];
    for (const record of shown) items.push(await describe(record, untilMs));
    const last = shown.at(-1);
    return { items, ...(found.length > limit && last && { next: toCursor(last) }) };
  }

  async function get(name: string): Promise<Run> {
    assertLogged();
    return describe(await records.get(name), performance.now() + countMs);
  }

  async function describe(record: RunRecord, untilMs: number): Promise<Run> {
    const counted = await countWrites(record, untilMs);
    const { name, by, beganAtMs, revertOf, revertedBy } = record;
    const revert = revertedBy === undefined ? undefined : await records.find(revertedBy);
    return {
      name,
      by,
      beganAtMs,
      ...counted,
      state: stateOf(record, counted.lastWriteAtMs ?? beganAtMs),
      ...(revertOf !== undefined && { revertOf }),
      ...(revert && { revert: toRevert(revert) }),
    };
  }

  function stateOf({ closedAtMs, revertedBy, stored }: RunRecord, lastAtMs: number): Run['state'] {
    if (revertedBy !== undefined) return 'reverted';
    const isQuiet = clock.nowMs() - lastAtMs >= quietMs;
    return closedAtMs !== undefined || stored.asset.finishedAt !== undefined || isQuiet ? 'closed' : 'open';
  }

  function toRevert({ name, stored: { asset } }: RunRecord): Revert {
    const { finishedAt, holder, renewedAt } = asset;
    const isHeld = holder !== undefined && clock.nowMs() - Number(renewedAt) < abandonedMs;
    return {
      run: name,
      state: finishedAt !== undefined ? 'finished' : isHeld ? 'running' : 'interrupted',
      examined: Number(asset.examined ?? 0),
      written: Number(asset.written ?? 0),
      conflicts: Number(asset.conflicts ?? 0),
      ...(finishedAt !== undefined && { finishedAtMs: Number(finishedAt) }),
    };
  }

  function assertLogged(): void {
    if (!isLogged) throw notSupported('This store keeps no change log, so it has no runs');
  }

  return {
    list,
    get,
    ...reverts,
    async plan(request) {
      assertLogged();
      return reverts.plan(request);
    },
    async assertOwner(run) {
      assertLogged();
      await reverts.assertOwner(run);
    },
    async start(run) {
      assertLogged();
      await reverts.start(run);
    },
  };
}

const cursorPattern = /^(\d{1,16})\.([A-Za-z0-9._-]{1,64})$/;

const toCursor = ({ name, beganAtMs }: RunRecord) => `${beganAtMs}.${name}`;

function readCursor(cursor: string): { beganAtMs: number; name: string } {
  const [, beganAt, name] = cursorPattern.exec(cursor) ?? [];
  if (beganAt === undefined || name === undefined || Number(beganAt) > 8.64e15) {
    throw invalidParameter('cursor', 'is not one that this operation has returned');
  }
  return { beganAtMs: Number(beganAt), name };
}

interface CountedWrites {
  readonly writes: RunWrites;
  /** Whether these are all. */
  readonly isCounted: boolean;
  /** Whether some of these have erased an asset. */
  readonly isIrreversible?: true;
  readonly lastWriteAtMs?: number;
}

/** Counts the writes of a run until a time, which `performance.now()` gives. */
type WriteCounter = (record: RunRecord, untilMs: number) => Promise<CountedWrites>;

const pageSize = 1000;

function createWriteCounter(records: RunRecords, runEntries: RunEntries): WriteCounter {
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
