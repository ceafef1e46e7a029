/**
 * Plans and runs a backfill of renamed fields on a store that is named, not open: for the command, and for the admin API, which shows
 * the plan.
 */
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import type { Catalog } from '../model/content-type.ts';
import type { BackfillState } from '../store/backfill-calls.ts';
import type { StoreLocation } from '../store/open-store.ts';
import type { BackfillPlan } from '../store/renames/backfill-plan.ts';
import type { BackfillRun } from '../store/renames/run-backfill.ts';
import { type ShownField, showFields } from './backfill/shown-fields.ts';

export type { BackfillPhase, BackfillState } from '../store/backfill-calls.ts';
export type { BackfillGoal } from '../store/renames/backfill-steps.ts';

/** What a backfill would do, with present class names. */
export interface ShownPlan extends Omit<BackfillPlan, 'fields' | 'obstacle'> {
  readonly fields: readonly ShownField[];
  /** Why it cannot run now, and what to do about it. */
  readonly obstacle?: NonNullable<BackfillPlan['obstacle']> & { readonly message: string };
}

/**
 * Plans a backfill of the configured store for content types; only reads.
 *
 * Errors: bad_config without a store, transfer_failed when the goal cannot be reached, store_busy, store_failure.
 */
export async function planBackfill(
  location: StoreLocation,
  { catalog, ...parts }: Pick<BackfillRun, 'catalog' | 'goal' | 'logger'>,
): Promise<ShownPlan> {
  const planner = await import('../store/renames/backfill-plan.ts');
  const { obstacle, ...plan } = await planner.planBackfill(location, {
    ...parts,
    catalog: withSystem(catalog),
  });
  const present = (name: string) => catalog.find(name)?.class ?? name;
  return {
    ...plan,
    fields: showFields(catalog, plan.fields),
    types: plan.types.map(({ type, assets }) => ({ type: present(type), assets })),
    ...(obstacle && { obstacle: { ...obstacle, message: planner.describeObstacle(obstacle) } }),
  };
}

/**
 * Runs a backfill of the configured store. Returns its last state, `undefined` if there was nothing to do.
 *
 * Errors: those of `planBackfill`; transfer_failed when it cannot run now; value_in_use.
 */
export async function runBackfill(
  location: StoreLocation,
  { catalog, ...options }: BackfillRun,
): Promise<BackfillState | undefined> {
  const runner = await import('../store/renames/run-backfill.ts');
  return runner.runBackfill(location, { ...options, catalog: withSystem(catalog) });
}

const withSystem = (catalog: Catalog) => storedCatalog(loadSystemTypes(), catalog);
