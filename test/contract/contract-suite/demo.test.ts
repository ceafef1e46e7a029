/** The command of docs/contract-tests.md on fresh demos, and the suite for clients with each set of scopes: what a client may not do is skipped. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scope, scopes } from '../../../src/access/clients/scopes.ts';
import { packageRoot } from '../../../src/base/package-root.ts';
import { demoTypesFolder } from '../../../src/cli/demo/demo-types.ts';
import { type ServingProcess, startCommand, untilListening } from '../../support/command-line.ts';
import { codeBlocksOf } from '../../support/markdown.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { runContractCommand } from './run.ts';

const folder = temporaryFolder();
const demos: ServingProcess[] = [];
afterAll(async () => {
  for (const demo of demos) await demo.stop();
});

/** Starts a demo in a new folder. */
async function startDemo(): Promise<ServingProcess> {
  const cwd = mkdtempSync(join(folder, 'demo-'));
  const demo = await untilListening(startCommand(['demo'], { COLOPHON_PORT: '0' }, { cwd }));
  demos.push(demo);
  return demo;
}

const [documented = ''] = codeBlocksOf(readFileSync(join(packageRoot, 'docs/contract-tests.md'), 'utf8'))
  .map(({ text }) => text.trim())
  .filter((text) => text.includes(' contract '));

it('the command of the guide passes on a fresh demo', async () => {
  const { url } = await startDemo();
  expect(documented).toContain('http://127.0.0.1:4000 --types src/cli/demo/types --junit contract.xml');
  const junit = join(folder, 'contract.xml');
  const command = documented.replace('http://127.0.0.1:4000', url).replace('contract.xml', junit);
  const shell = { cwd: packageRoot, maxBuffer: 100_000_000 };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], shell);
  expect(stdout).toMatch(/^# \d{4,} passed, 0 failed, \d+ skipped$/m);
  expect(readFileSync(junit, 'utf8')).toContain('failures="0"');
});

describe('a client with some scopes', () => {
  let demo: ServingProcess;
  beforeAll(async () => {
    demo = await startDemo();
  });

  const asDemo = { COLOPHON_CLIENT_ID: 'demo', COLOPHON_CLIENT_SECRET: 'demo' };

  async function runAs(some: readonly Scope[], environment: Record<string, string> = {}) {
    const response = await fetch(`${demo.url}/api/admin/api-clients`, {
      method: 'POST',
      headers: { 'X-Client-Id': 'demo', 'X-Client-Secret': 'demo', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: some.join(' and '), scopes: some }),
    });
    const { client, secret } = Object(await response.json());
    const credentials = { COLOPHON_CLIENT_ID: client.clientId, COLOPHON_CLIENT_SECRET: secret };
    const run = await runContractCommand([demo.url, '--types', demoTypesFolder], {
      ...asDemo,
      ...credentials,
      ...environment,
    });
    const { points, bailOut } = run.tap();
    const skipped = points.flatMap((point) => point.skipped ?? []);
    const failed = points.filter(({ ok }) => !ok).map(({ description }) => description);
    return { exitCode: run.exitCode, bailOut, failed, skipped, count: points.length };
  }

  it.each(scopes.map((scope) => [scope]))('%s alone is told which scopes the suite needs', async (scope) => {
    const { exitCode, bailOut, failed, count } = await runAs([scope]);
    expect(bailOut).toMatch(
      /^(GET|DELETE) \S+ refuses the client with status 403: the suite needs one with the scopes cma:read and cma:write$/,
    );
    expect([exitCode, failed, count]).toEqual([1, [], 0]);
  });

  const others = scopes.filter((scope) => scope !== 'cma:read' && scope !== 'cma:write');
  const sets: readonly (readonly Scope[])[] = [
    [],
    ...others.map((scope) => [scope]),
    ['cma:draft', 'history'],
    ['history', 'admin'],
    others,
  ];
  it.each(sets.map((some) => [some]))('cma:read and cma:write with %j passes', async (some) => {
    const { exitCode, bailOut, failed, skipped } = await runAs(['cma:read', 'cma:write', ...some]);
    expect({ failed, bailOut, exitCode }).toEqual({ failed: [], bailOut: undefined, exitCode: 0 });
    for (const scope of ['cma:draft', 'history'] as const)
      expect(skipped.includes(`needs a client with the scope ${scope}`)).toBe(!some.includes(scope));
  });

  it('cma:read and cma:write passes beside a client with admin and a user', async () => {
    const { exitCode, failed, bailOut } = await runAs(['cma:read', 'cma:write'], {
      COLOPHON_ADMIN_CLIENT_ID: 'demo',
      COLOPHON_ADMIN_CLIENT_SECRET: 'demo',
      COLOPHON_ADMIN_EMAIL: 'demo@localhost',
      COLOPHON_ADMIN_PASSWORD: 'demo-demo-demo',
    });
    expect({ failed, bailOut, exitCode }).toEqual({ failed: [], bailOut: undefined, exitCode: 0 });
  });
});
