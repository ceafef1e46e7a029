/** Imports whose run is reverted by another process while they wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { texts, textType } from './content.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { createWorkspace, onServer, run, type Site, summaryOf, type Workspace } from './workspace.ts';

const count = 40;
/** Longer than a run must be quiet before it can be reverted, and longer than a server remembers that it is open. */
const quietMs = 61_000;
const batches = ['--batch-size', '10', '--concurrency', '1', '--json'];

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

describe('an import whose run is reverted midway', () => {
  let work: Workspace;
  let location: StoreLocation;
  let server: TestInstance;
  let other: TestInstance;
  let proxy: FaultyProxy;
  let site: Site;
  beforeEach(async () => {
    work = createWorkspace();
    location = sqliteLocation();
    [server, other] = [await work.serve(location), await work.serve(location)];
    proxy = await startFaultyProxy(server.url, async ({ number }) => {
      if (number === 3) await revertOnlyRun();
      return 'pass' as const;
    });
    site = onServer({ url: proxy.url, headers: server.headers });
  });
  afterEach(async () => {
    await proxy.stop();
  });

  async function revertOnlyRun(): Promise<void> {
    for (const instance of [server, other]) instance.advanceClock(quietMs);
    const { runs } = other.services;
    const [found] = (await runs.list({ limit: 1 })).items;
    await runs.start(found?.name ?? '');
    await expect.poll(async () => (await runs.get(found?.name ?? '')).revert?.state).toBe('finished');
  }

  const countTexts = async () =>
    (await server.services.content.find({ from: textType, offset: 0, limit: 0, withCount: true }, {})).count;

  it('stops if the caller chose the run, and goes on with another --run', async () => {
    const file = work.input(texts(count));
    const first = await run('import', site, [file, ...batches, '--run', 'nightly']);
    expect([first.exitCode, summaryOf(first).created]).toEqual([1, 20]);
    expect(first.stderr).toContain('The run "nightly" is closed; use another name');
    expect(first.stderr).toContain('run the same command again with another --run, or without it,');
    expect(first.stderr).toContain('If the run was reverted, the lines imported in it were, too');
    expect(await countTexts()).toBe(0);

    const last = await run('import', site, [file, ...batches, '--run', 'nightly-2']);
    expect(summaryOf(last)).toMatchObject({ complete: true, created: count, run: 'nightly-2' });
    expect(await countTexts()).toBe(count - 20);
  });

  it('goes on in a new run otherwise, and says so', async () => {
    const last = await run('import', site, [work.input(texts(count)), ...batches]);
    expect(summaryOf(last)).toMatchObject({ complete: true, created: count });
    const named = [...last.stderr.matchAll(/^colophon: run (\S+)$/gm)].map(([, name]) => name);
    expect(named).toHaveLength(2);
    expect(named[1]).toBe(summaryOf(last).run);
    expect(last.stderr).toContain(`colophon: the run ${named[0]} is closed or reverted\n`);
    expect(await countTexts()).toBe(count - 20);
  });
});
