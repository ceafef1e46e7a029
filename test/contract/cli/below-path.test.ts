import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { credentialsOf, runCommand } from '../../support/command-line.ts';
import { keepsHistory } from '../../support/history.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { author, text } from '../http/cma/cma-content.ts';
import { type FaultyProxy, startFaultyProxy } from '../transfer/faulty-proxy.ts';

vi.setConfig({ testTimeout: 600_000 });

const ways = [
  { name: 'the public URL', path: '/cms', settings: { basePath: '/cms' } },
  {
    name: 'the content management API below the public URL',
    path: '/cms/api/rest/cma/contents',
    settings: { basePath: '/cms' },
  },
  { name: 'another path of the content management API', path: '/content', settings: { cmaPath: '/content' } },
];

describe.each(ways)('--url with the path of $name', ({ path, settings }) => {
  let instance: TestInstance;
  let proxy: FaultyProxy;
  const folder = temporaryFolder();
  let environment: Record<string, string>;
  let asset: string;

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation(), settings);
    proxy = await startFaultyProxy(instance.url, (request) => {
      const isBelow = 'cmaPath' in settings || request.path.startsWith('/cms/');
      return isBelow ? 'pass' : { status: 404, body: 'another site' };
    });
    // The contract suite deletes the users that it invites, which the last administrator cannot be.
    await instance.createUser();
    const client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'history', 'admin'] });
    await instance.refresh();
    environment = credentialsOf(client);
    const body = { _type: author, slug: 'ada', name: 'Ada' };
    asset = (await instance.services.content.create(body, {})).asset._id;
  });

  const run = (...words: string[]) => runCommand(words, environment);
  const url = () => `--url=${proxy.url}${path}`;

  it('exports and reads history by the content management API', async () => {
    const { exitCode, stdout } = await run('export', '--from', author, url());
    expect([exitCode, JSON.parse(stdout).slug]).toEqual([0, 'ada']);
    if (await keepsHistory(instance)) expect((await run('history', asset, url())).stdout).toContain('create');
    expect((await run('export', '--from', text, url())).stderr).toContain('nothing to export');
  });

  it('lists runs, audits and reads REST endpoints by the admin API', async () => {
    const runs = await run('runs', 'list', url(), '--json');
    expect([runs.exitCode, runs.stderr]).toEqual([0, '']);
    expect((await run('audit', '--asset', asset, url())).stdout).toContain(asset);
    const out = join(folder, 'client');
    const codegen = await run('codegen', '--out', out, '--endpoints', `${proxy.url}${path}`);
    expect([codegen.exitCode, codegen.stderr]).toEqual([
      1,
      expect.stringContaining('no published REST endpoint'),
    ]);
  });

  it('tests both APIs against the contract', async () => {
    const { COLOPHON_CLIENT_ID: id = '', COLOPHON_CLIENT_SECRET: secret = '' } = environment;
    const admin = ['--admin-id', id, '--admin-secret', secret];
    for (const operation of ['listTypes', 'getAsset']) {
      const words = ['contract', `${proxy.url}${path}`, '--only', operation, ...admin];
      const { exitCode, stdout } = await run(...words);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(operation)]);
    }
  });
});
