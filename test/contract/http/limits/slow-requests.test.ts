/** Requests that arrive too slowly: the API that they address answers 408 in its own format, and the connection ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { headOf, openConnection } from '../../../support/connections.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { open } from '../routes/routes-context.ts';

let instance: TestInstance;

const json = { 'Content-Type': 'application/json' };
const cma = '/api/rest/cma/contents';

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  await instance.services.graphqlEndpoints.create(open);
  await instance.refresh();
});

describe.concurrent('an incomplete body is answered 408 after ten seconds', () => {
  it.each<[name: string, path: string, known: boolean, body: object]>([
    ['by the CMA', cma, true, { status: 'error', result: null, error: { code: 'body_too_slow' } }],
    [
      'by the CMA, for a file',
      `${cma}/files?name=slow.txt`,
      true,
      { status: 'error', error: { code: 'body_too_slow' } },
    ],
    ['by the admin API', '/api/admin/session', false, { status: 408, code: 'body_too_slow' }],
    [
      'by a GraphQL endpoint',
      '/graphql/open',
      false,
      { errors: [{ extensions: { code: 'body_too_slow' } }] },
    ],
  ])('%s', async (_name, path, known, body) => {
    const connection = await openConnection(instance.url);
    const startedMs = performance.now();
    const credentials = known ? instance.headers : {};
    connection.socket.write(
      `${headOf(`POST ${path}`, { ...json, ...credentials, 'Content-Length': 20 })}{"a":`,
    );
    // Single bytes that still arrive do not extend the time.
    const trickling = setInterval(() => connection.socket.write(' '), 2000);
    const response = await connection.ended;
    clearInterval(trickling);
    expect(performance.now() - startedMs).toBeGreaterThan(9000);
    expect(connection.statuses()).toEqual([408]);
    expect(response).toMatch(/^Connection: close\r$/im);
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject(body);
  });
});

describe.concurrent('a request', () => {
  it('with a large body at the minimum speed is served', async () => {
    const connection = await openConnection(instance.url);
    const body = JSON.stringify({
      _type: 'com.colophon.cms.db.Text',
      name: 'x',
      text: 'x'.repeat(3_000_000),
    });
    const sent = { ...json, ...instance.headers, 'Content-Length': body.length, Connection: 'close' };
    connection.socket.write(headOf(`POST ${cma}`, sent));
    for (let start = 0; start < body.length; start += 100_000) {
      connection.socket.write(body.slice(start, start + 100_000));
      await sleep(500);
    }
    await connection.ended;
    expect(connection.statuses()).toEqual([200]);
  });

  it('with an incomplete head is answered 408', async () => {
    const connection = await openConnection(instance.url);
    connection.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    await connection.ended;
    expect(connection.statuses()).toEqual([408]);
  });
});
