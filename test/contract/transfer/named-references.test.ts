/** References that name their target by a unique field, in imports: to earlier and later lines, to stored assets, and to nothing. */
import { expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, waysOf } from '../../support/stores.ts';
import { articleType, authorType } from './content.ts';
import { run, summaryOf, workspaceForEach } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const work = workspaceForEach();

const by = (slug: string, _type = authorType) => ({ _type, _by: { slug } });
const author = (slug: string) => ({ _type: authorType, slug, name: slug });
const article = (slug: string, fields: object) => ({
  _type: articleType,
  slug,
  headline: slug,
  status: 'DRAFT',
  ...fields,
});

/** Articles, each related to the one after it, so that a pass over them can only write the last one left. */
const chain = Array.from({ length: 12 }, (_, n) =>
  article(`chain-${n}`, n < 11 ? { related: [by(`chain-${n + 1}`, articleType)] } : {}),
);

const lines = [
  article('early', { author: by('late') }),
  ...chain,
  author('late'),
  article('after', { author: by('late'), related: [by('early', articleType)] }),
  article('lost', { author: by('nobody') }),
  article('wrong', { author: { _type: authorType, _by: { name: 'late' } } }),
];

describeOnEachStore('references by a unique field', (locations, extent) => {
  it.each(waysOf(extent))('may lead to later lines, and the rest is reported, %s', async (way) => {
    location = locations();
    const site = await work.reach(way, location);
    const file = work.input(lines);
    const report = 'input.ndjson.failed.ndjson';
    for (const dry of way === 'directly' ? [['--dry-run'], []] : [[]]) {
      const outcome = await run('import', site, [file, '--json', '--batch-size', '5', ...dry]);
      expect(outcome.exitCode).toBe(1);
      expect(summaryOf(outcome)).toMatchObject({ created: 15, failed: 2, dangling: 0 });
      const problems = work.lines(report).map(({ line, problems }) => [line, Object(problems)[0].path]);
      expect(problems).toEqual([
        [16, 'author._by'],
        [17, 'author._by.name'],
      ]);
    }
    const exported = await run('export', site, ['--from', articleType]);
    const found = exported.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const idOf = (slug: string) => found.find((one) => one.slug === slug)?._id;
    expect(found.find(({ slug }) => slug === 'chain-3').related).toEqual([
      { _ref: idOf('chain-4'), _type: articleType },
    ]);
    expect(found.find(({ slug }) => slug === 'after').related[0]._ref).toBe(idOf('early'));

    // The cause is mended, and the report is imported.
    await run('import', site, [work.input([author('nobody')], 'mended.ndjson')]);
    const again = await run('import', site, [work.path(report), '--json']);
    expect(summaryOf(again)).toMatchObject({ created: 1, failed: 1 });
    expect(work.lines(`${report}.failed.ndjson`)).toMatchObject([{ asset: { slug: 'wrong' } }]);
  });
});
