/**
 * A failing MongoDB server: first the transaction of a killed process blocks writes, then the server is stopped. Every API
 * answers within seconds that the store is busy, and the process can still be stopped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { startInstance } from '../../../support/instance.ts';
import { type OwnMongo, startOwnMongo } from '../../../support/mongo-server.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { ownMongoLocation, type StoreLocation } from '../../../support/stores.ts';
import { ask, type CmaResponse, cmaPath, serveOn } from '../../../support/two-servers.ts';

vi.setConfig({ testTimeout: 600_000 });

const text = 'com.colophon.cms.db.Text';
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
/** Much less than the 60 s for which MongoDB keeps an orphaned transaction by default. */
const fewSecondsMs = 30_000;
const graphqlTypes = ['application/json', 'application/graphql-response+json'];

// A server of COLOPHON_TEST_MONGODB_URL must not be killed.
describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL)('MongoDB', () => {
  let mongo: OwnMongo;
  let location: StoreLocation;
  let serving: ServingProcess;

  beforeAll(async () => {
    const started = await startOwnMongo();
    if (!started) throw new Error('There was a server for other tests');
    mongo = started;
    location = ownMongoLocation(mongo);
    serving = await serveOn(location);
  });
  afterAll(async () => {
    serving.signal('SIGKILL');
    await mongo.stop();
  });

  const batch = (operations: object[], more: object = {}) =>
    ask(serving, 'POST', `${cmaPath}/batch`, { body: { operations, ...more } });
  const graphql = (query: string, accept = 'application/json') =>
    ask(serving, 'POST', '/graphql/management', { body: { query }, headers: { Accept: accept } });

  /** Publishes routes with an open GraphQL endpoint as their source, and waits until they are served. */
  async function publishRoutes(): Promise<void> {
    const instance = await startInstance(location);
    const { graphqlEndpoints, restEndpoints } = instance.services;
    const open = { name: 'open', readTypes: ['*'], writeTypes: ['*'], access: 'ANYONE' };
    await graphqlEndpoints.create(open);
    const mappings = [
      {
        name: 'One',
        cacheSeconds: 60,
        query: 'query One($id: ID!) { a: __typename text(_id: $id) { name } }',
      },
      { name: 'Make', query: 'mutation Make { createText(input: { name: "made" }) { name } }' },
    ];
    const { id } = await restEndpoints.create({
      body: { name: 'Open', source: 'open', mappings },
      by: 'test',
    });
    await restEndpoints.publish({ id, by: 'test' });
    await instance.stop();
    const isServed = async () => (await ask(serving, 'GET', `/open/one?id=${idOf(1)}`)).status === 200;
    await vi.waitUntil(isServed, { timeout: 60_000, interval: 50 });
  }

  it('answers 503 within seconds while the transaction of a killed process locks an asset', async () => {
    await batch(
      [1, 2, 3].map((n) => ({ action: 'create', asset: { _type: text, _id: idOf(n), name: 'x' } })),
    );
    const entry = fileURLToPath(new URL('../../store/orphan-transaction.ts', import.meta.url));
    const args = [entry, location.config.mongodbUrl ?? '', idOf(1), idOf(2)];
    const orphan = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(orphan.stdout, 'data');
    orphan.kill('SIGKILL');
    await once(orphan, 'exit');
    const update = (n: number) => ({ action: 'update', asset: { _id: idOf(n), name: 'changed' } });
    const [put, second, deletion, mutation, atomic] = await Promise.all([
      ask(serving, 'PUT', `${cmaPath}/${idOf(1)}`, { body: { name: 'changed' } }),
      ask(serving, 'PUT', `${cmaPath}/${idOf(1)}`, { body: { name: 'changed' } }),
      ask(serving, 'DELETE', `${cmaPath}/${idOf(1)}`),
      graphql(`mutation { updateText(_id: "${idOf(2)}", input: { name: "changed" }) { name } }`),
      batch([update(2), update(1)], { atomic: true }),
    ]);
    for (const { status, headers } of [put, second, deletion, mutation, atomic]) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    // On a slow machine both updates may time out, and the whole batch is answered 503.
    const mixed = await vi.waitFor(
      async () => {
        const response = await batch([update(3), update(2)]);
        expect(response.status).toBe(200);
        return response;
      },
      { timeout: fewSecondsMs },
    );
    expect(mixed.body.result.results).toMatchObject([
      { status: 200, outcome: 'updated' },
      { status: 503, error: { code: 'store_busy' } },
    ]);
    // Reads and other writes still succeed.
    expect((await ask(serving, 'GET', `${cmaPath}/${idOf(1)}`)).body.result.name).toBe('x');
    expect((await batch([{ action: 'create', asset: { _type: text, name: 'y' } }])).status).toBe(200);
  });

  describe('while its server is stopped', () => {
    beforeAll(async () => {
      await publishRoutes();
      await mongo.stop();
    });

    const expectBusy = ({ status, headers }: CmaResponse) =>
      expect([status, headers['retry-after']]).toEqual([503, '1']);

    it.each(graphqlTypes)('makes GraphQL endpoints answer 503 in %s', async (type) => {
      const documents = [
        `{ a: __typename text(_id: "${idOf(1)}") { name } }`,
        '{ textList { count items { name } } }',
        'mutation { createText(input: { name: "z" }) { _id } }',
      ];
      for (const response of await Promise.all(documents.map((query) => graphql(query, type)))) {
        expectBusy(response);
        expect(response.headers).toMatchObject({
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'no-store',
        });
        expect(Object.keys(response.body)).toEqual(['errors']);
        for (const { extensions } of response.body.errors) expect(extensions.code).toBe('store_busy');
      }
    });

    it('makes mapped routes answer 503 without caching', async () => {
      const responses = await Promise.all([
        ask(serving, 'GET', `/open/one?id=${idOf(1)}`),
        ask(serving, 'POST', '/open/make'),
      ]);
      for (const response of responses) {
        expectBusy(response);
        expect(response.headers['cache-control']).toBe('no-store');
        expect(response.headers).not.toHaveProperty('etag');
        expect(response.body.errors[0].extensions).toMatchObject({
          code: 'store_busy',
          http: { status: 503 },
        });
      }
    });

    it('makes the CMA answer 503', async () => {
      expectBusy(await ask(serving, 'GET', `${cmaPath}/${idOf(1)}`));
      expectBusy(await ask(serving, 'POST', cmaPath, { body: { _type: text, name: 'z' } }));
    });

    it('does not prevent the process from stopping', async () => {
      const waiting = graphql('{ textList { count } }').catch(() => 'cut off');
      const { exitCode } = await serving.stop();
      expect(exitCode).toBe(0);
      await waiting;
    });
  });
});
