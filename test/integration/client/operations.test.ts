/** The operations of the client: how their requests are written, and how they read responses. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ClientOptions, createOperations } from '../../../src/client/operations.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());
beforeEach(() => server.answer({ body: { status: 'ok', result: null } }));

const connect = (settings: Partial<ClientOptions> = {}) =>
  createOperations({ baseUrl: server.baseUrl, clientId: 'importer', clientSecret: 's3cret', ...settings });

it('have the base path, the credentials and the run of the client', async () => {
  const operations = connect({ baseUrl: `${server.baseUrl}/cms/`, cmaPath: '/contents', run: 'spring' });
  await operations.updateAsset({ path: { id: 'a/b' }, body: { name: 'Ä' } });
  const [request] = server.received;
  expect(request?.line).toBe('PUT /cms/contents/a%2Fb');
  expect(request?.body).toBe('{"name":"Ä"}');
  expect(request?.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    'x-client-id': 'importer',
    'x-client-secret': 's3cret',
    'x-run': 'spring',
    'idempotency-key': expect.stringMatching(/^[\w-]{16,}$/),
  });
});

it('write lists into a query as the document says', async () => {
  const query = { from: 'Text', values: ['a,b', '&'], fields: ['name', 'cms.site.owner'], include: ['a/b'] };
  await connect().queryAssets({ query });
  expect(server.received[0]?.line).toBe(
    'GET /api/rest/cma/contents?from=Text&values=a%2Cb&values=%26&fields=name,cms.site.owner&include=a%2Fb',
  );
});

it('send both types of patches with their media type', async () => {
  const operations = connect();
  await operations.patchAsset({ path: { id }, body: { name: null } });
  await operations.patchAsset({ path: { id }, body: [{ op: 'remove', path: '/name' }] });
  expect(server.received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
    ['application/merge-patch+json', '{"name":null}'],
    ['application/json-patch+json', '[{"op":"remove","path":"/name"}]'],
  ]);
  // @ts-expect-error A JSON Patch has no operation of this name.
  void (() => operations.patchAsset({ path: { id }, body: [{ op: 'erase', path: '/name' }] }));
});

it('keep the key that a caller gives, and add none where the document has none', async () => {
  await connect().deleteAsset({ path: { id }, headers: { 'Idempotency-Key': 'mine' } });
  await connect().restoreAsset({ path: { id }, body: { at: 1 } });
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined]);
});

it.each([
  ['a page of a proxy', { headers: { 'Content-Type': 'text/html' }, body: '<p>Welcome</p>' }, /Welcome/],
  ['what is no JSON', { body: '{"status":' }, /not valid JSON/],
  ['a redirect', { status: 302, headers: { Location: '/login' } }, /redirected to \/login/],
])('reject %s as no answer of the API', async (_what, answer, message) => {
  server.answer(answer);
  const read = connect().getAsset({ path: { id } });
  await expect(read).rejects.toMatchObject({
    name: 'ColophonError',
    code: 'unexpected_answer',
    message: expect.stringMatching(message),
  });
});

it('reject with not_modified while If-None-Match is the ETag', async () => {
  server.answer({ status: 304 });
  const read = connect().getAsset({ path: { id }, headers: { 'If-None-Match': '"a"' } });
  await expect(read).rejects.toMatchObject({ code: 'not_modified', status: 304 });
});

it('reject with the reason of a signal', async () => {
  const reason = new Error('enough');
  const read = connect().getAsset({ path: { id }, signal: AbortSignal.abort(reason) });
  await expect(read).rejects.toBe(reason);
  expect(server.received).toHaveLength(0);
});

it('call the fetch of the client, or that of a call', async () => {
  const calls: string[] = [];
  const named = (name: string) => (url: string | URL | Request, init?: RequestInit) => {
    calls.push(`${name} ${init?.cache}`);
    return fetch(url, init);
  };
  const operations = connect({ fetch: named('own') });
  await operations.getAsset({ path: { id } });
  await operations.getAsset({ path: { id }, fetch: named('once'), cache: 'no-store' });
  expect(calls).toEqual(['own undefined', 'once no-store']);
});
