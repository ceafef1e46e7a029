/** Wrong credentials of API clients at each API, behind a proxy that reports the addresses. */
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { freeAttempts } from '../../../../src/access/authenticator.ts';
import {
  bundleDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';

const text = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let instance: TestInstance;
let clientId: string;
let secret: string;
let apiKey: string;
let lastAddress = 0;

beforeAll(async () => {
  instance = await startInstance(location, { trustedProxies: 1 });
  const { clients, graphqlEndpoints, restEndpoints } = instance.services;
  const created = await instance.createClient({ scopes: ['cma:read', 'graphql', 'admin', 'metrics'] });
  ({ 'X-Client-Id': clientId, 'X-Client-Secret': secret } = created);
  ({ secret: apiKey } = await clients.addKey({ clientId, name: 'Site' }));
  const access = 'CLIENT_CREDENTIALS';
  const { id: source } = await graphqlEndpoints.create({ name: 'Texts', readTypes: [text], access });
  const mappings = [{ name: 'Texts', query: 'query Texts { textList { count } }' }];
  const { id } = await restEndpoints.create({ body: { name: 'Texts', source, mappings }, by: 'a test' });
  await restEndpoints.publish({ id, by: 'a test' });
  await instance.refresh();
});

/** A network address that no other case has. */
const freshAddress = () => `192.0.2.${++lastAddress}`;

const apis: readonly [name: string, path: string][] = [
  ['the CMA', `/api/rest/cma/contents?from=${text}`],
  ['the admin API', '/api/admin/types'],
  ['GraphQL', '/graphql/texts?query=%7BtextList%7Bcount%7D%7D'],
  ['a mapped route', '/texts/texts'],
  ['the metrics', '/metrics'],
];

const senders: readonly [name: string, headersOf: (given: string) => Record<string, string>][] = [
  ['two headers', (given) => ({ 'X-Client-Id': clientId, 'X-Client-Secret': given })],
  ['a token', (given) => ({ Authorization: `Bearer ${clientId}.${given}` })],
];

const ask = (path: string, from: string, headers: Record<string, string>) =>
  fetch(instance.url + path, { headers: { ...headers, 'X-Forwarded-For': from } });

const statusOf = async (...request: Parameters<typeof ask>) => {
  const response = await ask(...request);
  await response.body?.cancel();
  return response.status;
};

it.each(apis.flatMap(([api, path]) => senders.map(([how, headersOf]) => ({ api, how, path, headersOf }))))(
  'at $api, sent as $how, must wait after many, and nobody else',
  async ({ path, headersOf }) => {
    const [guesser, home] = [freshAddress(), freshAddress()];
    for (let n = 0; n < freeAttempts; n++) {
      expect(await statusOf(path, guesser, headersOf(`guess-${n}`))).toBe(401);
      expect(await statusOf(path, home, headersOf(secret))).toBe(200);
    }
    const refused = await ask(path, guesser, headersOf(secret));
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(await refused.text()).toContain(
      'There were too many attempts with wrong credentials; try again in 1 second',
    );
    expect(await statusOf(path, home, headersOf(secret))).toBe(200);
    await wait(1_000);
    expect(await statusOf(path, guesser, headersOf(secret))).toBe(200);
    expect(await statusOf(path, guesser, headersOf('wrong'))).toBe(401);
  },
);

it('of one API slow down the same address and ID at the others', async () => {
  const guesser = freshAddress();
  const wrong = { 'X-Client-Id': clientId, 'X-Client-Secret': 'wrong' };
  for (let n = 0; n < freeAttempts; n++) {
    const [, path = ''] = apis[n % apis.length] ?? [];
    expect(await statusOf(path, guesser, wrong)).toBe(401);
  }
  for (const [, path] of apis) expect(await statusOf(path, guesser, wrong)).toBe(429);
});

it('that are API keys must wait, but right ones at the same address need not', async () => {
  const guesser = freshAddress();
  const path = '/graphql/delivery?query=%7B__typename%7D';
  for (let n = 0; n < freeAttempts; n++)
    expect(await statusOf(path, guesser, { 'X-API-Key': `guess-${n}` })).toBe(401);
  expect(await statusOf(path, guesser, { 'X-API-Key': 'wrong' })).toBe(429);
  expect(await statusOf(path, guesser, { 'X-API-Key': apiKey })).toBe(200);
});

it.each([
  [
    'the CMA',
    bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
    '/api/rest/cma/contents',
  ],
  ['the admin API', readAdminDocument(), '/api/admin/types'],
])('are refused by %s as its document says', async (_name, document, path) => {
  const guesser = freshAddress();
  const wrong = { 'X-Client-Id': 'nobody', 'X-Client-Secret': 'wrong' };
  for (let n = 0; n < freeAttempts; n++) await statusOf(path, guesser, wrong);
  const response = await ask(path, guesser, wrong);
  const headers = Object.fromEntries(response.headers);
  const body = await response.json();
  const received = { status: response.status, headers, body };
  createContractAssertions(document).assertDocumented('GET', path, received);
  expect([response.status, (Object(body).error ?? body).code]).toEqual([429, 'too_many_attempts']);
});
