/**
 * Where `colophon runs` finds runs: the admin API of a server, or the configured store. Both give the resources of the admin API.
 */
import type { RevertPlan, Run, RunList } from '../../../../generated/server/admin.ts';
import type { Runs } from '../../../access/runs/runs.ts';
import { toPlanned, toResource } from '../../../http/handlers/admin/runs.ts';
import type { CommandCall } from '../../command.ts';
import { createAdminSender, type SendToAdmin } from '../admin-server.ts';
import { withRecords } from './with-records.ts';

/** Lists and reverts runs. */
export interface RunSource {
  list(page: { readonly cursor?: string; readonly limit: number }): Promise<RunList>;
  get(name: string): Promise<Run>;
  plan(name: string, cursor?: string): Promise<RevertPlan>;
  start(name: string): Promise<void>;
}

const planLimit = 100;

/** Runs `work` with the runs that the call names. `isWriting` says whether the content types must be those last served. */
export function withRuns<Outcome>(
  call: CommandCall,
  { isWriting }: { isWriting: boolean },
  work: (runs: RunSource) => Promise<Outcome>,
): Promise<Outcome> {
  return withRecords(
    call,
    {
      isWriting,
      onServer: async (url) => createHttpRuns(await createAdminSender(call, url)),
      onStore: ({ runs }) => createStoreRuns(runs),
    },
    work,
  );
}

function createStoreRuns(runs: Runs): RunSource {
  return {
    async list(page) {
      const { items, next } = await runs.list(page);
      return { items: items.map(toResource), ...(next !== undefined && { next }) };
    },
    get: async (name) => toResource(await runs.get(name)),
    async plan(run, cursor) {
      const from = cursor === undefined ? {} : { from: Number(cursor) };
      const { items, next } = await runs.plan({ run, limit: planLimit, ...from });
      return { items: items.map(toPlanned), ...(next !== undefined && { next: String(next) }) };
    },
    start: runs.start,
  };
}

function createHttpRuns(sendToAdmin: SendToAdmin): RunSource {
  async function send<Result>(path: string, body?: object): Promise<Result> {
    const response = await sendToAdmin(`/runs${path}`, body);
    // The document of the admin API describes the bodies.
    return (await response.json()) as Result;
  }

  const of = (name: string) => `/${encodeURIComponent(name)}`;
  return {
    list: ({ cursor, limit }) =>
      send(`?${new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) })}`),
    get: (name) => send(of(name)),
    plan: (name, cursor) =>
      send(`${of(name)}/revert`, { dryRun: true, limit: planLimit, ...(cursor !== undefined && { cursor }) }),
    start: (name) => send(`${of(name)}/revert`, {}),
  };
}
