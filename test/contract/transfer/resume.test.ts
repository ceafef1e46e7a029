/** An import that is killed and restarted several times gives the same content as an uninterrupted one. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { roundsOf } from '../../support/rounds.ts';
import { describeKillsOnEachStore, sqliteLocation, waysOf } from '../../support/stores.ts';
import { articleType, authorType, newspaper, texts, textType } from './content.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import {
  createWorkspace,
  onServer,
  onStore,
  run,
  type Site,
  start,
  summaryOf,
  type Workspace,
} from './workspace.ts';

const kills = roundsOf({ usual: 2, long: 10 });
const assets = roundsOf({ usual: 200, long: 400 });
const broken = ['{"broken', '{"_type":"nope"}', ''];
const lines = [...newspaper(assets), ...broken, ...texts(assets)];
const small = ['--batch-size', '4', '--json'];

let work: Workspace;
beforeEach(() => {
  work = createWorkspace();
});
afterEach(() => work.stop());

/** The first 16 pages of a journal's log hold its tables and the first segments. */
const sizeOfFirstSegments = 64 * 1024;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Starts an import repeatedly and kills it each time shortly after its journal has recorded some segments. */
async function importKilled(site: Site, words: readonly string[], journal: string): Promise<number> {
  let killed = 0;
  for (; killed < kills; killed++) {
    const before = sizeOf(`${journal}-wal`);
    const importing = start('import', site, words);
    let hasEnded = false;
    void importing.ended.then(() => {
      hasEnded = true;
    });
    while (sizeOf(`${journal}-wal`) < before + sizeOfFirstSegments && !hasEnded) await sleep(2);
    await sleep(Math.random() * 50);
    importing.signal('SIGKILL');
    const { exitCode } = await importing.ended;
    if (exitCode !== null) break;
  }
  return killed;
}

/** Reads all content; texts are reduced to their names. */
async function contentOf(site: Site): Promise<string[]> {
  const { stdout } = await run('export', site, [
    '--from',
    authorType,
    '--from',
    articleType,
    '--from',
    textType,
  ]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const asset = JSON.parse(line);
      return asset._type === textType ? asset.name : line;
    })
    .toSorted();
}

describeKillsOnEachStore(`an import that is killed ${kills} times`, (locations, extent) => {
  it.each(waysOf(extent))('gives the same content as an uninterrupted one, %s', async (way) => {
    const [straight, killed] = [sqliteLocation(), locations()];
    const file = work.input(lines);
    expect(
      await run('import', onStore(straight), [file, '--json', '--journal', work.path('other')]),
    ).toMatchObject({
      exitCode: 1,
    });
    const instance = way === 'over HTTP' ? await work.serve(killed) : undefined;
    // Slow enough that the kill happens in the middle.
    const proxy =
      instance && (await startFaultyProxy(instance.url, () => sleep(60).then(() => 'pass' as const)));
    const site = instance && proxy ? onServer({ ...instance, url: proxy.url }) : onStore(killed);
    const count = await importKilled(site, [file, ...small], `${file}.journal`);
    expect(count).toBe(kills);
    const last = await run('import', site, [file, ...small]);
    expect(last.stderr).toContain('going on behind line');
    expect(summaryOf(last)).toMatchObject({
      complete: true,
      lines: lines.length,
      created: 2 * assets,
      failed: 2,
      dangling: 0,
    });
    expect(work.lines('input.ndjson.failed.ndjson').map(({ line }) => line)).toEqual([
      assets + 1,
      assets + 2,
    ]);
    expect(await contentOf(onStore(killed))).toEqual(await contentOf(onStore(straight)));
    await proxy?.stop();
    for (const location of [straight, killed]) await location.remove();
  });
});
