/** Two concurrent imports of one file, in separate processes: no line fails, and each asset exists once. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../support/command-line.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { author, authorType, type LineAsset } from './content.ts';
import {
  createWorkspace,
  namesAt,
  onStore,
  type Site,
  start,
  summaryOf,
  type Workspace,
} from './workspace.ts';

const count = 150;

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let work: Workspace;
let location: StoreLocation;
let servers: ServingProcess[];
beforeEach(() => {
  work = createWorkspace();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

/** An author without an `_id`, identified by its slug. */
function withSlug(n: number): LineAsset {
  const { _id, ...rest } = author(n);
  return rest;
}

/** Starts two servers on the store, one for each import. */
async function serveTwice(): Promise<Site[]> {
  const credentials = { COLOPHON_CLIENT_ID: 'importer', COLOPHON_CLIENT_SECRET: 'secret' };
  const environment = { ...environmentOf(location), ...credentials, COLOPHON_LOG_LEVEL: 'error' };
  // The first server creates the API client.
  servers = [await startServing(environment), await startServing(environment)];
  return servers.map(({ url }) => ({ environment: credentials, words: ['--url', url] }));
}

/** Writes the same content into all pipes as soon as each has a reader. */
async function feedAtOnce(pipes: readonly string[], content: Uint8Array): Promise<void> {
  const opened = await Promise.all(pipes.map((pipe) => open(pipe, 'w')));
  await Promise.all(opened.map((pipe) => pipe.writeFile(content)));
  await Promise.all(opened.map((pipe) => pipe.close()));
}

describeOnEachStore('two concurrent imports', (locations) => {
  it.each([
    ['by a unique field, over HTTP', 'slug', true],
    ['by _id, directly', '_id', false],
  ])('upsert every line %s', async (_name, by, isServed) => {
    location = locations();
    const sites = isServed ? await serveTwice() : [onStore(location), onStore(location)];
    const lines = Array.from({ length: count }, (_, n) => (by === '_id' ? author(n) : withSlug(n)));
    const pipes = sites.map((_, n) => work.path(`pipe-${n}`));
    for (const pipe of pipes) execFileSync('mkfifo', [pipe]);
    const imports = sites.map((site, n) => {
      const files = ['--journal', work.path(`journal-${n}`), '--report', work.path(`report-${n}`)];
      const mode = ['--mode', 'upsert', '--by', by, '--batch-size', '25', '--json'];
      return start('import', site, [pipes[n] ?? '', ...mode, ...files]).ended;
    });
    await feedAtOnce(pipes, readFileSync(work.input(lines)));
    const outcomes = await Promise.all(imports);
    expect(outcomes.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, expect.any(String)],
      [0, expect.any(String)],
    ]);
    const summaries = outcomes.map(summaryOf);
    expect(summaries.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(summaries.reduce((sum, { created }) => sum + created, 0)).toBe(count);
    const names = lines.map(({ name }) => String(name)).toSorted();
    expect(await namesAt(sites[0] ?? onStore(location), authorType)).toEqual(names);
  });
});
