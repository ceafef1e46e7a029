/** The cases that the suite makes for an operation of which it knows nothing but the document. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { type Fault, type Passing, startFaultyProxy } from './faulty-proxy.ts';
import { recipeTypes } from './hostile-types.ts';
import { documentFor, runSuite } from './run.ts';

const types = makeOwnTypesFolder(recipeTypes);
const collection = '/api/rest/cma/contents';

describe('an operation that only the document has', () => {
  const ping = '/api/rest/cma/ping';
  const parameters = [
    { name: 'from', in: 'query', required: true, schema: { type: 'string' }, example: 'org.example.Recipe' },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 1000, default: 3 } },
    { name: 'where', in: 'query', schema: { type: 'string', minLength: 1 } },
  ];
  let instance: TestInstance;
  let client: ClientHeaders;
  let extended: JsonObject;

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation(), { typesDir: types });
    client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft', 'history'] });
    await instance.refresh();
    // The bundled document is JSON.
    // biome-ignore lint/suspicious/noExplicitAny: only a few members are read
    const { paths, ...rest } = documentFor(types) as any;
    const { get, 'x-other-methods': others } = paths[collection];
    const { 200: found, 400: refused, 401: unknown, 503: busy } = get.responses;
    const responses = { 200: found, 400: refused, 401: unknown, 503: busy };
    const item = { get: { operationId: 'ping', parameters, responses }, 'x-other-methods': others };
    extended = { ...rest, paths: { ...paths, [ping]: item } };
  });

  /** Serves it as a query of the instance; `answer` changes its responses. */
  function servePing(answer: Fault['answer'] = () => {}) {
    const pings = new WeakSet<Passing>();
    return startFaultyProxy(instance.url, {
      request: (passing) => {
        if (passing.url.pathname !== ping) return;
        pings.add(passing);
        passing.url.pathname = collection;
        // The instance documents POST there.
        if (!['GET', 'HEAD'].includes(passing.method)) passing.method = 'PUT';
      },
      answer: (passing) => {
        if (!pings.has(passing)) return;
        if (passing.headers.has('allow')) passing.headers.set('allow', 'GET, HEAD');
        answer(passing);
      },
    });
  }

  it('gets cases from the document alone', async () => {
    const proxy = await servePing();
    const run = (operation: string) =>
      runSuite({ instance, client, origin: proxy.url, document: extended, only: { operation } });
    const { results, failed, comments } = await run('ping');
    expect(failed).toEqual([]);
    const passed = results.filter((result) => result.operation === 'ping' && result.skipped === undefined);
    expect(passed.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        '200 HEAD has the headers of GET and no body',
        '400 noSuchParameter is unknown',
        '400 from is missing',
        '400 limit is "ten"',
        '200 with query limit',
        '200 to a valid request',
        '400 limit is given twice',
        '401 without credentials, although other parts are wrong too',
      ]),
    );
    const untested = comments.filter((line) => line.startsWith('not tested: '));
    expect(untested).toEqual([
      'not tested: ping query where',
      'not tested: ping 200 header X-Release',
      'not tested: ping 503',
    ]);
    expect(comments.at(-1)).toBe('3 parts of the documents are not tested');
    const others = await run(`${ping} other methods`);
    expect(others.failed).toEqual([]);
    expect(others.results.map(({ title }) => title)).toContain('405 POST, with Allow');
    await proxy.stop();
  });

  it('fails when its success is not as documented', async () => {
    const proxy = await servePing((passing) => {
      if (passing.status === 200) passing.body = { pong: true };
    });
    const only = { operation: 'ping' };
    const { failed } = await runSuite({ instance, client, origin: proxy.url, document: extended, only });
    expect(failed).toEqual([
      'ping 200 HEAD has the headers of GET and no body',
      'ping 200 to a valid request',
      'ping 200 with query limit',
    ]);
    await proxy.stop();
  });
});
