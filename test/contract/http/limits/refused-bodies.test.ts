/** Refused bodies: the server answers at once, the client receives the response, and the server ends the connection. */
import { beforeAll, describe, expect, it } from 'vitest';
import { headOf, openConnection, writeForever } from '../../../support/connections.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { open } from '../routes/routes-context.ts';

let instance: TestInstance;

const maxBodyBytes = 100_000;
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const endless = { 'Transfer-Encoding': 'chunked' };
const cma = '/api/rest/cma/contents';
/** The most bytes a client may have sent before the connection ends: the server's own limit and both socket buffers. */
const mostSentBytes = 40_000_000;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { maxBodyBytes });
  const { graphqlEndpoints, restEndpoints } = instance.services;
  await graphqlEndpoints.create(open);
  const query = 'mutation Add($name: String!) { createText(input: { name: $name }) { _id } }';
  const { id } = await restEndpoints.create({
    body: { name: 'News', source: open.name, mappings: [{ name: 'Add', query }] },
    by: 'a test',
  });
  await restEndpoints.publish({ id, by: 'a test' });
  await instance.refresh();
});

const known = () => instance.headers;
const anonymous = () => ({});
type Refused = readonly [
  name: string,
  status: number,
  line: string,
  headers: Readonly<Record<string, string>>,
  client: () => Readonly<Record<string, string>>,
];

const tooLarge: Refused[] = [
  ['too large for the CMA', 413, `POST ${cma}`, json, known],
  ['too large for the admin API', 413, 'POST /api/admin/session', json, anonymous],
  ['too large for a GraphQL endpoint', 413, 'POST /graphql/open', json, anonymous],
  ['too large for a mapped route, as JSON', 413, 'POST /news/add', json, anonymous],
  ['too large for a mapped route, as a form', 413, 'POST /news/add', form, anonymous],
];
const unread: Refused[] = [
  ['unknown client of the CMA', 401, `POST ${cma}`, json, anonymous],
  ['anonymous caller of the admin API', 401, 'POST /api/admin/api-clients', json, anonymous],
  ['anonymous caller of a GraphQL endpoint', 401, 'POST /graphql/delivery', json, anonymous],
  ['client without the scope', 403, 'POST /graphql/management', json, known],
  ['unsupported media type', 415, `POST ${cma}`, { 'Content-Type': 'text/plain' }, known],
  [
    'unsupported media type at a mapped route',
    415,
    'POST /news/add',
    { 'Content-Type': 'text/plain' },
    anonymous,
  ],
  ['unknown compression', 415, `POST ${cma}`, { ...json, 'Content-Encoding': 'x' }, known],
  ['unknown path', 404, 'POST /nowhere', json, anonymous],
  ['unknown mapped route', 404, 'POST /news/nowhere', json, anonymous],
  ['unknown operation of the CMA', 404, `POST ${cma}/x/y`, json, known],
  ['unsupported method of the CMA', 405, `PATCH ${cma}`, json, known],
  ['unsupported method of a mapped route', 405, 'PUT /news/add', json, anonymous],
  ['unsupported method of an HTML page', 405, 'POST /admin', json, anonymous],
  ['body of a GET request, which is ignored', 200, 'GET /healthz', json, anonymous],
];

/** Sends a request whose body never ends. */
async function sendEndless([, , line, headers, client]: Refused) {
  const connection = await openConnection(instance.url);
  connection.socket.write(headOf(line, { ...headers, ...client(), ...endless }));
  const sentBytes = writeForever(connection, `8000\r\n${' '.repeat(0x8000)}\r\n`);
  const response = await connection.ended;
  return { response, sentBytes: sentBytes() };
}

describe.concurrent('an endless body is refused and the connection ends:', () => {
  it.each([...tooLarge, ...unread])('%s', async (...refused) => {
    const { response, sentBytes } = await sendEndless(refused);
    expect(response.split('\r\n', 1)[0]).toMatch(`HTTP/1.1 ${refused[1]} `);
    expect(response).toMatch(/^Connection: close\r$/im);
    expect(sentBytes).toBeLessThan(mostSentBytes);
  });
});

describe.concurrent('a body that is announced but never sent is refused and the connection ends:', () => {
  it.each([...tooLarge, ...unread])('%s', async (_name, status, line, headers, client) => {
    const connection = await openConnection(instance.url);
    const length = { 'Content-Length': maxBodyBytes + 1 };
    connection.socket.write(headOf(line, { ...headers, ...client(), ...length }));
    const response = await connection.ended;
    expect(response.split('\r\n', 1)[0]).toMatch(`HTTP/1.1 ${status} `);
    expect(response).toMatch(/^Connection: close\r$/im);
  });

  it.each([...tooLarge, ...unread])(
    '%s, without 100 Continue',
    async (_name, status, line, headers, client) => {
      const connection = await openConnection(instance.url);
      const asking = { 'Content-Length': maxBodyBytes + 1, Expect: '100-continue' };
      connection.socket.write(headOf(line, { ...headers, ...client(), ...asking }));
      await connection.ended;
      expect(connection.statuses()).toEqual([status]);
    },
  );
});

describe('a body', () => {
  it('that arrived whole before its refusal leaves the connection open', async () => {
    const connection = await openConnection(instance.url);
    const request = headOf('POST /nowhere', { ...json, 'Content-Length': 2 });
    connection.socket.write(`${request}{}`);
    await expect.poll(connection.statuses).toEqual([404]);
    connection.socket.write(`${request}{}${headOf('GET /healthz', { Connection: 'close' })}`);
    await connection.ended;
    expect(connection.statuses()).toEqual([404, 404, 200]);
  });

  it('is requested with 100 Continue when the client expects it', async () => {
    const connection = await openConnection(instance.url);
    const body = JSON.stringify({ _type: 'com.colophon.cms.db.Text', name: 'asked for' });
    const asking = { ...json, ...known(), 'Content-Length': body.length, Expect: '100-continue' };
    connection.socket.write(headOf(`POST ${cma}`, { ...asking, Connection: 'close' }));
    await expect.poll(connection.statuses).toEqual([100]);
    connection.socket.write(body);
    await connection.ended;
    expect(connection.statuses()).toEqual([100, 200]);
  });

  it('is refused when it has too many compressed bytes, even if they decompress to nothing', async () => {
    const connection = await openConnection(instance.url);
    const headers = { ...json, ...known(), ...endless, 'Content-Encoding': 'deflate' };
    connection.socket.write(headOf(`POST ${cma}`, headers));
    // The header of a zlib stream, then stored blocks of length 0.
    const block = Buffer.from([0, 0, 0, 0xff, 0xff]).toString('latin1');
    connection.socket.write('2\r\n\x78\x9c\r\n', 'latin1');
    const blocks = block.repeat(3000);
    connection.socket.setDefaultEncoding('latin1');
    writeForever(connection, `${blocks.length.toString(16)}\r\n${blocks}\r\n`);
    expect((await connection.ended).split('\r\n', 1)[0]).toMatch('HTTP/1.1 413 ');
  });
});
