/** Imports as runs, and `colophon runs`, on a store and on a server. */
import { beforeEach, expect, it, vi } from 'vitest';
import { startCommand } from '../../support/command-line.ts';
import { describeOnEachStore, type StoreLocation, type Way, waysOf } from '../../support/stores.ts';
import { author, authorType, idOf } from '../transfer/content.ts';
import { namesAt, onStore, run, type Site, summaryOf, workspaceForEach } from '../transfer/workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

describeOnEachStore('colophon runs', (locations, extent) => {
  let location: StoreLocation;
  const work = workspaceForEach();
  beforeEach(() => {
    location = locations();
  });

  const call = ({ environment, words }: Site, ...more: string[]) =>
    startCommand(['runs', ...more, ...words], environment).ended;

  const siteOf = (way: Way) => work.reach(way, location, ['admin', 'cma:read', 'cma:write']);

  it.each(waysOf(extent))('show and plan the run that an import has named, %s', async (way) => {
    const site = await siteOf(way);
    const imported = await run('import', site, [work.input([author(0), author(1)]), '--json']);
    const { run: name = '' } = summaryOf(imported);
    expect(name).toMatch(/^import-\d{4}-\d\d-\d\d-[\w-]{8}$/);
    expect(imported.stderr).toContain(`colophon: run ${name}\n`);
    // On MongoDB the entries of the log are numbered after the write.
    const show = async () => JSON.parse((await call(site, 'show', name, '--json')).stdout);
    await expect
      .poll(show)
      .toMatchObject({ name, writes: { create: 2, update: 0, delete: 0 }, state: 'open' });
    const [heading, row] = (await call(site, 'list')).stdout.split('\n');
    expect(heading).toMatch(/^RUN +BEGAN +LAST WRITE +BY /);
    const last = new Date((await show()).lastWriteAt).toISOString();
    expect(row).toMatch(new RegExp(`^${name} .*${last}`));
    const planned = await call(site, 'revert', name, '--dry-run', '--json');
    const items = planned.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(items.map(({ asset, action }) => [asset, action]).toSorted()).toEqual(
      [idOf(0), idOf(1)].map((id) => [id, 'delete']).toSorted(),
    );
    const refused = await call(site, 'revert', name);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('has written within the last minute'),
    ]);
    expect(await namesAt(site, authorType)).toHaveLength(2);
  });

  it.runIf(extent.isWhole)('name the run as the caller says, also for a second import', async () => {
    const site = onStore(location);
    for (const n of [0, 1]) {
      const imported = await run('import', site, [work.input([author(n)]), '--run', 'nightly', '--json']);
      expect(summaryOf(imported)).toMatchObject({ run: 'nightly', created: 1 });
    }
    const shown = await call(site, 'show', 'nightly', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ writes: { create: 2 } });
  });

  it.runIf(extent.isWhole)('refuse a name that no run can have, and a run that does not exist', async () => {
    const site = onStore(location);
    for (const name of ['a b', '..', '', 'x'.repeat(65)]) {
      expect((await run('import', site, [work.input([author(0)]), '--run', name])).exitCode).toBe(2);
    }
    const shown = await call(site, 'show', 'unknown');
    expect([shown.exitCode, shown.stderr]).toEqual([1, 'colophon: There is no run "unknown"\n']);
  });
});
