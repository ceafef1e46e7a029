import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CommandProcess,
  type Environment,
  type ServingProcess,
  startCommand,
  startServing,
} from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

let folder: string;
let started: CommandProcess[];

beforeEach(() => {
  folder = temporaryFolder();
  started = [];
});
afterEach(async () => {
  for (const serving of started) serving.signal('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

const given = {
  COLOPHON_CLIENT_ID: 'importer',
  COLOPHON_CLIENT_SECRET: 's3cret',
  COLOPHON_ADMIN_EMAIL: 'ada@example.org',
  COLOPHON_ADMIN_PASSWORD: 's3cret passw0rd',
};
const place = () => ({ COLOPHON_DATA_DIR: join(folder, 'data') });

async function serve(environment: Environment = {}): Promise<ServingProcess> {
  const serving = await startServing({ ...place(), ...given, ...environment });
  started.push(serving);
  return serving;
}

/** Finds a free port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Polls `/readyz` until it answers 200. */
async function waitUntilReady(url: string): Promise<void> {
  while (true) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(2);
  }
}

async function callAsFirst(url: string): Promise<number[]> {
  const headers = {
    'X-Client-Id': given.COLOPHON_CLIENT_ID,
    'X-Client-Secret': given.COLOPHON_CLIENT_SECRET,
  };
  const contents = await fetch(`${url}/api/rest/cma/contents?from=com.colophon.cms.db.Text`, { headers });
  const body = JSON.stringify({
    email: given.COLOPHON_ADMIN_EMAIL,
    password: given.COLOPHON_ADMIN_PASSWORD,
  });
  const type = { 'Content-Type': 'application/json' };
  const session = await fetch(`${url}/api/admin/session`, { method: 'POST', headers: type, body });
  return [contents.status, session.status];
}

it('becomes ready when the first API client and the first user can sign in, also with several processes', async () => {
  const ports = [await freePort(), await freePort()];
  const calls = ports.map(async (port) => {
    started.push(startCommand(['serve'], { ...place(), ...given, COLOPHON_PORT: String(port) }));
    await waitUntilReady(`http://127.0.0.1:${port}`);
    return callAsFirst(`http://127.0.0.1:${port}`);
  });
  expect(await Promise.all(calls)).toEqual([
    [200, 200],
    [200, 200],
  ]);
});

it('starts next to a Kubernetes service named colophon and logs the variables it ignores', async () => {
  const variables = {
    COLOPHON_SERVICE_HOST: '10.96.12.7',
    COLOPHON_SERVICE_PORT: '4000',
    COLOPHON_SERVICE_PORT_HTTP: '4000',
    COLOPHON_PORT_4000_TCP: 'tcp://10.96.12.7:4000',
    COLOPHON_PORT_4000_TCP_PROTO: 'tcp',
    COLOPHON_PORT_4000_TCP_PORT: '4000',
    COLOPHON_PORT_4000_TCP_ADDR: '10.96.12.7',
  };
  const { stderr } = await (await serve(variables)).stop();
  const [line = ''] = stderr.split('\n').filter((one) => one.includes('Kubernetes'));
  expect(JSON.parse(line).variables).toEqual(Object.keys(variables));
});

it('sends Strict-Transport-Security only when configured', async () => {
  const hsts = async ({ url }: ServingProcess) => {
    const responses = await Promise.all(
      ['/healthz', '/admin', '/nowhere', '/graphql/x'].map((path) => fetch(url + path)),
    );
    return new Set(responses.map(({ headers }) => headers.get('Strict-Transport-Security')));
  };
  expect(await hsts(await serve())).toEqual(new Set([null]));
  const configured = await serve({ COLOPHON_HSTS: 'max-age=31536000; includeSubDomains' });
  expect(await hsts(configured)).toEqual(new Set(['max-age=31536000; includeSubDomains']));
});

describe('on an existing store', () => {
  const warnings = async (environment: Environment) => {
    const { stdout, stderr } = await (await serve(environment)).stop();
    expect(stdout + stderr).not.toContain('s3cret');
    const lines = stderr.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).flatMap(({ level, msg }) => (level === 40 ? [msg] : []));
  };

  it('warns about credentials that it ignores and names the command that changes them', async () => {
    expect(await warnings({})).toEqual([]);
    expect(await warnings({})).toEqual([]);
    expect(
      await warnings({
        COLOPHON_CLIENT_SECRET: 's3cret 2'.replace(' ', '-'),
        COLOPHON_ADMIN_PASSWORD: 's3cret passw0rd 2',
      }),
    ).toEqual([
      expect.stringMatching(/^COLOPHON_CLIENT_SECRET .*importer.*`colophon client rotate importer`/),
      expect.stringMatching(/^COLOPHON_ADMIN_PASSWORD .*ada@example\.org.*`colophon user create/),
    ]);
    expect(await warnings({ COLOPHON_ADMIN_PASSWORD: 's3cret' })).toEqual([
      'COLOPHON_ADMIN_PASSWORD must have 12 to 1000 characters: an empty store would refuse it',
      expect.stringMatching(/^COLOPHON_ADMIN_PASSWORD is not the password/),
    ]);
    expect(await warnings({ COLOPHON_CLIENT_ID: 'other', COLOPHON_ADMIN_EMAIL: 'bob@example.org' })).toEqual([
      expect.stringMatching(/^COLOPHON_CLIENT_ID .*`colophon client create`/),
      expect.stringMatching(/^COLOPHON_ADMIN_EMAIL .*`colophon user create/),
    ]);
  });
});

describe('with a closed log pipe', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('keeps running, and %s stops it', async (signal) => {
    const serving = await serve();
    serving.closeLog();
    // Enough log lines for several writes to the pipe.
    for (let call = 0; call < 100; call++) await fetch(`${serving.url}/healthz`);
    await sleep(1500);
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
    serving.signal(signal);
    expect((await serving.ended).exitCode).toBe(0);
  });

  it('stops even with unwritten log lines', async () => {
    const serving = await serve();
    serving.closeLog();
    await fetch(`${serving.url}/healthz`);
    serving.signal('SIGINT');
    expect((await serving.ended).exitCode).toBe(0);
  });
});
