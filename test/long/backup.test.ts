/**
 * Backs up 200,000 assets while a process writes, restores them and checks the result; memory stays flat. With
 * `COLOPHON_TEST_MONGODB_URL`, which names a real server, they are restored to MongoDB as well.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { createFolder } from '../contract/backup/copies.ts';
import { environmentOf, startCommand } from '../support/command-line.ts';
import { mongoLocation, type StoreLocation, sqliteLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const assets = Number(process.env.COLOPHON_DRILL_ASSETS ?? 200_000);
const batch = 500;
const type = 'log.Note';
const sdl = `type Note @contentType(class: "${type}") { title: String @indexed, n: Int, text: String }`;
const catalog = catalogOf(sdl);
const folder = createFolder();
const source = sqliteLocation();
const mongodbUrl = process.env.COLOPHON_TEST_MONGODB_URL ?? '';
const targets: readonly (readonly [string, StoreLocation])[] = [
  ['SQLite', sqliteLocation()],
  ...(mongodbUrl === '' ? [] : [['MongoDB', mongoLocation(mongodbUrl)] as const]),
];
const text = 'Some words that make an asset as long as a short note is. '.repeat(15);
const ids = Array.from({ length: assets }, () => randomIds.assetId());
/** More than a command takes at the start, and far less than the assets have. */
const maxMb = 400;
let store: ContentStore;

beforeAll(async () => {
  store = await openStore({ ...source.config, catalog, logger: silentLogger });
  await store.serve({ sources: [{ file: 'types.graphql', text: sdl }], folder: '/types', areShipped: false });
  for (let from = 0; from < assets; from += batch) {
    await store.write(ids.slice(from, from + batch).map((_id, n) => toInsert(_id, from + n)));
  }
});

afterAll(async () => {
  for (const location of [source, ...targets.map(([, target]) => target)]) await location.remove();
});

const toInsert = (_id: string, n: number) => ({
  kind: 'insert' as const,
  asset: { _id, _type: type, title: `Note ${n}`, n, text },
  version: randomIds.version(),
});

/** Runs a command, and prints how long it took and how much memory it had at most. */
async function run(location: StoreLocation, ...words: string[]): Promise<string> {
  const startedMs = performance.now();
  const command = startCommand(words, { ...environmentOf(location) }, { timeoutMs: 3_000_000 });
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(command.pid));
  }, 100);
  const { exitCode, stdout, stderr } = await command.ended;
  clearInterval(timer);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${words.slice(0, 2).join(' ')}: ${seconds} s, ${peakMb} MB; ${stdout.trim()}`);
  expect(exitCode, stderr).toBe(0);
  expect(peakMb).toBeLessThan(maxMb);
  return stdout;
}

/** The most memory that a process has had, or 0 where the system does not say. */
function readPeakMb(pid: number | undefined): number {
  try {
    // A process that has ended has no memory.
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

it('keeps its memory while others write', async () => {
  const path = folder.path('store.backup');
  let isOver = false;
  let written = 0;
  const writing = (async () => {
    for (; !isOver; written++) {
      const id = ids[(written * 7919) % assets] ?? '';
      await store.patch({ id, type, set: { n: -written }, unset: [], version: randomIds.version() });
    }
  })();
  await run(source, 'backup', 'create', path);
  await run(source, 'verify');
  isOver = true;
  await writing;
  await store.close();
  console.log(`${written} writes meanwhile`);
  for (const [name, target] of targets) {
    console.log(name);
    await run(target, 'backup', 'restore', path);
    expect(await run(target, 'verify')).toContain('no damage');
  }
});
