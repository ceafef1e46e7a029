/** Deleting what a file lacks: which assets, when it is refused, and that a revert of the run brings everything back. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, sqliteLocation, waysOf } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';
import { articleType, author, authorType, type LineAsset, newspaper } from './content.ts';
import { onServer, onStore, run, type Site, summaryOf, workspaceForEach } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const work = workspaceForEach();

/** When a run may be reverted after its last write. */
const quietMs = 61_000;
const size = 60;
const all = newspaper(size);
const types = ['--from', articleType, '--from', authorType];
/** Every asset, with its dates. */
async function stateOf(site: Site): Promise<string> {
  return (await run('export', site, types)).stdout;
}

const parse = (text: string): LineAsset[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));

describeOnEachStore('--prune', (locations, extent) => {
  it.each(waysOf(extent))(
    'leaves the target equal to the file, and is reverted as a whole, %s',
    async (way) => {
      location = locations();
      const instance = way === 'directly' ? undefined : await work.serve(location);
      const site = instance ? onServer(instance) : onStore(location);
      expect(summaryOf(await run('import', site, [work.input(all), '--json'])).created).toBe(size);
      const before = await stateOf(site);
      const assets = parse(before);
      const articles = assets.filter(({ _type }) => _type === articleType);
      // Five articles are gone, and four have lost a field.
      const gone = new Set(articles.slice(0, 5));
      const poorer = new Set(articles.slice(5, 9));
      const kept = assets.flatMap((asset) => {
        const { tags: _, ...rest } = asset;
        return gone.has(asset) ? [] : [poorer.has(asset) ? rest : asset];
      });
      const words = [work.input(kept, 'less'), '--mode', 'replace', '--prune', '--json'];
      const counts = { created: 0, updated: 4, unchanged: size - 9, deleted: 5, failed: 0 };
      const dry = await run('import', site, [...words, '--dry-run']);
      expect(summaryOf(dry)).toMatchObject(counts);
      expect(dry.stderr.match(/^would delete com\.example\.news\.Article \S+$/gm)).toHaveLength(5);
      expect(await stateOf(site)).toBe(before);
      const done = await run('import', site, [...words, '--expect', String(kept.length)]);
      expect(summaryOf(done)).toMatchObject(counts);
      expect(parse(await stateOf(site))).toEqual(kept);
      if (!instance) return;
      const name = String(summaryOf(done).run);
      instance.advanceClock(quietMs);
      await instance.services.runs.start(name);
      await expect.poll(async () => (await instance.services.runs.get(name)).revert?.state).toBe('finished');
      const undated = (text: string) =>
        parse(text).map((asset) => ({ ...asset, 'cms.content.updateDate': 0 }));
      expect(undated(await stateOf(site))).toEqual(undated(before));
    },
  );
});

describe('--prune', () => {
  beforeEach(() => {
    location = sqliteLocation();
  });
  const importAll = (site: Site) => run('import', site, [work.input(all)]);

  it('is refused where the file looks cut or lacks too much, before anything is written', async () => {
    const site = onStore(location);
    await importAll(site);
    const before = await stateOf(site);
    const file = work.input([author(900), ...all.slice(0, 20)], 'less');
    const words = [file, '--mode', 'replace', '--prune'];
    const refusals: [string[], string][] = [
      [[], 'more than 20 %; --prune-max allows more'],
      [['--prune-max', '19'], 'more than 19; --prune-max allows more'],
      [['--expect', '22'], 'it has 21 lines, fewer than --expect 22'],
      [['--prune-max', 'many'], '--prune-max must be a number of assets, or a percentage'],
    ];
    for (const [more, reason] of refusals) {
      const { exitCode, stderr } = await run('import', site, [...words, ...more]);
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
    }
    const whole = readFileSync(file, 'utf8');
    for (const cut of [whole.slice(0, -1), `${whole.slice(0, -20)}\n`]) {
      writeFileSync(file, cut);
      const { exitCode, stderr } = await run('import', site, [...words, '--prune-max', '90%']);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('looks cut')]);
    }
    expect(await stateOf(site)).toBe(before);
    const stray = await run('import', site, [file, '--expect', '3']);
    expect([stray.exitCode, stray.stderr]).toEqual([
      2,
      expect.stringContaining('--expect goes with --prune'),
    ]);
  });

  it('leaves the assets of the files of --keep, and refuses one that looks cut', async () => {
    const site = onStore(location);
    await importAll(site);
    const articles = all.filter(({ _type }) => _type === articleType);
    const file = work.input(articles.slice(15), 'most');
    const keep = work.input(articles.slice(0, 12), 'drafts');
    const words = [file, '--mode', 'replace', '--prune', '--prune-max', '50%', '--json'];
    const dry = await run('import', site, [...words, '--dry-run']);
    expect(summaryOf(dry)).toMatchObject({ deleted: 15 });
    writeFileSync(`${keep}.cut`, readFileSync(keep, 'utf8').slice(0, -1));
    const cut = await run('import', site, [...words, '--keep', `${keep}.cut`]);
    expect([cut.exitCode, cut.stderr]).toEqual([1, expect.stringContaining('.cut looks cut')]);
    const done = await run('import', site, [...words, '--keep', keep]);
    expect(summaryOf(done)).toMatchObject({ deleted: 3, failed: 0 });
    const stray = await run('import', site, [file, '--keep', keep]);
    expect(stray.stderr).toContain('--keep goes with --prune');
  });

  it('deletes nothing when a line fails, and otherwise what --from and --where say', async () => {
    const site = onStore(location);
    await importAll(site);
    const words = ['--mode', 'replace', '--prune', '--prune-max', '100%', '--json'];
    const file = work.input([author(0)], 'one');
    appendFileSync(file, '{"_type":"x.Unknown","_id":"0a5e7000-0000-4000-8000-999999999999"}\n');
    const failed = await run('import', site, [file, ...words, '--from', authorType]);
    expect(summaryOf(failed)).toMatchObject({ unchanged: 1, failed: 1, deleted: 0 });
    expect(failed.stderr).toContain('nothing is deleted, because lines failed');
    const where = ['--from', articleType, '--where', 'score < ?', '--value', '0.5'];
    const narrowed = await run('import', site, [work.input([author(0)], 'two'), ...words, ...where]);
    const low = all.filter(({ _type, score }) => _type === articleType && Number(score) < 0.5);
    expect(summaryOf(narrowed)).toMatchObject({ unchanged: 1, deleted: low.length });
    const emptied = await run('import', site, [work.input([author(0)], 'three'), ...words]);
    expect(summaryOf(emptied)).toMatchObject({ unchanged: 1, deleted: size / 2 - 1 });
  });

  it('deletes what refers to an asset before the asset, where a rule keeps it', async () => {
    const folder = makeTypesFolder(`
      type Writer @contentType(class: "lib.Writer") { name: String! }
      type Book @contentType(class: "lib.Book") {
        title: String!
        writer: Writer @indexed @onDelete(action: RESTRICT)
      }
    `);
    const site = onStore(location);
    const there = { ...site, environment: { ...site.environment, COLOPHON_TYPES: folder } };
    const id = (n: number) => `0a5e7000-0000-4000-8000-${n.toString().padStart(12, '0')}`;
    const writer = (n: number) => ({ _id: id(n), _type: 'lib.Writer', name: `Writer ${n}` });
    const book = (n: number, of: number) => ({
      _id: id(n),
      _type: 'lib.Book',
      title: `Book ${n}`,
      writer: { _ref: id(of), _type: 'lib.Writer' },
    });
    // More than one batch of deletions, and all writers are before their books in the order of the IDs.
    const writers = Array.from({ length: 520 }, (_, n) => writer(n + 1));
    const books = writers.map((_, n) => book(1_000 + n, n + 1));
    await run('import', there, [work.input([...writers, ...books])]);
    const less = ['--mode', 'replace', '--prune', '--prune-max', '100%', '--json'];
    const kept = work.input([writer(1), book(1_000, 1)], 'less');
    const done = await run('import', there, [kept, ...less]);
    expect(summaryOf(done)).toMatchObject({ unchanged: 2, deleted: 1_038, failed: 0 });
    // The book stays, and keeps its writer.
    const alone = ['--from', 'lib.Writer'];
    const refused = await run('import', there, [work.input([writer(2)], 'other'), ...less, ...alone]);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('is referred to by 1 asset'),
    ]);
  });
});
