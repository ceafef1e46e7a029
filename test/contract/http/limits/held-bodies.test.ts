/** Bodies that take long to arrive, or never end: what a server keeps of them is bounded, for one request and for all together. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { headOf, openConnection } from '../../../support/connections.ts';
import { sendRaw } from '../../../support/raw-http.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const credentials = { 'X-Client-Id': 'sender', 'X-Client-Secret': 'sender-secret-sender-secret-sender' };
const contents = '/api/rest/cma/contents';
const json = { 'Content-Type': 'application/json' };
const chunked = { ...json, 'Transfer-Encoding': 'chunked', Connection: 'close' };

const location = sqliteLocation();
let serving: ServingProcess;

beforeAll(async () => {
  serving = await startServing({
    ...environmentOf(location),
    ...credentialsOf(credentials),
  });
});

/** The memory of the server, in MiB. */
const residentMib = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;

const chunkOf = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const create = (name: string) => JSON.stringify({ _type: 'com.colophon.cms.db.Text', name });

it('A body of two million chunks of one byte takes up little more memory than its bytes', async () => {
  const startMib = residentMib();
  const connection = await openConnection(serving.url);
  connection.socket.write(headOf(`POST ${contents}`, { ...credentials, ...chunked }));
  const pieces = Buffer.from('1\r\n \r\n'.repeat(10_000));
  for (let sent = 0; sent < 200; sent++) {
    if (!connection.socket.write(pieces))
      await new Promise((resolve) => connection.socket.once('drain', resolve));
  }
  connection.socket.write(Buffer.concat([chunkOf(Buffer.from(create('Slow'))), Buffer.from('0\r\n\r\n')]));
  expect(await connection.ended).toContain('200 OK');
  expect(residentMib() - startMib).toBeLessThan(250);
});

it('A sender without credentials may send 64 KiB', async () => {
  const send = (bytes: number) =>
    sendRaw(serving.url, {
      method: 'POST',
      path: '/api/admin/session',
      headers: json,
      body: `{"email":"a@example.com","password":"${'p'.repeat(bytes)}"}`,
    });
  expect((await send(60_000)).status).toBe(400);
  expect((await send(66_000)).status).toBe(413);
});

describe('Many bodies at once', () => {
  const bodies = 80;
  const compressed = gzipSync(`${create('x')}${' '.repeat(4_000_000)}`);

  it('take up what was sent of them while they do not end, however well they are compressed', async () => {
    const startMib = residentMib();
    const connections = await Promise.all(
      Array.from({ length: bodies }, async () => {
        const connection = await openConnection(serving.url);
        const headers = { ...credentials, ...chunked, 'Content-Encoding': 'gzip' };
        connection.socket.write(headOf(`POST ${contents}`, headers));
        connection.socket.write(chunkOf(compressed.subarray(0, -10)));
        return connection;
      }),
    );
    const others = await sendRaw(serving.url, {
      method: 'POST',
      path: contents,
      headers: { ...json, ...credentials },
      body: create('Another'),
    });
    expect(others.status).toBe(200);
    expect(residentMib() - startMib).toBeLessThan(100);
    for (const { socket } of connections) {
      socket.write(Buffer.concat([chunkOf(compressed.subarray(-10)), Buffer.from('0\r\n\r\n')]));
    }
    const statuses = await Promise.all(connections.map(({ ended }) => ended.then(() => 0)));
    expect(statuses).toHaveLength(bodies);
    const answered = connections.flatMap(({ statuses: received }) => received());
    expect(answered.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(answered).toContain(200);
  });

  it('are refused beyond a bound, those that began first', async () => {
    const part = Buffer.alloc(3_900_000, ' ');
    const connections = [];
    for (let index = 0; index < 20; index++) {
      const connection = await openConnection(serving.url);
      connection.socket.write(headOf(`POST ${contents}`, { ...credentials, ...chunked }));
      connection.socket.write(chunkOf(part));
      connections.push(connection);
    }
    const [first] = connections;
    expect(await first?.ended).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1/s);
    const large = await sendRaw(serving.url, {
      method: 'POST',
      path: contents,
      headers: { ...json, ...credentials },
      body: `${create('Large')}${' '.repeat(3_000_000)}`,
    });
    expect(large.status).toBe(200);
    const last = connections.at(-1);
    last?.socket.write(Buffer.concat([chunkOf(Buffer.from(create('Last'))), Buffer.from('0\r\n\r\n')]));
    expect(await last?.ended).toContain('200 OK');
    for (const { socket } of connections) socket.destroy();
  });
});
