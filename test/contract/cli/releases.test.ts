/** Exports and imports with `--release`, and `colophon releases`, on a store and on a server. */
import { beforeEach, expect, it, vi } from 'vitest';
import { startCommand } from '../../support/command-line.ts';
import { describeOnEachStore, type StoreLocation, type Way, waysOf } from '../../support/stores.ts';
import { article, author, authorType, idOf, type LineAsset } from '../transfer/content.ts';
import { namesAt, onStore, run, type Site, summaryOf, workspaceForEach } from '../transfer/workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 });

describeOnEachStore('colophon releases', (locations, extent) => {
  let location: StoreLocation;
  const work = workspaceForEach();
  beforeEach(() => {
    location = locations();
  });

  const call = ({ environment, words }: Site, ...more: string[]) =>
    startCommand(['releases', ...more, ...words], environment).ended;

  const siteOf = (way: Way) => work.reach(way, location, ['admin', 'cma:read', 'cma:write', 'cma:draft']);

  it.each(waysOf(extent))('take an import, show it, and publish it in one step, %s', async (way) => {
    const site = await siteOf(way);
    await run('import', site, [work.input([author(0), author(1)])]);
    expect((await call(site, 'create', 'spring', '--title', 'Spring catalogue')).stdout).toContain('Spring');
    const { name: _, ...incomplete } = author(3);
    const lines = [{ ...author(0), name: 'Changed' }, author(1), author(2), incomplete];
    const words = ['--release', 'spring', '--mode', 'upsert', '--json'];
    const dry = await run('import', site, [work.input(lines), ...words, '--dry-run']);
    expect(summaryOf(dry)).toMatchObject({ created: 2, updated: 1, unchanged: 1, failed: 0 });
    const imported = summaryOf(await run('import', site, [work.input(lines), ...words]));
    expect(imported).toMatchObject({ created: 2, updated: 1, unchanged: 1, failed: 0 });
    expect(imported.run).toBeUndefined();

    const live = [author(0).name, author(1).name];
    expect(await namesAt(site, authorType)).toEqual(live);
    const exported = await run('export', site, ['--from', authorType, '--release', 'spring']);
    const names = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    expect(names.toSorted()).toEqual(['Changed', author(1).name, author(2).name, undefined]);

    const shown = await call(site, 'show', 'spring');
    expect(shown.stdout).toMatch(/^Release {4}spring\nTitle {6}Spring catalogue\nDrafts {5}3\n/);
    expect(shown.stdout).toContain(`change ${authorType} ${idOf(0)} "Changed" (name)`);
    expect(JSON.parse((await call(site, 'list', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ name: 'spring', drafts: 3 }),
    );

    const refused = await call(site, 'publish', 'spring');
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      'colophon: 1 problems keep the drafts from being published\n',
    ]);
    expect(refused.stdout).toContain(`invalid_body ${idOf(3)}: `);
    expect(await namesAt(site, authorType)).toEqual(live);
    expect((await call(site, 'discard', 'spring', idOf(3))).exitCode).toBe(0);
    expect((await call(site, 'publish', 'spring', '--dry-run')).stdout).toContain('2 drafts, 0 problems');
    const published = await call(site, 'publish', 'spring', '--only', idOf(0), '--only', idOf(2));
    expect(published.stdout).toMatch(/\npublished 2 drafts as the run publish-spring-\S+\n$/);
    expect(await namesAt(site, authorType)).toEqual(['Changed', author(1).name, author(2).name]);
  });

  it.runIf(extent.isWhole)('name the lines of an import whose key several drafts have', async () => {
    const site = onStore(location);
    await run('import', site, [work.input([author(0), author(1)])]);
    const words = ['--release', 'drafts', '--mode', 'upsert', '--json'];
    await run('import', site, [work.input([{ ...author(2), slug: 'author-0' }]), ...words]);
    const named = { ...article(3, 4), related: [], author: { _type: authorType, _by: { slug: 'author-0' } } };
    const given: LineAsset[] = [{ ...author(1), name: 'Changed' }, author(0), named];
    const lines = given.map(({ _id, ...line }) => line);
    const imported = await run('import', site, [work.input(lines), ...words, '--by', 'slug']);
    expect(imported.exitCode).toBe(1);
    expect(summaryOf(imported)).toMatchObject({ updated: 1, failed: 2 });
    const reason = '"author-0" is the "slug" of several assets of the release, so it names none of them';
    expect(imported.stderr).toContain(`line 2: slug ${reason}\nline 3: author._by ${reason}\n`);
  });

  it.runIf(extent.isWhole)('are scheduled, and refuse what cannot be', async () => {
    const site = onStore(location);
    await call(site, 'create', 'spring');
    const at = '2099-03-01T08:00:00.000Z';
    expect((await call(site, 'schedule', 'spring', '--at', at)).stdout).toContain(`Goes live  ${at}\n`);
    expect((await call(site, 'schedule', 'spring', '--cancel')).stdout).toContain('Goes live  \n');
    const past = await call(site, 'schedule', 'spring', '--at', '2001-01-01');
    expect([past.exitCode, past.stderr]).toEqual([1, expect.stringContaining('at must be')]);
    expect((await call(site, 'schedule', 'spring')).stderr).toContain('schedule takes --at or --cancel');
    expect((await call(site, 'show', 'autumn')).stderr).toBe('colophon: There is no release "autumn"\n');
    expect((await call(site, 'create', 'spring')).exitCode).toBe(1);
  });

  it.runIf(extent.isWhole)('keep an import from what a release cannot have, before it writes', async () => {
    const site = onStore(location);
    await call(site, 'create', 'spring');
    const input = work.input(Array.from({ length: 1_001 }, (_, n) => author(n)));
    const full = await run('import', site, [input, '--release', 'spring']);
    expect([full.exitCode, full.stderr]).toEqual([
      1,
      expect.stringContaining('The release "spring" would have more than 1000 drafts'),
    ]);
    expect((await call(site, 'show', 'spring')).stdout).toContain('Drafts     0\n');
    const upsert = (lines: ReturnType<typeof author>[], ...more: string[]) =>
      run('import', site, [work.input(lines), '--release', 'spring', '--mode', 'upsert', ...more]);
    const live = Array.from({ length: 1_001 }, (_, n) => author(n));
    expect((await run('import', site, [work.input(live)])).exitCode).toBe(0);
    expect((await upsert(live.with(0, { ...author(0), name: 'changed' }))).exitCode).toBe(0);
    const changed = live.map((line) => ({ ...line, name: `${line.name} changed` }));
    for (const more of [[], ['--dry-run']])
      expect((await upsert(changed, ...more)).stderr).toContain('would have more than 1000 drafts');
    expect((await call(site, 'show', 'spring')).stdout).toContain('Drafts     1\n');
    const other = await run('import', site, [work.input([author(0)]), '--release', 'autumn']);
    expect(other.stderr).toContain('There is no release "autumn"');
    const inRun = await run('import', site, [input, '--release', 'spring', '--run', 'nightly']);
    expect([inRun.exitCode, inRun.stderr]).toEqual([2, expect.stringContaining('drafts belong to no run')]);
    const misnamed = await run('export', site, ['--from', authorType, '--release', 'a b']);
    expect([misnamed.exitCode, misnamed.stderr]).toEqual([2, expect.stringContaining('--release must be')]);
  });
});
