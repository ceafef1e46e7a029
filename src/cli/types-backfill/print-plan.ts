/**
 * Prints what a backfill would do.
 */
import type { BackfillGoal, ShownPlan } from '../../app/compose-backfill.ts';
import { grouped } from '../../transfer/progress.ts';
import { printTable } from '../output.ts';
import { describeIdle } from './phase-words.ts';

/** Prints a plan for people. */
export function printPlan(goal: BackfillGoal, { phase, fields, types, isDone }: ShownPlan): void {
  if (isDone) {
    console.log(describeIdle(goal));
    return;
  }
  printTable(
    ['type', 'former name', 'present name'],
    fields.map(({ type, formerPath, path }) => [type, formerPath, path]),
  );
  console.log();
  printTable(
    ['type', 'assets'],
    types.map(({ type, assets }) => [type, grouped(assets)]),
  );
  const assets = types.reduce((sum, type) => sum + type.assets, 0);
  const state = phase === 'none' ? 'no backfill has begun' : `the backfill is in the phase "${phase}"`;
  console.log(`\ndry run, nothing written: ${grouped(assets)} assets to read; ${state}`);
}
