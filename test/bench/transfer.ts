/**
 * `node test/bench/transfer.ts [counts]`: generates assets, imports them into a store, exports them, imports the export into the
 * other store, exports again and compares. Prints seconds, assets per second and peak memory of each process, and the rate of single
 * POSTs.
 *
 * Counts default to 10,000 and 100,000. COLOPHON_TEST_MONGODB_URL names the MongoDB; without it both stores are SQLite.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { articleFields, articleType } from './articles.ts';

const counts = process.argv.slice(2).map(Number);
const sizes = counts.length > 0 ? counts : [10_000, 100_000];
const singles = Number(process.env.BENCH_SINGLES ?? 2000);
const main = join(import.meta.dirname, '../../colophon.cjs');
const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
const mongodbUrl = process.env.COLOPHON_TEST_MONGODB_URL;
const credentials = { COLOPHON_CLIENT_ID: 'bench', COLOPHON_CLIENT_SECRET: 'bench-secret' };

type Environment = Record<string, string>;

/** The time and memory a process used. */
interface Cost {
  readonly seconds: number;
  readonly peakMb: number;
}

/** Runs a command to its end and samples its memory. */
async function runCommand(words: readonly string[], environment: Environment): Promise<Cost> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [main, ...words], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'exit');
  let peakMb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, readPeak(child.pid));
    await Promise.race([ended, sleep(20)]);
  }
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')}: ${errors}`);
  return { seconds: (performance.now() - startedMs) / 1000, peakMb };
}

/** Returns the peak memory of a process so far, in MB. */
function readPeak(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

async function serve(environment: Environment) {
  const settings = { ...environment, ...credentials, COLOPHON_PORT: '0', COLOPHON_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [main, 'serve'], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  while (!/listening on (\S+)/.test(output)) await sleep(20);
  const url = /listening on (\S+)/.exec(output)?.[1] ?? '';
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url, stop };
}

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
