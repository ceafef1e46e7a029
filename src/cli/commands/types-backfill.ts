/**
 * `colophon types backfill`: gives the stored values of renamed fields their present names, finishes that, or undoes it.
 */
import { showFields } from '../../app/backfill/shown-fields.ts';
import { describeDifferences } from '../../app/chosen-types.ts';
import {
  type BackfillGoal,
  type BackfillState,
  planBackfill,
  runBackfill,
} from '../../app/compose-backfill.ts';
import type { Config } from '../../app/config.ts';
import { checkFailed, transferFailed, usage } from '../../base/errors.ts';
import { silentLogger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { grouped } from '../../transfer/progress.ts';
import type { CommandCall } from '../command.ts';
import { printJson } from '../output.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { commandOf, describeEnd, describeIdle, lastPhases } from '../types-backfill/phase-words.ts';
import { printPlan } from '../types-backfill/print-plan.ts';
import { showPhases } from '../types-backfill/show-phases.ts';
import { assertSame, chooseTypesFor, readConfigFor } from './types-option.ts';

/** Runs `colophon types backfill`. `settleMs` is how long servers get to follow each phase; for tests. */
export async function backfillTypes(
  call: CommandCall,
  { settleMs }: { settleMs?: number } = {},
): Promise<void> {
  const goal = readGoal(call);
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  const backfill = { call, config, goal, catalog: chosen.catalog };
  if (!call.has('dry-run')) {
    // The fields of a backfill that has begun are those of its state.
    if (goal === 'copy') assertSame(chosen);
    await run({ ...backfill, ...(settleMs !== undefined && { settleMs }) });
    return;
  }
  if (chosen.differences.length > 0) console.error(`colophon: warning: ${describeDifferences(chosen)}`);
  await showPlan(backfill);
}

/** A call with what it works on. */
interface Backfill {
  readonly call: CommandCall;
  readonly config: Config;
  readonly catalog: Catalog;
  readonly goal: BackfillGoal;
  readonly settleMs?: number;
}

function readGoal(call: CommandCall): BackfillGoal {
  if (call.has('finish') && call.has('back'))
    throw usage('types backfill takes --finish or --back, not both');
  if (call.has('finish')) return 'finish';
  return call.has('back') ? 'back' : 'copy';
}

async function showPlan({ call, config, catalog, goal }: Backfill): Promise<void> {
  const plan = await planBackfill(config, { catalog, goal, logger: silentLogger });
  if (call.has('json')) printJson(plan);
  else printPlan(goal, plan);
  if (plan.obstacle) throw checkFailed(plan.obstacle.message);
}

async function run({ call, ...backfill }: Backfill): Promise<void> {
  const { goal, catalog } = backfill;
  const { signal, ignore } = listenForStopSignals(() =>
    console.error('colophon: stopping after the step under way; once more ends at once'),
  );
  const display = showPhases();
  let state: BackfillState | undefined;
  try {
    state = await runBackfill(backfill.config, {
      ...backfill,
      logger: silentLogger,
      signal,
      onProgress: display.update,
    });
  } finally {
    display.end();
    ignore();
  }
  const { hasBegun, visited, rewritten, total } = display.passed();
  if (signal.aborted && state?.phase !== lastPhases[goal]) {
    const reached = total > 0 ? ` after ${grouped(visited)} of ${grouped(total)} assets` : '';
    throw transferFailed(
      `The backfill was stopped${reached}. Servers work with this state. To go on: ${commandOf(goal)}`,
    );
  }
  if (call.has('json')) {
    const { phase = 'none', fields = [] } = state ?? {};
    printJson({ phase, fields: showFields(catalog, fields), visited, rewritten });
  } else if (hasBegun) {
    console.log(`${grouped(visited)} assets read, ${grouped(rewritten)} written\n${describeEnd(goal)}`);
  } else console.log(describeIdle(goal));
}
