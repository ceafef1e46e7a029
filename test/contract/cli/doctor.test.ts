/** `colophon doctor` on real installations: sound ones, and ones with a fault of each kind. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRunRecords } from '../../../src/access/runs/run-records.ts';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { keepsHistory } from '../../support/history.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';

type Found = readonly { readonly check: string; readonly level: string; readonly message: string }[];

async function examine(environment: Environment) {
  const { exitCode, stdout } = await runCommand(['doctor', '--json'], environment);
  const { findings, settings } = JSON.parse(stdout) as { findings: Found; settings: readonly object[] };
  const of = (check: string, level: string) =>
    findings
      .filter((finding) => finding.check === check && finding.level === level)
      .map(({ message }) => message);
  return { exitCode, of, settings };
}

describeOnEachStore('colophon doctor', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;

  beforeEach(async () => {
    location = locations();
    instance = await startInstance(location);
  });
  afterEach(() => instance.stop());

  it('finds a sound installation sound, and recognizes the server at its public URL', async () => {
    const admin = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const provider = await startProvider(instance.url);
    const { exitCode, of, settings } = await examine({
      ...environmentOf(location),
      COLOPHON_PUBLIC_URL: instance.url,
      COLOPHON_OPENID_ISSUER: provider.issuer,
      COLOPHON_OPENID_CLIENT_ID: 'colophon',
      COLOPHON_OPENID_CLIENT_SECRET: 'a secret of the tests',
      COLOPHON_OPENID_ROLES: 'cms-admins:admin',
      COLOPHON_WEBHOOK_PRIVATE: 'true',
      COLOPHON_ADMIN_CLIENT_ID: admin['X-Client-Id'],
      COLOPHON_ADMIN_CLIENT_SECRET: admin['X-Client-Secret'],
    });
    await provider.stop();
    expect(of('OpenID Connect', 'ok')).toEqual([
      `the provider ${provider.issuer} answers; its client needs the redirect URI ${instance.url}/admin/sign-in/callback`,
    ]);
    expect(of('public URL', 'ok')).toEqual([
      `a ready server of Colophon answers at ${instance.url}`,
      `${instance.url} serves this store`,
    ]);
    expect(of('store', 'ok')).toEqual([expect.stringMatching(/has format \d, .* keeps a change log/)]);
    expect(of('files', 'ok')).toEqual([
      expect.stringMatching(/^(the folder|GridFS).* can be written and read$/),
    ]);
    const isMongo = location.config.mongodbUrl !== undefined;
    const missingKey = [expect.stringMatching(/^COLOPHON_SECRET_KEY is not set: on MongoDB, no webhook/)];
    expect(of('configuration', 'warning')).toEqual(isMongo ? missingKey : []);
    expect(of('clock', 'error')).toEqual([]);
    expect(of('clock', 'ok').length).toBe(location.config.mongodbUrl === undefined ? 1 : 2);
    expect(settings).toContainEqual({
      name: 'COLOPHON_ADMIN_CLIENT_SECRET',
      value: '…',
      source: 'environment',
    });
    expect(settings).toContainEqual({ name: 'COLOPHON_PORT', value: '4000', source: 'default' });
    expect(exitCode).toBe(0);
  });

  it('finds guessable secrets, endpoints through which anyone may write, and another store behind the public URL', async () => {
    const { clients, graphqlEndpoints } = instance.services;
    await clients.create({ name: 'Demo', clientId: 'demo', secret: 'demo', scopes: ['admin'] });
    const endpoint = { name: 'open', path: 'open', readTypes: ['*'], writeTypes: ['*'], access: 'ANYONE' };
    await graphqlEndpoints.create(endpoint);
    const elsewhere = sqliteLocation();
    const other = await startInstance(elsewhere);
    await other.services.clients.create({ name: 'D', clientId: 'demo', secret: 'demo', scopes: ['admin'] });
    await other.refresh();
    const { exitCode, of } = await examine({
      ...environmentOf(location),
      COLOPHON_PUBLIC_URL: other.url,
      COLOPHON_ADMIN_CLIENT_ID: 'demo',
      COLOPHON_ADMIN_CLIENT_SECRET: 'demo',
    });
    await other.stop();
    await elsewhere.remove();
    expect(of('access', 'error')).toEqual(['API client demo has a secret that anyone can guess; replace it']);
    expect(of('endpoints', 'error')).toEqual([
      expect.stringContaining('GraphQL endpoint open: Anyone can create'),
    ]);
    expect(of('endpoints', 'warning')).toEqual([expect.stringContaining('anyone can read its schema')]);
    expect(of('public URL', 'error')).toEqual([expect.stringContaining('serves another store')]);
    expect(exitCode).toBe(1);
  });

  it('warns that deletions cannot be taken back, and of those that the history still has', async ({
    skip,
  }) => {
    if (!(await keepsHistory(instance))) skip();
    const { content, store } = instance.services;
    const erasing = { ...environmentOf(location), COLOPHON_DELETE: 'erase' };
    const lasting = expect.stringMatching(/^COLOPHON_DELETE is erase: a deletion cannot be taken back/);
    const before = await examine(erasing);
    expect(before.of('configuration', 'warning')).toContainEqual(lasting);
    expect(before.of('history', 'warning')).toEqual([]);
    const { asset } = await content.create({ _type: 'com.colophon.cms.db.Text', name: 'A' }, {});
    await content.delete({ id: asset._id }, {});
    await store.changes.waitUntilNumbered();
    expect((await examine(erasing)).of('history', 'warning')).toEqual([
      expect.stringContaining('assets that were deleted before that'),
    ]);
    const kept = await examine(environmentOf(location));
    expect([kept.of('configuration', 'warning'), kept.of('history', 'warning')].flat()).not.toContainEqual(
      expect.stringContaining('COLOPHON_DELETE'),
    );
  });

  it('names webhooks whose deliveries fail, and reverts of runs that do not go on', async ({ skip }) => {
    if (!(await keepsHistory(instance))) skip();
    await instance.stop();
    instance = await startInstance(location, {
      webhookPrivate: true,
      secretKey: 'a-key-that-only-this-test-has',
    });
    const { webhooks, content, system } = instance.services;
    const receiver = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const from = 'com.colophon.cms.db.Text';
    await webhooks.create({ name: 'Cache', url, types: [from], actions: ['create'], payload: 'thin' });
    const warnings = async () => (await examine(environmentOf(location))).of('webhooks', 'warning');
    for (const name of ['a', 'b', 'c']) await content.create({ _type: from, name }, {});
    await expect
      .poll(warnings, { timeout: 30_000 })
      .toEqual([expect.stringMatching(/^webhook Cache fails since \S+; the changes of 3 assets wait$/)]);
    receiver.close();
    const records = createRunRecords(system);
    const by = { kind: 'system' } as const;
    const others = { revertOf: 'import-1', holder: 'x', renewedAt: 0, examined: 0, written: 0, conflicts: 0 };
    await records.create({ name: 'revert-import-1', by, beganAtMs: Date.now(), others });
    expect((await examine(environmentOf(location))).of('runs', 'warning')).toEqual([
      expect.stringContaining('`colophon runs revert import-1`'),
    ]);
  });
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

it('names unknown settings with the nearest known one, and invalid ones', async () => {
  const { exitCode, of } = await examine({ COLOPHON_PROT: '80', COLOPHON_PORT: 'x' });
  expect(of('configuration', 'error')).toEqual([
    'COLOPHON_PORT must be a whole number from 0 to 65535',
    'COLOPHON_PROT is not a setting of Colophon. Did you mean "COLOPHON_PORT"?',
  ]);
  expect(exitCode).toBe(1);
});

it('changes nothing where there is no store yet, and finds a data folder that is none', async () => {
  const sound = await examine({ COLOPHON_DATA_DIR: join(folder, 'data') });
  expect(sound.of('store', 'warning')).toEqual(['there is no store yet; the first start creates it']);
  expect(sound.of('data folder', 'error')).toEqual([]);
  expect(sound.exitCode).toBe(0);
  const file = join(folder, 'data');
  writeFileSync(file, '');
  expect((await examine({ COLOPHON_DATA_DIR: file })).of('data folder', 'error')).toEqual([
    `${file} is not a folder`,
  ]);
});

it('finds a store that is broken', async () => {
  writeFileSync(join(folder, 'colophon.db'), 'not a database '.repeat(1000));
  const { exitCode, of } = await examine({ COLOPHON_DATA_DIR: folder });
  expect(of('store', 'error').length).toBe(1);
  expect(exitCode).toBe(1);
});

it('finds a place of files that cannot be written', async () => {
  writeFileSync(join(folder, 'colophon.db'), '');
  writeFileSync(join(folder, 'files'), 'a file where the folder belongs');
  const { exitCode, of } = await examine({ COLOPHON_DATA_DIR: folder });
  expect(of('files', 'error')).toEqual([
    expect.stringMatching(/^the place of files cannot be used: .*ENOTDIR/),
  ]);
  expect(exitCode).toBe(1);
});

it('finds a MongoDB that cannot be reached, within a few seconds', async () => {
  const freed = await serving(createServer(ready), async (port) => port);
  const { exitCode, of } = await examine({ COLOPHON_MONGODB_URL: `mongodb://127.0.0.1:${freed}/colophon` });
  expect(of('store', 'error')).toEqual([
    `MongoDB cannot be reached at COLOPHON_MONGODB_URL: connect ECONNREFUSED 127.0.0.1:${freed}`,
  ]);
  expect(exitCode).toBe(1);
});

/** Serves requests during some work. */
async function serving<Result>(
  server: ReturnType<typeof createServer>,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const ready: RequestListener = (_request, response) => {
  response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString());
  response.end('{"status":"ok"}');
};

it('finds a clock that differs, a server that is not Colophon, and one that is not there', async () => {
  const data = { COLOPHON_DATA_DIR: join(folder, 'data') };
  const at = (port: number) => examine({ ...data, COLOPHON_PUBLIC_URL: `http://127.0.0.1:${port}` });
  const slow = await serving(createServer(ready), at);
  expect(slow.of('clock', 'error')).toEqual([expect.stringMatching(/differs from that of .* by 36\d\d s/)]);
  const other = await serving(
    createServer((_request, response) => response.end('hello')),
    at,
  );
  expect(other.of('public URL', 'error')).toEqual([expect.stringContaining('not as Colophon does')]);
  const freed = await serving(createServer(ready), async (port) => port);
  const nobody = await at(freed);
  expect(nobody.of('public URL', 'error')).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

it('checks the certificate, and warns of https without trust in a proxy', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '3',
  ];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', [...words, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, ready);
  await serving(server as unknown as ReturnType<typeof createServer>, async (port) => {
    const environment = {
      COLOPHON_DATA_DIR: join(folder, 'data'),
      COLOPHON_PUBLIC_URL: `https://localhost:${port}`,
    };
    const refused = await examine(environment);
    expect(refused.of('certificate', 'error')).toEqual([
      expect.stringMatching(/not accepted: .*SELF_SIGNED/),
    ]);
    expect(refused.of('configuration', 'warning')).toEqual([expect.stringContaining('COLOPHON_TRUST_PROXY')]);
    const accepted = await examine({ ...environment, NODE_EXTRA_CA_CERTS: cert });
    expect(accepted.of('certificate', 'warning')).toEqual([
      expect.stringMatching(/another [23] days; renew it/),
    ]);
    expect(accepted.of('public URL', 'ok').length).toBe(1);
  });
});

it('prints a line for each finding, in colors only where they are wanted', async () => {
  const environment = { COLOPHON_DATA_DIR: join(folder, 'data') };
  const { stdout } = await runCommand(['doctor', '--settings'], environment);
  expect(stdout).toMatch(/^COLOPHON_DATA_DIR +\S+ +environment$/m);
  expect(stdout).toMatch(/^ok {7}versions: Colophon \d/m);
  const colored = await runCommand(['doctor'], { ...environment, FORCE_COLOR: '1' });
  expect(colored.stdout).toContain('\u001b[33mwarning');
});
