/** The operations of `colophon-client/operations` over a running server, behind a failing proxy. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOperations,
  NotFoundError,
  type Operations,
  PreconditionFailedError,
  ServerError,
  ValidationError,
} from '../../../generated/client/lib/operations.js';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

const _type = 'com.colophon.cms.db.Text';

let instance: TestInstance;
let proxy: FaultyProxy;
let operations: Operations;
beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  proxy = await startFaultyProxy(instance.url);
  const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = instance.headers;
  operations = createOperations({ baseUrl: proxy.url, clientId, clientSecret });
});
afterAll(() => proxy.close());

async function create(name: string) {
  const { data, response } = await operations.createAsset({ body: { _type, name } });
  return { id: data.result._id, etag: response.headers.get('ETag') ?? '' };
}

it('return the response of the server', async () => {
  const { id, etag } = await create('There');
  const { data, response } = await operations.getAsset({ path: { id } });
  expect(data).toMatchObject({ status: 'ok', result: { _id: id, _type, name: 'There' } });
  expect(response.headers.get('ETag')).toBe(etag);
  const names = ['There', 'a&b, c'];
  await create('a&b, c');
  const found = await operations.queryAssets({
    query: {
      from: _type,
      where: 'name = ? or name = ?',
      values: names,
      fields: ['_id', 'name'],
      sort: 'name',
    },
  });
  expect(found.data.result.items.map(({ _id, ...fields }) => fields)).toEqual([
    { _type, name: 'There' },
    { _type, name: 'a&b, c' },
  ]);
});

it('throw the error class of a refusal', async () => {
  const { id, etag } = await create('Refused');
  const headers = { 'If-Match': etag };
  await operations.updateAsset({ path: { id }, headers, body: { name: 'New' } });
  const late = operations.updateAsset({ path: { id }, headers, body: { name: 'Newer' } });
  await expect(late).rejects.toBeInstanceOf(PreconditionFailedError);
  const wrong = operations.createAsset({
    body: { _type: 'com.example.news.Section', slug: 'No slug', name: 'World' },
  });
  await expect(wrong).rejects.toMatchObject({ problems: [{ path: 'slug' }] });
  await expect(wrong).rejects.toBeInstanceOf(ValidationError);
  await operations.deleteAsset({ path: { id } });
  await expect(operations.getAsset({ path: { id } })).rejects.toBeInstanceOf(NotFoundError);
});

it('repeat what reads, and writes with their key, when the connection breaks', async () => {
  const { id } = await create('Read');
  proxy.fail('cut after', 'half', { status: 503 });
  expect((await operations.getAsset({ path: { id } })).data.result._id).toBe(id);
  expect(proxy.requests).toHaveLength(4);
  proxy.fail('cut after');
  await create('Once');
  const [first, second] = proxy.requests;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  const once = { from: _type, where: 'name = ?', values: ['Once'] };
  expect((await operations.queryAssets({ query: once })).data.result.count).toBe(1);
});

it('repeat no other request that the server may have run', async () => {
  const { id } = await create('Restored');
  proxy.fail({ status: 503 });
  const restored = operations.restoreAsset({ path: { id }, body: { at: Date.now() } });
  await expect(restored).rejects.toBeInstanceOf(ServerError);
  expect(proxy.requests).toHaveLength(1);
});

it('send a file with its media type', async () => {
  const body = new Blob(['Ä letter'], { type: 'text/plain' });
  const { data } = await operations.uploadFile({ query: { name: 'letter.txt' }, body });
  expect(data.result).toMatchObject({ name: 'letter.txt', mediaType: 'text/plain', bytes: body.size });
});

it('refuse an empty If-Match and a path that would be another, before anything is sent', async () => {
  const { id } = await create('Kept');
  proxy.fail();
  const empty = operations.deleteAsset({ path: { id }, headers: { 'If-Match': '' } });
  await expect(empty).rejects.toThrow(new RangeError('if-match cannot be empty'));
  for (const segment of ['', '.', '..']) {
    const path = operations.deleteAsset({ path: { id: segment } });
    await expect(path).rejects.toThrow(new RangeError(`id cannot be "${segment}" in a path`));
  }
  expect(proxy.requests).toHaveLength(0);
});
