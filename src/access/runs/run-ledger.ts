/**
 * Decides who may write in a run. A run begins with its first write and belongs to the client that began it; it closes after 24
 * quiet hours, or when it is reverted.
 *
 * Known runs are kept in memory, so that a write in one costs no call of the store. They are read again in the background when
 * they are half a second old, and before they are used when they are two seconds old, since another process may revert the run.
 */
import { LRUCache } from 'lru-cache';
import { isDomainError, runClosed, runForeign } from '../../base/errors.ts';
import type { Actor } from '../../base/request-origin.ts';
import type { Clock } from '../../base/runtime.ts';
import type { RunGuard, RunOrigin } from '../../content/attribute-calls.ts';
import type { RunEntries } from '../../content/runs/run-segment.ts';
import { closedSettledMs, isSameActor, quietMs } from './run.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

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

/** Creates the ledger. */
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
