/**
 * Compares writes of servers with and without followers, 200 live streams of one query and 20 webhooks, by processor time. The servers
 * take turns within each round, so that drifts of the machine's speed affect all alike; each has its own store.
 *
 * What is sent to followers is counted apart: in one server they follow other articles, so that every write is examined for each of them
 * and nothing is sent; in another one they follow all writes, and a second process on the same store serves them, so that the processor
 * time of the first one is what the writes take themselves.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { articleFields, articleType, idOf } from '../articles.ts';
import { measureLoad } from '../measure-load.ts';
import { median } from '../median.ts';
import type { Row } from '../rows.ts';
import { type Server, startServer } from '../servers/start-server.ts';
import { type Followers, startFollowers } from './start-followers.ts';

const followers = { streams: 200, webhooks: 20 } as const;
/** None of the articles that are written. */
const none = "status = 'REVIEW'";
const updated = 2_000;

/** A server that takes writes, and the process that serves its followers, if it is another one. */
interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly sender?: Server;
  readonly attached?: Followers;
}

const cma = '/api/rest/cma/contents';
const newArticle = (n: number, slug = `row-${n}`) => ({
  _type: articleType,
  ...articleFields(n),
  readingMinutes: n % 1_000,
  slug,
});
const rows: readonly Pick<Row, 'name' | 'colophon'>[] = [
  { name: 'followers: create', colophon: (n) => ({ method: 'POST', path: cma, body: newArticle(n) }) },
  {
    name: 'followers: update',
    colophon: (n) => ({
      method: 'PUT',
      path: `${cma}/${idOf('01', n % updated)}`,
      body: { summary: `Changed ${n}` },
    }),
  },
];

/** What to compare. */
export interface FollowersComparison {
  readonly rounds: number;
  readonly seconds: number;
  readonly isChosen: (row: { readonly name: string }) => boolean;
}

/** Prints a line for each kind of write: processor time for each, in µs, and its ratio to a server without followers. */
export async function compareFollowers({ rounds, seconds, isChosen }: FollowersComparison): Promise<void> {
  const chosen = rows.filter(isChosen);
  if (chosen.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const contenders: Contender[] = [];
  try {
    contenders.push({ name: 'no followers', server: await startServer('colophon', join(folder, 'none')) });
    contenders.push(
      await startFollowed(join(folder, 'followed'), { name: 'followers of other articles', where: none }),
    );
    contenders.push(await startApart(join(folder, 'apart')));
    for (const { server } of contenders) await createArticles(server);
    console.log(
      `\n| Write, µs | ${contenders.map(({ name }) => name).join(' | ')} |\n| --- |${' ---: |'.repeat(contenders.length)}`,
    );
    for (const row of chosen) {
      const measured = await measureRow({ ...row, bare: row.colophon }, contenders, { rounds, seconds });
      console.log(`| ${[row.name, ...toCells(measured, contenders.length)].join(' | ')} |`);
    }
  } finally {
    for (const { server, sender, attached } of contenders)
      for (const each of [server, sender, attached]) each?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server that serves its followers itself. */
async function startFollowed(
  dataDir: string,
  { name, where }: { name: string; where: string },
): Promise<Contender> {
  const server = await startServer('colophon', dataDir);
  return { name, server, attached: await startFollowers(server, { ...followers, where }) };
}

/** Starts a server whose followers, of every write, are served by a second process. */
async function startApart(dataDir: string): Promise<Contender> {
  // It has the lease of the webhooks before the other one starts, because the first article is delivered.
  const sender = await startServer('colophon', dataDir);
  const attached = await startFollowers(sender, followers);
  await send(sender, { method: 'POST', path: cma, body: newArticle(0, 'first') });
  while ((await attached.received()).deliveries < followers.webhooks) await sleep(50);
  const server = await startServer('further', dataDir);
  return { name: 'followers in another process', server, sender, attached };
}

/** Creates the articles that updates change. */
async function createArticles(server: Server): Promise<void> {
  const create = (n: number) => ({
    action: 'create',
    asset: { ...newArticle(n, `updated-${n}`), _id: idOf('01', n) },
  });
  for (let first = 0; first < updated; first += 500) {
    const operations = Array.from({ length: 500 }, (_, n) => create(first + n));
    await send(server, { method: 'POST', path: `${cma}/batch`, body: { operations } });
  }
}

/** Measures rounds; returns the processor time of each contender in each. */
async function measureRow(
  row: Row,
  contenders: readonly Contender[],
  { rounds, seconds }: Omit<FollowersComparison, 'isChosen'>,
): Promise<readonly (readonly number[])[]> {
  const measured: number[][] = [];
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const times = contenders.map(() => Number.NaN);
    const places = contenders.map((_, turn) => (turn + round) % contenders.length);
    for (const place of places) {
      const server = contenders[place]?.server;
      const first = (round + 1) * 1_000_000;
      if (server)
        times[place] = (await measureLoad({ server, row, request: row.colophon, seconds, first })).cpuUs;
    }
    if (round > 0) measured.push(times);
  }
  return measured;
}

/** The median time of each contender, and the median of its ratios to the first one. */
function toCells(measured: readonly (readonly number[])[], count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const time = median(measured.map((times) => times[place] ?? Number.NaN));
    const ratio = median(measured.map((times) => (times[place] ?? Number.NaN) / (times[0] ?? Number.NaN)));
    return place === 0 ? time.toFixed(0) : `${time.toFixed(0)} (${ratio.toFixed(2)})`;
  });
}

async function send(server: Server, { method, path, body }: { method: string; path: string; body: object }) {
  const headers = { ...server.headers, 'Content-Type': 'application/json' };
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
}
