/** Several servers on one store: a change through one becomes effective on the others automatically. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { createGraphqlContext } from './graphql-context.ts';

/** Waits until a condition on a server is true. */
const untilEffective = (isEffective: () => Promise<boolean>) =>
  vi.waitUntil(isEffective, { timeout: 60_000, interval: 20 });

const query = '{ a: __typename }';

/** Sends a query to a server and returns the status. */
async function statusAt(url: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/graphql/${path}?query=${encodeURIComponent(query)}`, { headers });
  await response.body?.cancel();
  return response.status;
}

describeOnEachStore('two instances on one store', (locations) => {
  let location: StoreLocation;
  let here: TestInstance;
  let there: TestInstance;
  const context = createGraphqlContext(() => here);

  beforeAll(async () => {
    location = locations();
    here = await startInstance(location);
    there = await startInstance(location);
  });

  afterAll(() => Promise.all([here.stop(), there.stop()]));

  it('share the default endpoints, which are created once', async () => {
    const names = (await there.services.graphqlEndpoints.list()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['delivery', 'management']);
  });

  it('serve a GraphQL endpoint that the other instance creates, changes and deletes', async () => {
    const { id } = await context.createEndpoint({ name: 'shared' });
    await untilEffective(async () => (await statusAt(there.url, 'shared')) === 200);
    const body = { name: 'shared', readTypes: ['*'], access: 'API_KEY' };
    await here.services.graphqlEndpoints.replace({ id, body });
    await untilEffective(async () => (await statusAt(there.url, 'shared')) === 401);
    await here.services.graphqlEndpoints.delete({ id });
    await untilEffective(async () => (await statusAt(there.url, 'shared')) === 404);
  });

  it('serve a REST endpoint that the other instance publishes, until it is unpublished', async () => {
    const { id: source } = await context.createEndpoint({ name: 'behind' });
    const mapping = { name: 'Type', path: '/type', methods: ['GET'], query: 'query Type { a: __typename }' };
    const { restEndpoints } = here.services;
    const endpoint = await restEndpoints.create({
      body: { name: 'Shared routes', pathPrefix: '/shared', source, mappings: [mapping] },
      by: 'test',
    });
    const statusOfRoute = async () => (await fetch(`${there.url}/shared/type`)).status;
    expect(await statusOfRoute()).toBe(404);
    await restEndpoints.publish({ id: endpoint.id, by: 'test' });
    await untilEffective(async () => (await statusOfRoute()) === 200);
    await restEndpoints.unpublish({ id: endpoint.id, by: 'test' });
    await untilEffective(async () => (await statusOfRoute()) === 404);
  });

  it('accept the client, secret and keys that the other instance creates, until it revokes them', async () => {
    const client = await context.createClient();
    const { id: keyId, secret } = await context.createKey(client);
    const byKey = () => statusAt(there.url, 'delivery', { 'X-API-Key': secret });
    const bySecret = (headers: typeof client) => statusAt(there.url, 'management', headers);
    await untilEffective(async () => (await bySecret(client)) === 200 && (await byKey()) === 200);
    await here.services.clients.removeKey({ clientId: client['X-Client-Id'], keyId });
    await untilEffective(async () => (await byKey()) === 401);
    const rotated = await here.rotate(client);
    await untilEffective(async () => (await bySecret(client)) === 401);
    expect(await bySecret(rotated)).toBe(200);
    await here.revoke(rotated);
    await untilEffective(async () => (await bySecret(rotated)) === 401);
  });

  it('find at once the assets that the other instance writes', async () => {
    const creation = 'mutation ($name: String!) { createText(input: {name: $name}) { _id } }';
    const client = await context.createClient();
    const { body } = await context.ask(
      'management',
      { query: creation, variables: { name: 'written' } },
      client,
    );
    const { services } = there;
    expect((await services.content.get(body.data.createText._id, {})).asset).toMatchObject({
      name: 'written',
    });
  });
});

describe('two server processes on one database file', () => {
  let location: StoreLocation;
  let here: ServingProcess;
  let there: ServingProcess;

  beforeAll(async () => {
    location = sqliteLocation();
    const environment = {
      ...environmentOf(location),
      COLOPHON_CLIENT_ID: 'tester',
      COLOPHON_CLIENT_SECRET: 'tested',
      COLOPHON_ADMIN_EMAIL: 'admin@example.com',
      COLOPHON_ADMIN_PASSWORD: 'a long password',
    };
    [here, there] = await Promise.all([startServing(environment), startServing(environment)]);
  });

  afterAll(() => Promise.all([here.stop(), there.stop()]));

  /** Signs in on one process; the returned function calls its admin API and returns the body. */
  async function signIn() {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    const call = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
      const sent = body ? { body: JSON.stringify(body) } : {};
      const response = await fetch(`${here.url}/api/admin${path}`, { method, headers, ...sent });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      headers.Cookie ??= response.headers.get('set-cookie')?.split(';')[0] ?? '';
      return text === '' ? {} : JSON.parse(text);
    };
    const user = { email: 'admin@example.com', password: 'a long password' };
    headers['X-CSRF-Token'] = (await call('POST', '/session', user)).csrfToken ?? '';
    return call;
  }

  it('apply changes that are made through the admin API of the other process', async () => {
    const first = { 'X-Client-Id': 'tester', 'X-Client-Secret': 'tested' };
    expect(await statusAt(there.url, 'management', first)).toBe(200);
    const admin = await signIn();
    const definition = { name: 'by-process', readTypes: ['*'], access: 'ANYONE' };
    const { id: source } = await admin('POST', '/graphql-endpoints', definition);
    await untilEffective(async () => (await statusAt(there.url, 'by-process')) === 200);
    const mapping = {
      name: 'Type',
      path: '/type',
      methods: ['GET'],
      query: 'query Type { a: __typename }',
    };
    const routes = { name: 'Routes', pathPrefix: '/by-process', source, mappings: [mapping] };
    const { id } = await admin('POST', '/rest-endpoints', routes);
    await admin('POST', `/rest-endpoints/${id}/publish`);
    await untilEffective(async () => (await fetch(`${there.url}/by-process/type`)).status === 200);
    const { secret = '' } = await admin('POST', '/api-clients/tester/secret');
    await untilEffective(async () => (await statusAt(there.url, 'management', first)) === 401);
    const rotated = { ...first, 'X-Client-Secret': secret };
    expect(await statusAt(there.url, 'management', rotated)).toBe(200);
    await admin('DELETE', '/api-clients/tester');
    await untilEffective(async () => (await statusAt(there.url, 'management', rotated)) === 401);
  });
});
