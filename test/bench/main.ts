/**
 * `npm run bench`: compares requests per second over 10,000 articles: the CMA and mapped routes with plain Express routes that
 * make the same store calls, mapped routes with their GraphQL endpoint, and batches with single requests (in assets per second).
 * Then it compares writes with and without the change log (`change-log.ts`).
 * Machines differ and are noisy, so read the ratios. Rounds alternate between the two contenders; the median round counts.
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
import { readTypeSources, shippedTypesFolder } from '../../src/model/types/type-sources.ts';
import { openStore } from '../../src/store/open-store.ts';
import { article, articleFields, articleType } from './articles.ts';
import { compareChangeLog } from './change-log.ts';
import { median } from './median.ts';
import { type BenchRoute, benchRoutes } from './routes.ts';

interface Subject {
  readonly process: ChildProcess;
  readonly url: string;
  readonly headers: Record<string, string>;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

/** A server and the requests to send to it; `n` is the number of the request. */
interface Contender {
  readonly name: string;
  readonly subject: 'colophon' | 'bare';
  /** The number of assets in one request, when the result counts assets. */
  readonly assets?: number;
  /** The number of concurrent requests. */
  readonly connections?: number;
  request(n: number): Request;
}

/** Two contenders for the same work; the ratio is first to second. */
interface Case {
  readonly name: string;
  readonly contenders: readonly [Contender, Contender];
}

const assetCount = 10_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const connections = 32;
const ids = Array.from({ length: assetCount }, () => randomIds.assetId());
const idOf = (n: number) => ids[(n * 7919) % assetCount] ?? '';
const headlineOf = (n: number) => encodeURIComponent(`Headline ${(n * 7919) % assetCount}`);
const tagOf = (n: number) => `tag-${(n * 7919) % 50}`;

/** Compares the CMA with a plain route under the same path. */
function cmaCase(
  name: string,
  request: (n: number, from: string) => Request,
  bare: { name: string; base: string } = { name: 'bare', base: '/contents' },
): Case {
  const below = (base: string, { path, ...rest }: Request) => ({ ...rest, path: base + path });
  return {
    name,
    contenders: [
      {
        name: 'CMA',
        subject: 'colophon',
        request: (n) => below('/api/rest/cma/contents', request(n, `from=${articleType}&`)),
      },
      { name: bare.name, subject: 'bare', request: (n) => below(bare.base, request(n, '')) },
    ],
  };
}

const newArticle = (n: number) => ({ _type: articleType, ...articleFields(1e6 + n), slug: `new-${n}` });

const create = (n: number): Request => ({ method: 'POST', path: '', body: newArticle(n) });
const update = (n: number): Request => ({
  method: 'PUT',
  path: `/${idOf(n)}`,
  body: { summary: `Changed ${n}` },
});
/** Writes the same rows with plain SQL, one transaction for each request. */
const direct = { name: 'direct', base: '/direct' };

/** Compares sequential batches with sequential single requests, by the assets they create. */
function batchCase(size: number): Case {
  const path = '/api/rest/cma/contents';
  const operationsOf = (n: number) =>
    Array.from({ length: size }, (_, m) => ({ action: 'create', asset: newArticle(1e9 + n * size + m) }));
  return {
    name: `create in batches of ${size}`,
    contenders: [
      {
        name: 'batch',
        subject: 'colophon',
        assets: size,
        connections: 1,
        request: (n) => ({ method: 'POST', path: `${path}/batch`, body: { operations: operationsOf(n) } }),
      },
      {
        name: 'loop',
        subject: 'colophon',
        connections: 1,
        request: (n) => ({ method: 'POST', path, body: newArticle(5e8 + n) }),
      },
    ],
  };
}

/** Compares a mapped route with its operation at the GraphQL endpoint, and with a plain route. */
function routeCases({ name, query, path, variable, valueFor }: MappedRead): Case[] {
  const get = (base: string) => (n: number) =>
    ({ method: 'GET', path: `${base}${path}?${variable}=${valueFor(n)}` }) as const;
  const mapped: Contender = { name: 'mapped', subject: 'colophon', request: get('/api/bench') };
  const graphql: Contender = {
    name: 'GraphQL',
    subject: 'colophon',
    request: (n) => ({
      method: 'POST',
      path: '/graphql/delivery',
      body: { query, variables: { [variable]: valueFor(n) } },
    }),
  };
  const bare: Contender = { name: 'bare', subject: 'bare', request: get('/mapped') };
  return [
    { name, contenders: [mapped, graphql] },
    { name, contenders: [mapped, bare] },
  ];
}

interface MappedRead extends BenchRoute {
  readonly name: string;
  readonly variable: string;
  valueFor(n: number): string;
}

const cases: readonly Case[] = [
  cmaCase('get by id', (n) => ({ method: 'GET', path: `/${idOf(n)}` })),
  cmaCase('filtered list', (n, from) => ({
    method: 'GET',
    path: `?${from}where=headline%20%3D%20%3F&values=${headlineOf(n)}`,
  })),
  cmaCase('page at offset 5,000', (_n, from) => ({ method: 'GET', path: `?${from}offset=5000` })),
  cmaCase('create', create),
  cmaCase('create, plain SQL', create, direct),
  batchCase(500),
  cmaCase('update', update),
  cmaCase('update, plain SQL', update, direct),
  ...routeCases({ ...benchRoutes.byId, name: 'mapped get by id', variable: 'id', valueFor: idOf }),
  ...routeCases({ ...benchRoutes.byTag, name: 'mapped list of 10', variable: 'tag', valueFor: tagOf }),
].filter(({ name }) => name.includes(process.env.BENCH_ONLY ?? ''));

const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
const subjects = new Map<string, Subject>();
try {
  if (cases.length > 0) await startSubjects();
  for (const one of cases) await compare(one);
  await compareChangeLog({ rounds, only: process.env.BENCH_ONLY ?? '' });
} finally {
  for (const subject of subjects.values()) subject.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function startSubjects(): Promise<void> {
  await load(join(folder, 'colophon'));
  cpSync(join(folder, 'colophon'), join(folder, 'bare'), { recursive: true });
  for (const kind of ['colophon', 'bare'] as const) subjects.set(kind, await start(kind));
  console.log('requests per second       first            second           ratio');
}

async function load(dataDir: string): Promise<void> {
  const catalog = storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(shippedTypesFolder)));
  const store = await openStore({ dataDir, catalog, logger: silentLogger });
  await store.prepare();
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

async function compare({ name, contenders }: Case): Promise<void> {
  const [first, second] = contenders;
  const rates: { first: number; second: number }[] = [];
  // The first round is a warm-up and does not count. The contenders take turns to go first, since a machine's speed drifts.
  for (let round = 0; round <= rounds; round++) {
    const measured = new Map<Contender, number>();
    for (const contender of round % 2 === 0 ? [first, second] : [second, first]) {
      measured.set(contender, await measure(contender, round));
    }
    const pair = { first: measured.get(first) ?? 0, second: measured.get(second) ?? 0 };
    if (round > 0) rates.push(pair);
  }
  const ratio = median(rates.map((pair) => pair.first / pair.second));
  const shown = (contender: Contender, numbers: readonly number[]) =>
    `${contender.name.padEnd(8)} ${median(numbers).toFixed(0).padStart(6)}`;
  const columns = [
    name.padEnd(22),
    shown(
      first,
      rates.map((pair) => pair.first),
    ),
    shown(
      second,
      rates.map((pair) => pair.second),
    ),
    ratio.toFixed(2),
  ];
  console.log(columns.join('  '));
}

async function measure(contender: Contender, round: number): Promise<number> {
  const subject = subjects.get(contender.subject);
  if (!subject) throw new Error(`no server ${contender.subject}`);
  let n = round * 1_000_000;
  const headers = { ...subject.headers, 'Content-Type': 'application/json' };
  const result = await autocannon({
    url: subject.url,
    connections: contender.connections ?? connections,
    duration: seconds,
    headers,
    requests: [
      {
        setupRequest(request) {
          const { method, path, body } = contender.request(n++);
          return { ...request, method, path, ...(body ? { body: JSON.stringify(body) } : {}) };
        },
      },
    ],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${contender.name}: ${result.non2xx} answers not 2xx, ${result.errors} errors`);
  return (result['2xx'] * (contender.assets ?? 1)) / result.duration;
}
