/** An import with a journal into a server with two workers, of which one is killed, and which is itself killed and started again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../support/command-line.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { cmaPath } from '../../support/two-servers.ts';
import { credentials, send, serveWithWorkers, workerPids } from '../../support/workers.ts';
import { texts, textType } from './content.ts';
import { createWorkspace, namesAt, onServer, run, start, summaryOf, type Workspace } from './workspace.ts';

const assets = 600;
let work: Workspace;
let serving: ServingProcess;

beforeEach(async () => {
  work = createWorkspace();
  serving = await serveWithWorkers(sqliteLocation());
});
afterEach(async () => {
  await serving.stop();
});

it('continues where it ended and imports each line once', async () => {
  const site = onServer({ url: serving.url, headers: credentials });
  const input = work.input(texts(assets));
  const words = [input, '--batch-size', '4', '--json'];
  const first = start('import', site, words);
  const hasBegun = async () => {
    const { body } = await send(serving, { path: `${cmaPath}?from=${textType}&limit=0` });
    expect(body.result.count).toBeGreaterThan(assets / 5);
  };
  await vi.waitFor(hasBegun, { timeout: 60_000, interval: 20 });
  const pid = workerPids(serving).get(1) ?? 0;
  process.kill(pid, 'SIGKILL');
  await sleep(300);
  first.signal('SIGKILL');
  await first.ended;
  const last = await run('import', site, words);
  expect(last).toMatchObject({ exitCode: 0 });
  expect(summaryOf(last)).toMatchObject({ complete: true, failed: 0 });
  const names = await namesAt(site, textType);
  expect(names).toHaveLength(assets);
  expect(new Set(names).size).toBe(assets);
  await vi.waitFor(() => expect(workerPids(serving).size).toBe(2), { timeout: 60_000 });
});
