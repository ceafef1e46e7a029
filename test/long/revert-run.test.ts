/** Reverts a run of 100,000 writes in a process that is killed half-way. Its memory must not grow with the run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startCommand, startServing } from '../support/command-line.ts';
import { sqliteLocation } from '../support/stores.ts';

const writes = 100_000;
const run = 'long';
const type = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let serving: ServingProcess | undefined;

afterAll(async () => {
  await serving?.stop();
  await location.remove();
});

const environment = environmentOf(location);

/** Calls a command that prints JSON. */
async function call(...words: string[]) {
  const { exitCode, stdout, stderr } = await startCommand(words, environment, { timeoutMs: 3_000_000 }).ended;
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const peakMb = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it.skipIf(process.platform !== 'linux')(
  'a run of 100,000 writes is reverted, and goes on after SIGKILL',
  async () => {
    const file = join(location.config.dataDir, 'lines.ndjson');
    const lines = Array.from({ length: writes }, (_, n) =>
      JSON.stringify({ _type: type, name: `Text ${n}`, text: `<p>${'a few words '.repeat(20)}</p>` }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(await call('import', file, '--run', run, '--json')).toMatchObject({ created: writes, run });
    const { clientId, secret } = await call(
      'client',
      'create',
      '--name',
      'Reverter',
      '--scope',
      'admin',
      '--json',
    );
    const headers = {
      'X-Client-Id': clientId,
      'X-Client-Secret': secret,
      'Content-Type': 'application/json',
    };
    const send = async (path: string, body?: object) => {
      const request = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
      const response = await fetch(`${serving?.url}/api/admin/runs/${path}`, request);
      // biome-ignore lint/suspicious/noExplicitAny: the assertions check the body
      return { status: response.status, body: (await response.json()) as any };
    };
    // Only a run that has been quiet for a minute can be reverted.
    await wait(61_000);

    serving = await startServing(environment);
    const idleMb = peakMb(serving.pid);
    expect((await send(`${run}/revert`, {})).status).toBe(202);
    let { body } = await send(run);
    while (body.revert.examined < writes / 2) {
      await wait(200);
      ({ body } = await send(run));
    }
    const firstMb = peakMb(serving.pid);
    serving.signal('SIGKILL');
    await serving.ended;

    serving = await startServing(environment);
    const startedMs = performance.now();
    expect((await send(`${run}/revert`, {})).status).toBe(202);
    do {
      await wait(200);
      ({ body } = await send(run));
    } while (body.revert.state === 'running');
    const secondMb = peakMb(serving.pid);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log({ idleMb, firstMb, secondMb, seconds });
    expect(body.revert).toMatchObject({ state: 'finished', examined: writes, conflicts: 0 });
    const { body: revert } = await send(`revert-${run}`);
    expect(revert).toMatchObject({ writes: { create: 0, update: 0, delete: writes }, isCounted: true });
    expect(
      (await call('list-types', '--json')).find((one: { class: string }) => one.class === type),
    ).toBeDefined();
    // A process that serves needs about 100 MB; the run has about 60 MB of texts, and as much in the log.
    expect(Math.max(firstMb, secondMb) - idleMb).toBeLessThan(150);
  },
);
