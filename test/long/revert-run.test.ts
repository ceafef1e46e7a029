/** Reverts a run of 100,000 writes in a process that is killed half-way. Its memory must not grow with the run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startCommand, startServing } from '../support/command-line.ts';
import { sqliteLocation } from '../support/stores.ts';

const writes = 100_000;
const run = 'long';
const type = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let serving: ServingProcess | undefined;

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

    const start = async () => {
      serving = await startServing(environment);
      expect((await send(`${run}/revert`, {})).status).toBe(202);
    };
    /** Waits until so many writes are examined, or the revert ends; returns the peak of the memory until then. */
    const waitFor = async (examined: number) => {
      for (;;) {
        const { revert } = (await send(run)).body;
        if (revert.examined >= examined || revert.state !== 'running') return peakMb(serving?.pid);
        await wait(200);
      }
    };

    await start();
    const early = await waitFor(writes / 10);
    const half = await waitFor(writes / 2);
    serving?.signal('SIGKILL');
    await serving?.ended;

    await start();
    const late = await waitFor(Number.POSITIVE_INFINITY);
    const { body } = await send(run);
    expect(body.revert).toMatchObject({ state: 'finished', examined: writes, conflicts: 0 });
    let { body: revert } = await send(`revert-${run}`);
    while (!revert.isCounted) ({ body: revert } = await send(`revert-${run}`));
    expect(revert).toMatchObject({ writes: { create: 0, update: 0, delete: writes } });
    console.info(`peaks in MB: ${[early, half, late].map(Math.round).join(', ')}`);
    // What 90,000 more writes may add: garbage that is not collected yet. The run has 30 MB of texts, and as much in the log.
    expect(Math.max(half, late) - early).toBeLessThan(50);
  },
);
