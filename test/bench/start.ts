/**
 * `node test/bench/start.ts`: what starting costs, with the bundle and with the sources in turns: processor time and memory of a server
 * on SQLite that is ready, its first requests, its memory after 32 connections have sent requests, and the processor time of commands.
 *
 * BENCH_ROUNDS sets the number of rounds (5), BENCH_SECONDS the length of the load (10). It reads `/proc`, so it runs on Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { articleFields, articleType } from './articles.ts';
import { median } from './median.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const forms = { bundle: 'colophon.cjs', sources: 'src/cli/main.ts' } as const;
const commands = [['--help'], ['list-types'], ['export', '--out', '-']];
const contents = '/api/rest/cma/contents';
const headers = { Authorization: 'Bearer bench.bench', 'Content-Type': 'application/json' };
const post = (path: string, body: object) => ({ method: 'POST', path, body: JSON.stringify(body) }) as const;
const create = (n: number) => ({
  action: 'create',
  asset: { _type: articleType, ...articleFields(n), slug: `article-${n}` },
});
const page = `${contents}?from=${articleType}&limit=20`;
/** The search visits enough articles to need a reader thread. */
const firstRequests = [
  {
    name: 'batch of 500',
    ...post(`${contents}/batch`, { operations: Array.from({ length: 500 }, (_, n) => create(n)) }),
  },
  { name: 'list', method: 'GET', path: page },
  {
    name: 'GraphQL',
    ...post('/graphql/delivery', { query: '{ articleList(limit: 10) { items { headline } } }' }),
  },
  { name: 'search', method: 'GET', path: `${page}&where=summary%20matches%20'nowhere'` },
] as const;

type Form = keyof typeof forms;
/** The measured values of one form, by name, each with one value for each round. */
const measured: Record<Form, Map<string, number[]>> = { bundle: new Map(), sources: new Map() };

function add(form: Form, name: string, value: number): void {
  const values = measured[form].get(name) ?? [];
  measured[form].set(name, [...values, value]);
}

function start(form: Form, words: readonly string[], dataDir: string): ChildProcess {
  const environment = {
    ...process.env,
    COLOPHON_DATA_DIR: dataDir,
    COLOPHON_PORT: '0',
    COLOPHON_LOG_LEVEL: 'silent',
    COLOPHON_CLIENT_ID: 'bench',
    COLOPHON_CLIENT_SECRET: 'bench',
  };
  const program = join(import.meta.dirname, '../..', forms[form]);
  return spawn(process.execPath, [program, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The processor times that Linux keeps of a process: its own, and those of its children that have ended. */
function readCpuMs(pid: number | 'self' | undefined): { own: number; ended: number } {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.split(' ').slice(11, 15).map(Number);
  // It counts in hundredths of a second.
  return { own: (user + system) * 10, ended: (endedUser + endedSystem) * 10 };
}

function readMb({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function untilListening(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const [, url] = /listening on (\S+)/.exec(output) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The server did not start: ${output}`);
}

async function measureServer(form: Form, dataDir: string, kind: 'new' | 'existing'): Promise<void> {
  const child = start(form, ['serve'], dataDir);
  const url = await untilListening(child);
  add(form, `ready, ${kind} store, ms`, readCpuMs(child.pid).own);
  add(form, `ready, ${kind} store, MB`, readMb(child));
  if (kind === 'new') {
    for (const request of firstRequests) {
      for (const turn of ['first', 'second'])
        add(form, `${turn} ${request.name}, ms`, await send(child, url, request));
    }
    await autocannon({ url: url + page, connections: 32, duration: seconds, headers });
    add(form, 'after load, MB', readMb(child));
  }
  child.kill();
  await once(child, 'exit');
}

type FirstRequest = (typeof firstRequests)[number];

/** Sends a request and returns the time until its answer is complete, in ms. */
async function send(
  child: ChildProcess,
  url: string,
  { method, path, ...rest }: FirstRequest,
): Promise<number> {
  const startMs = performance.now();
  const body = 'body' in rest ? { body: rest.body } : {};
  const response = await fetch(url + path, { method, headers, ...body });
  const answer = await response.text();
  if (response.status >= 400) {
    child.kill();
    throw new Error(`${path}: ${answer}`);
  }
  return performance.now() - startMs;
}

async function measureCommand(form: Form, words: readonly string[], dataDir: string): Promise<void> {
  const before = readCpuMs('self').ended;
  const child = start(form, words, dataDir);
  const [, [exitCode]] = await Promise.all([child.stdout && text(child.stdout), once(child, 'exit')]);
  if (exitCode !== 0) throw new Error(`${words.join(' ')} failed`);
  add(form, `command ${words[0]}, ms`, readCpuMs('self').ended - before);
}

for (let round = 0; round <= rounds; round++) {
  for (const form of ['bundle', 'sources'] as const) {
    const dataDir = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
    await measureServer(form, dataDir, 'new');
    await measureServer(form, dataDir, 'existing');
    for (const words of commands) await measureCommand(form, words, dataDir);
    rmSync(dataDir, { recursive: true });
    // The first round fills the caches of compiled code.
    if (round === 0) measured[form].clear();
  }
}
console.log('| | bundle | sources |\n| --- | ---: | ---: |');
for (const [name, values] of measured.bundle) {
  const others = measured.sources.get(name) ?? [];
  console.log(`| ${name} | ${median(values).toFixed(0)} | ${median(others).toFixed(0)} |`);
}
