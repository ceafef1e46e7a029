/**
 * A field of all articles is renamed while many connections read and write them: a new version is served, the values are copied by
 * processes that are killed, and the former ones are removed.
 *
 * `npm run test:long` does it with a million articles, and compares response times with those before the backfill.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shippedTypesFolder } from '../../../src/model/types/type-sources.ts';
import { articleFields, articleType, idOf } from '../../bench/articles.ts';
import { fillStore } from '../../bench/fill-store.ts';
import {
  environmentOf,
  type ServingProcess,
  startCommand,
  startServing,
} from '../../support/command-line.ts';
import { isLong, roundsOf } from '../../support/rounds.ts';
import { describeKillsOnEachStore, describeOnSqlite, type StoreLocation } from '../../support/stores.ts';

const kills = roundsOf({ usual: 1, long: 5 });
const backfillProcess = join(import.meta.dirname, '../../support/backfill-process.ts');
const contents = '/api/rest/cma/contents';
/** The longest time of the drill, which rewrites a million articles twice. */
const hoursMs = 10_800_000;
/** How long a connection pauses after each of its rounds, on average: servers that are always busy leave the backfill little time. */
const pauseMs = roundsOf({ usual: 400, long: 200 });
/** How often a backfill is tried again while the lease of a killed one lasts. */
const retryMs = roundsOf({ usual: 5_000, long: 1_000 });

/** The test server of MongoDB does one thing at a time, so that a load on it takes long. */
const describeStore = isLong ? describeKillsOnEachStore : describeOnSqlite;

describeStore('a rename under load', (locations) => {
  const newTypes = mkdtempSync(join(tmpdir(), 'colophon-types-'));
  let location: StoreLocation;
  let serving: ServingProcess;
  let headers: Record<string, string>;
  let articles = 0;
  let killed = 0;
  let connections = 32;
  let searchEvery = roundsOf({ usual: 4, long: 1 });
  /** Whether the store serves several requests at once, so that response times say something, and no request finds it busy. */
  let isTimed = isLong;
  let mayBeBusy = false;

  beforeAll(async () => {
    location = locations();
    const isMongo = location.config.mongodbUrl !== undefined;
    // The test server does one thing at a time, and reads all assets in a search by two names.
    if (isMongo && !process.env.COLOPHON_TEST_MONGODB_URL) {
      [connections, searchEvery, isTimed, mayBeBusy] = [2, 200, false, true];
    }
    articles = isMongo ? 10_000 : roundsOf({ usual: 10_000, long: 1_000_000 });
    cpSync(shippedTypesFolder, newTypes, { recursive: true });
    const file = join(newTypes, 'content/news.graphql');
    const sdl = readFileSync(file, 'utf8')
      .replace('headline: String!', 'title: String! @was(name: "headline")')
      .replace('  name: String!\n  country:', '  label: String! @was(name: "name")\n  country:');
    writeFileSync(file, sdl);
    await fillStore(location.config, articles);
    const environment = { ...environmentOf(location), COLOPHON_TYPES: newTypes };
    const create = [
      'client',
      'create',
      '--name',
      'load',
      '--json',
      '--scope',
      'cma:read',
      '--scope',
      'cma:write',
    ];
    const { clientId, secret } = JSON.parse((await startCommand(create, environment).ended).stdout);
    headers = { 'X-Client-Id': clientId, 'X-Client-Secret': secret, 'Content-Type': 'application/json' };
    serving = await startServing(environment, { timeoutMs: hoursMs });
  }, hoursMs);

  afterAll(async () => {
    await serving?.stop();
    await location.remove();
    rmSync(newTypes, { recursive: true });
  });

  /** Runs a backfill to its end, and kills the first processes that do it. */
  async function backfill(goal: string, toKill: number): Promise<void> {
    const environment = { ...environmentOf(location), PATH: process.env.PATH ?? '' };
    for (let left = toKill; ; ) {
      const run = startCommand([newTypes, goal], environment, { timeoutMs: hoursMs, entry: backfillProcess });
      if (left > 0) {
        const isOver = run.ended.then(() => true);
        while (!run.stdout().includes('"after"')) {
          if (await Promise.race([isOver, setTimeout(50, false)])) break;
        }
        await setTimeout(isLong ? 10_000 * Math.random() : 100);
        run.signal('SIGKILL');
      }
      const { exitCode, stderr } = await run.ended;
      if (exitCode === 0) return;
      if (exitCode === null) {
        left--;
        killed++;
      } else if (!stderr.includes('Another process works on the backfill')) throw new Error(stderr);
      else await setTimeout(retryMs);
    }
  }

  it('loses no value and no request', { timeout: hoursMs }, async () => {
    const load = startLoad({ url: serving.url, headers, articles, connections, searchEvery, mayBeBusy });
    await setTimeout(isLong ? 60_000 : 2_000);
    const before = load.measure();
    const memoryBefore = memoryMb(serving.pid);
    const startedMs = performance.now();
    await backfill('copy', kills);
    await backfill('finish', 0);
    const backfillMs = performance.now() - startedMs;
    const during = load.measure();
    const memoryAfter = memoryMb(serving.pid);
    await load.stop();
    expect(load.problems).toEqual([]);
    await load.checkAll();
    expect(load.problems).toEqual([]);
    const facts = {
      before,
      during,
      repeated: load.repeated(),
      memoryBefore,
      memoryAfter,
      killed,
      backfillMs,
    };
    if (isLong) console.log(JSON.stringify(facts));
    if (isTimed) {
      expect(during.p99Ms).toBeLessThan(2 * before.p99Ms);
      expect(memoryAfter - memoryBefore).toBeLessThan(64);
    }
    const text = await (
      await fetch(`${serving.url}${contents}/${idOf('01', articles - 1)}`, { headers })
    ).text();
    expect(text).not.toContain('headline');
  });
});

const memoryMb = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Reads and writes on many connections; each writes other articles than the rest, and knows what they must have. */
function startLoad({
  url,
  headers,
  articles,
  connections,
  searchEvery,
  mayBeBusy,
}: {
  url: string;
  headers: Record<string, string>;
  articles: number;
  connections: number;
  /** In which of its rounds each connection searches: in one of as many. */
  searchEvery: number;
  /** Whether a request is sent again, as clients do, when the response says that the store is busy. */
  mayBeBusy: boolean;
}) {
  const problems: string[] = [];
  let repeated = 0;
  const titles = new Map<number, string>();
  let times: number[] = [];
  let isRunning = true;

  async function send(method: string, path: string, body?: object) {
    for (;;) {
      const startedMs = performance.now();
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      times.push(performance.now() - startedMs);
      if (response.status === 200) return JSON.parse(text).result;
      const isBusy = mayBeBusy && response.status === 503;
      if (!isBusy) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      repeated++;
      await setTimeout(1_000 * Number(response.headers.get('retry-after')));
    }
  }

  const find = (where: string, value: string, more = '') =>
    send(
      'GET',
      `${contents}?from=${articleType}&where=${encodeURIComponent(where)}&values=${encodeURIComponent(value)}${more}`,
    );

  const titleOf = (n: number) => titles.get(n) ?? articleFields(n).headline;

  function check(n: number, asset: { title?: string; place?: { label?: string } } | undefined): void {
    if (asset?.title !== titleOf(n)) problems.push(`${n}: ${asset?.title} instead of ${titleOf(n)}`);
    if (asset?.place?.label !== 'Bern') problems.push(`${n}: ${JSON.stringify(asset?.place)}`);
  }

  async function work(connection: number): Promise<void> {
    for (let round = 0; isRunning && problems.length < 10; round++) {
      if (pauseMs > 0) await setTimeout(pauseMs * 2 * Math.random());
      const n = connection + connections * ((round * 7_919) % Math.floor(articles / connections));
      const path = `${contents}/${idOf('01', n)}`;
      check(n, await send('GET', path));
      const title = `Title ${n} ${round}`;
      if (round % 4 === 0) {
        titles.set(n, title);
        check(n, await send('PUT', path, { title }));
      }
      if (round % searchEvery !== 0) continue;
      const { items } = await find('title = ?', titleOf(n));
      if (!items.some(({ _id }: { _id: string }) => _id === idOf('01', n)))
        problems.push(`${titleOf(n)} is not found`);
      await find('title > ?', titleOf(n), '&sort=title&limit=5');
    }
  }

  const running = Array.from({ length: connections }, async (_, connection) => {
    try {
      await work(connection);
    } catch (error) {
      problems.push(String(error));
    }
  });

  return {
    problems,
    /** How many requests were sent again. */
    repeated: () => repeated,
    /** The response times since the last call. */
    measure() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      return {
        requests: sorted.length,
        p50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
        p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      };
    },
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
    /** Reads all articles that were written, and some others. */
    async checkAll() {
      const count = roundsOf({ usual: 300, long: 1_000 });
      const others = Array.from({ length: count }, (_, n) => Math.floor((n * articles) / count));
      for (const n of new Set([...titles.keys(), ...others])) {
        check(n, await send('GET', `${contents}/${idOf('01', n)}`));
      }
    },
  };
}
