/** References to lines in any order: chains, cycles and assets that refer to themselves, by `_ref` and by a key, also required ones. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, waysOf } from '../../support/stores.ts';
import type { LineAsset } from './content.ts';
import { onServer, onStore, run, type Site, summaryOf, workspaceForEach } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const work = workspaceForEach();
beforeEach(() => {
  mkdirSync(work.path('types'));
  writeFileSync(
    work.path('types/nodes.graphql'),
    `type Node @contentType(class: "x.Node") @unique(fields: ["lang", "rank"]) {
      slug: String! @indexed(unique: true), lang: String, rank: Int, next: Node!, others: [Node!] }`,
  );
});

const length = 1_000;
const node = (slug: string, next: object, more: object = {}): LineAsset => ({
  _type: 'x.Node',
  slug,
  next: { _type: 'x.Node', ...next },
  ...more,
});
const by = (slug: string) => ({ _by: { slug } });

/** A chain by keys whose last link is tied to itself, one by texts that `_id`s are derived from, and a ring by joined keys. */
const lines = [
  ...Array.from({ length }, (_, n) => node(`k${n}`, by(`k${Math.min(n + 1, length - 1)}`))),
  ...Array.from({ length }, (_, n) => ({
    _id: `node ${n}`,
    ...node(`r${n}`, { _ref: `node ${Math.min(n + 1, length - 1)}` }),
  })),
  ...Array.from({ length: 60 }, (_, n) =>
    node(`j${n}`, { _by: { rank: (n + 1) % 60, lang: 'en' } }, { lang: 'en', rank: n }),
  ),
];

async function exportAll(site: Site): Promise<LineAsset[]> {
  const { stdout } = await run('export', site, ['--from', 'x.Node']);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}

describeOnEachStore('references to lines in any order', (locations, extent) => {
  it.each(waysOf(extent))('are all imported, and found again by another import, %s', async (way) => {
    location = locations();
    const environment = { COLOPHON_TYPES: work.path('types') };
    const direct = onStore(location);
    const served =
      way === 'directly' ? undefined : await work.serve(location, { typesDir: work.path('types') });
    const site = served
      ? onServer(served)
      : { ...direct, environment: { ...direct.environment, ...environment } };
    const terms = ['--json', '--ids', 'https://example.com/', '--mode', 'replace', '--by', 'slug'];
    const file = work.input(lines);
    const dry = way === 'directly' ? [['--dry-run'], []] : [[]];
    for (const words of dry) {
      const outcome = await run('import', site, [file, ...terms, ...words]);
      expect([outcome.exitCode, outcome.stderr]).toEqual([0, expect.any(String)]);
      expect(summaryOf(outcome)).toMatchObject({ created: lines.length, failed: 0, dangling: 0 });
    }
    const all = await exportAll(site);
    const slugs = new Map(all.map(({ _id, slug }) => [_id, slug]));
    const nextOf = new Map(all.map(({ slug, next }) => [slug, slugs.get(Object(next)._ref)]));
    for (const kind of ['k', 'r']) {
      for (const n of [0, 500, 999]) expect(nextOf.get(`${kind}${n}`)).toBe(`${kind}${Math.min(n + 1, 999)}`);
    }
    expect(nextOf.get('j59')).toBe('j0');
    expect(all.find(({ slug }) => slug === 'r0')?._id).toMatch(/^.{14}5.{4}[89ab]/);

    // The keys of other lines lead to what the target has, in the opposite order, too.
    const again = await run('import', site, [work.input(lines.toReversed(), 'again'), ...terms]);
    expect(summaryOf(again)).toMatchObject({ created: 0, updated: 0, unchanged: lines.length });
    expect(await exportAll(site)).toEqual(all);
  });
});
