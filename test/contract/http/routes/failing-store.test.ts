/** The responses of mapped routes and the log while the store is broken, locked or closed. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compose, type Instance } from '../../../../src/app/compose/compose.ts';
import { readConfig } from '../../../../src/app/config/config.ts';
import { startServer } from '../../../../src/app/server/server.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds, systemClock } from '../../../../src/base/runtime.ts';
import { createRecordingLogger, type RecordedLine } from '../../../support/runtime.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { by, open, type RouteResponse, send } from './routes-context.ts';

const failing = {
  name: 'Failing',
  source: open.name,
  mappings: [
    { name: 'Get', query: 'query Get($id: ID!) { text(_id: $id) { name } }', cacheSeconds: 60 },
    { name: 'List', query: 'query List { textList { count items { name } } siteList { count } }' },
    { name: 'Create', query: 'mutation Create { createText(input: { name: "x" }) { name } }' },
    { name: 'Delete', query: 'mutation Delete($id: ID!) { deleteText(_id: $id) }', methods: ['DELETE'] },
  ],
};

const noAsset = '0190a0c0-0000-7000-8000-000000000000';
const calls = [
  ['GET', `/failing/get?id=${noAsset}`],
  ['GET', '/failing/list'],
  ['POST', '/failing/create'],
  ['DELETE', `/failing/delete?id=${noAsset}`],
] as const;

/** An instance with mapped routes, and its log. */
interface FailingInstance {
  readonly instance: Instance;
  readonly lines: readonly RecordedLine[];
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>): Promise<RouteResponse>;
  stop(): Promise<void>;
}

async function startFailing(location: StoreLocation): Promise<FailingInstance> {
  const { logger, lines } = createRecordingLogger();
  const config = { ...readConfig({}), port: 0, ...location.config };
  const instance = await compose(config, {
    logger,
    clock: systemClock,
    ids: randomIds,
    origins: createRequestOrigins(),
  });
  const server = await startServer({ instance, config, logger });
  await instance.services.graphqlEndpoints.create(open);
  const { id } = await instance.services.restEndpoints.create({ body: failing, by });
  await instance.services.restEndpoints.publish({ id, by });
  await instance.refresh();
  const ask: FailingInstance['ask'] = (method, path, headers = {}) =>
    send(server.url, method, path, { headers });
  return { instance, lines, ask, stop: server.stop };
}

/** Calls every route: the response must not have details; the log must have the cause with the request ID. */
async function expectFailures({ ask, lines }: FailingInstance, reason: RegExp): Promise<void> {
  for (const [method, path] of calls) {
    const requestId = `${method}-${path.split(/[/?]/)[2]}`;
    const { status, headers, body } = await ask(method, path, {
      'X-Request-Id': requestId,
      'If-None-Match': '*',
    });
    expect([requestId, status, headers['cache-control']]).toEqual([requestId, 500, 'no-store']);
    for (const { message, extensions } of body.errors) {
      expect(message).toBe('The service failed; its log says why');
      expect(extensions).toEqual({ code: 'internal', http: { status: 500 } });
    }
    const [line] = lines.filter((line) => line.requestId === requestId && line.level === 'error');
    expect(line).toMatchObject({ message: 'resolver failed', err: { code: 'store_failure' } });
    expect(String(Object(line?.err).cause)).toMatch(reason);
  }
  expect((await ask('GET', '/failing/none')).status).toBe(404);
}

let location: StoreLocation;
let failed: FailingInstance;

const startAt = async (newLocation: StoreLocation) => {
  location = newLocation;
  failed = await startFailing(location);
};

afterEach(async () => {
  await failed.stop();
  await location.remove();
});

describeOnEachStore('mapped routes with a closed store', (places) => {
  beforeEach(() => startAt(places()));

  it('answer 500 without details', async () => {
    await failed.instance.close();
    await expectFailures(failed, /closed|not running|terminated/i);
  });
});

describe('mapped routes with a failing database file', () => {
  /** A second connection to the database file, as of another program. */
  let other: DatabaseSync;

  beforeEach(async () => {
    await startAt(sqliteLocation());
    other = new DatabaseSync(join(location.config.dataDir, 'colophon.db'));
  });
  afterEach(() => other.close());

  it('answer 500 without details when a table is missing', async () => {
    other.exec('DROP TABLE assets');
    await expectFailures(failed, /no such table: assets/);
  });

  it('answer writes with 503 and Retry-After while it is locked, and reads with 200', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writing = failed.ask('POST', '/failing/create');
    expect((await failed.ask('GET', '/failing/list')).status).toBe(200);
    const { status, headers, body } = await writing;
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '1', 'no-store']);
    expect(body).toEqual({
      errors: [
        {
          message: 'The service is busy; try again',
          locations: [{ line: 1, column: 19 }],
          path: ['createText'],
          extensions: { code: 'store_busy', http: { status: 503 } },
        },
      ],
      data: null,
    });
    other.exec('ROLLBACK');
    expect((await failed.ask('POST', '/failing/create')).status).toBe(200);
  });
});
