/** Two server processes that change endpoints at the same moment: one change succeeds, and the other leaves no records. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { createSystem } from '../../../../src/app/compose/compose-records.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../../src/base/runtime.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { openStoreAt } from '../../../support/content.ts';
import { type ClientHeaders, startInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { systemCatalog } from '../../../support/types.ts';

const rounds = 5;
const query = 'query Type { __typename }';

/** A response of the admin API. */
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body depends on the call
  readonly body: any;
}

describeOnEachStore('two processes that change endpoints at once', (locations) => {
  let location: StoreLocation;
  let here: ServingProcess;
  let there: ServingProcess;
  let client: ClientHeaders;
  let store: ContentStore;
  let system: ContentService;

  beforeAll(async () => {
    location = locations();
    const instance = await startInstance(location);
    client = await instance.createClient({ scopes: ['admin'] });
    await instance.stop();
    const environment = environmentOf(location);
    [here, there] = await Promise.all([startServing(environment), startServing(environment)]);
    const catalog = storedCatalog(systemCatalog());
    store = await openStoreAt(location, catalog);
    system = createSystem(store, {
      logger: silentLogger,
      clock: systemClock,
      ids: randomIds,
      origins: createRequestOrigins(),
    });
  });

  afterAll(() => Promise.all([here.stop(), there.stop(), store.close()]));

  const callAt = async (
    server: ServingProcess,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> => {
    const headers = { ...client, 'Content-Type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${server.url}/api/admin${path}`, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

  const definition = (name: string, fields: object = {}) => ({
    name,
    source: 'delivery',
    mappings: [
      { name: 'One', query },
      { name: 'Two', query },
    ],
    ...fields,
  });

  const idsOf = async (className: string, field: string) => {
    const page = { from: className, offset: 0, limit: 1000, withCount: false };
    return new Set((await system.find(page, {})).items.map(({ asset }) => asset[field]));
  };

  it('publish only one of two drafts with the same route, and name it in the refusal of the other', async () => {
    for (let round = 0; round < rounds; round++) {
      const pathPrefix = `/clash-${round}`;
      const bodies = ['A', 'B'].map((name) => definition(`${name} ${round}`, { pathPrefix }));
      const [servers, [first = {}, second = {}]] = [[here, there] as const, bodies];
      const drafts = await Promise.all([
        callAt(here, 'POST', '/rest-endpoints', first),
        callAt(there, 'POST', '/rest-endpoints', second),
      ]);
      const saved = drafts.filter(({ status }) => status === 201);
      expect(saved.length).toBeGreaterThan(0);
      const published = await Promise.all(
        saved.map(({ body }, index) =>
          callAt(servers[index % 2] ?? here, 'POST', `/rest-endpoints/${body.id}/publish`),
        ),
      );
      const winner = published.find(({ status }) => status === 200)?.body;
      expect(published.map(({ status }) => status).toSorted()).toEqual(
        saved.length === 2 ? [200, 400] : [200],
      );
      for (const { body } of [...drafts, ...published].filter(({ status }) => status === 400)) {
        expect([body.code, body.problems[0].path]).toEqual(['invalid_body', 'mappings[0].path']);
      }
      for (const { body } of published.filter(({ status }) => status === 400)) {
        expect(body.detail).toContain(`REST endpoint ${JSON.stringify(winner.draft.name)}`);
      }
      const again = await callAt(there, 'PUT', `/rest-endpoints/${winner.id}`, winner.draft);
      expect([again.status, again.body.detail]).toEqual([200, undefined]);
      const path = `/rest-endpoints/${winner.id}`;
      expect((await callAt(here, 'POST', `${path}/publish`)).status).toBe(200);
      for (const { body } of saved.filter(({ body: { id } }) => id !== winner.id)) {
        const moved = { ...body.draft, pathPrefix: `/moved-${round}` };
        expect((await callAt(here, 'PUT', `/rest-endpoints/${body.id}`, moved)).status).toBe(200);
        expect((await callAt(there, 'POST', `/rest-endpoints/${body.id}/publish`)).status).toBe(200);
      }
    }
  });

  it('leave no version of a REST endpoint that is deleted while it is saved', async () => {
    for (let round = 0; round < rounds; round++) {
      const name = `Gone ${round}`;
      const { body } = await callAt(here, 'POST', '/rest-endpoints', definition(name));
      const path = `/rest-endpoints/${body.id}`;
      const [saved, deleted] = await Promise.all([
        callAt(here, 'PUT', path, definition(name)),
        callAt(there, 'DELETE', path),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(saved.status);
    }
    const ids = await idsOf('com.colophon.system.RestEndpoint', '_id');
    for (const id of await idsOf('com.colophon.system.RestEndpointVersion', 'endpointId')) {
      expect(ids).toContain(id);
    }
  });

  it('either delete a GraphQL endpoint or create a REST endpoint that uses it', async () => {
    for (let round = 0; round < rounds; round++) {
      const source = { name: `Source ${round}`, readTypes: ['*'], access: 'ANYONE' };
      const { body } = await callAt(here, 'POST', '/graphql-endpoints', source);
      const [made, deleted] = await Promise.all([
        callAt(here, 'POST', '/rest-endpoints', definition(`Onto ${round}`, { source: body.id })),
        callAt(there, 'DELETE', `/graphql-endpoints/${body.id}`),
      ]);
      const outcome = [made.status, deleted.status].join(' ');
      expect(['201 409', '400 204']).toContain(outcome);
      if (deleted.status === 409) expect(deleted.body.detail).toContain(`Onto ${round}`);
    }
    const sources = await idsOf('com.colophon.system.GraphqlEndpoint', '_id');
    const { body } = await callAt(here, 'GET', '/rest-endpoints');
    for (const { draft } of body.items) expect(sources).toContain(draft.source);
  });
});
