/** Progress output: a bar on a terminal, nothing elsewhere, and none of it in the results. */
import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import type { TestInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { texts, textType } from './content.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { createWorkspace, onServer, run, type Site, type Workspace } from './workspace.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript && process.env.CI === 'true') throw new Error('These tests need script, of util-linux');

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let work: Workspace;
let location: StoreLocation;
let instance: TestInstance;
let proxy: FaultyProxy;
let slow: Site;
beforeEach(async () => {
  work = createWorkspace();
  location = sqliteLocation();
  instance = await work.serve(location);
  proxy = await startFaultyProxy(instance.url, () => sleep(150).then(() => 'pass' as const));
  slow = onServer({ ...instance, url: proxy.url });
});
afterEach(async () => {
  await proxy.stop();
});

/** Runs a command on a terminal of the given width; returns its whole output. */
async function onTerminal(columns: number, words: readonly string[]): Promise<string> {
  const quoted = [process.execPath, commandLine, ...words, ...slow.words]
    .map((word) => `'${word}'`)
    .join(' ');
  const command = ['-qec', `stty cols ${columns}; ${quoted}`, '/dev/null'];
  const env = { ...slow.environment, PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh' };
  return (await promisify(execFile)('script', command, { env })).stdout;
}

it.skipIf(!hasScript).each([80, 30])(
  'on a terminal of %i columns a progress bar is redrawn in one line',
  async (columns) => {
    const seen = await onTerminal(columns, [
      'import',
      work.input(texts(200)),
      '--batch-size',
      '10',
      '--concurrency',
      '1',
    ]);
    const drawn = seen
      .split('\r')
      .flatMap((part) => part.split('\x1b[K').slice(0, -1))
      .filter((part) => part !== '');
    expect(drawn.length).toBeGreaterThan(3);
    expect(drawn.every((line) => line.length < columns && !line.includes('\n'))).toBe(true);
    expect(drawn.at(-1)).toMatch(
      columns > 50 ? /^\[#+-*\] +\d+% {2}\d+ lines {2}\d+\/s/ : /^ +\d+% {2}\d+ lines/,
    );
    expect(seen).toMatch(/\r\x1b\[Kcreated 200, updated 0, failed 0\r\n$/);
  },
);

it.skipIf(!hasScript)('an export on a terminal says how far it is of all', async () => {
  await run('import', onServer(instance), [work.input(texts(300))]);
  const seen = await onTerminal(80, ['export', '--from', textType, '--out', work.path('out')]);
  expect(seen).toMatch(/\d+% {2}\d+ lines/);
  expect(seen).toContain('exported 300 assets');
});

it('without a terminal, nothing shows the progress and standard output has only the result', async () => {
  const outcome = await run('import', slow, [
    work.input(texts(400)),
    '--batch-size',
    '10',
    '--concurrency',
    '1',
  ]);
  expect(outcome.stdout).toBe('created 400, updated 0, failed 0\n');
  expect(outcome.stderr).toMatch(/^colophon: run import-\S+\n$/);
});
