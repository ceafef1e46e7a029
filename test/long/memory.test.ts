/**
 * The memory of a server under a mixed load: after the first quarter of the time it grows no more.
 *
 * COLOPHON_LONG_MINUTES sets the time (60).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { articleFields, articleType } from '../bench/articles.ts';
import { fillStore } from '../bench/fill-store.ts';
import { median } from '../bench/median.ts';
import { benchRoutes } from '../bench/routes.ts';
import { environmentOf, type ServingProcess, startCommand, startServing } from '../support/command-line.ts';
import { sqliteLocation } from '../support/stores.ts';
import { startMixedLoad } from './mixed-load.ts';

const minutes = Number(process.env.COLOPHON_LONG_MINUTES ?? 60);
const durationMs = minutes * 60_000;
/** The greatest time of the drill, with what it does before and after. */
const timeoutMs = durationMs + 600_000;
const perSecond = 150;
const articles = 20_000;
const imported = 2_000;
/** How often content is imported and exported in the whole time. */
const transfers = 8;
/** How much more the server may have in the last quarter than in the second one. */
const maxGrowthMb = 16;
const location = sqliteLocation();
const importFile = join(location.config.dataDir, 'import.ndjson');
let environment = environmentOf(location);
let headers: Record<string, string>;
let serving: ServingProcess;

beforeAll(async () => {
  await fillStore(location.config.dataDir, articles);
  const lines = Array.from({ length: imported }, (_, n) =>
    JSON.stringify({ _type: articleType, ...articleFields(n), slug: `imported-${n}` }),
  );
  writeFileSync(importFile, lines.join('\n'));
  const scopes = ['cma:read', 'cma:write', 'history', 'graphql', 'admin'].flatMap((name) => [
    '--scope',
    name,
  ]);
  const words = ['client', 'create', '--name', 'load', '--json', ...scopes];
  const { clientId, secret } = JSON.parse((await startCommand(words, environment).ended).stdout);
  headers = { 'X-Client-Id': clientId, 'X-Client-Secret': secret };
  environment = { ...environment, COLOPHON_CLIENT_ID: clientId, COLOPHON_CLIENT_SECRET: secret };
  serving = await startServing(environment, { timeoutMs });
  await publishRoutes();
});

async function publishRoutes(): Promise<void> {
  const path = `${serving.url}/api/admin/rest-endpoints`;
  const mappings = Object.entries(benchRoutes).map(([name, route]) => ({ name, ...route }));
  const body = { name: 'Load', pathPrefix: '/api/load', source: 'delivery', access: 'ANYONE', mappings };
  const post = (url: string, sent: object) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(sent),
    });
  const created = await post(path, body);
  const { id } = (await created.json()) as { id: string };
  const published = await post(`${path}/${id}/publish`, {});
  expect([created.status, published.status]).toEqual([201, 200]);
}

const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Imports the same articles each time, and exports all. */
async function transfer(): Promise<void> {
  const server = ['--url', serving.url];
  const again = ['--mode', 'upsert', '--by', 'slug', '--restart'];
  for (const words of [
    ['import', importFile, ...again, ...server],
    ['export', '--from', articleType, '--out', `${importFile}.out`, ...server],
  ]) {
    const { exitCode, stderr } = await startCommand(words, environment, { timeoutMs }).ended;
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
  }
}

/** Transfers content from time to time until the time is over. */
async function transferOften(untilMs: number): Promise<void> {
  for (let n = 0; performance.now() < untilMs; n++) {
    await transfer();
    await wait(Math.max(0, untilMs - ((transfers - n - 1) / transfers) * durationMs - performance.now()));
  }
}

/** Measures the memory every second. */
async function measure(untilMs: number): Promise<number[]> {
  const measured: number[] = [];
  while (performance.now() < untilMs) {
    measured.push(memoryMb());
    await wait(1_000);
  }
  return measured;
}

it(
  `does not grow by more than ${maxGrowthMb} MB after the first quarter of ${minutes} minutes`,
  async () => {
    const load = startMixedLoad({ url: serving.url, headers, mapped: '/api/load', articles }, perSecond);
    const untilMs = performance.now() + durationMs;
    const [measured] = await Promise.all([measure(untilMs), transferOften(untilMs)]);
    await load.stop();
    const quarters = [0, 1, 2, 3].map((n) =>
      median(measured.slice((n * measured.length) / 4, ((n + 1) * measured.length) / 4)),
    );
    console.log(`${load.responses()} responses; MB: ${quarters.map((mb) => mb.toFixed(0)).join(', ')}`);
    // A busy machine handles fewer than are due.
    expect(load.responses()).toBeGreaterThan((durationMs / 1000) * perSecond * 0.1);
    expect((quarters[3] ?? 0) - (quarters[1] ?? 0)).toBeLessThan(maxGrowthMb);
  },
  timeoutMs,
);
