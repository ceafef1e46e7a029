/**
 * Plans what the revert of a run does, from one page of the run's entries in the log.
 *
 * An asset goes back, last write first, as far as the first write of somebody else. Each group of consecutive writes of the run is
 * planned at its newest entry, and in no other page, so that a plan needs no memory of the pages before.
 */

import { memberOf } from '../../base/own-members.ts';
import type { EditConflict } from '../../base/problems.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ChangeEntry, ChangeLog } from '../../store/changes.ts';
import { isOfRelease } from '../drafts/draft-record.ts';
import type { UndoChecks } from './check-undo.ts';
import {
  describeUndo,
  findChanges,
  type PlannedUndo,
  type Transition,
  type UndoConflict,
} from './planned-undo.ts';
import { isInScope, type LastWrites, type RevertScope, type SegmentReader } from './run-segment.ts';
import type { UndoWriter } from './undo-writes.ts';

/** Plans for entries of a run. */
export interface UndoPlanner {
  /** Plans what is left to do because of an entry; `undefined` when that is nothing, or planned at another entry. */
  plan(entry: ChangeEntry, scope: RevertScope): Promise<PlannedUndo | undefined>;
}

/** Creates the planner. `isDryRun` says whether it also has to find what the store would refuse. */
export function createUndoPlanner({
  catalog,
  changes,
  segments,
  checks,
  writer,
  isDryRun,
}: {
  catalog: Catalog;
  changes: ChangeLog;
  segments: SegmentReader;
  checks: UndoChecks;
  writer: UndoWriter;
  isDryRun: boolean;
}): UndoPlanner {
  async function plan(entry: ChangeEntry, scope: RevertScope): Promise<PlannedUndo | undefined> {
    if (isOfRelease(entry.type)) return undefined;
    if (!catalog.types.has(entry.type)) return toConflict(entry, {}, { reason: 'unsupported' });
    const last = await segments.readLast(entry.asset, scope);
    if (entry.action === 'erase') return toConflict(entry, {}, { reason: 'erased' });
    const isLast = last.oldest !== undefined && entry.number >= last.oldest;
    return isLast ? planLast(entry, last, scope) : planOverwritten(entry, last, scope);
  }

  async function planLast(entry: ChangeEntry, last: LastWrites, scope: RevertScope) {
    const isPlannedElsewhere = entry.number !== last.newestOfRun;
    const isDone = last.newest?.run === scope.revert && scope.revert !== undefined;
    if (isPlannedElsewhere || isDone) return undefined;
    const step = { now: last.current?.asset, past: last.before };
    if (isSame(step)) return undefined;
    const conflict = await findConflict(step, scope);
    if (conflict) return toConflict(entry, step, conflict);
    const type = catalog.types.get((step.past ?? step.now)?._type ?? '');
    return { ...describeUndo(step, { entry, type }), writes: writer.toWrites(last) };
  }

  /** Plans nothing but a conflict, at the newest of the writes that another one followed. */
  async function planOverwritten(entry: ChangeEntry, last: LastWrites, scope: RevertScope) {
    const { asset, number } = entry;
    const { entries } = await changes.history({ asset, before: number + 2, limit: 1 });
    const [change] = entries;
    if (!change || change.number === number || isInScope(change, scope)) return undefined;
    if (change.action === 'erase') return toConflict(entry, {}, { reason: 'erased' });
    const [after, now] = [await stateAfter(entry), last.current?.asset];
    const { before } = await segments.readUpTo({ asset, number, after }, scope);
    const step = { now, past: before };
    // Others have undone it themselves, for example by deleting what it had created.
    if (isSame(step)) return undefined;
    const names = new Set([...entry.changed, ...change.changed]);
    return toConflict(entry, step, { reason: 'changed', change, values: compare({ ...step, after }, names) });
  }

  async function stateAfter({ asset, number }: ChangeEntry): Promise<Asset | undefined> {
    const state = await changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  async function findConflict(
    { now, past }: Transition,
    scope: RevertScope,
  ): Promise<UndoConflict | undefined> {
    if (!past) {
      const referrers = now ? await checks.findRemaining(now._id, scope) : [];
      return referrers.length > 0 ? { reason: 'referenced', referrers } : undefined;
    }
    const state = await checks.checkState(past, scope);
    const taken = isDryRun ? await checks.checkUnique({ now, past }, scope) : [];
    const problems = [...state, ...taken];
    return problems.length > 0 ? { reason: 'refused', problems } : undefined;
  }

  function toConflict(entry: ChangeEntry, step: Partial<Transition>, conflict: UndoConflict): PlannedUndo {
    const { now, past } = step;
    const type = catalog.types.get(entry.type);
    return { ...describeUndo({ now, past }, { entry, type }), writes: [], conflict };
  }

  return { plan };
}

const isSame = (step: Transition) =>
  (step.now === undefined) === (step.past === undefined) && findChanges(step).length === 0;

/** How many fields a conflict lists. */
const maxValues = 50;

function compare(
  { after, now, past }: Transition & { after: Asset | undefined },
  names: ReadonlySet<string>,
): EditConflict[] {
  const all = [after, now, past].flatMap((state) => Object.keys(state ?? {}));
  // Creations and deletions change all fields.
  const paths = names.size > 0 ? [...names] : [...new Set(all)];
  return paths.slice(0, maxValues).map((path) => {
    const [base, theirs, yours] = [after, now, past].map((state) => state && memberOf(state, path));
    return {
      path,
      ...(base !== undefined && { base }),
      ...(theirs !== undefined && { theirs }),
      ...(yours !== undefined && { yours }),
    };
  });
}
