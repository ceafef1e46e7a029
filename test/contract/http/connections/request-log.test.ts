/** The log line of a request: it names the client, the user agent and the path for every API, also when it is refused. */
import { beforeAll, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { sendRaw } from '../../../support/raw-http.ts';
import { createRecordingLogger } from '../../../support/runtime.ts';
import { sqliteLocation } from '../../../support/stores.ts';

let instance: TestInstance;
let reader: ClientHeaders;
let apiKey: string;
const { logger, lines } = createRecordingLogger();
let sent = 0;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), {}, logger);
  reader = await instance.createClient({ scopes: ['graphql'] });
  const { clients, restEndpoints } = instance.services;
  ({ secret: apiKey } = await clients.addKey({ clientId: reader['X-Client-Id'], name: 'Site' }));
  const mappings = [{ name: 'All', query: 'query All { textList { count } }' }];
  const { id } = await restEndpoints.create({
    body: { name: 'News', source: 'delivery', mappings },
    by: 'x',
  });
  await restEndpoints.publish({ id, by: 'x' });
  await instance.refresh();
});

/** Sends a request and returns its line of the log. */
async function lineOf(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const requestId = `request-${++sent}`;
  await sendRaw(instance.url, { method, path, headers: { ...headers, 'X-Request-Id': requestId } });
  const find = () => lines.find((line) => line.message === 'request' && line.requestId === requestId);
  await expect.poll(find).toBeDefined();
  return find();
}

const query = '?query=%7BtextList%7Bcount%7D%7D';

it.each<[name: string, status: number, path: string, headers: () => Readonly<Record<string, string>>]>([
  ['to a GraphQL endpoint', 200, `/graphql/delivery${query}`, () => reader],
  ['to a GraphQL endpoint, by API key', 200, `/graphql/delivery${query}`, () => ({ 'X-API-Key': apiKey })],
  ['to a mapped route', 200, '/news/all', () => reader],
  ['to a mapped route, by API key', 200, '/news/all', () => ({ 'X-API-Key': apiKey })],
  ['to a mapped route, by API key in the URL', 200, `/news/all?apiKey=`, () => ({})],
  ['that the CMA refuses for its scope', 403, '/api/rest/cma/contents?from=x', () => reader],
  ['that the admin API refuses for its scope', 403, '/api/admin/types', () => reader],
])('the log line has the client ID of a request %s', async (_name, status, path, headers) => {
  const line = await lineOf('GET', path.endsWith('apiKey=') ? path + apiKey : path, headers());
  expect(line).toMatchObject({ status, clientId: reader['X-Client-Id'], clientAddress: '127.0.0.1' });
});

it('the log line has the client ID of a request that a GraphQL endpoint refuses for its scope', async () => {
  const line = await lineOf('GET', `/graphql/management${query}`, instance.headers);
  expect(line).toMatchObject({ status: 403, clientId: instance.headers['X-Client-Id'] });
});

it('the log line has no client ID when the secret is wrong', async () => {
  const line = await lineOf('GET', '/api/rest/cma/contents', { ...reader, 'X-Client-Secret': 'x' });
  expect(line).toMatchObject({ status: 401, clientId: undefined });
});

it('the log line has the user agent, shortened and without control characters', async () => {
  expect(await lineOf('GET', '/healthz', { 'User-Agent': 'tester/1.0 (x)' })).toMatchObject({
    userAgent: 'tester/1.0 (x)',
  });
  const long = await lineOf('GET', '/healthz', { 'User-Agent': `\u009b2J${'x'.repeat(10_000)}` });
  expect(long?.userAgent).toMatch(/^\ufffd2Jx{197}…$/);
  expect(await lineOf('GET', '/healthz', {})).toMatchObject({ userAgent: undefined });
});

it('the log line has the path, shortened', async () => {
  const { path } = Object(await lineOf('GET', `/${'x'.repeat(100_000)}`, {}));
  expect(path).toMatch(/^\/x{999}…$/);
});

it('the log line has the trace ID of a well-formed traceparent', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const line = (traceparent: string) => lineOf('GET', '/healthz', { traceparent });
  expect(await line(`00-${traceId}-00f067aa0ba902b7-01`)).toMatchObject({ traceId });
  for (const malformed of [
    traceId,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
  ])
    expect(await line(malformed)).toMatchObject({ traceId: undefined });
});
