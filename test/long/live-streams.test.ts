/** 2,000 live streams of 20 queries: what they add to the memory of a server, while all of them are sent what is written. */
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, runCommand, type ServingProcess, startServing } from '../support/command-line.ts';
import { type StoreLocation, sqliteLocation } from '../support/stores.ts';

const text = 'com.colophon.cms.db.Text';
const streams = 2_000;
const queries = 20;
const cma = '/api/rest/cma/contents';

let location: StoreLocation;
let serving: ServingProcess;
let headers: Record<string, string>;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

beforeAll(async () => {
  location = sqliteLocation();
  const scopes = ['cma:read', 'cma:write'].flatMap((scope) => ['--scope', scope]);
  const words = ['client', 'create', '--name', 'tester', ...scopes, '--json'];
  const { stdout } = await runCommand(words, environmentOf(location));
  const { clientId, secret } = JSON.parse(stdout);
  headers = { 'X-Client-Id': clientId, 'X-Client-Secret': secret, 'Content-Type': 'application/json' };
  const settings = { COLOPHON_MAX_STREAMS: String(streams), COLOPHON_LOG_LEVEL: 'error' };
  serving = await startServing({ ...environmentOf(location), ...settings });
});
afterAll(async () => {
  agent.destroy();
  serving.signal('SIGKILL');
  await serving.ended;
});

const residentMB = () => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_000;
};

async function write(count: number, name: string): Promise<void> {
  const operations = Array.from({ length: count }, (_, n) => ({
    action: 'create',
    asset: { _type: text, name: `${name} ${n}`, text: 'x'.repeat(1_000) },
  }));
  const body = JSON.stringify({ operations });
  const response = await fetch(`${serving.url}${cma}/batch`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ status: 'ok', result: { failed: 0 } });
}

/** Opens a stream; returns a function that tells how many assets it has got. */
async function open(query: number): Promise<() => number> {
  const parameters = new URLSearchParams({
    from: text,
    where: `name startsWith 'Sent' and name != '${query}'`,
  });
  const given = { ...headers, Accept: 'text/event-stream' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(`${serving.url}${cma}/changes?${parameters}`, { agent, headers: given }, resolve);
    request.once('error', reject);
  });
  expect(response.statusCode).toBe(200);
  let count = 0;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    count += chunk.split('"op":"put"').length - 1;
  });
  response.on('error', () => {});
  return () => count;
}

it('take less than 100 MB together', async () => {
  // The server has done what it does at first.
  for (let n = 0; n < 20; n++) await write(100, 'Former');
  const before = residentMB();
  const counts: (() => number)[] = [];
  for (let n = 0; n < streams; n++) counts.push(await open(n % queries));
  await write(20, 'Sent');
  await expect.poll(() => Math.min(...counts.map((count) => count()))).toBe(20);
  const opened = residentMB();
  for (let n = 0; n < 5; n++) {
    await write(20, 'Sent');
    await sleep(1_000);
  }
  await expect.poll(() => Math.min(...counts.map((count) => count()))).toBe(120);
  const after = residentMB();
  console.log(JSON.stringify({ before, opened, after, forEachKB: ((after - before) / streams) * 1_000 }));
  expect(Math.max(opened, after) - before).toBeLessThan(100);
});
