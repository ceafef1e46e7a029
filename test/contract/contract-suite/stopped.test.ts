/** A contract run that is interrupted, or whose output pipe closes, deletes the assets it has created. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commandLine, startCommand } from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { recipeTypes } from './hostile-types.ts';
import { environmentFor, readAssets, runContractCommand } from './run.ts';
import { parseTap } from './tap.ts';

const types = makeOwnTypesFolder(recipeTypes);
let instance: TestInstance;
let before: unknown;
let environment: Record<string, string>;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { typesDir: types });
  before = await readAssets(instance);
  environment = { ...environmentFor(instance.headers), COLOPHON_TYPES: types };
});

it('cleans up after Ctrl-C, even pressed twice, reports the interruption and exits with 1', async () => {
  const run = startCommand(['contract', instance.url], environment);
  while (!run.stdout().includes('\nok 40 ')) await setTimeout(10);
  expect(await readAssets(instance)).not.toEqual(before);
  // Once as from a terminal, and once more as from the parent process.
  run.signal('SIGINT');
  run.signal('SIGINT');
  const { exitCode, stdout, stderr } = await run.ended;
  const { bailOut, points, plan } = parseTap(stdout, (block) => parse(block));
  expect([exitCode, bailOut, points.length]).toEqual([1, 'interrupted', plan]);
  expect(stderr.match(/stopping; deleting what the run created/g)).toHaveLength(1);
  expect(await readAssets(instance)).toEqual(before);
});

it('cleans up when its output pipe closes, as with head', async () => {
  const child = spawn(process.execPath, [commandLine, 'contract', instance.url], {
    cwd: tmpdir(),
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  while (JSON.stringify(await readAssets(instance)) === JSON.stringify(before)) await setTimeout(10);
  child.stdout.destroy();
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(1);
  expect(await readAssets(instance)).toEqual(before);
});

it.each([
  [['--only', 'getAssets'], /there is no operation "getAssets"; the operations are queryAssets, /],
  [['--only', 'listTypes'], /there is no operation "listTypes"/],
  [['--document', 'package.json'], /package.json cannot be read: ENOENT/],
  [['--document', 'http://127.0.0.1:1/'], /http:\/\/127.0.0.1:1\/ cannot be read: fetch failed/],
])('exits with 2 before it starts on wrong usage: %j', async (words, reason) => {
  const run = await runContractCommand([instance.url, ...words], environment);
  expect([run.exitCode, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toMatch(reason);
});
