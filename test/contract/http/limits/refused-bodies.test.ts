/** Bodies that are refused: at once, by whatever refuses them, with an answer that arrives, and then the connection ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headOf, openConnection, writeForever } from '../../../support/connections.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { type StorePlace, sqlitePlace } from '../../../support/stores.ts';
import { open } from '../routes/routes-context.ts';

let place: StorePlace;
let instance: TestInstance;

const maxBodyBytes = 100_000;
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const endless = { 'Transfer-Encoding': 'chunked' };
const cma = '/api/rest/cma/contents';
/** What the server may have taken before it ended the connection: its own bound, and what both systems hold. */
const mostTakenBytes = 40_000_000;

beforeAll(async () => {
  place = sqlitePlace();
  instance = await startInstance(place, { maxBodyBytes });
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
afterAll(async () => {
  await instance.stop();
  await place.remove();
});

const known = () => instance.headers;
const nobody = () => ({});
type Refused = readonly [
  name: string,
  status: number,
  line: string,
  headers: Readonly<Record<string, string>>,
  client: () => Readonly<Record<string, string>>,
];

const tooLarge: Refused[] = [
  ['the CMA', 413, `POST ${cma}`, json, known],
  ['the admin API', 413, 'POST /api/admin/session', json, nobody],
  ['a GraphQL endpoint', 413, 'POST /graphql/open', json, nobody],
  ['a mapped route, of JSON', 413, 'POST /news/add', json, nobody],
  ['a mapped route, of a form', 413, 'POST /news/add', form, nobody],
];
const unread: Refused[] = [
  ['a client that nobody knows', 401, `POST ${cma}`, json, nobody],
  ['nobody at the admin API', 401, 'POST /api/admin/api-clients', json, nobody],
  ['nobody at a GraphQL endpoint', 401, 'POST /graphql/delivery', json, nobody],
  ['a client without the right', 403, 'POST /graphql/management', json, known],
  ['another media type', 415, `POST ${cma}`, { 'Content-Type': 'text/plain' }, known],
  ['another media type at a route', 415, 'POST /news/add', { 'Content-Type': 'text/plain' }, nobody],
  ['a compression that nobody knows', 415, `POST ${cma}`, { ...json, 'Content-Encoding': 'x' }, known],
  ['a path that is not there', 404, 'POST /nowhere', json, nobody],
  ['a route that is not there', 404, 'POST /news/nowhere', json, nobody],
  ['an operation that is not there', 404, `POST ${cma}/x/y`, json, known],
  ['a method of the CMA', 405, `PATCH ${cma}`, json, known],
  ['a method of a route', 405, 'PUT /news/add', json, nobody],
  ['a method of a page', 405, 'POST /admin', json, nobody],
  ['nothing at all', 200, 'GET /healthz', json, nobody],
];

/** Sends a request whose body never ends. */
async function sendEndless([, , line, headers, client]: Refused) {
  const connection = await openConnection(instance.url);
  connection.socket.write(headOf(line, { ...headers, ...client(), ...endless }));
  const takenBytes = writeForever(connection, `8000\r\n${' '.repeat(0x8000)}\r\n`);
  const answer = await connection.ended;
  return { answer, takenBytes: takenBytes() };
}

describe.concurrent('a body without end is answered, and the connection ends, where it is refused by', () => {
  it.each([...tooLarge, ...unread])('%s', async (...refused) => {
    const { answer, takenBytes } = await sendEndless(refused);
    expect(answer.split('\r\n', 1)[0]).toMatch(`HTTP/1.1 ${refused[1]} `);
    expect(answer).toMatch(/^Connection: close\r$/im);
    expect(takenBytes).toBeLessThan(mostTakenBytes);
  });
});

describe.concurrent('a body of which nothing is sent is answered, and the connection ends, where it is refused by', () => {
  it.each([...tooLarge, ...unread])('%s', async (_name, status, line, headers, client) => {
    const connection = await openConnection(instance.url);
    const length = { 'Content-Length': maxBodyBytes + 1 };
    connection.socket.write(headOf(line, { ...headers, ...client(), ...length }));
    const answer = await connection.ended;
    expect(answer.split('\r\n', 1)[0]).toMatch(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(/^Connection: close\r$/im);
  });

  it.each([...tooLarge, ...unread])(
    '%s, and is not asked for',
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
  it('that is refused whole leaves the connection as it is', async () => {
    const connection = await openConnection(instance.url);
    const request = headOf('POST /nowhere', { ...json, 'Content-Length': 2 });
    connection.socket.write(`${request}{}`);
    await expect.poll(connection.statuses).toEqual([404]);
    connection.socket.write(`${request}{}${headOf('GET /healthz', { Connection: 'close' })}`);
    await connection.ended;
    expect(connection.statuses()).toEqual([404, 404, 200]);
  });

  it('is asked for where the client waits to be asked', async () => {
    const connection = await openConnection(instance.url);
    const body = JSON.stringify({ _type: 'com.colophon.cms.db.Text', name: 'asked for' });
    const asking = { ...json, ...known(), 'Content-Length': body.length, Expect: '100-continue' };
    connection.socket.write(headOf(`POST ${cma}`, { ...asking, Connection: 'close' }));
    await expect.poll(connection.statuses).toEqual([100]);
    connection.socket.write(body);
    await connection.ended;
    expect(connection.statuses()).toEqual([100, 200]);
  });

  it('whose compressed bytes come to nothing is refused when there are too many of them', async () => {
    const connection = await openConnection(instance.url);
    const headers = { ...json, ...known(), ...endless, 'Content-Encoding': 'deflate' };
    connection.socket.write(headOf(`POST ${cma}`, headers));
    // The head of a zlib stream, then blocks that are stored and empty.
    const block = Buffer.from([0, 0, 0, 0xff, 0xff]).toString('latin1');
    connection.socket.write('2\r\n\x78\x9c\r\n', 'latin1');
    const blocks = block.repeat(3000);
    connection.socket.setDefaultEncoding('latin1');
    writeForever(connection, `${blocks.length.toString(16)}\r\n${blocks}\r\n`);
    expect((await connection.ended).split('\r\n', 1)[0]).toMatch('HTTP/1.1 413 ');
  });
});
