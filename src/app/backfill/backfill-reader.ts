/**
 * Reads where the backfill of renamed fields is: from its state, and from a plan of what comes next.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { BackfillReader, BackfillStatus } from '../../http/handlers/admin/types-backfill.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { BackfillGoal, BackfillPhase, BackfillState, ShownPlan } from '../compose-backfill.ts';
import { showFields } from './shown-fields.ts';

/** Planning opens the store, so that several readers share a plan for this long. */
const keepMs = 2_000;

/** Creates the reader. What it reads from a plan is up to two seconds old. */
export function createBackfillReader({
  catalog,
  clock,
  readState,
  plan,
}: {
  catalog: Catalog;
  clock: Clock;
  readState(): Promise<BackfillState | undefined>;
  plan(goal: BackfillGoal): Promise<ShownPlan>;
}): BackfillReader {
  let kept: { readonly key: string; readonly atMs: number; readonly plan: Promise<ShownPlan> } | undefined;

  /** Plans anew when the state has changed or the kept plan is too old. */
  function planOnce(goal: BackfillGoal, key: string): Promise<ShownPlan> {
    const nowMs = clock.nowMs();
    if (kept?.key === key && nowMs - kept.atMs < keepMs) return kept.plan;
    const made = { key, atMs: nowMs, plan: plan(goal) };
    kept = made;
    made.plan.catch(() => {
      if (kept === made) kept = undefined;
    });
    return made.plan;
  }

  async function readOnce(): Promise<BackfillStatus> {
    const state = await readState();
    const goal = goals[state?.phase ?? 'none'];
    const planned = await planOnce(goal ?? 'copy', `${goal} ${state?.phase}`);
    return describe(catalog, { state, goal, planned });
  }

  return {
    read: () =>
      readOnce().catch((error: unknown) => {
        // Another phase has begun between the two reads.
        if (isDomainError(error, 'transfer_failed')) return readOnce();
        throw error;
      }),
  };
}

/** What the next command does in each phase; nothing in those in which a backfill is over. */
const goals: Readonly<Record<BackfillPhase | 'none', BackfillGoal | undefined>> = {
  none: undefined,
  copying: 'copy',
  copied: 'finish',
  removing: 'finish',
  removed: undefined,
  restoring: 'back',
  restored: 'back',
  withdrawing: 'back',
  withdrawn: undefined,
};

function describe(
  catalog: Catalog,
  {
    state,
    goal,
    planned,
  }: { state: BackfillState | undefined; goal: BackfillGoal | undefined; planned: ShownPlan },
): BackfillStatus {
  const { types, obstacle } = planned;
  const common = { types, ...(obstacle && { obstacle }) };
  if (state && goal) {
    const { phase, progress } = state;
    const fields = showFields(catalog, state.fields);
    return { ...common, phase, fields, next: goal, ...(progress && { progress }) };
  }
  // No backfill is under way. What is stored under a former name now is for the next one.
  if (!planned.isDone) {
    return { ...common, phase: 'none', fields: planned.fields, next: 'copy' };
  }
  return { types: [], phase: state?.phase ?? 'none', fields: showFields(catalog, state?.fields ?? []) };
}
