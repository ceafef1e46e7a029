/**
 * `node test/bench/transfer.ts [counts]`: generates assets, imports them into a store, exports them, imports the export into the
 * other store, exports again and compares. Prints seconds, assets per second and peak memory of each process, and the rate of single
 * POSTs.
 *
 * Counts default to 10,000 and 100,000. COLOPHON_TEST_MONGODB_URL names the MongoDB; without it both stores are SQLite.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { articleFields, articleType } from './articles.ts';
import { type Cost, credentials, type Environment, runCommand, serve } from './processes.ts';

const counts = process.argv.slice(2).map(Number);
const sizes = counts.length > 0 ? counts : [10_000, 100_000];
const singles = Number(process.env.BENCH_SINGLES ?? 2000);
const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
const mongodbUrl = process.env.COLOPHON_TEST_MONGODB_URL;

function writeArticles(path: string, count: number): void {
  const file = openSync(path, 'w');
  for (let n = 0; n < count; n++) {
    const _id = `0a5e7000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
    const dates = { 'cms.content.publishDate': n, 'cms.content.updateDate': n };
    writeSync(
      file,
      `${JSON.stringify({ _id, _type: articleType, ...articleFields(n), slug: `a-${n}`, ...dates })}\n`,
    );
  }
  closeSync(file);
}

/** Sends one POST after the other, as a script would; returns assets per second. */
async function loopOverPosts(url: string): Promise<number> {
  const headers = {
    'X-Client-Id': 'bench',
    'X-Client-Secret': 'bench-secret',
    'Content-Type': 'application/json',
  };
  const startedMs = performance.now();
  for (let n = 0; n < singles; n++) {
    const body = JSON.stringify({ _type: articleType, ...articleFields(n), slug: `single-${n}` });
    const response = await fetch(`${url}/api/rest/cma/contents`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  }
  return (singles / (performance.now() - startedMs)) * 1000;
}

const onSqlite = (name: string): Environment => ({ COLOPHON_DATA_DIR: join(folder, name) });

/** The stores to move content through, with their names in the report. */
const stores: readonly (readonly [name: string, place: (name: string) => Environment])[] = [
  ['SQLite', onSqlite],
  mongodbUrl === undefined
    ? ['another SQLite', onSqlite]
    : ['MongoDB', (name: string) => onMongo(name, mongodbUrl)],
];

function onMongo(name: string, address: string): Environment {
  const url = new URL(address);
  url.pathname = `/colophon_bench_${process.pid}_${name}`;
  return { COLOPHON_MONGODB_URL: url.href };
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

function report(what: string, count: number, { seconds, peakMb }: Cost): void {
  const rate = (count / seconds).toFixed(0).padStart(7);
  console.log(
    `${what.padEnd(44)} ${seconds.toFixed(1).padStart(7)} s ${rate}/s ${peakMb.toFixed(0).padStart(5)} MB`,
  );
}

async function move(count: number, way: 'over HTTP' | 'directly'): Promise<void> {
  const path = (name: string) => join(folder, name);
  writeArticles(path('made'), count);
  let file = 'made';
  for (const [store, place] of stores) {
    const environment = place(`${store}-${count}-${way.replace(' ', '-')}`);
    const server = way === 'over HTTP' ? await serve(environment) : undefined;
    const site = server ? ['--url', server.url] : [];
    const variables = { ...environment, ...credentials };
    const on = `${store} ${way}, ${count.toLocaleString('en-US')}`;
    report(`import, ${on}`, count, await runCommand(['import', path(file), ...site], variables));
    const out = `out-${store}`;
    report(
      `export, ${on}`,
      count,
      await runCommand(['export', '--from', articleType, '--out', path(out), ...site], variables),
    );
    if (file !== 'made' && hashOf(path(out)) !== hashOf(path(file)))
      throw new Error(`${out} and ${file} differ`);
    file = out;
    if (server) {
      console.log(
        `${'a loop of single POSTs, '.concat(store).padEnd(54)} ${(await loopOverPosts(server.url)).toFixed(0).padStart(7)}/s`,
      );
      await server.stop();
    }
  }
  console.log(`${count.toLocaleString('en-US')} assets are the same in both stores\n`);
}

try {
  for (const way of ['over HTTP', 'directly'] as const) for (const count of sizes) await move(count, way);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
