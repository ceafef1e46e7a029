/**
 * Reverts runs in the background of this process. A revert goes through the entries of its run page by page, and is itself a run.
 *
 * When its process ends, the revert is interrupted; another call continues it, in any process. A pass may leave an entry because of an asset
 * that the same pass restores later, so the passes are repeated until one restores nothing or leaves nothing.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { forbidden, isDomainError, runActive, runIrreversible } from '../../base/errors.ts';
import type { Actor, RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { unlessOvertaken, untilWritten } from '../../content/planned-writes.ts';
import type { RevertScope } from '../../content/runs/run-segment.ts';
import type { UndonePage, UndoPlan, UndoRequest } from '../../content/runs/run-undo.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { holdLease, type Lease, watchLease } from '../idempotency/request-lease.ts';
import type { RunLedger, RunRecord, RunRecords } from './run-records.ts';
import { closedSettledMs, isSameActor, settledMs } from './run-records.ts';

export interface RunReverts {
  /** Plans a page of a revert, and writes nothing. Errors: not_found, run_irreversible. */
  plan(request: Omit<UndoRequest, 'scope'> & { readonly run: string }): Promise<UndoPlan>;
  /** Requires that the current sender began the run. Errors: not_found, forbidden. */
  assertOwner(run: string): Promise<void>;
  /** Closes a run, so that nobody writes in it any more. A closed run stays as it is. Errors: not_found. */
  close(run: string): Promise<void>;
  /** Begins a revert, or continues an interrupted one. Errors: not_found, run_active, run_irreversible. */
  start(run: string): Promise<void>;
  /** Waits until this process no longer works on the revert of a run. */
  wait(run: string): Promise<void>;
  /** Interrupts all reverts. */
  stop(): Promise<void>;
}

/** The parts that reverts use. */
interface RunRevertParts {
  readonly records: RunRecords;
  readonly system: ContentService;
  readonly content: Pick<ContentService, 'runEntries' | 'runUndo'>;
  readonly origins: RequestOrigins;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly ledger: Pick<RunLedger, 'lastPermitMs' | 'forget'>;
}

/** The number of entries that are undone together. */
const pageSize = 100;
const maxPasses = 20;
const maxTries = 10;
const retryMs = 500;
const maxPolls = 5;
const pollMs = 100;

/** Creates the service. */
export function createRunReverts(parts: RunRevertParts): RunReverts {
  const { records, ledger, system, content, origins, clock, logger } = parts;
  const { runEntries, runUndo } = content;
  const claims = createRevertClaims(parts);
  const tasks = new Map<string, Promise<void>>();
  let isStopping = false;

  async function plan({ run, ...page }: { run: string; from?: number; limit: number }): Promise<UndoPlan> {
    const record = await records.get(run);
    await assertReversible(run);
    return runUndo.plan({ ...page, scope: await findScope(record, record.revertedBy) });
  }

  async function assertOwner(run: string): Promise<void> {
    const { by } = await records.get(run);
    if (!isSameActor(by, origins.current().by)) throw forbidden(`Somebody else began the run ${run}`);
  }

  async function close(run: string): Promise<void> {
    await records.get(run);
    // The record of a revert is changed by its revert alone, and lets nobody write.
    await change(run, ({ closedAtMs, revertOf }) =>
      closedAtMs === undefined && revertOf === undefined ? { closedAt: clock.nowMs() } : undefined,
    );
    ledger.forget(run);
  }

  async function start(run: string): Promise<void> {
    const record = await records.get(run);
    if (tasks.has(run)) throw runActive(run);
    if (tasks.has(record.revertedBy ?? '')) throw runActive(run, 'is being reverted');
    await assertReversible(run);
    await assertSettled(record);
    if (record.revertOf !== undefined) await claims.end(record);
    const claimed = await claims.claim(record, origins.current().by);
    const { name } = claimed.record;
    await closeFor(run, name);
    if (record.revertOf !== undefined) await reopenTarget(record);
    ledger.forget(run);
    const work = origins.runAs({ ...origins.current(), run: name }, () => revert(record, claimed));
    tasks.set(
      name,
      work.finally(() => tasks.delete(name)),
    );
  }

  async function assertReversible(run: string): Promise<void> {
    if (await runEntries.hasErased(run)) throw runIrreversible(run);
  }

  async function assertSettled({ name, closedAtMs }: RunRecord): Promise<void> {
    const sinceMs = clock.nowMs() - (closedAtMs === undefined ? settledMs : closedSettledMs);
    if (closedAtMs !== undefined && closedAtMs > sinceMs) throw runActive(name, 'was closed a moment ago');
    for (let polls = 1; ; polls++) {
      const newest = await runEntries.findNewest(name);
      if (newest && newest.atMs > sinceMs) throw runActive(name);
      // Some stores put entries into the order of the log a moment after the write.
      const permittedMs = ledger.lastPermitMs(name) ?? 0;
      if (permittedMs <= sinceMs || polls === maxPolls) return;
      await wait(pollMs);
    }
  }

  /** Closes a run, and notes which revert of it is valid. */
  const closeFor = (run: string, revertedBy: string) =>
    change(run, (record) => ({ closedAt: record.closedAtMs ?? clock.nowMs(), revertedBy }));

  /** Notes that a revert, which is now reverted itself, is no longer valid. */
  const reopenTarget = ({ name, revertOf = '' }: RunRecord) =>
    change(revertOf, ({ revertedBy }) => (revertedBy === name ? { revertedBy: null } : undefined));

  /** Changes a record, which others may change at the same time. */
  const change = (run: string, next: (record: RunRecord) => JsonObject | undefined) =>
    untilWritten(async () => {
      const record = await records.find(run);
      const changed = record && next(record);
      return changed && unlessOvertaken(records.update(record, changed));
    });

  async function findScope({ name: run }: RunRecord, revert: string | undefined): Promise<RevertScope> {
    const names = new Set([run]);
    for (const name of names) {
      for (const other of await records.findReverts(name)) names.add(other.name);
    }
    return { run, names, ...(revert !== undefined && { revert }) };
  }

  async function revert(run: RunRecord, { record, holder }: ClaimedRevert): Promise<void> {
    const progress = { examined: 0, written: Number(record.stored.asset.written ?? 0), conflicts: 0 };
    const facts = () => ({ ...progress, renewedAt: clock.nowMs() });
    const lease = holdLease({ system, holder, facts }, record.stored);
    let end: JsonObject = {};
    try {
      const isFinished = await makePasses(await findScope(run, record.name), { lease, progress });
      if (isFinished) end = { finishedAt: clock.nowMs() };
    } catch (err) {
      logger.error({ err, run: run.name }, 'The revert of a run was interrupted');
    }
    // Another process may hold the lease by now, or the store may be gone; then the lease expires.
    await lease.end({ ...facts(), ...end, holder: null }).catch(() => {});
  }

  /** Passes over the entries until nothing more can be undone. Returns whether that is the end. */
  async function makePasses(scope: RevertScope, { lease, progress }: Work): Promise<boolean> {
    for (let pass = 1; pass <= maxPasses; pass++) {
      const newest = await runEntries.findNewest(scope.run);
      Object.assign(progress, { examined: 0, conflicts: 0 });
      const sum = { written: 0, unresolved: 0 };
      let from: number | undefined;
      do {
        if (isStopping) return false;
        await lease.assertHeld();
        const page = await undoPage({ scope, limit: pageSize, ...(from !== undefined && { from }) });
        progress.examined += page.examined;
        progress.written += page.written;
        progress.conflicts += page.conflicts;
        sum.written += page.written;
        sum.unresolved += page.unresolved;
        from = page.next;
      } while (from !== undefined);
      const isQuiet = (await runEntries.findNewest(scope.run))?.seq === newest?.seq;
      if (isQuiet && (sum.written === 0 || sum.unresolved === 0)) return true;
    }
    return true;
  }

  /** Undoes a page; tries again while the store is busy. */
  async function undoPage(request: UndoRequest): Promise<UndonePage> {
    for (let tries = 1; ; tries++) {
      try {
        return await runUndo.undo(request);
      } catch (error) {
        if (!isDomainError(error, 'store_busy') || tries === maxTries || isStopping) throw error;
        await wait(retryMs);
      }
    }
  }

  async function waitFor(run: string): Promise<void> {
    const record = await records.get(run);
    await tasks.get(record.revertedBy ?? '');
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all(tasks.values());
  }

  return { plan, assertOwner, close, start, wait: waitFor, stop };
}

interface Work {
  readonly lease: Lease;
  readonly progress: { examined: number; written: number; conflicts: number };
}

/** A revert whose lease this process holds. */
interface ClaimedRevert {
  readonly record: RunRecord;
  readonly holder: string;
}

const leasePollMs = 250;

function createRevertClaims({ records, clock, ids }: { records: RunRecords; clock: Clock; ids: IdSource }) {
  /** Claims the revert of a run, which begins or goes on. Errors: run_active when somebody else works on it. */
  async function claim(run: RunRecord, by: Actor): Promise<ClaimedRevert> {
    const known = run.revertedBy === undefined ? undefined : await records.find(run.revertedBy);
    if (known && isRevertOf(known, run)) return takeOver(known);
    for (const name of namesOf(run.name)) {
      const present = await records.find(name);
      if (present && isRevertOf(present, run)) return takeOver(present);
      if (present) continue;
      const holder = ids.version();
      const others = { ...start(), revertOf: run.name, holder, written: 0 };
      const record = await records.create({ name, by, beganAtMs: clock.nowMs(), others });
      if (record) return { record, holder };
      throw runActive(run.name, 'is being reverted');
    }
    throw runActive(run.name, 'is being reverted');
  }

  const start = () => ({ renewedAt: clock.nowMs(), examined: 0, conflicts: 0 });

  async function takeOver(present: RunRecord): Promise<ClaimedRevert> {
    const record = await waitForEnd(present);
    const holder = ids.version();
    const changes = { ...start(), holder, finishedAt: null };
    return { record: await updateUnchanged(record, changes), holder };
  }

  /** Requires that no process works on a revert, and keeps an interrupted one from going on. Errors: run_active. */
  async function end(revert: RunRecord): Promise<void> {
    const record = await waitForEnd(revert);
    if (record.stored.asset.holder !== undefined) await updateUnchanged(record, { holder: null });
  }

  /** Returns the record once it is sure that no process holds the lease. Errors: run_active when one does. */
  async function waitForEnd({ name }: RunRecord): Promise<RunRecord> {
    const watch = watchLease();
    const first = await records.get(name);
    if (first.stored.asset.holder === undefined) return first;
    for (let present = first; ; present = await records.get(name)) {
      const { version } = present.stored;
      if (version !== first.stored.version) throw runActive(name, 'is being reverted');
      if (watch.look({ version }).isAbandoned) return present;
      await wait(leasePollMs);
    }
  }

  async function updateUnchanged(record: RunRecord, changes: Parameters<RunRecords['update']>[1]) {
    const updated = await unlessOvertaken(records.update(record, changes));
    if (updated === 'overtaken') throw runActive(record.name, 'is being reverted');
    return updated;
  }

  return { claim, end };
}

/** Whether a run is the revert of another, and is not reverted itself. */
const isRevertOf = (revert: RunRecord, { name }: RunRecord) =>
  revert.revertOf === name && revert.revertedBy === undefined;

const maxNames = 1000;

/** The names that the revert of a run may get; a name has up to 64 characters. */
function* namesOf(run: string): Generator<string> {
  for (let n = 1; n <= maxNames; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    yield `revert-${run}`.slice(0, 64 - suffix.length) + suffix;
  }
}
