/**
 * Runs: a write that names one begins it; a dry run lists what its revert would do; a run that has just written is not reverted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';

const noLog = { skipped: 'the instance keeps no change log' };
const noRun = { skipped: 'the run has no resource for this request' };

const newName = () => `contract-${randomUUID()}`;

/** Creates an asset in a run, which the other cases use. */
export function* runSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('createContent', '201 in a run', async () => {
    if (!(await hasRuns(admin))) return noLog;
    admin.keep('runs', await createInRun(admin));
    return undefined;
  });
}

/** Yields the cases. */
export function* runCases(admin: AdminUnderTest): CaseGroup {
  const { path } = admin;
  const revert = (run: string, body: { dryRun?: boolean }) => ({
    method: 'POST',
    path: `${path}/runs/${run}/revert`,
    body,
  });
  yield toCase('listRuns', '200 lists the runs', async () => {
    const run = admin.kept('runs');
    if (run === undefined) return noRun;
    const { body } = await admin.call(
      { method: 'GET', path: `${path}/runs`, query: [['limit', '100']] },
      200,
    );
    const names = membersOf(body, 'items').map((item) => memberOf(item, 'name'));
    assertSame({ what: 'whether the run is listed', received: names.includes(run), expected: true });
    return undefined;
  });
  yield toCase('revertRun', '200 a dry run lists the asset that would be deleted', async () => {
    const run = admin.kept('runs');
    if (run === undefined) return noRun;
    const { body } = await admin.call(revert(run, { dryRun: true }), 200);
    const actions = membersOf(body, 'items').map((item) => memberOf(item, 'action'));
    assertSame({ what: 'the actions', received: actions, expected: ['delete'] });
    return undefined;
  });
  yield toCase('revertRun', '409 the run has just written', async () => {
    if (!(await hasRuns(admin))) return noLog;
    // The run of the other cases may have written a while ago.
    const run = await createInRun(admin);
    const { body } = await admin.call(revert(run, {}), 409);
    assertSame({ what: 'the code', received: memberOf(body, 'code'), expected: 'run_active' });
    return undefined;
  });
  yield toCase(
    'closeRun',
    '200 closes a run, also again, and its client can then no longer write in it',
    async () => {
      if (!(await hasRuns(admin))) return noLog;
      const run = await createInRun(admin);
      for (const _ of [1, 2]) {
        const { body } = await admin.call({ method: 'POST', path: `${path}/runs/${run}/close` }, 200);
        assertSame({ what: 'the state', received: memberOf(body, 'state'), expected: 'closed' });
      }
      const late = { method: 'POST', path: `${path}/contents`, headers: { 'X-Run': run } };
      const { body } = await admin.call({ ...late, body: admin.newBody('contents') }, 409);
      assertSame({ what: 'the code', received: memberOf(body, 'code'), expected: 'run_closed' });
      return undefined;
    },
  );
  yield toCase('revertRun', '202 reverts a run, whose client can then no longer write in it', async () => {
    if (!(await hasRuns(admin))) return noLog;
    const run = newName();
    // A refused write begins the run, too, and leaves nothing that has to be quiet for a minute.
    const { id } = await admin.create('contents');
    const refused = { method: 'POST', path: `${path}/contents`, headers: { 'X-Run': run } };
    const body = { ...admin.newBody('contents'), _id: id };
    await admin.call({ ...refused, body }, 409);
    await admin.call(revert(run, {}), 202);
    const ended = await waitForEnd(admin, run);
    assertSame({ what: 'the state of the revert', received: ended, expected: 'finished' });
    const late = await admin.call({ ...refused, body: admin.newBody('contents') }, 409);
    assertSame({ what: 'the code', received: memberOf(late.body, 'code'), expected: 'run_closed' });
    return undefined;
  });
}

/** Creates an asset in a new run; returns the name of the run. */
async function createInRun({ call, path, newBody }: AdminUnderTest): Promise<string> {
  const name = newName();
  const body = newBody('contents');
  await call({ method: 'POST', path: `${path}/contents`, headers: { 'X-Run': name }, body }, 201);
  return name;
}

const hasRuns = async ({ call, path }: AdminUnderTest) =>
  (await call({ method: 'GET', path: `${path}/runs` }, 200, 501)).status === 200;

const maxPolls = 100;
const pollMs = 100;

/** Waits until a revert has ended; returns its state. */
async function waitForEnd(admin: AdminUnderTest, run: string): Promise<unknown> {
  for (let polls = 1; ; polls++) {
    const { body } = await admin.call({ method: 'GET', path: `${admin.path}/runs/${run}` }, 200);
    const state = memberOf(body, 'revert', 'state');
    if (state !== 'running' || polls === maxPolls) return state;
    await wait(pollMs);
  }
}

function membersOf(body: unknown, name: string): readonly unknown[] {
  const list = memberOf(body, name);
  return Array.isArray(list) ? list : [];
}
