/**
 * `npm run bench`: requests per second of the CMA next to bare Express routes that make the same store calls by hand, over
 * 10,000 articles, in one run. Machines differ and are noisy; the ratio is what to read. Rounds alternate between the two, and
 * the median round counts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { loadTypes } from '../../src/model/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/model/type-sources.ts';
import { openStore } from '../../src/store/open-store.ts';
import { article, articleFields, articleType } from './articles.ts';

interface Subject {
  readonly process: ChildProcess;
  readonly url: string;
  readonly headers: Record<string, string>;
}

interface Case {
  readonly name: string;
  /** The `n`-th request, relative to the subject's URL. */
  request(n: number, isBare: boolean): { method: 'GET' | 'POST' | 'PUT'; path: string; body?: object };
}

const assetCount = 10_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const connections = 32;
const ids = Array.from({ length: assetCount }, () => randomIds.assetId());
const idOf = (n: number) => ids[(n * 7919) % assetCount] ?? '';

const cases: readonly Case[] = [
  { name: 'get by id', request: (n) => ({ method: 'GET', path: `/${idOf(n)}` }) },
  {
    name: 'filtered list',
    request: (n, isBare) => {
      const values = `values=${encodeURIComponent(`Headline ${(n * 7919) % assetCount}`)}`;
      const query = isBare ? values : `from=${articleType}&where=headline%20%3D%20%3F&${values}`;
      return { method: 'GET', path: `?${query}` };
    },
  },
  {
    name: 'page at offset 5,000',
    request: (_n, isBare) => ({ method: 'GET', path: `?${isBare ? '' : `from=${articleType}&`}offset=5000` }),
  },
  {
    name: 'create',
    request: (n) => ({
      method: 'POST',
      path: '',
      body: { _type: articleType, ...articleFields(1e6 + n), slug: `new-${n}` },
    }),
  },
  {
    name: 'update',
    request: (n) => ({ method: 'PUT', path: `/${idOf(n)}`, body: { summary: `Changed ${n}` } }),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
const subjects: Subject[] = [];
try {
  await load(join(folder, 'colophon'));
  cpSync(join(folder, 'colophon'), join(folder, 'bare'), { recursive: true });
  subjects.push(await start('colophon'), await start('bare'));
  for (const one of cases) await compare(one);
} finally {
  for (const subject of subjects) subject.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function load(dataDir: string): Promise<void> {
  const catalog = storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(shippedTypesFolder)));
  const store = await openStore({ dataDir, catalog, logger: silentLogger });
  await Promise.all(
    ids.map((id, n) => store.insert({ asset: article(n, id), version: randomIds.version() })),
  );
  await store.close();
}

async function start(kind: 'colophon' | 'bare'): Promise<Subject> {
  const child = fork(join(import.meta.dirname, 'subject.ts'), [kind, join(folder, kind)]);
  const [{ url, headers }] = await once(child, 'message');
  return { process: child, url, headers };
}

async function compare(one: Case): Promise<void> {
  const [colophon, bare] = subjects;
  if (!colophon || !bare) throw new Error('a server is missing');
  const rates: { colophon: number; bare: number }[] = [];
  // The first round warms both up and does not count. The two take turns at going first, since a machine's speed drifts.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? [colophon, bare] : [bare, colophon];
    const measured = new Map<Subject, number>();
    for (const subject of order) measured.set(subject, await measure(one, subject, round));
    const pair = { colophon: measured.get(colophon) ?? 0, bare: measured.get(bare) ?? 0 };
    if (round > 0) rates.push(pair);
  }
  const [mine, theirs, ratio] = [
    median(rates.map((pair) => pair.colophon)),
    median(rates.map((pair) => pair.bare)),
    median(rates.map((pair) => pair.colophon / pair.bare)),
  ];
  const row = [
    one.name.padEnd(22),
    mine.toFixed(0).padStart(8),
    theirs.toFixed(0).padStart(8),
    ratio.toFixed(2).padStart(7),
  ];
  if (one === cases[0]) console.log('requests per second    Colophon     bare   ratio');
  console.log(row.join(' '));
}

async function measure(one: Case, subject: Subject, round: number): Promise<number> {
  const isBare = subject === subjects[1];
  let n = round * 1_000_000;
  const headers = { ...subject.headers, 'Content-Type': 'application/json' };
  const { pathname } = new URL(subject.url);
  const base = pathname === '/' ? '' : pathname;
  const result = await autocannon({
    url: subject.url,
    connections,
    duration: seconds,
    headers,
    requests: [
      {
        setupRequest(request) {
          const { method, path, body } = one.request(n++, isBare);
          const full = base + path;
          const target = full.startsWith('/') ? full : `/${full}`;
          return { ...request, method, path: target, ...(body ? { body: JSON.stringify(body) } : {}) };
        },
      },
    ],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${one.name}: ${result.non2xx} answers not 2xx, ${result.errors} errors`);
  return result['2xx'] / result.duration;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
