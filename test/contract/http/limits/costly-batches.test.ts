/** Batches of short operations that write large assets: each has a budget, others get their turn, and a batch ends with its caller. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { headOf, openConnection } from '../../../support/connections.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const article = 'com.example.news.Article';
const contents = '/api/rest/cma/contents';
const credentials = { 'X-Client-Id': 'sender', 'X-Client-Secret': 'sender-secret-sender-secret-sender' };
const queryMs = 1_500;

const location = sqliteLocation();
const environment = {
  ...environmentOf(location),
  ...credentialsOf(credentials),
  COLOPHON_QUERY_MS: String(queryMs),
  COLOPHON_SHUTDOWN_MS: '500',
  COLOPHON_ADMIN_EMAIL: 'admin@example.com',
  COLOPHON_ADMIN_PASSWORD: 'password of the admin',
};
let serving: ServingProcess;
let others: Readonly<Record<string, string>>;
let id: string;

beforeAll(async () => {
  serving = await startServing(environment);
  const body = `<p>${'word '.repeat(780_000)}</p>`;
  const created = await send('POST', '', {
    body: { _type: article, slug: 'large', headline: 'Large', status: 'DRAFT', body, readingMinutes: 0 },
  });
  id = created.result._id;
  others = await createClient();
});

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request; returns its status with the members of its body. */
async function send(method: string, path: string, { body, headers = {} }: Sent = {}) {
  const response = await fetch(serving.url + contents + path, {
    method,
    headers: { ...credentials, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { httpStatus: response.status, ...Object(await response.json()) };
}

/** Creates a second client, which sends the requests of others. */
async function createClient(): Promise<Record<string, string>> {
  const sign = { email: environment.COLOPHON_ADMIN_EMAIL, password: environment.COLOPHON_ADMIN_PASSWORD };
  const json = { 'Content-Type': 'application/json' };
  const session = await fetch(`${serving.url}/api/admin/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(sign),
  });
  const cookies = session.headers.getSetCookie().map((text) => text.split(';')[0]);
  const { csrfToken } = Object(await session.json());
  const created = await fetch(`${serving.url}/api/admin/api-clients`, {
    method: 'POST',
    headers: { ...json, Cookie: cookies.join('; '), 'X-CSRF-Token': csrfToken },
    body: JSON.stringify({ name: 'Others', scopes: ['cma:read', 'cma:write'] }),
  });
  const { client, secret } = Object(await created.json());
  return { 'X-Client-Id': client.clientId, 'X-Client-Secret': secret };
}

const updates = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => ({
    action: 'update',
    asset: { _id: id, _type: article, readingMinutes: from + n },
  }));
const readMinutes = async () => (await send('GET', `/${id}?fields=readingMinutes`)).result.readingMinutes;
const writeSmall = () =>
  send('POST', '', { body: { _type: 'com.colophon.cms.db.Text', name: 'Small' }, headers: others });

describe('a batch that rewrites an asset of 3.9 MB', () => {
  it('is refused beyond its budget and changes nothing, if it is atomic', async () => {
    const before = await readMinutes();
    const { httpStatus, error } = await send('POST', '/batch', {
      body: { atomic: true, operations: updates(1_000) },
    });
    expect([httpStatus, error.code]).toEqual([400, 'batch_too_costly']);
    expect(await readMinutes()).toBe(before);
  });

  it('stops beyond its budget and says what is done, and goes on when it is sent again with its key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { operations: updates(1_000) };
    const countDone = async () => {
      const { httpStatus, result } = await send('POST', '/batch', { body, headers });
      expect(httpStatus).toBe(200);
      const results: { status: number; error?: { code: string } }[] = result.results;
      const done = results.filter(({ status }) => status === 200).length;
      expect(results.slice(0, done).every(({ status }) => status === 200)).toBe(true);
      expect(new Set(results.slice(done).map(({ error }) => error?.code))).toEqual(
        new Set(['batch_too_costly']),
      );
      return done;
    };
    const first = await countDone();
    expect([first > 0, await readMinutes()]).toEqual([true, first]);
    const second = await countDone();
    expect([second > first, await readMinutes()]).toEqual([true, second]);
  });

  it('lets others write between it and the next ones of its sender', async () => {
    let answered = 0;
    const batches = Array.from({ length: 8 }, () =>
      send('POST', '/batch', { body: { atomic: true, operations: updates(3) } }).then(() => answered++),
    );
    for (let written = 0; written < 3; written++) expect((await writeSmall()).httpStatus).toBe(200);
    expect(answered).toBeLessThan(batches.length);
    await Promise.all(batches);
  });

  it('ends when its caller disconnects', async () => {
    const before = await readMinutes();
    const connection = await openConnection(serving.url);
    const body = JSON.stringify({ atomic: true, operations: updates(10, 1_000) });
    connection.socket.write(
      headOf(`POST ${contents}/batch`, {
        ...credentials,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      }) + body,
    );
    // Reads do not wait for the batch, which has begun to write meanwhile.
    for (let read = 0; read < 30; read++) await readMinutes();
    connection.socket.destroy();
    // This write waits for the batch, whether that was applied or not.
    await writeSmall();
    expect(await readMinutes()).toBe(before);
  });

  it('does not keep the server from stopping, nor the next one from starting', async () => {
    const batch = send('POST', '/batch', { body: { atomic: true, operations: updates(15) } }).catch(
      () => undefined,
    );
    await writeSmall();
    await serving.stop();
    await batch;
    serving = await startServing(environment);
    expect((await writeSmall()).httpStatus).toBe(200);
  });
});
