/** The client of the content management API: its requests, and how it reads responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
const text = { _id: id, _type: 'com.colophon.cms.db.Text' as const, name: 'About us' };
const headers = { ETag: '"a"' };

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());
beforeEach(() => server.answer({ headers, body: { status: 'ok', result: text } }));

const connect = (settings: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.baseUrl, clientId: 'importer', clientSecret: 's3cret', ...settings });

/** The query of a request. */
const queryAt = (index: number) =>
  new URL(server.received[index]?.line.split(' ')[1] ?? '', server.baseUrl).searchParams;

describe('the client', () => {
  it('sends its credentials, and queries without a slash after the base path', async () => {
    server.answer({ body: { status: 'ok', result: { count: 1, items: [text] } } });
    const page = await connect().queryAssets({
      from: 'com.colophon.cms.db.Text',
      where: 'name = ? or name = ?',
      values: ['a&b', '', 1.5, false],
      limit: 0,
    });
    expect(page).toEqual({ count: 1, items: [text] });
    const url = new URL(server.received[0]?.line.split(' ')[1] ?? '', server.baseUrl);
    expect(url.pathname).toBe('/api/rest/cma/contents');
    expect(url.searchParams.getAll('values')).toEqual(['a&b', '', '1.5', 'false']);
    expect(url.searchParams.get('limit')).toBe('0');
    expect(server.received[0]?.headers).toMatchObject({
      'x-client-id': 'importer',
      'x-client-secret': 's3cret',
    });
  });

  it('returns unfit values with an asset and with a page', async () => {
    const unfit = [{ _id: id, path: 'name', message: 'must be a string' }];
    server.answer({ headers, body: { status: 'ok', result: text, unfit } });
    expect(await connect().getAsset(id)).toEqual({ asset: text, etag: '"a"', unfit });
    server.answer({ body: { status: 'ok', result: { count: 1, items: [text] }, unfit } });
    expect(await connect().queryAssets({ from: text._type })).toEqual({ count: 1, items: [text], unfit });
  });

  it('sends a query in the body if it is too long for a URL', async () => {
    server.answer({ body: { status: 'ok', result: { items: [] } } });
    const where = `name in [${Array.from({ length: 1_000 }, (_, n) => `name${n}`)}] and score = ?`;
    await connect().queryAssets({
      from: 'a' as string,
      where,
      values: [1],
      limit: 5,
      count: false,
      sort: '-a,b',
    });
    expect(server.received[0]?.line).toBe('POST /api/rest/cma/contents/query');
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      from: 'a',
      where,
      values: ['1'],
      limit: 5,
      count: false,
      sort: ['-a', 'b'],
    });
  });

  it('selects fields and includes references, of a page and of one asset', async () => {
    const included = { [id]: text };
    const selection = { fields: ['name', 'cms.site.owner'], include: ['cms.site.owner'] } as const;
    server.answer({ body: { status: 'ok', result: { count: 1, items: [text], included } } });
    const page = await connect().queryAssets({ from: 'com.colophon.cms.db.Text', ...selection });
    expect(page.included).toEqual(included);
    expect([...queryAt(0)]).toEqual([
      ['from', 'com.colophon.cms.db.Text'],
      ['fields', 'name,cms.site.owner'],
      ['include', 'cms.site.owner'],
    ]);
    server.answer({ headers, body: { status: 'ok', result: text, included } });
    expect(await connect().getAsset(id, selection)).toEqual({ asset: text, etag: '"a"', included });
    expect([...queryAt(0)].map(([name]) => name)).toEqual(['fields', 'include']);
  });

  it('omits undefined values from queries', async () => {
    server.answer({ body: { status: 'ok', result: { items: [] } } });
    await connect().queryAssets({ from: 'a' as string, where: undefined, values: [], count: false });
    expect([...queryAt(0)]).toEqual([
      ['from', 'a'],
      ['count', 'false'],
    ]);
  });

  it('sends bodies as JSON and conditions as headers, and gives access to the ETag', async () => {
    const changes = { name: 'Über uns', text: null };
    const { asset, etag } = await connect().updateAsset(id, changes, { ifMatch: '"a"' });
    expect(server.received[0]).toMatchObject({
      line: `PUT /api/rest/cma/contents/${id}`,
      headers: { 'content-type': 'application/json', 'if-match': '"a"' },
      body: '{"name":"Über uns","text":null}',
    });
    expect([asset, etag]).toEqual([text, '"a"']);
  });

  it('returns undefined for an asset that has not changed', async () => {
    server.answer({ status: 304, headers });
    expect(await connect().getAsset(id, { ifNoneMatch: '"a"' })).toBeUndefined();
    expect(server.received[0]?.headers['if-none-match']).toBe('"a"');
  });

  it('throws for a response without the asset', async () => {
    server.answer({ status: 304, headers });
    await expect(connect().getAsset(id)).rejects.toMatchObject({ status: 304, code: 'unexpected_answer' });
    server.answer({ body: { hello: 1 } });
    await expect(connect().deleteAsset(id)).rejects.toMatchObject({ status: 200, code: 'unexpected_answer' });
  });

  it('sends the strong ETag, even if a compressing proxy has made it weak', async () => {
    server.answer({ headers: { ETag: 'W/"a"' }, body: { status: 'ok', result: text } });
    expect((await connect().getAsset(id)).etag).toBe('"a"');
  });

  it('refuses an empty condition, which would have no effect', async () => {
    const empty = { ifMatch: '' };
    await expect(connect().updateAsset(id, {}, empty)).rejects.toThrow('If-Match cannot be empty');
    await expect(connect().deleteAsset(id, empty)).rejects.toThrow(RangeError);
    expect(server.received).toEqual([]);
  });

  it('generates an idempotency key for each create and batch, unless one is given', async () => {
    const cma = connect();
    const asset = { _type: 'com.colophon.cms.db.Text', name: 'A' } as const;
    for (let times = 0; times < 2; times++) await cma.createAsset(asset);
    await cma.batchAssets({ operations: [{ action: 'create', asset }] });
    await cma.createAsset(asset, { idempotencyKey: 'mine' });
    const keys = server.received.map((request) => request.headers['idempotency-key']);
    expect(new Set(keys).size).toBe(4);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).toBe('mine');
    expect(server.received[2]?.line).toBe('POST /api/rest/cma/contents/batch');
  });

  it('supports another base path, also in bodies', async () => {
    const cma = connect({ cmaPath: '/contents', baseUrl: `${server.baseUrl}/` });
    await cma.createAsset({ _type: 'com.colophon.cms.db.Text', name: 'A' });
    await cma.deleteAsset('a/b?c$&');
    expect(server.received.map(({ line, body }) => [line, body])).toEqual([
      ['POST /contents', '{"_type":"com.colophon.cms.db.Text","name":"A"}'],
      ['DELETE /contents/a%2Fb%3Fc%24%26', ''],
    ]);
    expect(server.received[0]?.headers).toMatchObject({
      'x-client-id': 'importer',
      'content-type': 'application/json',
    });
  });

  it.each(['/?', '/#', '///', ' '])(
    'ignores slashes, an empty query, an empty fragment and spaces at the end of baseUrl: %j',
    async (end) => {
      await connect({ baseUrl: server.baseUrl + end }).getAsset(id);
      expect(server.received[0]?.line).toBe(`GET /api/rest/cma/contents/${id}`);
    },
  );

  it('does not reveal a secret that is invalid in a header', () => {
    for (const clientSecret of ['s3cret\nx', 's3cret…']) {
      expect(() => connect({ clientSecret })).toThrow(/^X-Client-Secret .*invalid header value(?!.*s3cret)/);
    }
  });

  it.each(['', '.', '..'])('sends no ID that a path cannot contain: "%s"', async (path) => {
    await expect(connect().deleteAsset(path)).rejects.toThrow(`An asset's ID cannot be "${path}"`);
    expect(server.received).toEqual([]);
  });

  it.each<[options: Partial<ClientOptions>, message: string]>([
    [{ baseUrl: 'localhost:4000' }, 'baseUrl must be an address'],
    [{ baseUrl: '/api' }, 'baseUrl must be an address'],
    [{ baseUrl: 'http://me:secret@localhost' }, 'baseUrl must have no user name'],
    [{ baseUrl: 'http://localhost/?a=b' }, 'baseUrl must have no'],
    [{ cmaPath: 'contents' }, 'cmaPath must be a path'],
    [{ cmaPath: '/contents/' }, 'cmaPath must be a path'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a whole number from 1 to 2147483647, not 0'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be'],
    [{ retries: -1 }, 'retries must be a whole number from 0 to 1000, not -1'],
    [{ retries: 0.5 }, 'retries must be'],
    [{ clientSecret: 'a\nb' }, 'invalid header value'],
  ])('is not made with what cannot be: %o', (options, message) => {
    expect(() => connect(options)).toThrow(message);
  });
});

describe('eachAsset', () => {
  const page = (...ids: string[]) => ({
    body: { status: 'ok', result: { items: ids.map((_id) => ({ ...text, _id })) } },
  });
  const pageBefore = (next: string, ...ids: string[]) => {
    const { body } = page(...ids);
    return { body: { ...body, result: { ...body.result, next } } };
  };
  async function idsOf(query: object): Promise<string[]> {
    const ids: string[] = [];
    for await (const { _id } of connect().eachAsset({ from: 'a' as string, pageSize: 2, ...query }))
      ids.push(_id);
    return ids;
  }

  it('requests pages by cursor, also after an empty one, until a page has no cursor', async () => {
    server.answer(pageBefore('a', '1', '2'), pageBefore('b'), page('3'));
    expect(await idsOf({ sort: '-name' })).toEqual(['1', '2', '3']);
    expect(server.received.map((_, index) => queryAt(index).toString())).toEqual(
      ['', 'a', 'b'].map((cursor) => `from=a&sort=-name&limit=2&count=false&cursor=${cursor}`),
    );
  });

  it('requests no more pages after its caller stops', async () => {
    server.answer(pageBefore('a', '1', '2'), page('3', '4'));
    for await (const { _id } of connect().eachAsset({ from: 'a' as string, pageSize: 2 }))
      if (_id === '2') break;
    expect(server.received).toHaveLength(1);
  });

  it.each(['offset', 'limit', 'count', 'cursor', 'facets'])(
    'refuses %s, which applies to a single page',
    async (part) => {
      await expect(idsOf({ [part]: 5 })).rejects.toThrow(
        `eachAsset takes no ${part}: it goes through all pages`,
      );
      server.answer(page());
      expect(await idsOf({ [part]: undefined })).toEqual([]);
    },
  );

  it.each([0, 1001, 1.5, Number.NaN])('refuses a page size of %s', async (pageSize) => {
    await expect(idsOf({ pageSize })).rejects.toThrow(
      `pageSize must be a whole number from 1 to 1000, not ${pageSize}`,
    );
  });
});
