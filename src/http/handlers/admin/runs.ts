/**
 * The handlers of the runs: their list, and their reverts.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { Run } from '../../../access/runs/run-records.ts';
import type { Runs } from '../../../access/runs/runs.ts';
import { includesRole } from '../../../access/users/roles.ts';
import { invalidBody } from '../../../base/errors.ts';
import { firstProblems } from '../../../base/problems.ts';
import type { PlannedUndo, UndoConflict } from '../../../content/runs/plan-undo.ts';
import { type AdminHandlers, ok } from './responses.ts';

const defaultListed = 20;
const defaultPlanned = 50;

type Handled = 'listRuns' | 'getRun' | 'closeRun' | 'revertRun';

export function createRunHandlers(runs: Runs): Pick<AdminHandlers, Handled> {
  return {
    async listRuns({ query: { cursor, limit } }) {
      const wanted = limit === undefined ? defaultListed : Number(limit);
      const { items, next } = await runs.list({ limit: wanted, ...(cursor !== undefined && { cursor }) });
      return ok({ items: items.map(toResource), ...(next !== undefined && { next }) });
    },

    async getRun({ path: { run } }) {
      return ok(toResource(await runs.get(run)));
    },

    async closeRun({ path: { run } }) {
      await runs.assertOwner(run);
      await runs.close(run);
      return ok(toResource(await runs.get(run)));
    },

    async revertRun({ principal, path: { run }, body: { dryRun = false, cursor, limit = defaultPlanned } }) {
      if (!dryRun) {
        if (principal.kind === 'user' && !includesRole(principal.session.user.role, 'developer'))
          await runs.assertOwner(run);
        await runs.start(run);
        return { status: 202, body: toResource(await runs.get(run)) };
      }
      const from = cursor === undefined ? {} : { from: readCursor(cursor) };
      const { items, next } = await runs.plan({ run, limit, ...from });
      return ok({ items: items.map(toPlanned), ...(next !== undefined && { next: String(next) }) });
    },
  };
}

function readCursor(cursor: string): number {
  const seq = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
  if (seq !== undefined) return seq;
  throw invalidBody([{ path: 'cursor', message: 'is not one that this operation has returned' }]);
}

/** Converts a run. */
export function toResource({ beganAtMs, lastWriteAtMs, revert, ...run }: Run): api.Run {
  return {
    ...run,
    by: { ...run.by },
    writes: { ...run.writes },
    beganAt: beganAtMs,
    ...(lastWriteAtMs !== undefined && { lastWriteAt: lastWriteAtMs }),
    ...(revert && { revert: toProgress(revert) }),
  };
}

function toProgress({ finishedAtMs, ...progress }: NonNullable<Run['revert']>): api.RevertProgress {
  return { ...progress, ...(finishedAtMs !== undefined && { finishedAt: finishedAtMs }) };
}

/** Converts what the revert of a run does to an asset. */
export function toPlanned({ asset, type, title, action, changes, conflict }: PlannedUndo): api.PlannedRevert {
  const planned = { asset, type, title, action, changes: changes.map((change) => ({ ...change })) };
  return conflict ? { ...planned, conflict: toConflict(conflict) } : planned;
}

function toConflict(conflict: UndoConflict): api.RevertConflict {
  const { reason } = conflict;
  const described = { reason, message: messages[reason] };
  switch (conflict.reason) {
    case 'changed':
      return {
        ...described,
        change: toChange(conflict.change),
        values: conflict.values.map((value) => ({ ...value })),
      };
    case 'referenced':
      return { ...described, referrers: conflict.referrers.map((referrer) => ({ ...referrer })) };
    case 'refused':
      return { ...described, problems: [...firstProblems(conflict.problems)] };
    case 'erased':
    case 'unsupported':
      return described;
  }
}

const messages: Readonly<Record<UndoConflict['reason'], string>> = {
  changed: 'Another write came after that of the run',
  referenced: 'Other assets refer to the asset, which the run created',
  refused: 'The content of today does not accept the former state',
  erased: 'The former states of the asset were erased',
  unsupported: 'Only content of the present types can be reverted',
};

function toChange({
  id,
  atMs,
  action,
  by,
  run,
}: Extract<UndoConflict, { reason: 'changed' }>['change']): NonNullable<api.RevertConflict['change']> {
  // The planner reports no other actions.
  const kind = action === 'create' || action === 'delete' ? action : 'update';
  return { id, at: atMs, action: kind, by: { ...by }, ...(run !== undefined && { run }) };
}
