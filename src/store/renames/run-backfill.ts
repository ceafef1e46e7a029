/**
 * Runs the backfill of renamed fields: moves a store from phase to phase, and in the phases that need it through all assets of the
 * types with renamed fields.
 *
 * One process at a time does this. It can be stopped or killed at any point; the next run goes on where the last one reported.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { transferFailed } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { BackfillState } from '../backfill-calls.ts';
import { openNamedStore, type StoreLocation } from '../open-store.ts';
import type { ContentStore } from '../port.ts';
import { nameUses, nextPhases } from './backfill-phases.ts';
import { assertTypesKnown, describeObstacle, findObstacle, readNow } from './backfill-plan.ts';
import { type BackfillGoal, nextState } from './backfill-steps.ts';
import { followMs } from './follow-backfill.ts';
import { moveAssets } from './move-assets.ts';
import type { RecordedNames } from './recorded-names.ts';
import { createRenames } from './renames.ts';

/** What a run of a backfill needs. */
export interface BackfillRun {
  /** The types, with the present or with the former names. */
  readonly catalog: Catalog;
  readonly logger: Logger;
  readonly goal: BackfillGoal;
  /** Called with each state that is written: at each phase, and about once a second while assets are rewritten. */
  readonly onProgress?: (state: BackfillState) => void;
  /** Stops the run after the step under way. */
  readonly signal?: AbortSignal;
  /** How long to wait after a phase has begun, until all processes follow it, in milliseconds. */
  readonly settleMs?: number;
}

/** The time in which processes notice a phase, and the longest that a call takes which they began before. */
const defaultSettleMs = followMs + 10_000;

/** How often the work is reported, in milliseconds. */
const reportMs = 1_000;

/**
 * Brings a backfill to its goal, or as far as it gets before the signal. Returns the last state; `undefined` when no field is stored
 * under a former name.
 *
 * Errors: transfer_failed when it cannot run now, or when another process has taken it over; value_in_use when a unique field has
 * duplicates; those of opening a store.
 */
export async function runBackfill(
  location: StoreLocation,
  run: BackfillRun,
): Promise<BackfillState | undefined> {
  const { catalog, logger } = run;
  const { store, names } = await openNamedStore(location, { catalog, logger, purpose: 'all' });
  try {
    await store.prepare();
    return await runPhases(store, { ...run, names });
  } finally {
    await store.close();
  }
}

async function runPhases(
  store: ContentStore,
  run: BackfillRun & { readonly names: RecordedNames },
): Promise<BackfillState | undefined> {
  const { catalog, names, goal, signal, onProgress, settleMs = defaultSettleMs } = run;
  const holder = randomUUID();
  let state = await store.backfill.readState();
  /** Whether this run has seen the phase begin, and waited until all processes followed it. */
  let isSettled = false;

  async function write(next: Omit<BackfillState, 'revision'>): Promise<void> {
    const written = { ...next, revision: (state?.revision ?? 0) + 1 };
    if (!(await store.backfill.writeState(written))) {
      throw transferFailed('Another process has taken over the backfill');
    }
    state = written;
    onProgress?.(written);
  }

  /** Waits until all processes follow the phase. */
  async function settle(report: () => Promise<void> = async () => {}): Promise<void> {
    const endMs = performance.now() + settleMs;
    for (let leftMs = settleMs; leftMs > 0 && !signal?.aborted; leftMs = endMs - performance.now()) {
      await setTimeout(Math.min(leftMs, reportMs), undefined, { ...(signal && { signal }) }).catch(() => {});
      await report();
    }
    isSettled = !signal?.aborted;
  }

  while (!signal?.aborted) {
    const renames = createRenames(catalog, { names, ...(state && { backfill: state }) }, { isLenient: true });
    const next = nextState(state, { goal, movable: renames.movable });
    if (next === 'done') return state;
    const fields = next === 'work' ? (state?.fields ?? []) : next.fields;
    const obstacle = await findObstacle(store, { goal, state, fields, names, holder });
    if (obstacle) throw transferFailed(describeObstacle(obstacle));
    if (next !== 'work') {
      if (!isSettled && givesUpName(state, next)) {
        // A run that was stopped may have begun the phase just now.
        await settle();
        continue;
      }
      await write(next);
      await settle();
      continue;
    }
    if (!state) throw new Error('There is no phase to work on');
    const { progress, revision: _, ...phase } = state;
    assertTypesKnown(renames, phase.fields);
    const report = async (moved: NonNullable<typeof progress>) =>
      write({ ...phase, progress: { ...moved, holder, seenMs: await readNow(store) } });
    const begun = progress ?? (await countAssets(store, { fields: phase.fields, holder }));
    await report(begun);
    if (!isSettled) await settle(() => report(begun));
    const isDone = await moveAssets(store, { renames, state, report, ...(signal && { signal }) });
    const after = nextPhases[phase.phase];
    if (!isDone || !after) continue;
    await write({ ...phase, phase: after });
    if (after === 'copied' || after === 'restored') await settle();
  }
  if (state?.progress?.holder === holder) {
    const { revision: _, progress, ...phase } = state;
    // The next run need not wait until this one counts as dead.
    await write({ ...phase, progress: { ...progress, seenMs: 0 } });
  }
  return state;
}

/** Tells whether writes fill fewer names in the next phase: then no process may still read by the name that is given up. */
const givesUpName = (state: BackfillState | undefined, next: Pick<BackfillState, 'phase'>) =>
  state !== undefined && nameUses[next.phase].writes.length < nameUses[state.phase].writes.length;

/** Begins the progress of a phase. */
async function countAssets(
  store: ContentStore,
  { fields, holder }: Pick<BackfillState, 'fields'> & { holder: string },
): Promise<NonNullable<BackfillState['progress']>> {
  const types = [...new Set(fields.map(({ type }) => type))];
  const seenMs = await readNow(store);
  const { count = 0 } = await store.find({ types, offset: 0, limit: 0, withCount: true });
  return { holder, seenMs, startedMs: seenMs, visited: 0, rewritten: 0, total: count };
}
