/** Exports of chosen fields in a chosen order: as the content management API returns them, from a server and from a store. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { article, articleType, author, authorType, idOf, type LineAsset, newspaper } from './content.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { createWorkspace, onServer, onStore, run, type Site, type Workspace } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const pageType = 'com.example.news.Page';

describeOnEachStore('export with --fields and --sort', (locations, { isWhole }) => {
  // The test server of MongoDB needs long for a sorted page, and a page that it cannot read in time is asked for again, with a notice.
  const count = isWhole ? 240 : 40;
  let work: Workspace;
  let location: StoreLocation;
  beforeEach(async () => {
    work = createWorkspace();
    location = locations();
    const lines = newspaper(count).map((line, n) =>
      line._type === articleType ? { ...line, place: { name: `Town ${n}`, country: 'CH' } } : line,
    );
    expect(await run('import', onStore(location), [work.input(lines)])).toMatchObject({ exitCode: 0 });
  });
  afterEach(() => work.stop());

  async function exported(site: Site, words: readonly string[]): Promise<LineAsset[]> {
    const { exitCode, stdout, stderr } = await run('export', site, words);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  it('writes the same lines from a server and from its store, each type in the order asked for', async () => {
    const server = onServer(await work.serve(location));
    const articles = Array.from({ length: count / 2 }, (_, pair) => article(2 * pair + 1, count));
    const byStatus = articles.toSorted(
      (a, b) =>
        compare(String(a.status), String(b.status)) ||
        Number(b.score) - Number(a.score) ||
        compare(String(b._id), String(a._id)),
    );
    const authors = Array.from({ length: count / 2 }, (_, pair) => author(2 * pair));
    const bySlug = [authors, articles].flatMap((lines) =>
      lines.toSorted((a, b) => compare(String(b.slug), String(a.slug))),
    );
    const fields = ['--fields', 'headline,place.country', '--sort', 'status,-score'];
    // What an interface covers is written once.
    const both = [
      '--from',
      authorType,
      '--from',
      pageType,
      '--fields',
      'slug',
      '--fields=_id',
      '--sort=-slug',
    ];
    for (const site of [onStore(location), server]) {
      expect(await exported(site, ['--from', articleType, ...fields])).toEqual(
        byStatus.map(({ _id, headline }) => ({
          _id,
          _type: articleType,
          headline,
          place: { country: 'CH' },
        })),
      );
      expect(await exported(site, both)).toEqual(
        bySlug.map(({ _id, _type, slug }) => ({ _id, _type, slug })),
      );
    }
  });

  it('exports all fields in an order, and chosen ones in that of the IDs', async () => {
    const site = onStore(location);
    const where = ['--from', authorType, '--where', 'slug startsWith ?', '--value', 'author-1'];
    const whole = await exported(site, where);
    const descending = await exported(site, [...where, '--sort=-slug']);
    expect(descending).toEqual(whole.toSorted((a, b) => compare(String(b.slug), String(a.slug))));
    expect(await exported(site, [...where, '--fields', 'slug'])).toEqual(
      whole.map(({ _id, _type, slug }) => ({ _id, _type, slug })),
    );
  });

  it.runIf(isWhole)('goes on at its place when the server fails for a while', async () => {
    const seen = new Set<string>();
    const instance = await work.serve(location);
    const proxy = await startFaultyProxy(instance.url, ({ path }) => {
      if (seen.has(path)) return 'pass';
      seen.add(path);
      return seen.size % 2 === 0 ? 'half' : 'cut before';
    });
    const site = onServer({ ...instance, url: proxy.url });
    const lines = await exported(site, ['--from', authorType, '--sort=-cms.content.publishDate']);
    await proxy.stop();
    const ids = Array.from({ length: count / 2 }, (_, n) => idOf(count - 2 - 2 * n));
    expect(lines.map(({ _id }) => _id)).toEqual(ids);
    expect(seen.size).toBeGreaterThan(1);
  });

  it.runIf(isWhole)('refuses fields and orders that cannot be', async () => {
    const refusal = async (site: Site, words: readonly string[]) => {
      const { exitCode, stdout, stderr } = await run('export', site, ['--from', articleType, ...words]);
      expect(stdout).toBe('');
      return [exitCode, stderr];
    };
    const server = onServer(await work.serve(location));
    const store = onStore(location);
    for (const option of ['fields', 'sort']) {
      const message = expect.stringContaining(`--${option} takes names with commas between them`);
      expect(await refusal(store, [`--${option}`, 'slug,'])).toEqual([2, message]);
    }
    for (const site of [store, server]) {
      expect(await refusal(site, ['--fields', 'nothing'])).toEqual([1, expect.stringContaining('nothing')]);
      expect(await refusal(site, ['--sort', 'tags'])).toEqual([1, expect.stringContaining('it is a list')]);
      expect(await refusal(site, ['--sort=-'])).toEqual([1, expect.stringContaining('names of fields')]);
    }
  });
});
