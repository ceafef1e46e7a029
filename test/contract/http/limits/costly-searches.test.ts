/**
 * Searches that would look through many assets: each has a budget of time, wherever it comes from, and meanwhile other requests are
 * answered.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../../support/command-line.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { isLong } from '../../../support/rounds.ts';
import { createRecordingLogger } from '../../../support/runtime.ts';
import {
  describeOnEachStore,
  type StoreLocation,
  type StoreLocations,
  sqliteLocation,
} from '../../../support/stores.ts';
import { by, open, send } from '../routes/routes-context.ts';

/** In `npm run test:long` there are longer texts, with the budget of a server. */
const searches = isLong ? 12 : 20;
/** The budget, and texts that take longer to search. The test server of MongoDB needs some of it for short lists, too. */
const loadOn = ({ config }: StoreLocation) => {
  if (isLong) return { queryMs: 2_000, repeats: 8_000 };
  return config.mongodbUrl ? { queryMs: 500, repeats: 2_400 } : { queryMs: 50, repeats: 800 };
};
const from = 'com.colophon.cms.db.Text';
const costlyOf = (alternatives: number) =>
  Array.from({ length: alternatives }, (_, n) => `text contains[c] "absent${n}"`).join(' or ');
const costly = costlyOf(40);

const list = 'query List($where: String) { textList(where: $where) { count items { name } } }';
const turn = `query Turn($where: String!, $cursor: String!) {
  textList(where: $where, cursor: $cursor, limit: 50) { items { name } next } }`;
const routes = {
  name: 'Costly',
  source: open.name,
  mappings: [
    { name: 'List', methods: ['GET', 'POST'], query: list, cacheSeconds: 60 },
    { name: 'Turn', methods: ['POST'], query: turn },
  ],
};

// MongoDB's test server does one thing at a time: beside other tests it exceeds budgets that a search of a few assets keeps.
describeOnEachStore('searches that would look through many assets', (locations, { isWhole }) =>
  describe.runIf(isWhole)('beside others', () => describeSearches(locations)),
);

function describeSearches(locations: StoreLocations): void {
  let location: StoreLocation;
  let instance: TestInstance;
  let [attacker, admin] = [{} as ClientHeaders, {} as ClientHeaders];
  let endpointId = '';
  const { logger, lines } = createRecordingLogger();

  beforeAll(async () => {
    location = locations();
    const { queryMs, repeats } = loadOn(location);
    const text = 'Some words of a long text. '.repeat(repeats);
    instance = await startInstance(location, { queryMs }, logger);
    const { content, graphqlEndpoints, restEndpoints } = instance.services;
    for (let at = 0; at < 300; at += 20) {
      const numbers = Array.from({ length: 20 }, (_, n) => at + n);
      await Promise.all(numbers.map((n) => content.create({ _type: from, name: `Text ${n}`, text }, {})));
    }
    endpointId = (await graphqlEndpoints.create({ ...open, path: 'open' })).id;
    const { id } = await restEndpoints.create({ body: routes, by });
    await restEndpoints.publish({ id, by });
    attacker = await instance.createClient({ scopes: ['cma:read'] });
    admin = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  });

  const find = (query: Record<string, string>, headers: ClientHeaders) =>
    fetch(`${instance.url}/api/rest/cma/contents?${new URLSearchParams({ from, ...query })}`, { headers });
  const refusal = {
    message: expect.stringContaining('no index of "text"'),
    extensions: expect.objectContaining({ code: 'query_too_costly' }),
  };

  // The test server of MongoDB does one thing at a time, so that lists wait for the searches that it runs.
  it.skipIf(locations !== sqliteLocation)(
    'are refused with the path that has no index, while short lists of other clients are answered',
    async () => {
      const attacks = Array.from({ length: searches }, () => find({ where: costly }, attacker));
      let answered = 0;
      const ended = Promise.all(attacks.map(async (attack) => (await attack).json()));
      let areEnded = false;
      void ended.finally(() => {
        areEnded = true;
      });
      let worstMs = 0;
      while (!areEnded) {
        const startedMs = performance.now();
        expect((await find({ limit: '5', count: 'false' }, instance.headers)).status).toBe(200);
        worstMs = Math.max(worstMs, performance.now() - startedMs);
        answered++;
      }
      for (const body of await ended) {
        expect(body).toMatchObject({ status: 'error', error: { code: 'query_too_costly', path: 'text' } });
      }
      // A list that waited for the searches would be answered once or twice.
      expect(answered).toBeGreaterThan(5);
      if (isLong)
        console.log(`Worst wait of a short list: ${worstMs.toFixed(0)} ms; ${answered} were answered`);
    },
  );

  it('are refused in GraphQL', async () => {
    const json = { query: list, variables: { where: costly } };
    const { body } = await send(instance.url, 'POST', '/graphql/open', { json });
    expect(body.errors).toEqual([expect.objectContaining(refusal)]);
  });

  it('are refused on mapped routes, and nothing is kept', async () => {
    const path = `/costly/list?${new URLSearchParams({ where: costly })}`;
    for (const [method, sent] of [
      ['GET', {}],
      ['GET', {}],
      ['POST', { json: { where: costly } }],
    ] as const) {
      const { status, body, headers } = await send(
        instance.url,
        method,
        method === 'GET' ? path : '/costly/list',
        sent,
      );
      expect([status, body.errors]).toEqual([400, [expect.objectContaining(refusal)]]);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('are refused to administrators who try an operation', async () => {
    const path = `/api/admin/graphql-endpoints/${endpointId}/run`;
    const json = { query: list, variables: { where: costly } };
    const { status, body } = await send(instance.url, 'POST', path, { json, headers: admin });
    expect([status, body.errors]).toEqual([200, [expect.objectContaining(refusal)]]);
  });

  it('are named in the log and in the metrics by their route and operation, with the path that has no index', async () => {
    const json = { query: list, variables: { where: costly } };
    await find({ where: costly }, attacker);
    await send(instance.url, 'POST', '/graphql/open', { json });
    await send(instance.url, 'POST', '/costly/list', { json: { where: costly } });
    const reason = { errorCode: 'query_too_costly', unindexed: 'text' };
    const logged = () =>
      lines.filter(({ message, errorCode }) => message === 'request' && errorCode !== undefined);
    for (const line of [
      { route: '/api/rest/cma/contents', status: 400, ...reason },
      { route: '/graphql/open', operation: 'List', status: 200, ...reason },
      { route: '/costly/list', operation: 'List', status: 400, ...reason },
    ])
      await expect.poll(logged).toContainEqual(expect.objectContaining(line));
    const metrics = await (await fetch(`${instance.url}/metrics`, { headers: admin })).text();
    expect(metrics).toMatch(
      /^http_server_request_duration_seconds_count\{http_request_method="POST",http_route="\/graphql\/open",http_response_status_code="200",error_type="query_too_costly"\} [1-9]/m,
    );
  });

  it('end pages by cursor early in GraphQL and on routes, and following them finds everything', async () => {
    // So many that SQLite needs several times its budget.
    const where = `name = "Text 7" or name = "Text 288" or ${costlyOf(location.config.mongodbUrl ? 40 : 400)}`;
    const ask = (variables: object, isOnRoute: boolean) =>
      isOnRoute
        ? send(instance.url, 'POST', '/costly/turn', { json: variables })
        : send(instance.url, 'POST', '/graphql/open', { json: { query: turn, variables } });
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const { status, body } = await ask({ where, cursor }, pages % 2 === 1);
      expect([status, body.errors]).toEqual([200, undefined]);
      found.push(...body.data.textList.items.map(({ name }: { name: string }) => name));
      cursor = body.data.textList.next;
    }
    expect(found.toSorted()).toEqual(['Text 288', 'Text 7']);
    // No page has the fifty items that it may have, so each one with a next has ended early.
    expect(pages).toBeGreaterThan(1);
  });

  it('end an export, which says why', async () => {
    // An export does not count what it finds, which takes the other requests half of their time.
    const queryMs = isLong ? 200 : loadOn(location).queryMs;
    const environment = { ...environmentOf(location), COLOPHON_QUERY_MS: String(queryMs) };
    const { exitCode, stdout, stderr } = await runCommand(
      ['export', '--from', from, '--where', costly],
      environment,
    );
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('no index of "text"');
  });
}
