/**
 * `colophon runs`: lists runs, shows one, and reverts one, on a server or on the configured store.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { PlannedRevert, RevertPlan, Run, RunList } from '../../../../generated/server/admin.ts';
import type { Runs } from '../../../access/runs/runs.ts';
import { checkFailed, transferFailed } from '../../../base/errors.ts';
import { toPlanned, toResource } from '../../../http/handlers/admin/runs.ts';
import { type CommandCall, readWholeNumber } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { createAdminSender, type SendToAdmin } from '../admin-server.ts';
import { itemsOf, withRecords } from './with-records.ts';

export async function list(call: CommandCall): Promise<void> {
  const limit = readWholeNumber(call, 'limit', { fallback: 20, min: 1, max: 100 });
  const { items } = await withRuns(call, { isWriting: false }, (runs) => runs.list({ limit }));
  if (call.has('json')) printJson(items);
  else printTable(['run', 'began', 'last write', 'by', 'writes', 'state'], items.map(toRow));
}

export async function show(call: CommandCall): Promise<void> {
  const run = await withRuns(call, { isWriting: false }, (runs) => runs.get(nameOf(call)));
  printRun(call, run);
}

export async function revert(call: CommandCall): Promise<void> {
  const isDryRun = call.has('dry-run');
  await withRuns(call, { isWriting: !isDryRun }, (runs) =>
    isDryRun ? printPlan(call, runs) : revertRun(call, runs),
  );
}

const pollMs = 250;

const nameOf = ({ positionals: [name = ''] }: CommandCall) => name;

async function revertRun(call: CommandCall, runs: RunSource): Promise<void> {
  const name = nameOf(call);
  await runs.start(name);
  let run = await runs.get(name);
  while (run.revert?.state === 'running') {
    await wait(pollMs);
    run = await runs.get(name);
  }
  printRun(call, run);
  if (run.revert?.state !== 'finished')
    throw transferFailed(`the revert of ${name} was interrupted; call it again`);
  const { conflicts } = run.revert;
  if (conflicts > 0) throw checkFailed(`${conflicts} conflicts are left; --dry-run lists them`);
}

/** Prints one line for each asset: JSON by itself, so that a long plan needs no memory. */
async function printPlan(call: CommandCall, runs: RunSource): Promise<void> {
  const sum = { writes: 0, conflicts: 0 };
  for await (const item of itemsOf((cursor) => runs.plan(nameOf(call), cursor))) {
    sum[item.conflict ? 'conflicts' : 'writes']++;
    console.log(call.has('json') ? JSON.stringify(item) : describeItem(item));
  }
  if (!call.has('json'))
    console.log(`dry run, nothing written: ${sum.writes} writes, ${sum.conflicts} conflicts`);
}

function describeItem({ asset, type, title, action, changes, conflict }: PlannedRevert): string {
  const fields = changes.length > 0 ? ` (${changes.map(({ path }) => path).join(', ')})` : '';
  const why = conflict ? `conflict, ${conflict.message}: ` : '';
  return `${why}${action} ${type} ${asset} ${JSON.stringify(title)}${fields}`;
}

function printRun(call: CommandCall, run: Run): void {
  if (call.has('json')) {
    printJson(run);
    return;
  }
  const { revert: progress, revertOf } = run;
  const [name, began, last, by, writes, state] = toRow(run);
  console.log(
    `Run     ${name}\nBegan   ${began}\nLast    ${last}\nBy      ${by}\nWrites  ${writes}\nState   ${state}`,
  );
  if (revertOf !== undefined) console.log(`Reverts ${revertOf}`);
  if (!progress) return;
  const { written, conflicts } = progress;
  console.log(`Revert  ${progress.run}, ${progress.state}: ${written} writes, ${conflicts} conflicts`);
}

function toRow({ name, beganAt, lastWriteAt, by, writes, isCounted, state, isIrreversible }: Run): string[] {
  const { create, update, delete: removed } = writes;
  const counts = `${create} created, ${update} updated, ${removed} deleted${isCounted ? '' : ' so far'}`;
  const last = lastWriteAt === undefined ? '' : new Date(lastWriteAt).toISOString();
  const lasting = isIrreversible ? `${state}, irreversible` : state;
  return [name, new Date(beganAt).toISOString(), last, by.name ?? by.id ?? by.kind, counts, lasting];
}

/** Lists and reverts runs. */
interface RunSource {
  list(page: { readonly cursor?: string; readonly limit: number }): Promise<RunList>;
  get(name: string): Promise<Run>;
  plan(name: string, cursor?: string): Promise<RevertPlan>;
  start(name: string): Promise<void>;
}

const planLimit = 100;

/** Runs `work` with the runs that the call names. `isWriting` says whether the content types must be those last served. */
function withRuns<Outcome>(
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
