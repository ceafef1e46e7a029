/**
 * An export of 349 assets, of which 21 are removed, 16 have lost 49 fields and 312 are unchanged, is imported with `--mode replace --prune`,
 * killed at 20 moments and resumed each time: the store then equals the file, nothing else is written, and the run is reverted whole.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { article, articleType, author, authorType, type LineAsset } from '../contract/transfer/content.ts';
import { type FaultyProxy, startFaultyProxy } from '../contract/transfer/faulty-proxy.ts';
import {
  createWorkspace,
  onServer,
  run,
  type Site,
  start,
  summaryOf,
  type Workspace,
} from '../contract/transfer/workspace.ts';
import type { TestInstance } from '../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../support/stores.ts';

const moments = 20;
const size = 349;
const types = ['--from', articleType, '--from', authorType];
const assets = Array.from(
  { length: size },
  (_, n): LineAsset => (n % 2 === 0 ? author(n) : { ...article(n, size), summary: 'short' }),
);
const gone = new Set(Array.from({ length: 21 }, (_, n) => n * 16));
/** How many of its optional fields each of 16 articles loses: 49 in all. */
const poorer = new Map(Array.from({ length: 16 }, (_, n) => [n * 20 + 1, n < 15 ? 3 : 4]));
const optional = ['summary', 'tags', 'score', 'importData'];
const kept = assets.flatMap((asset, n) => {
  const lost = optional.slice(0, poorer.get(n) ?? 0);
  return gone.has(n)
    ? []
    : [Object.fromEntries(Object.entries(asset).filter(([name]) => !lost.includes(name)))];
});

let work: Workspace;
let location: StoreLocation;
let instance: TestInstance;
let proxy: FaultyProxy | undefined;
beforeEach(() => {
  work = createWorkspace();
});
afterEach(async () => {
  await proxy?.stop();
});

const stateOf = async (site: Site): Promise<Map<unknown, LineAsset>> => {
  const { stdout } = await run('export', site, types);
  const all: LineAsset[] = stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  return new Map(all.map((asset) => [asset._id, asset]));
};
const undated = (state: ReadonlyMap<unknown, LineAsset>) =>
  [...state.values()].map((asset) => ({ ...asset, 'cms.content.updateDate': 0 }));

describeOnEachStore('an import that prunes', (locations) => {
  it(`is resumed after kills at ${moments} moments`, async () => {
    location = locations();
    instance = await work.serve(location);
    let kill: (() => void) | undefined;
    let left = 0;
    proxy = await startFaultyProxy(instance.url, async () => {
      if (left-- !== 0) return 'pass';
      kill?.();
      await sleep(20);
      return Math.random() < 0.5 ? 'pass' : 'cut before';
    });
    const direct = onServer(instance);
    const site = onServer({ ...instance, url: proxy.url });
    const base = work.input(assets, 'base');
    const file = work.input(kept, 'file');
    const words = [
      file,
      '--mode',
      'replace',
      '--prune',
      '--json',
      '--batch-size',
      '25',
      '--concurrency',
      '2',
    ];
    await run('import', direct, [base]);
    const before = await stateOf(direct);
    let killed = 0;
    for (let moment = 0; moment < moments; moment++) {
      left = moment;
      const importing = start('import', site, words);
      kill = () => importing.signal('SIGKILL');
      const first = await importing.ended;
      left = -1;
      if (first.exitCode === null) killed++;
      const done = summaryOf(first.exitCode === null ? await run('import', site, words) : first);
      expect(done).toMatchObject({
        complete: true,
        created: 0,
        updated: 16,
        deleted: 21,
        unchanged: 312,
        failed: 0,
      });
      const after = await stateOf(direct);
      expect([...after.keys()].toSorted()).toEqual(kept.map(({ _id }) => _id).toSorted());
      for (const asset of kept) expect(after.get(asset._id)).toEqual(asset);
      const name = String(done.run);
      instance.advanceClock(61_000);
      // The run has nothing but the writes of what differs.
      expect(await instance.services.runs.get(name)).toMatchObject({
        writes: { create: 0, update: 16, delete: 21 },
      });
      await instance.services.runs.start(name);
      await expect.poll(async () => (await instance.services.runs.get(name)).revert?.state).toBe('finished');
      expect(undated(await stateOf(direct))).toEqual(undated(before));
      // The dates of what was reverted are set back, too.
      await run('import', direct, [base, '--mode', 'replace']);
    }
    expect(killed).toBeGreaterThan(moments / 2);
  });
});
