/**
 * The handlers of the runs: their list, and their reverts.
 */
import type { Runs } from '../../../access/runs/runs.ts';
import { includesRole } from '../../../access/users/roles.ts';
import { invalidBody } from '../../../base/errors.ts';
import { type AdminHandlers, ok } from './responses.ts';
import { toPlanned, toResource } from './run-resource.ts';

const defaultListed = 20;
const defaultPlanned = 50;

type Handled = 'listRuns' | 'getRun' | 'closeRun' | 'revertRun';

/** Creates the handlers. */
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
