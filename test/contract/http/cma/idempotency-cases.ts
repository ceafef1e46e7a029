/** Cases of `Idempotency-Key`: repeated requests, other requests with the same key, simultaneous requests. */
import { describe, expect, it } from 'vitest';
import { article, author, type CmaContext, noAsset, text } from './cma-content.ts';

/** Runs the cases. */
export function describeIdempotentRequests({ call, newArticle, newSlug, instance }: CmaContext): void {
  let keys = 0;
  const newKey = () => `key-${keys++}`;
  const post = (key: string, body: object, path = '') =>
    call('POST', { path, body, headers: { 'Idempotency-Key': key } });
  const countOf = async (slug: string) => {
    const query = { from: article, where: 'slug = ?', values: slug, limit: 0 };
    return (await call('GET', { query })).body.result.count;
  };
  const create = (asset: object) => ({ operations: [{ action: 'create', asset }] });

  describe('a request with an Idempotency-Key', () => {
    it('gets the same answer and headers again, and creates once', async () => {
      const [key, body] = [newKey(), newArticle()];
      const first = await post(key, body);
      const again = await post(key, body);
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers.etag).toBe(first.headers.etag);
      expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
        undefined,
        'true',
      ]);
      expect(await countOf(body.slug)).toBe(1);
    });

    it('gets the same answer after the asset was changed or deleted', async () => {
      const [key, body] = [newKey(), newArticle()];
      const first = await post(key, body);
      await call('DELETE', { path: `/${first.body.result._id}` });
      expect((await post(key, body)).body).toEqual(first.body);
      expect(await countOf(body.slug)).toBe(0);
    });

    it('gets the first answer after the asset was changed, of which the store keeps no copy', async () => {
      const body = { ...newArticle(), body: `<p>${'word '.repeat(100_000)}</p>` };
      const { _id } = (await call('POST', { body })).body.result;
      const headers = { 'Idempotency-Key': newKey() };
      const changes = { path: `/${_id}`, body: { summary: 'First' } };
      const first = await call('PUT', { ...changes, headers });
      await call('PUT', { path: `/${_id}`, body: { summary: 'Second', headline: 'Another' } });
      const again = await call('PUT', { ...changes, headers });
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers).toMatchObject({ etag: first.headers.etag, 'idempotency-replayed': 'true' });
      // An instance has all its services.
      const { system, store } = instance().services;
      const where = { from: 'com.colophon.system.KeyedRequest', where: 'assets = ?', values: [_id] };
      const { items } = await system.find({ ...where, offset: 0, limit: 9, withCount: false }, {});
      expect(items).toHaveLength(1);
      expect(JSON.stringify(items).length < 2_000).toBe(store.capabilities.changes);
    });

    it('creates an asset with an _id of version 7, of the current time, and an ETag', async () => {
      const { body, headers } = await post(newKey(), newArticle());
      const { _id } = body.result;
      expect(_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Math.abs(Number.parseInt(_id.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(
        60_000,
      );
      expect((await call('GET', { path: `/${_id}` })).headers.etag).toBe(headers.etag);
    });

    it('gets the same refusal again', async () => {
      const [key, body] = [newKey(), { _type: text }];
      const first = await post(key, body);
      const again = await post(key, body);
      expect([first.status, again.status, again.body]).toEqual([400, 400, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    });

    it('is independent of other keys, and of the same key of another client', async () => {
      const [key, body] = [newKey(), { _type: text, name: 'twin' }];
      const client = await instance().createClient({});
      await instance().refresh();
      const ids = [
        await post(key, body),
        await post(newKey(), body),
        await call('POST', { body, client, headers: { 'Idempotency-Key': key } }),
      ].map((response) => response.body.result._id);
      expect(new Set(ids).size).toBe(3);
    });

    it.each([
      ['create', (slug: string) => newArticle({ slug }), ''],
      ['batch', (slug: string) => create(newArticle({ slug })), '/batch'],
    ])('answers 409 to another body with the key: %s', async (_name, bodyOf, path) => {
      const [key, slug] = [newKey(), newSlug()];
      expect((await post(key, bodyOf(slug), path)).status).toBe(200);
      const other = await post(key, bodyOf(newSlug()), path);
      expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_key_reused']);
      expect((await post(key, bodyOf(slug), path)).headers['idempotency-replayed']).toBe('true');
    });

    it('answers 409 to another operation with the key', async () => {
      const [key, asset] = [newKey(), newArticle()];
      await post(key, asset);
      expect((await post(key, { operations: [{ action: 'create', asset }] }, '/batch')).status).toBe(409);
    });

    it('is recognized when its JSON is formatted differently', async () => {
      const [key, body] = [newKey(), newArticle()];
      const raw = JSON.stringify(body, null, 2);
      const first = await post(key, body);
      const headers = { 'Idempotency-Key': key, 'Content-Type': 'application/json; charset=utf-8' };
      expect((await call('POST', { raw, headers })).body).toEqual(first.body);
    });

    it.each([
      ['a space', 'a b'],
      ['256 characters', 'x'.repeat(256)],
      ['nothing', ''],
      ['bytes outside ASCII', 'caf\u00e9'],
    ])('answers 400 to a key of %s', async (_name, key) => {
      for (const path of ['', '/batch']) {
        const { status, body } = await post(key, create(newArticle()), path);
        expect([status, body.error.code, body.error.path.toLowerCase()]).toEqual([
          400,
          'invalid_parameter',
          'idempotency-key',
        ]);
      }
    });

    it('accepts a key of 255 characters, and a key of ASCII punctuation', async () => {
      for (const key of ['x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']) {
        const body = newArticle();
        const first = await post(key, body);
        expect((await post(key, body)).body).toEqual(first.body);
      }
    });

    it('creates once when it is sent twenty times at once, with the same response for all', async () => {
      const [key, body] = [newKey(), newArticle()];
      const responses = await Promise.all(Array.from({ length: 20 }, () => post(key, body)));
      expect(
        new Set(responses.map((response) => JSON.stringify([response.status, response.body]))).size,
      ).toBe(1);
      expect(responses[0]?.status).toBe(200);
      expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
      expect(await countOf(body.slug)).toBe(1);
    });

    it('may be a batch, whose failures are repeated too', async () => {
      const [key, good] = [newKey(), newArticle()];
      const operations = [
        { action: 'create', asset: good },
        { action: 'create', asset: newArticle({ author: { _ref: noAsset, _type: author } }) },
        { action: 'delete', id: noAsset },
      ];
      const first = await post(key, { operations }, '/batch');
      expect(first.body.result.results.map(({ status }: { status: number }) => status)).toEqual([
        200, 400, 404,
      ]);
      const again = await post(key, { operations }, '/batch');
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(await countOf(good.slug)).toBe(1);
    });

    it('repeats a large response', async () => {
      const [key, body] = [newKey(), newArticle({ body: `<p>${'ä'.repeat(1_500_000)}</p>` })];
      const first = await post(key, body);
      const again = await post(key, body);
      expect([first.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.body).toEqual(first.body);
    });

    it('may be an update, also one with If-Match, which changes the asset once', async () => {
      const { _id } = (await call('POST', { body: newArticle() })).body.result;
      const path = `/${_id}`;
      const etag = (await call('GET', { path })).headers.etag ?? '';
      const headers = { 'Idempotency-Key': newKey(), 'If-Match': etag };
      const put = (more: object, id = _id, body: object = { headline: 'changed' }) =>
        call('PUT', { path: `/${id}`, body, headers: { ...headers, ...more } });
      const first = await put({});
      await call('PUT', { path, body: { headline: 'of others' } });
      const again = await put({}, _id.toUpperCase());
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        etag: first.headers.etag,
        'x-change': first.headers['x-change'],
      });
      expect((await call('GET', { path })).body.result.headline).toBe('of others');
      const others = [
        await put({}, noAsset),
        await put({}, _id, { headline: 'another' }),
        await put({ 'If-Match': '*' }),
        await put({ 'If-Match': first.headers.etag }),
        await put({ 'X-Base-Version': etag }),
        await call('DELETE', { path, headers }),
      ];
      for (const { status, body } of others) {
        expect([status, body.error.code]).toEqual([409, 'idempotency_key_reused']);
      }
      const refused = { ...headers, 'Idempotency-Key': newKey() };
      for (const replayed of [undefined, 'true']) {
        const response = await call('PUT', { path, body: { headline: 'late' }, headers: refused });
        expect([response.status, response.headers['idempotency-replayed']]).toEqual([412, replayed]);
      }
    });

    it('may be a deletion, also one with If-Match, which leaves what others create later', async () => {
      const body = { _id: '0190a0c0-0000-7000-8000-0000000000d1', _type: text, name: 'first' };
      const { etag = '' } = (await call('POST', { body })).headers;
      const path = `/${body._id}`;
      const headers = { 'Idempotency-Key': newKey(), 'If-Match': etag };
      const first = await call('DELETE', { path, headers });
      await call('POST', { body: { ...body, name: 'second' } });
      const again = await call('DELETE', { path, headers });
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'x-change': first.headers['x-change'],
      });
      expect((await call('GET', { path })).body.result.name).toBe('second');
      const { 'If-Match': _, ...without } = headers;
      for (const request of [
        { path: `/${noAsset}`, headers },
        { path, headers: without },
      ]) {
        expect((await call('DELETE', request)).body.error.code).toBe('idempotency_key_reused');
      }
      const key = { 'Idempotency-Key': newKey() };
      for (const replayed of [undefined, 'true']) {
        const response = await call('DELETE', { path: `/${noAsset}`, headers: key });
        expect([response.status, response.headers['idempotency-replayed']]).toEqual([404, replayed]);
      }
    });

    it('leaves no asset that the CMA can find', async () => {
      const query = { from: 'com.colophon.system.KeyedRequest' };
      expect((await call('GET', { query })).body.error.code).toBe('unknown_type');
    });
  });
}
