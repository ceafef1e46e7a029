/** `colophon serve` as a process: its output, the starts it refuses, how it stops, and its log. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Environment,
  runCommand,
  type ServingProcess,
  startCommand,
  startServing,
} from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

const text = 'com.colophon.cms.db.Text';
const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl && process.env.CI === 'true') throw new Error('These tests need curl');

let folder: string;
let started: ServingProcess[];

beforeEach(() => {
  folder = temporaryFolder();
  started = [];
});
afterEach(async () => {
  for (const serving of started) serving.signal('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

const dataDir = () => join(folder, 'data');

async function serve(environment: Environment = {}): Promise<ServingProcess> {
  const serving = await startServing({ COLOPHON_DATA_DIR: dataDir(), ...environment });
  started.push(serving);
  return serving;
}

const refusal = (environment: Environment) =>
  runCommand(['serve'], { COLOPHON_DATA_DIR: dataDir(), COLOPHON_PORT: '0', ...environment });

function readCredentials({ stdout }: ServingProcess) {
  const [, id = '', secret = ''] = /^ {2}ID +(\S+)\n {2}Secret +(\S+)$/m.exec(stdout()) ?? [];
  return { 'X-Client-Id': id, 'X-Client-Secret': secret };
}

async function listUsers(): Promise<unknown> {
  const { stdout } = await runCommand(['user', 'list', '--json'], { COLOPHON_DATA_DIR: dataDir() });
  return JSON.parse(stdout);
}

/** Reads the JSON body of a response; each test asserts the members it uses. */
// biome-ignore lint/suspicious/noExplicitAny: bodies differ from test to test
const bodyOf = async (answer: Response): Promise<any> => answer.json();

const curlLine = ({ stdout }: ServingProcess) => /^ *curl .*$/m.exec(stdout())?.[0] ?? '';

async function paste(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return JSON.parse(stdout);
}

describe('the first start on a folder', () => {
  it('prints the address and the first API client, which works and is not printed again', async () => {
    const first = await serve();
    expect(first.stdout()).toContain(`Colophon is listening on ${first.url}\n`);
    const headers = readCredentials(first);
    const statusAt = async (url: string) =>
      (await fetch(`${url}/api/rest/cma/contents?from=${text}`, { headers })).status;
    expect(await statusAt(first.url)).toBe(200);
    const { stdout, stderr } = await first.stop();
    expect(stdout.split(headers['X-Client-Secret'])).toHaveLength(3);
    expect(stderr).not.toContain(headers['X-Client-Secret']);

    const second = await serve();
    expect(await statusAt(second.url)).toBe(200);
    expect((await second.stop()).stdout).toBe(`Colophon is listening on ${second.url}\n`);
  });

  it.skipIf(!hasCurl)('prints a call that works as pasted', async () => {
    const serving = await serve({ COLOPHON_CMA_PATH: '/contents' });
    expect(await paste(curlLine(serving))).toEqual({ status: 'ok', result: { count: 0, items: [] } });
  });

  it('creates the first API client with the configured ID', async () => {
    const serving = await serve({ COLOPHON_CLIENT_ID: `it's"$HOME"\\` });
    expect(readCredentials(serving)['X-Client-Id']).toBe(`it's"$HOME"\\`);
    if (hasCurl) expect(await paste(curlLine(serving))).toMatchObject({ status: 'ok' });
  });

  it('creates the first API client with the configured secret and never prints it', async () => {
    const headers = { 'X-Client-Id': 'importer', 'X-Client-Secret': `'s3cret\`!;&` };
    const given = { COLOPHON_CLIENT_ID: 'importer', COLOPHON_CLIENT_SECRET: headers['X-Client-Secret'] };
    const serving = await serve(given);
    const url = `${serving.url}/api/rest/cma/contents?from=${text}`;
    expect((await fetch(url, { headers })).status).toBe(200);
    const { stdout, stderr } = await serving.stop();
    expect(stdout).toContain('The first API client is importer');
    expect(stdout + stderr).not.toContain('s3cret');
  });

  it('gives the first API client the configured scopes, which later starts do not change', async () => {
    const headers = { 'X-Client-Id': 'own', 'X-Client-Secret': 'own-secret' };
    const given = { COLOPHON_CLIENT_ID: 'own', COLOPHON_CLIENT_SECRET: 'own-secret' };
    const first = await serve({ ...given, COLOPHON_CLIENT_SCOPES: 'cma:read, admin' });
    const answered = await fetch(`${first.url}/api/admin/api-clients/own`, { headers });
    expect(await answered.json()).toMatchObject({ scopes: ['cma:read', 'admin'] });
    expect((await first.stop()).stderr).not.toContain('COLOPHON_CLIENT_SCOPES');
    const later = await (await serve({ ...given, COLOPHON_CLIENT_SCOPES: 'cma:write' })).stop();
    expect(later.stderr).toContain(
      'COLOPHON_CLIENT_SCOPES are not the scopes of the API client own, which keeps cma:read, admin',
    );
  });

  it('prints the first user once and keeps the password out of the log', async () => {
    const { stdout, stderr } = await (await serve()).stop();
    const [, email, password = ''] = /^ {2}Email +(\S+)\n {2}Password +(\S+)$/m.exec(stdout) ?? [];
    expect(email).toBe('admin@localhost');
    expect(password).toMatch(/^[\w-]{43}$/);
    expect(stdout.split(password)).toHaveLength(2);
    expect(stderr).not.toContain(password);
    expect(await listUsers()).toMatchObject([{ email }]);
    expect((await (await serve()).stop()).stdout).not.toContain('first');
  });

  it('creates the first user with the configured password and never prints it', async () => {
    const given = { COLOPHON_ADMIN_EMAIL: 'Ada@Example.org', COLOPHON_ADMIN_PASSWORD: 's3cret passw0rd' };
    const { stdout, stderr } = await (await serve(given)).stop();
    expect(stdout).toContain(
      'The first user is ada@example.org, with the password of COLOPHON_ADMIN_PASSWORD.',
    );
    expect(stdout + stderr).not.toContain('s3cret');
    await (await serve({ ...given, COLOPHON_ADMIN_EMAIL: 'bob@example.org' })).stop();
    expect(await listUsers()).toMatchObject([{ email: 'ada@example.org' }]);
  });

  it('is refused with a password that no new user may have, and creates nothing', async () => {
    const { exitCode, stdout, stderr } = await refusal({ COLOPHON_ADMIN_PASSWORD: 'admin@localhost1' });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/COLOPHON_ADMIN_PASSWORD must not be the email address/);
    expect((await serve()).stdout()).toContain('Secret');
  });

  it('is over once an API client exists: later credentials create no further one', async () => {
    await (await serve()).stop();
    const later = await serve({ COLOPHON_CLIENT_ID: 'somebody', COLOPHON_CLIENT_SECRET: 'else' });
    const headers = { 'X-Client-Id': 'somebody', 'X-Client-Secret': 'else' };
    expect((await fetch(`${later.url}/api/rest/cma/contents`, { headers })).status).toBe(401);
  });
});

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets the current request finish, then exits with 0',
    async (signal) => {
      const serving = await serve();
      const upload = startUpload(serving);
      await upload.accepted;
      serving.signal(signal);
      await expect.poll(() => isUp(serving)).toBe(false);
      upload.finish();
      expect(await upload.answer).toMatchObject({ status: 200, body: { result: { name: 'slow' } } });
      expect(await serving.ended).toMatchObject({ exitCode: 0 });

      const next = await serve();
      const headers = readCredentials(serving);
      const found = await fetch(`${next.url}/api/rest/cma/contents?from=${text}`, { headers });
      expect((await bodyOf(found)).result.count).toBe(1);
    },
  );

  it('sent again while requests finish does not interrupt them', async () => {
    const serving = await serve();
    const upload = startUpload(serving);
    await upload.accepted;
    serving.signal('SIGINT');
    await expect.poll(() => isUp(serving)).toBe(false);
    serving.signal('SIGINT');
    serving.signal('SIGTERM');
    upload.finish();
    expect(await upload.answer).toMatchObject({ status: 200 });
    expect(await serving.ended).toMatchObject({ exitCode: 0 });
  });

  it('aborts a request that runs longer than COLOPHON_SHUTDOWN_MS', async () => {
    const serving = await serve({ COLOPHON_SHUTDOWN_MS: '100' });
    const upload = startUpload(serving);
    await upload.accepted;
    const stopped = serving.stop();
    await expect(upload.answer).rejects.toThrow('socket hang up');
    expect(await stopped).toMatchObject({ exitCode: 0 });
  });
});

const isUp = ({ url }: ServingProcess) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

/** Starts a create request and holds back the end of its body. */
function startUpload(serving: ServingProcess) {
  const body = JSON.stringify({ _type: text, name: 'slow' });
  const sent = request(`${serving.url}/api/rest/cma/contents`, {
    method: 'POST',
    // The server answers 100 Continue once it has received the request.
    headers: {
      ...readCredentials(serving),
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  const answer = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', async (response) => {
      resolve({ status: response.statusCode, body: JSON.parse((await response.toArray()).join('')) });
    });
  });
  const accepted = new Promise<void>((resolve) => sent.once('continue', resolve));
  sent.flushHeaders();
  return { accepted, answer, finish: () => sent.end(body) };
}

describe('a refused start exits with 1', () => {
  it('and every problem of the configuration, before anything is created', async () => {
    const { exitCode, stdout, stderr } = await refusal({
      COLOPHON_PORT: '65536',
      COLOPHON_MONGODB_URL: 'http://localhost',
      COLOPHON_SITE_OWNER: 'yes',
      COLOPHON_CMA_PATH: 'contents/',
      COLOPHON_CMA_PTAH: '/contents',
    });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'colophon: COLOPHON_MONGODB_URL must begin with mongodb:// or mongodb+srv://; ' +
        'COLOPHON_PORT must be a whole number from 0 to 65535; ' +
        'COLOPHON_CMA_PATH must be a path such as /api/contents, of letters, digits and . _ ~ -; ' +
        'COLOPHON_SITE_OWNER must be one of optional, required; ' +
        'COLOPHON_CMA_PTAH is not a setting of Colophon. Did you mean "COLOPHON_CMA_PATH"?\n',
    );
    expect(existsSync(dataDir())).toBe(false);
  });

  it('and file, line and reason of every SDL error', async () => {
    writeFileSync(
      join(folder, 'a.graphql'),
      'type A @contentType(class: "x.A") {\n  name: String!\n  size: Number\n}\n',
    );
    writeFileSync(
      join(folder, 'b.graphql'),
      'type B @contentType(class: "x.B") {\n  a: [[A]]\n  b: Nothing\n}\n',
    );
    const { exitCode, stderr } = await refusal({ COLOPHON_TYPES: folder });
    expect(exitCode).toBe(1);
    const lines = stderr.trimEnd().replace('colophon: ', '').split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^a\.graphql:3:\d+ .*Number/),
      expect.stringMatching(/^b\.graphql:3:\d+ .*Nothing/),
    ]);
    expect(existsSync(dataDir())).toBe(false);
  });

  it('and the position of an SDL syntax error', async () => {
    writeFileSync(join(folder, 'broken.graphql'), 'type A {\n  name String\n}\n');
    const { exitCode, stderr } = await refusal({ COLOPHON_TYPES: folder });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^colophon: broken\.graphql:2:\d+ .+\n$/);
  });

  it('and a reason when the types folder is missing', async () => {
    const { exitCode, stderr } = await refusal({ COLOPHON_TYPES: join(folder, 'nowhere') });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^colophon: The types folder .*nowhere does not exist \(ENOENT\)\n$/);
  });

  it('and a reason when the port is in use, without creating the first API client', async () => {
    const other = await startServing({ COLOPHON_DATA_DIR: join(folder, 'other') });
    started.push(other);
    const { exitCode, stdout, stderr } = await refusal({
      COLOPHON_PORT: new URL(other.url).port,
      COLOPHON_LOG_LEVEL: 'error',
    });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^colophon: .*EADDRINUSE.*\n$/);
    const serving = await serve();
    expect(readCredentials(serving)['X-Client-Secret']).not.toBe('');
  });
});

it('logs one line of JSON per request, without query strings and secrets', async () => {
  const serving = await serve();
  const headers = readCredentials(serving);
  const cmaPath = '/api/rest/cma/contents';
  const call = (path: string, init: RequestInit) => fetch(serving.url + path, init);
  const where = encodeURIComponent(`name = 'confidential'`);
  await call(`${cmaPath}?from=${text}&where=${where}`, { headers: { ...headers, 'X-Request-Id': 'read-1' } });
  await call(`${cmaPath}?secret=confidential`, {
    headers: { ...headers, 'X-Client-Secret': 'confidential' },
  });
  await call(cmaPath, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ _type: text, name: 'confidential' }),
  });
  const { stderr } = await serving.stop();
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const clientId = headers['X-Client-Id'];
  const common = { msg: 'request', requestId: expect.any(String), ms: expect.any(Number), path: cmaPath };
  expect(lines.filter(({ msg }) => msg === 'request')).toEqual([
    expect.objectContaining({ ...common, requestId: 'read-1', method: 'GET', status: 200, clientId }),
    expect.objectContaining({ ...common, method: 'GET', status: 401 }),
    expect.objectContaining({ ...common, method: 'POST', status: 200, clientId }),
  ]);
  expect(stderr).not.toContain('confidential');
  expect(stderr).not.toContain(headers['X-Client-Secret']);
});

it('a second server on the same folder serves the same content', async () => {
  const [one, other] = await Promise.all([serve(), serve()]);
  const credentials = [one, other].map(readCredentials).filter((headers) => headers['X-Client-Id'] !== '');
  expect(credentials).toHaveLength(1);
  const headers = { ...credentials[0], 'Content-Type': 'application/json' };
  const statusOf = async (serving: ServingProcess) =>
    (await fetch(`${serving.url}/api/rest/cma/contents?from=${text}`, { headers })).status;
  await expect.poll(() => Promise.all([statusOf(one), statusOf(other)])).toEqual([200, 200]);
  const body = JSON.stringify({ _type: text, name: 'shared' });
  const created = await fetch(`${one.url}/api/rest/cma/contents`, { method: 'POST', headers, body });
  const { result } = await bodyOf(created);
  const read = await fetch(`${other.url}/api/rest/cma/contents/${result._id}`, { headers });
  expect((await bodyOf(read)).result).toEqual(result);
});

it('prints the usage and exits with 2 on wrong usage', async () => {
  const { exitCode, stderr } = await startCommand(['serve', '--port', '1']).ended;
  expect(exitCode).toBe(2);
  expect(stderr).toContain('serve has no option --port');
  expect(stderr).toContain('colophon serve');
});
