/**
 * Claims the revert of a run: the record of the run that the revert is, and the lease of its work. Of several callers one gets it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDomainError, runActive } from '../../base/errors.ts';
import type { Actor } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { watchLease } from '../idempotency/request-lease.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

/** A revert whose lease this process holds. */
export interface ClaimedRevert {
  readonly record: RunRecord;
  readonly holder: string;
}

/** Claims reverts. */
export interface RevertClaims {
  /** Claims the revert of a run, which begins or goes on. Errors: run_active when somebody else works on it. */
  claim(run: RunRecord, by: Actor): Promise<ClaimedRevert>;
  /** Requires that no process works on a revert, and keeps an interrupted one from going on. Errors: run_active. */
  end(revert: RunRecord): Promise<void>;
}

const pollMs = 250;

/** Creates the claims. */
export function createRevertClaims({
  records,
  clock,
  ids,
}: {
  records: RunRecords;
  clock: Clock;
  ids: IdSource;
}): RevertClaims {
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
      await wait(pollMs);
    }
  }

  async function updateUnchanged(record: RunRecord, changes: Parameters<RunRecords['update']>[1]) {
    try {
      return await records.update(record, changes);
    } catch (error) {
      if (isDomainError(error, 'precondition_failed')) throw runActive(record.name, 'is being reverted');
      throw error;
    }
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
