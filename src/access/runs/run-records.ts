/**
 * Runs: names under which clients write, so that the writes of one can be listed and reverted together; their records; and who may write
 * in one. There is one record for each name, whose ID is made from the name, so that of two clients that begin it at once one wins.
 */

import { LRUCache } from 'lru-cache';
import { isDomainError, notFound, runClosed, runForeign, unlessError } from '../../base/errors.ts';
import type { Actor } from '../../base/request-origin.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { RunGuard, RunOrigin } from '../../content/attribute-calls.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { RunEntries } from '../../content/runs/run-segment.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';

/** How many writes a run has made of each kind. */
export interface RunWrites {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** Where a revert stands. `interrupted`: no process works on it; another call continues it. */
type RevertState = 'running' | 'interrupted' | 'finished';

export interface Revert {
  /** The name of the run that the revert is. */
  readonly run: string;
  readonly state: RevertState;
  /** How many writes of the reverted run were examined in the present pass over them. */
  readonly examined: number;
  /** How many assets were brought back. */
  readonly written: number;
  /** How many groups of writes were found in this pass that stay as they are; a dry run lists them. */
  readonly conflicts: number;
  readonly finishedAtMs?: number;
}

/** A run, as people see it. */
export interface Run {
  readonly name: string;
  /** Who began it, and alone may write in it. */
  readonly by: Actor;
  readonly beganAtMs: number;
  /** Absent while it has not written. */
  readonly lastWriteAtMs?: number;
  readonly writes: RunWrites;
  /** Whether `writes` covers all writes; counting a long run takes several calls. */
  readonly isCounted: boolean;
  /** Whether writes of the run have erased assets, so that it cannot be reverted. */
  readonly isIrreversible?: true;
  /** `reverted` as soon as a revert of it has begun, until that is reverted itself. */
  readonly state: 'open' | 'closed' | 'reverted';
  readonly revertOf?: string;
  /** The revert of this run that is valid. */
  readonly revert?: Revert;
}

/** How long after its last write a run is closed. */
export const quietMs = 24 * 60 * 60 * 1000;

/** How long an open run must have been quiet before it may be reverted. */
export const settledMs = 60 * 1000;

/** How long ago a run must have been closed before it may be reverted: until then another process may still permit a write. */
export const closedSettledMs = 2000;

/** Tells whether two senders are the same. The command line has no ID. */
export const isSameActor = (one: Actor, other: Actor) => one.kind === other.kind && one.id === other.id;

/** The content type of the records. */
const runType = 'com.colophon.system.Run';

/** The stored facts of a run. */
export interface RunRecord {
  readonly stored: StoredAsset;
  readonly name: string;
  readonly by: Actor;
  readonly beganAtMs: number;
  readonly closedAtMs?: number;
  readonly revertOf?: string;
  readonly revertedBy?: string;
}

/** Reads and writes the records. */
export type RunRecords = ReturnType<typeof createRunRecords>;

/** Up to `limit` runs that began before another. */
interface RunPage {
  readonly after?: Pick<RunRecord, 'name' | 'beganAtMs'>;
  readonly limit: number;
}

/** A run that begins. */
interface NewRun {
  readonly name: string;
  readonly by: Actor;
  readonly beganAtMs: number;
  readonly others?: JsonObject;
}

/** Creates the records of a system's content service. */
export function createRunRecords(system: ContentService) {
  async function find(name: string): Promise<RunRecord | undefined> {
    const stored = await unlessError(system.get(toRecordId(name), {}), 'not_found');
    const record = stored && toRecord(stored);
    return record?.name === name ? record : undefined;
  }

  /** Errors: not_found. */
  async function get(name: string): Promise<RunRecord> {
    const record = await find(name);
    if (!record) throw notFound(name, 'run');
    return record;
  }

  /** Finds a page, the newest first. */
  async function list({ after, limit }: RunPage): Promise<readonly RunRecord[]> {
    const sort = [
      { field: 'beganAt', descending: true },
      { field: '_id', descending: true },
    ];
    const rest = after && {
      where: 'beganAt < ?0 or (beganAt = ?0 and _id < ?1)',
      values: [after.beganAtMs, toRecordId(after.name)],
    };
    const { items } = await system.find(
      { from: runType, sort, offset: 0, limit, withCount: false, ...rest },
      {},
    );
    return items.map(toRecord);
  }

  /** Finds the oldest that began before a time. */
  async function findOldest({
    beforeMs,
    limit,
  }: {
    beforeMs: number;
    limit: number;
  }): Promise<readonly RunRecord[]> {
    const query = { from: runType, where: 'beganAt < ?', values: [beforeMs] };
    const sort = [{ field: 'beganAt', descending: false }];
    const { items } = await system.find({ ...query, sort, offset: 0, limit, withCount: false }, {});
    return items.map(toRecord);
  }

  /** Finds up to 100 runs that revert a run. */
  async function findReverts(name: string): Promise<readonly RunRecord[]> {
    const query = { from: runType, where: 'revertOf = ?', values: [name] };
    const { items } = await system.find({ ...query, offset: 0, limit: 100, withCount: false }, {});
    return items.map(toRecord);
  }

  /** Returns the new record, or `undefined` when there is one of that name. */
  async function create({ name, by, beganAtMs, others = {} }: NewRun): Promise<RunRecord | undefined> {
    const record = {
      _id: toRecordId(name),
      _type: runType,
      name,
      byKind: by.kind,
      ...(by.id !== undefined && { byId: by.id }),
      ...(by.name !== undefined && { byName: by.name }),
      beganAt: beganAtMs,
      ...others,
    };
    try {
      return toRecord(await system.create(record, {}));
    } catch (error) {
      if (isDomainError(error, 'id_in_use')) return undefined;
      throw error;
    }
  }

  /** Changes a record that is unchanged since it was read. Errors: not_found, precondition_failed. */
  async function update({ stored }: RunRecord, body: JsonObject): Promise<RunRecord> {
    const { asset, version } = stored;
    return toRecord(await system.update({ id: asset._id, body, ifVersions: [version] }, {}));
  }

  async function remove({ stored: { asset, version } }: RunRecord): Promise<void> {
    await system.delete({ id: asset._id, ifVersions: [version] }, {});
  }

  return { find, get, list, findOldest, findReverts, create, update, delete: remove };
}

const toRecordId = (name: string) => toHashedUuid(`run: ${name}`);

function toRecord(stored: StoredAsset): RunRecord {
  const { asset } = stored;
  const { byId, byName, closedAt, revertOf, revertedBy } = asset;
  return {
    stored,
    name: String(asset.name),
    by: {
      kind: kindOf(asset),
      ...(byId !== undefined && { id: String(byId) }),
      ...(byName !== undefined && { name: String(byName) }),
    },
    beganAtMs: Number(asset.beganAt),
    ...(closedAt !== undefined && { closedAtMs: Number(closedAt) }),
    ...(revertOf !== undefined && { revertOf: String(revertOf) }),
    ...(revertedBy !== undefined && { revertedBy: String(revertedBy) }),
  };
}

const kinds: readonly Actor['kind'][] = ['client', 'user', 'anonymous', 'command', 'system'];

const kindOf = ({ byKind }: Asset): Actor['kind'] => kinds.find((kind) => kind === byKind) ?? 'system';

// Decides who may write in a run. A run begins with its first write and belongs to the client that began it; it closes after 24
// quiet hours, or when it is reverted.
//
// Known runs are kept in memory, so that a write in one costs no call of the store. They are read again in the background when
// they are half a second old, and before they are used when they are two seconds old, since another process may revert the run.

/** Lets writes into runs. */
export interface RunLedger extends RunGuard {
  /** Returns when a write of this process in a run was last permitted, whether or not it was done then. */
  lastPermitMs(run: string): number | undefined;
  /** Forgets what is known of a run, because it was changed. */
  forget(run: string): void;
}

/** What is known of a run. `readAtMs` is when it was read. */
interface KnownRun {
  readonly record: RunRecord;
  readonly readAtMs: number;
  lastWriteAtMs: number;
}

const maxKnown = 1000;
const refreshAfterMs = 500;

export function createRunLedger({
  records,
  runEntries,
  clock,
}: {
  records: RunRecords;
  runEntries: RunEntries;
  clock: Clock;
}): RunLedger {
  const known = new LRUCache<string, KnownRun>({ max: maxKnown });
  const reading = new Map<string, Promise<KnownRun>>();

  async function assertMayWrite({ run, by }: RunOrigin): Promise<void> {
    const entered = known.get(run) ?? (await read(run, by));
    const ageMs = clock.nowMs() - entered.readAtMs;
    if (ageMs >= closedSettledMs) return permit(await read(run, by), by);
    // If it fails, the next write reads it itself.
    if (ageMs >= refreshAfterMs) read(run, by).catch(() => {});
    permit(entered, by);
  }

  async function assertCouldWrite({ run, by }: RunOrigin): Promise<void> {
    const record = await records.find(run);
    if (record) assertOpen({ record, lastWriteAtMs: await findLastWrite(record) }, by);
  }

  function permit(entered: KnownRun, by: Actor): void {
    assertOpen(entered, by);
    entered.lastWriteAtMs = clock.nowMs();
  }

  function assertOpen({ record, lastWriteAtMs }: Omit<KnownRun, 'readAtMs'>, by: Actor): void {
    if (!isSameActor(record.by, by)) throw runForeign(record.name);
    const isQuiet = clock.nowMs() - lastWriteAtMs >= quietMs;
    if (record.closedAtMs !== undefined || record.revertOf !== undefined || isQuiet) {
      throw runClosed(record.name);
    }
  }

  /** Reads a run once for all that ask at the same time. */
  function read(run: string, by: Actor): Promise<KnownRun> {
    const present = reading.get(run) ?? readOrBegin(run, by).finally(() => reading.delete(run));
    reading.set(run, present);
    return present;
  }

  async function readOrBegin(run: string, by: Actor): Promise<KnownRun> {
    const readAtMs = clock.nowMs();
    const record = (await records.find(run)) ?? (await begin(run, by));
    const entered = { record, readAtMs, lastWriteAtMs: await findLastWrite(record) };
    known.set(run, entered);
    return entered;
  }

  async function begin(run: string, by: Actor): Promise<RunRecord> {
    await deleteOldest();
    const beganAtMs = clock.nowMs();
    const record = await records.create({ name: run, by, beganAtMs });
    return record ?? records.get(run);
  }

  async function findLastWrite({ name, beganAtMs }: RunRecord): Promise<number> {
    const knownAtMs = Math.max(known.peek(name)?.lastWriteAtMs ?? 0, beganAtMs);
    if (clock.nowMs() - knownAtMs < quietMs) return knownAtMs;
    const newest = await runEntries.findNewest(name);
    return Math.max(beganAtMs, newest?.atMs ?? 0);
  }

  /** Deletes the oldest runs of which the log has nothing any more, a few for each new run, so that they do not pile up. */
  async function deleteOldest(): Promise<void> {
    const oldest = await records.findOldest({ beforeMs: clock.nowMs() - keptMs, limit: maxDeleted });
    for (const record of oldest) {
      const newest = await runEntries.findNewest(record.name);
      if (!newest) await records.delete(record).catch(ignoreOthers);
    }
  }

  return {
    assertMayWrite,
    assertCouldWrite,
    lastPermitMs: (run) => known.peek(run)?.lastWriteAtMs,
    forget: (run) => void known.delete(run),
  };
}

/** For how long a run without writes is kept; a log is never kept for a shorter time. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
const maxDeleted = 10;

/** Another process may have changed or deleted it. */
function ignoreOthers(error: unknown): void {
  if (!isDomainError(error, 'not_found') && !isDomainError(error, 'precondition_failed')) throw error;
}
