/** How each import mode treats existing assets, and which options are valid. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, sqliteLocation, waysOf } from '../../support/stores.ts';
import { article, author, authorType, idOf, type LineAsset } from './content.ts';
import { namesAt, onStore, run, summaryOf, workspaceForEach } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const work = workspaceForEach();

/** An author without an `_id`, identified by its slug. */
function withSlug(n: number): LineAsset {
  const { _id, ...rest } = author(n);
  return rest;
}

describeOnEachStore('--mode', (locations, extent) => {
  it.each(waysOf(extent))(
    'updates existing assets or creates them, in the order of the lines, %s',
    async (way) => {
      location = locations();
      const site = await work.reach(way, location);
      const summarize = async (lines: readonly LineAsset[], ...words: string[]) => {
        const call = [work.input(lines), '--json', '--restart', '--batch-size', '3', ...words];
        const foretold = summaryOf(await run('import', site, [...call, '--dry-run']));
        const { run: name, ...summary } = summaryOf(await run('import', site, call));
        // A dry run belongs to no run.
        expect(name).toMatch(/^import-/);
        expect(foretold).toEqual(summary);
        return summary;
      };
      expect(await summarize([author(0), author(2)])).toMatchObject({ created: 2 });
      const changes = [
        { _id: idOf(0), name: 'Changed' },
        { _id: idOf(4), name: 'Nobody' },
      ];
      expect(await summarize(changes, '--mode', 'update')).toMatchObject({ updated: 1, failed: 1 });
      const bySlug = Array.from({ length: 20 }, (_, n) => ({ ...withSlug(2), name: `Name ${n}` }));
      expect(await summarize(bySlug, '--mode', 'update', '--by', 'slug')).toMatchObject({ updated: 20 });
      const upserts = [...bySlug, withSlug(6), { ...withSlug(6), name: 'Later' }];
      expect(await summarize(upserts, '--mode', 'upsert', '--by', 'slug')).toMatchObject({
        created: 1,
        updated: 21,
      });
      expect(await summarize([{ ...author(0), name: 'Last' }, author(8)], '--mode', 'upsert')).toMatchObject({
        created: 1,
        updated: 1,
      });
      expect(await namesAt(site, authorType)).toEqual(['Last', 'Later', 'Name 19', 'Ædith № 8']);
    },
  );

  it.each(waysOf(extent))(
    'finds the assets of each type by the key that --by names for it, %s',
    async (way) => {
      location = locations();
      const site = await work.reach(way, location);
      const { author: _author, related: _related, ...alone } = article(1, 3);
      const lines = [withSlug(2), alone, withSlug(4)];
      const call = ['--json', '--restart', '--mode', 'upsert', '--by', `${authorType}=slug`];
      for (const words of [['--dry-run'], []]) {
        const outcome = await run('import', site, [work.input(lines), ...call, ...words]);
        expect(summaryOf(outcome)).toMatchObject({ created: 3, updated: 0, failed: 0 });
      }
      const again = [{ ...withSlug(2), name: 'Changed' }, { ...alone, slug: 'changed' }, withSlug(4)];
      const outcome = await run('import', site, [work.input(again), ...call]);
      expect(summaryOf(outcome)).toMatchObject({ created: 0, updated: 2, unchanged: 1, failed: 0 });
      expect(await namesAt(site, authorType)).toEqual(['Changed', 'Ædith № 4']);
    },
  );

  it.each(waysOf(extent))('does not write what the target has already, %s', async (way) => {
    location = locations();
    const site = await work.reach(way, location);
    const summarize = async (lines: readonly LineAsset[], ...words: string[]) => {
      const call = [work.input(lines), '--json', ...words];
      const foretold = summaryOf(await run('import', site, [...call, '--dry-run']));
      const outcome = await run('import', site, call);
      const { run: name, ...summary } = summaryOf(outcome);
      expect(foretold).toEqual(summary);
      expect([name === undefined, outcome.stderr]).toEqual(
        summary.created + summary.updated > 0
          ? [false, `colophon: run ${name}\n`]
          : [true, expect.not.stringContaining('run')],
      );
      return summary;
    };
    const [first, second, third] = [author(0), author(2), author(4)].map((one) => ({
      ...one,
      biography: 'long',
    }));
    const all = [first, second, third].flatMap((one) => one ?? []);
    expect(await summarize(all)).toMatchObject({ created: 3, unchanged: 0 });
    for (const mode of ['update', 'upsert', 'replace']) {
      expect(await summarize(all, '--mode', mode)).toMatchObject({ unchanged: 3, updated: 0 });
    }
    const changed = [
      author(0),
      { ...withSlug(2), biography: 'short' },
      { ...withSlug(4), biography: 'long' },
      withSlug(6),
    ];
    const counts = { created: 1, updated: 2, unchanged: 1, failed: 0 };
    expect(await summarize(changed, '--mode', 'replace', '--by', 'slug')).toMatchObject(counts);
    const exported = await run('export', site, [
      '--from',
      authorType,
      '--fields',
      'slug,biography',
      '--sort',
      'slug',
    ]);
    const bios = exported.stdout
      .split('\n')
      .flatMap((line) => (line === '' ? [] : JSON.parse(line).biography));
    expect(bios).toEqual([undefined, 'short', 'long', undefined]);
  });

  it('with --by a field that is not unique rejects every line', async () => {
    location = locations();
    const words = [work.input([article(1, 4)]), '--mode', 'upsert', '--by', 'headline', '--json'];
    for (const dry of [['--dry-run'], []]) {
      const outcome = await run('import', onStore(location), [...words, ...dry]);
      expect(summaryOf(outcome)).toMatchObject({ created: 0, failed: 1 });
      expect(outcome.stderr).toMatch(/^line 1: by must be _id or a unique field/m);
    }
  });
});

describe('an invalid option', () => {
  beforeEach(() => {
    location = sqliteLocation();
  });
  it.each([
    [['--mode', 'exchange'], '--mode must be one of create, update, upsert, replace'],
    [['--by', 'slug'], '--by goes with --mode update, upsert or replace'],
    [['--mode', 'upsert', '--by', 'a', '--by', 'b'], '--by is given twice for all types'],
    [['--mode', 'upsert', '--by', 'x.Page=a', '--by', 'x.Page=b'], '--by is given twice for x.Page'],
    [['--mode', 'upsert', '--by', '=slug'], '--by must be <fields> or <type>=<fields>'],
    [['--batch-size', '1001'], '--batch-size must be a whole number from 1 to 1000'],
    [['--concurrency', '0'], '--concurrency must be a whole number from 1 to 64'],
    [['--url', 'ftp://example.com'], '--url must begin with http:// or https://'],
    [['--url', 'http://example.com/?a'], '--url must have no credentials, query or fragment'],
    [['--url', 'http://example.com'], '--url needs COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET'],
  ])('%j is refused', async (words, reason) => {
    const { exitCode, stderr } = await run('import', onStore(location), [work.input([]), ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
