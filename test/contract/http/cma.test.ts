import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCmaDocument, readCmaDocument } from '../../../src/http/openapi-document.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { createJudge } from '../../support/judge.ts';
import { describeOnEachStore, type StorePlace } from '../../support/stores.ts';
import { shippedCatalog } from '../../support/types.ts';
import { createCaller } from './caller.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';
const text = 'com.colophon.cms.db.Text';
const site = 'com.colophon.cms.db.Site';
const noAsset = '0190a0c0-0000-7000-8000-000000000000';

describeOnEachStore('the CMA', (places) => {
  let place: StorePlace;
  const judge = createJudge(bundleCmaDocument({ source: readCmaDocument(), catalog: shippedCatalog() }));
  let instance: TestInstance;
  const { call, create } = createCaller({ instance: () => instance, judge });
  let slugs = 0;
  const newArticle = (fields: object = {}) => ({
    _type: article,
    slug: `article-${slugs++}`,
    headline: 'A headline',
    status: 'DRAFT',
    ...fields,
  });

  beforeAll(async () => {
    place = places();
    instance = await startInstance(place);
  });

  afterAll(async () => {
    await instance.stop();
    await place.remove();
  });

  describe('credentials', () => {
    const wrong: [name: string, headers: Record<string, string>][] = [
      ['no header', {}],
      ['the ID alone', { 'X-Client-Id': 'x' }],
      ['the secret alone', { 'X-Client-Secret': 'x' }],
      ['an unknown ID', { 'X-Client-Id': 'nobody', 'X-Client-Secret': 'x' }],
      ['an ID named like a member of every object', { 'X-Client-Id': '__proto__', 'X-Client-Secret': 'x' }],
      ['bytes beyond ASCII', { 'X-Client-Id': '\u00ff\u0080é', 'X-Client-Secret': '\u00fe\u00ff' }],
      ['very long ones', { 'X-Client-Id': 'x'.repeat(10_000), 'X-Client-Secret': 'y'.repeat(10_000) }],
    ];
    it.each(wrong)('are refused with 401: %s', async (_name, headers) => {
      const { status, body } = await call('GET', { client: null, headers, query: { from: text } });
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    });

    it('are refused when the secret is wrong', async () => {
      const headers = { ...instance.headers, 'X-Client-Secret': `${instance.headers['X-Client-Secret']}x` };
      expect((await call('GET', { client: null, headers })).status).toBe(401);
    });

    it.each([
      ['a wrong path', 'GET', { path: '/a/b/c' }],
      ['a method that is not there', 'PATCH', {}],
      ['a broken body', 'POST', { raw: '{', headers: { 'Content-Type': 'application/json' } }],
      ['another media type', 'POST', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
      ['a body that is too large', 'PUT', { path: `/${noAsset}`, body: { x: 'x'.repeat(5_000_000) } }],
      ['a bad query string', 'GET', { path: '?from=%E0' }],
      ['an asset that is not there', 'DELETE', { path: `/${noAsset}` }],
    ] as const)('come before everything else: %s', async (_name, method, sent) => {
      expect((await call(method, { ...sent, client: null })).status).toBe(401);
    });

    it('need the scope of the operation', async () => {
      const { _id } = await create({ _type: text, name: 'scoped' });
      const reader = await instance.createClient({ scopes: ['cma:read'] });
      const writer = await instance.createClient({ scopes: ['cma:write'] });
      const stranger = await instance.createClient({ scopes: ['graphql', 'admin'] });
      await expect
        .poll(async () => (await call('GET', { path: `/${_id}`, client: stranger })).status)
        .toBe(403);
      const statusOf = async (method: string, path: string, client: typeof reader, body?: object) =>
        (
          await call(method, {
            path,
            client,
            ...(body ? { body } : {}),
            query: method === 'GET' && path === '' ? { from: text } : {},
          })
        ).status;
      expect(await statusOf('GET', '', reader)).toBe(200);
      expect(await statusOf('GET', `/${_id}`, reader)).toBe(200);
      expect(await statusOf('POST', '', reader, { _type: text, name: 'x' })).toBe(403);
      expect(await statusOf('PUT', `/${_id}`, reader, { name: 'x' })).toBe(403);
      expect(await statusOf('DELETE', `/${_id}`, reader)).toBe(403);
      expect(await statusOf('GET', '', writer)).toBe(403);
      expect(await statusOf('GET', `/${_id}`, writer)).toBe(403);
      expect(await statusOf('PUT', `/${_id}`, writer, { name: 'written' })).toBe(200);
      expect(await statusOf('DELETE', `/${_id}`, writer)).toBe(200);
    });

    it('end within a second once rotated or revoked', async () => {
      const old = await instance.createClient({});
      const statusOf = async (client: typeof old) =>
        (await call('GET', { query: { from: text }, client })).status;
      await expect.poll(() => statusOf(old), { timeout: 1000 }).toBe(200);
      const rotated = await instance.rotate(old);
      await expect.poll(() => statusOf(old), { timeout: 1000 }).toBe(401);
      expect(await statusOf(rotated)).toBe(200);
      await instance.revoke(rotated);
      await expect.poll(() => statusOf(rotated), { timeout: 1000 }).toBe(401);
    });

    it('may be held to certain sites, to which all else does not exist', async () => {
      const { _id: mine } = await create({ _type: site, name: 'Mine' });
      const { _id: theirs } = await create({ _type: site, name: 'Theirs' });
      const ownedBy = (id: string) => ({ 'cms.site.owner': { _ref: id, _type: site } });
      const own = await create({ _type: text, name: 'bounded own', ...ownedBy(mine) });
      const foreign = await create({ _type: text, name: 'bounded foreign', ...ownedBy(theirs) });
      await create({ _type: text, name: 'bounded global' });
      const client = await instance.createClient({ sites: [mine] });
      await expect.poll(async () => (await call('GET', { path: `/${own._id}`, client })).status).toBe(200);
      const found = await call('GET', { query: { from: text, where: "name startsWith 'bounded'" }, client });
      expect(found.body.result).toEqual({ count: 1, items: [own] });
      expect((await call('GET', { path: `/${foreign._id}`, client })).status).toBe(404);
      expect((await call('DELETE', { path: `/${foreign._id}`, client })).status).toBe(404);
      expect((await call('POST', { body: { _type: text, name: 'x' }, client })).status).toBe(403);
      expect(
        (await call('POST', { body: { _type: text, name: 'x', ...ownedBy(theirs) }, client })).status,
      ).toBe(403);
      expect(
        (await call('POST', { body: { _type: text, name: 'x', ...ownedBy(mine) }, client })).status,
      ).toBe(200);
      const move = await call('PUT', { path: `/${own._id}`, body: ownedBy(theirs), client });
      expect([move.status, move.body.error.code]).toEqual([403, 'forbidden']);
      expect(
        (await call('PUT', { path: `/${own._id}`, body: { 'cms.site.owner': null }, client })).status,
      ).toBe(403);
    });
  });

  describe('creating', () => {
    it('answers the whole asset, with an ID, a class name and dates', async () => {
      const beforeMs = Date.now();
      const { status, headers, body } = await call('POST', {
        body: { _type: text, name: 'About', text: '<p>ä</p>' },
      });
      expect(status).toBe(200);
      expect(body.result).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        _type: text,
        name: 'About',
        text: '<p>ä</p>',
        'cms.content.publishDate': expect.any(Number),
        'cms.content.updateDate': expect.any(Number),
      });
      expect(body.result['cms.content.publishDate']).toBeGreaterThanOrEqual(beforeMs);
      const read = await call('GET', { path: `/${body.result._id}` });
      expect(read.body).toEqual(body);
      expect(read.headers.etag).toBe(headers.etag);
    });

    it('takes a type ID for the class name, and dates and an ID that are given', async () => {
      const body = {
        _id: '0190A0C0-0000-7000-8000-00000000AAAA',
        _type: 'dd62b631-f0a1-51a4-9b23-6c140c233be7',
        name: 'given',
        'cms.content.publishDate': -1,
        'cms.content.updateDate': 0,
      };
      expect(await create(body)).toEqual({ ...body, _id: body._id.toLowerCase(), _type: text });
    });

    it('answers 409 to the retry of a create whose ID is taken', async () => {
      const { _id } = await create({ _type: text, name: 'once' });
      const { status, body } = await call('POST', { body: { _id, _type: text, name: 'twice' } });
      expect([status, body.error.code, body.error.path]).toEqual([409, 'id_in_use', '_id']);
      expect((await call('GET', { path: `/${_id}` })).body.result.name).toBe('once');
    });

    it('answers 409 to a value in use in a unique field, on create and on update', async () => {
      const one = await create(newArticle({ slug: 'only-one' }));
      const other = await create(newArticle());
      const created = await call('POST', { body: newArticle({ slug: 'only-one' }) });
      expect([created.status, created.body.error.code, created.body.error.path]).toEqual([
        409,
        'value_in_use',
        'slug',
      ]);
      const updated = await call('PUT', { path: `/${other._id}`, body: { slug: 'only-one' } });
      expect([updated.status, updated.body.error.code]).toEqual([409, 'value_in_use']);
      expect((await call('PUT', { path: `/${one._id}`, body: { slug: 'only-one' } })).status).toBe(200);
    });

    it('keeps every kind of value as it is', async () => {
      const { _id: writer } = await create({ _type: author, slug: `a-${slugs++}`, name: 'Ada' });
      const fields = newArticle({
        summary: 'right\u202Eto\u200Fleft 𝒳 \u0001 \\ " \' % _ $ {}',
        body: '<p>&amp;</p>',
        author: { _ref: writer, _type: author },
        tags: ['', 'a', 'a', 'Ä'],
        readingMinutes: 0,
        score: 0.1 + 0.2,
        featured: false,
        sources: [{ title: 'one', url: 'https://example.org/?a=1' }, { title: '' }],
        place: { name: 'Zürich', latitude: -5e-324 },
        eventDate: 8.64e15,
        importData: { $where: 'x', 'a.b': [1, [null]], constructor: { prototype: {} }, '': 1e21 },
      });
      const asset = await create(fields);
      expect(asset).toMatchObject(fields);
      expect((await call('GET', { path: `/${asset._id}` })).body.result).toEqual(asset);
    });

    it('stores a member named __proto__ of a JSON value like any other', async () => {
      const raw = JSON.stringify(newArticle({ importData: 'HERE' })).replace(
        '"HERE"',
        '{"__proto__":{"x":1}}',
      );
      const { body } = await call('POST', { raw, headers: { 'Content-Type': 'application/json' } });
      expect(JSON.stringify(body.result.importData)).toBe('{"__proto__":{"x":1}}');
      const read = await call('GET', { path: `/${body.result._id}` });
      expect(JSON.stringify(read.body.result.importData)).toBe('{"__proto__":{"x":1}}');
    });

    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const refused: [name: string, body: unknown, code: string, path?: string][] = [
      ['no _type', { name: 'x' }, 'invalid_body', '_type'],
      ['a _type that is no text', { _type: 5 }, 'invalid_body', '_type'],
      ['an unknown _type', { _type: 'com.example.Nope' }, 'unknown_type', '_type'],
      ['a _type named like a member of every object', { _type: 'constructor' }, 'unknown_type', '_type'],
      ['a system type', { _type: 'com.colophon.system.ApiClient', name: 'x' }, 'unknown_type', '_type'],
      ['an interface', { _type: 'com.example.news.Page', slug: 'x' }, 'invalid_body', '_type'],
      ['an _id that is no UUID', { _type: text, name: 'x', _id: '5' }, 'invalid_body', '_id'],
      ['an _id that is no text', { _type: text, name: 'x', _id: 5 }, 'invalid_body', '_id'],
      ['a missing required field', { _type: text }, 'invalid_body', 'name'],
      ['a required field that is null', { _type: text, name: null }, 'invalid_body', 'name'],
      ['an unknown field', { _type: text, name: 'x', nmae: 'y' }, 'invalid_body', 'nmae'],
      ['a field named $where', { _type: text, name: 'x', $where: '1' }, 'invalid_body', '$where'],
      ['a field named a.b', { _type: text, name: 'x', 'a.b': '1' }, 'invalid_body', 'a.b'],
      [
        'a field named constructor',
        { _type: text, name: 'x', constructor: '1' },
        'invalid_body',
        'constructor',
      ],
      ['a number for a text', { _type: text, name: 5 }, 'invalid_body', 'name'],
      ['an operator for a text', { _type: text, name: { $gt: '' } }, 'invalid_body', 'name'],
      ['U+0000', { _type: text, name: 'a\0b' }, 'invalid_body', 'name'],
      ['a failed constraint', newArticle({ score: 2 }), 'invalid_body', 'score'],
      [
        'a dangling reference',
        newArticle({ author: { _ref: noAsset, _type: author } }),
        'invalid_body',
        'author',
      ],
      [
        'a reference to another type',
        newArticle({ author: { _ref: noAsset, _type: text } }),
        'invalid_body',
        'author._type',
      ],
    ];
    it.each(refused)('refuses with 400: %s', async (_name, body, code, path) => {
      const answer = await call('POST', { body });
      expect([answer.status, answer.body.error.code, answer.body.error.path]).toEqual([400, code, path]);
    });

    const json = { 'Content-Type': 'application/json' };
    const raw: [name: string, raw: string | Buffer, status: number, code: string][] = [
      ['an empty body', '', 400, 'invalid_json'],
      ['broken JSON', '{"_type":', 400, 'invalid_json'],
      ['a list', '[]', 400, 'invalid_body'],
      ['a text', '"x"', 400, 'invalid_body'],
      ['null', 'null', 400, 'invalid_body'],
      [
        'a member named __proto__',
        `{"_type":"${text}","name":"x","__proto__":{"text":"y"}}`,
        400,
        'invalid_body',
      ],
      ['a lone surrogate', `{"_type":"${text}","name":"\\ud800"}`, 400, 'invalid_body'],
      [
        'a number beyond all bounds',
        `{"_type":"${article}","slug":"x","headline":"x","status":"DRAFT","score":1e999}`,
        400,
        'invalid_body',
      ],
      [
        'bytes that are no UTF-8',
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        400,
        'invalid_json',
      ],
      ['65 levels', `{"a":${deep(64)}}`, 400, 'invalid_json'],
      ['a million levels', deep(1_000_000), 400, 'invalid_json'],
      ['10 MB', JSON.stringify({ _type: text, name: 'x'.repeat(10_000_000) }), 413, 'body_too_large'],
    ];
    it.each(raw)('refuses %s', async (_name, body, status, code) => {
      const answer = await call('POST', { raw: body, headers: json });
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    });

    it('takes 64 levels of JSON', async () => {
      const body = JSON.stringify(newArticle({ importData: 'HERE' })).replace('"HERE"', deep(63));
      expect((await call('POST', { raw: body, headers: json })).status).toBe(200);
    });

    it.each([
      ['text/plain', {}],
      ['application/xml', {}],
      ['application/json; charset=iso-8859-1', {}],
      ['application/json', { 'Content-Encoding': 'compress' }],
    ])('answers 415 to %s %j', async (type, headers) => {
      const answer = await call('POST', { raw: '{}', headers: { 'Content-Type': type, ...headers } });
      expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('reports all problems of a body at once', async () => {
      const { body } = await call('POST', { body: { _type: article, slug: 'A', score: 3, place: {} } });
      expect(body.error.problems.map(({ path }: { path: string }) => path)).toEqual([
        'slug',
        'headline',
        'status',
        'score',
        'place.name',
      ]);
    });
  });

  describe('reading one asset', () => {
    it.each([noAsset, 'not-a-uuid', '%00', '$where', '__proto__', '%2e%2e', 'ä'])(
      'answers 404 to %s',
      async (id) => {
        const { status, body } = await call('GET', { path: `/${id}` });
        expect([status, body.result]).toEqual([404, null]);
      },
    );

    it('finds it by its ID in either case', async () => {
      const { _id } = await create({ _type: text, name: 'case' });
      expect((await call('GET', { path: `/${_id.toUpperCase()}` })).body.result._id).toBe(_id);
    });

    it('answers 304 to If-None-Match with its ETag, and the asset once it changed', async () => {
      const { _id } = await create({ _type: text, name: 'cached' });
      const first = await call('GET', { path: `/${_id}` });
      const headers = { 'If-None-Match': first.headers.etag ?? '' };
      expect((await call('GET', { path: `/${_id}`, headers })).status).toBe(304);
      await call('PUT', { path: `/${_id}`, body: { name: 'changed' } });
      expect((await call('GET', { path: `/${_id}`, headers })).body.result.name).toBe('changed');
    });

    it('answers HEAD like GET, without the body', async () => {
      const { _id } = await create({ _type: text, name: 'head' });
      const response = await fetch(`${instance.cmaUrl}/${_id}`, {
        method: 'HEAD',
        headers: instance.headers,
      });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    });

    it('does not show records of the system', async () => {
      const found = await call('GET', { query: { from: 'com.colophon.system.ApiClient' } });
      expect([found.status, found.body.error.code]).toEqual([400, 'unknown_type']);
    });
  });

  describe('updating', () => {
    it('changes the fields given and no others, and clears what is null', async () => {
      const asset = await create(newArticle({ summary: 'old', tags: ['a'], 'cms.content.updateDate': 1 }));
      const { status, body } = await call('PUT', {
        path: `/${asset._id}`,
        body: { summary: null, headline: 'new' },
      });
      const { summary: _, ...rest } = asset;
      expect(status).toBe(200);
      expect(body.result).toEqual({ ...rest, headline: 'new', 'cms.content.updateDate': expect.any(Number) });
      expect(body.result['cms.content.updateDate']).toBeGreaterThan(1);
      expect((await call('GET', { path: `/${asset._id}` })).body).toEqual(body);
    });

    it('takes back what was read, _id and _type included', async () => {
      const asset = await create(newArticle({ tags: ['a'] }));
      expect((await call('PUT', { path: `/${asset._id}`, body: asset })).body.result).toEqual(asset);
    });

    it.each([
      ['another _id', { _id: noAsset }, '_id'],
      ['another _type', { _type: site }, '_type'],
      ['a required field cleared', { headline: null }, 'headline'],
      ['an unknown field', { nope: 1 }, 'nope'],
      ['a wrong value', { tags: 'a' }, 'tags'],
      ['a dangling reference', { related: [{ _ref: noAsset, _type: article }] }, 'related[0]'],
    ])('refuses %s with 400', async (_name, body, path) => {
      const asset = await create(newArticle());
      const answer = await call('PUT', { path: `/${asset._id}`, body });
      expect([answer.status, answer.body.error.code, answer.body.error.path]).toEqual([
        400,
        'invalid_body',
        path,
      ]);
      expect((await call('GET', { path: `/${asset._id}` })).body.result).toEqual(asset);
    });

    it('answers 404 when there is no such asset', async () => {
      expect((await call('PUT', { path: `/${noAsset}`, body: { name: 'x' } })).status).toBe(404);
      expect((await call('PUT', { path: '/nothing', body: { name: 'x' } })).status).toBe(404);
    });

    it('answers 413 and 415 as creating does', async () => {
      const path = `/${noAsset}`;
      expect((await call('PUT', { path, body: { name: 'x'.repeat(5_000_000) } })).status).toBe(413);
      expect((await call('PUT', { path, raw: 'x', headers: { 'Content-Type': 'text/plain' } })).status).toBe(
        415,
      );
    });

    it('honours If-Match', async () => {
      const { _id } = await create({ _type: text, name: 'one' });
      const path = `/${_id}`;
      const etag = (await call('GET', { path })).headers.etag ?? '';
      const put = (ifMatch: string) =>
        call('PUT', { path, body: { name: 'two' }, headers: { 'If-Match': ifMatch } });
      expect((await put('"other"')).status).toBe(412);
      expect((await put(`W/${etag}`)).status).toBe(412);
      expect((await put('no tag')).status).toBe(400);
      const updated = await put(`"other", ${etag}`);
      expect(updated.status).toBe(200);
      expect((await put(etag)).status).toBe(412);
      expect((await put('*')).status).toBe(200);
    });

    it('lets one of many writers with the same If-Match through', async () => {
      const { _id } = await create({ _type: text, name: 'race' });
      const path = `/${_id}`;
      const headers = { 'If-Match': (await call('GET', { path })).headers.etag ?? '' };
      const statuses = await Promise.all(
        Array.from(
          { length: 10 },
          async (_, n) => (await call('PUT', { path, body: { name: `${n}` }, headers })).status,
        ),
      );
      expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(412)]);
    });

    it('keeps the changes of two writers of different fields', async () => {
      const { _id } = await create(newArticle());
      const changes = [
        { summary: 's' },
        { tags: ['t'] },
        { score: 0.5 },
        { featured: true },
        { readingMinutes: 7 },
      ];
      await Promise.all(changes.map((body) => call('PUT', { path: `/${_id}`, body })));
      expect((await call('GET', { path: `/${_id}` })).body.result).toMatchObject(
        Object.assign({}, ...changes),
      );
    });
  });

  describe('deleting', () => {
    it('answers null, and 404 from then on', async () => {
      const { _id } = await create({ _type: text, name: 'gone' });
      expect((await call('DELETE', { path: `/${_id}` })).body).toEqual({ status: 'ok', result: null });
      expect((await call('GET', { path: `/${_id}` })).status).toBe(404);
      expect((await call('DELETE', { path: `/${_id}` })).status).toBe(404);
      expect((await call('DELETE', { path: '/nothing' })).status).toBe(404);
    });

    it('honours If-Match', async () => {
      const { _id } = await create({ _type: text, name: 'kept' });
      const path = `/${_id}`;
      expect((await call('DELETE', { path, headers: { 'If-Match': '"other"' } })).status).toBe(412);
      expect((await call('DELETE', { path, headers: { 'If-Match': 'x' } })).status).toBe(400);
      const etag = (await call('GET', { path })).headers.etag ?? '';
      expect((await call('DELETE', { path, headers: { 'If-Match': etag } })).status).toBe(200);
    });

    it('leaves references to what was deleted', async () => {
      const writer = await create({ _type: author, slug: `a-${slugs++}`, name: 'Gone' });
      const reference = { _ref: writer._id, _type: author };
      const asset = await create(newArticle({ author: reference }));
      await call('DELETE', { path: `/${writer._id}` });
      expect((await call('GET', { path: `/${asset._id}` })).body.result.author).toEqual(reference);
      expect((await call('PUT', { path: `/${asset._id}`, body: { headline: 'still' } })).status).toBe(200);
    });
  });

  describe('querying', () => {
    const count = async (where: string, values: readonly string[] = []) => {
      const { status, body } = await call('GET', { query: { from: article, where, values, limit: 0 } });
      return status === 200 ? body.result.count : body.error;
    };

    it('pages through all assets of a type in one stable order', async () => {
      const created = [];
      for (let n = 0; n < 25; n++)
        created.push(
          await create({
            _type: 'com.example.news.Image',
            url: 'https://example.org/',
            alternativeText: `${n}`,
          }),
        );
      const ids: string[] = [];
      for (let offset = 0; offset < 30; offset += 10) {
        const { body } = await call('GET', { query: { from: 'com.example.news.Image', offset } });
        expect(body.result.count).toBe(25);
        ids.push(...body.result.items.map((item: { _id: string }) => item._id));
      }
      expect(ids).toEqual(created.map(({ _id }) => _id).toSorted());
    });

    it('finds by every operator, with values in the predicate or apart', async () => {
      const { _id: who } = await create({ _type: author, slug: `a-${slugs++}`, name: 'Grace' });
      const headline = 'Operators of the day';
      const asset = await create(
        newArticle({
          headline,
          body: '<p>Four <b>score</b> and seven</p>',
          author: { _ref: who, _type: author },
          tags: ['red', 'Green'],
          readingMinutes: 5,
          score: 0.25,
          featured: true,
          place: { name: 'Bern', country: 'CH' },
          eventDate: 1_000,
        }),
      );
      const hits = [
        `headline = '${headline}'`,
        `headline eq "${headline}" and status = DRAFT`,
        `headline =[c] 'OPERATORS OF THE DAY'`,
        `tags = red and tags != blue and tags = 'Green'`,
        `tags in [blue, Green]`,
        `tags notIn [blue, yellow] and headline startsWith 'Operators'`,
        `headline ^= 'Oper' && !(readingMinutes < 5) && readingMinutes <= 5`,
        `headline contains[c] 'OF THE'`,
        `readingMinutes gt 4.5 and readingMinutes ge 5 and score >= 0.25 and score <> 0.5 and headline ^= Oper`,
        `body matches 'SEVEN eleven' and body matchesAll 'four seven' and not body matches 'b'`,
        `place.country = CH and place.name ne Basel`,
        `author/name = 'Grace' or false`,
        `author = ${who}`,
        `featured = true and eventDate = 1000 and lead = missing and author != null`,
        `_id = ${asset._id} and _type = ${article}`,
      ];
      for (const where of hits) expect([where, await count(where)]).toEqual([where, 1]);
      expect(
        await count('headline = ? and readingMinutes = ? and featured = ?', [headline, '5', 'true']),
      ).toBe(1);
      expect(await count('score < ?1 and headline = ?0', [headline, '0.3'])).toBe(1);
      expect(await count(`headline = '${headline}' and author/name != 'Grace'`)).toBe(0);
    });

    it('finds from an interface all that implement it', async () => {
      const { body } = await call('GET', {
        query: { from: 'com.example.news.Page', where: "slug = 'only-one' or author/name = 'x'" },
      });
      expect(body.error.code).toBe('unknown_field');
      const pages = await call('GET', { query: { from: 'com.example.news.Page', limit: 1000 } });
      const types = new Set(pages.body.result.items.map((item: { _type: string }) => item._type));
      expect([...types].toSorted()).toEqual([article, author]);
    });

    const bad: [
      name: string,
      query: Record<string, string | readonly string[]>,
      code: string,
      path: string,
    ][] = [
      ['no from', {}, 'invalid_parameter', 'from'],
      ['an empty from', { from: '' }, 'invalid_parameter', 'from'],
      ['an unknown from', { from: 'x.Y' }, 'unknown_type', 'from'],
      ['from named like a member of every object', { from: '__proto__' }, 'unknown_type', 'from'],
      ['from twice', { from: [text, text] }, 'invalid_parameter', 'from'],
      ['where twice', { from: text, where: ['true', 'true'] }, 'invalid_parameter', 'where'],
      ['limit twice', { from: text, limit: ['1', '2'] }, 'invalid_parameter', 'limit'],
      ['limit beyond 1000', { from: text, limit: '1001' }, 'invalid_parameter', 'limit'],
      ['a negative limit', { from: text, limit: '-1' }, 'invalid_parameter', 'limit'],
      ['a limit that is no number', { from: text, limit: 'ten' }, 'invalid_parameter', 'limit'],
      ['an empty limit', { from: text, limit: '' }, 'invalid_parameter', 'limit'],
      ['a limit in hexadecimal', { from: text, limit: '0x10' }, 'invalid_parameter', 'limit'],
      ['a fraction', { from: text, offset: '1.5' }, 'invalid_parameter', 'offset'],
      ['a negative offset', { from: text, offset: '-5' }, 'invalid_parameter', 'offset'],
      [
        'an offset beyond counting',
        { from: text, offset: '99999999999999999999' },
        'invalid_parameter',
        'offset',
      ],
      ['an unknown parameter', { from: text, were: 'true' }, 'invalid_parameter', 'were'],
      ['a parameter named __proto__', { from: text, ['__proto__']: 'x' }, 'invalid_parameter', '__proto__'],
      ['an empty predicate', { from: text, where: '' }, 'predicate_syntax', 'where'],
      ['a bad predicate', { from: text, where: 'name = ' }, 'predicate_syntax', 'where'],
      ['an unknown field', { from: text, where: "nmae = 'x'" }, 'unknown_field', 'nmae'],
      ['a field named __proto__', { from: text, where: "__proto__ = 'x'" }, 'unknown_field', '__proto__'],
      [
        'a field named constructor',
        { from: text, where: "constructor = 'x'" },
        'unknown_field',
        'constructor',
      ],
      ['a field named $where', { from: text, where: "$where = 'x'" }, 'predicate_syntax', 'where'],
      [
        'a value of another type',
        { from: article, where: 'readingMinutes = abc' },
        'predicate_type',
        'where',
      ],
      ['too few values', { from: text, where: 'name = ?' }, 'values_mismatch', 'values'],
      ['too many values', { from: text, where: 'name = ?', values: ['a', 'b'] }, 'values_mismatch', 'values'],
      ['values without a predicate', { from: text, values: ['a'] }, 'invalid_parameter', 'values'],
      [
        'a value that does not convert',
        { from: article, where: 'score < ?', values: ['a'] },
        'predicate_type',
        'where',
      ],
    ];
    it.each(bad)('refuses %s with 400', async (_name, query, code, path) => {
      const { status, body } = await call('GET', { query });
      expect([status, body.error.code, body.error.path]).toEqual([400, code, path]);
    });

    it('tells the column of what is wrong in a predicate', async () => {
      expect(await count("headline = 'x' and readingMinutes = 'y'")).toMatchObject({
        code: 'predicate_type',
        column: 37,
      });
      expect(await count("headline = 'x' and (score > 1")).toMatchObject({
        code: 'predicate_syntax',
        column: 30,
      });
    });

    it('answers an offset far beyond the end with no items', async () => {
      const query = { from: text, offset: '9007199254740991' };
      expect((await call('GET', { query })).body.result.items).toEqual([]);
    });

    it.each(['?from=%E0%A4%A', '?%ff=1', '?from=com.colophon.cms.db.Text&where=%'])(
      'refuses %s, which is no UTF-8',
      async (path) => {
        expect((await call('GET', { path })).body.error.code).toBe('invalid_parameter');
      },
    );

    it('answers or refuses a huge predicate', async () => {
      const huge = [
        Array.from({ length: 10_000 }, (_, n) => `score = ${n}`).join(' or '),
        Array.from({ length: 1_000 }, (_, n) => `score = ${n}`).join(' or '),
        `${'('.repeat(50_000)}true${')'.repeat(50_000)}`,
        `${'not '.repeat(25_000)}true`,
        `headline = '${'x'.repeat(100_000)}'`,
        `headline contains '${'ä'.repeat(20_000)}'`,
        `score in [${Array.from({ length: 5_000 }, (_, n) => n).join(',')}]`,
        `tags[c] = '${'\\\\'.repeat(10_000)}'`,
      ];
      for (const where of huge) {
        const { status } = await call('GET', { query: { from: article, where } });
        expect([200, 400]).toContain(status);
      }
    });

    it('takes nothing in a value for an operator of the store', async () => {
      const values = ['{"$gt":""}', "' or 1=1 --", '%', '_', '.*', '$where', '\\', '"'];
      for (const value of values) expect([value, await count('headline = ?', [value])]).toEqual([value, 0]);
      for (const value of values)
        expect([value, await count('headline contains ?', [value])]).toEqual([value, 0]);
    });
  });

  describe('routes', () => {
    it.each(['/a/b', `/${noAsset}/x`, '//', `/${noAsset}//`])('answer 404 at %s', async (path) => {
      const { status, body } = await call('GET', { path });
      expect([status, body.error.code]).toEqual([404, 'route_not_found']);
    });

    it('answer 405 with Allow to other methods', async () => {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, headers } = await call(method);
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST']);
      }
      for (const method of ['PATCH', 'OPTIONS']) {
        const { status, headers } = await call(method, { path: `/${noAsset}` });
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, PUT, DELETE']);
      }
      const post = await call('POST', { path: `/${noAsset}`, body: {} });
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
    });

    it('answer 400 to a parameter they do not have', async () => {
      const { body } = await call('GET', { path: `/${noAsset}`, query: { from: text } });
      expect(body.error).toMatchObject({ code: 'invalid_parameter', path: 'from' });
    });

    it('answer 401 to any method without credentials', async () => {
      for (const path of ['', `/${noAsset}`])
        expect((await call('PATCH', { path, client: null })).status).toBe(401);
    });

    it('answer 404 outside of every API', async () => {
      const response = await fetch(`${instance.url}/nowhere`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'route_not_found' } });
    });

    it('tell health and readiness', async () => {
      for (const path of ['/healthz', '/readyz']) {
        const response = await fetch(instance.url + path);
        expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
      }
    });

    it('give back the request ID they are given, when it can be logged', async () => {
      const idOf = async (id: string) =>
        (await call('GET', { path: `/${noAsset}`, headers: { 'X-Request-Id': id } })).headers['x-request-id'];
      expect(await idOf('abc-123')).toBe('abc-123');
      expect(await idOf('a b"c')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  it('switched off, answers 404', async () => {
    const off = await startInstance(place, { cmaEnabled: false });
    const { call: callOff } = createCaller({ instance: () => off, judge });
    for (const method of ['GET', 'POST']) expect((await callOff(method, { body: {} })).status).toBe(404);
    await off.stop();
  });

  it('has given every documented answer but those of a failing store', () => {
    const unseen = judge.unseen().filter((answer) => !/ 50[03]$/.test(answer));
    expect(unseen).toEqual([]);
  });
});

describe('settings', () => {
  describeOnEachStore('change what the CMA does', (places) => {
    it('COLOPHON_CMA_PATH moves it', async () => {
      const place = places();
      const moved = await startInstance(place, { cmaPath: '/contents.v1' });
      const statusAt = async (path: string) =>
        (await fetch(`${moved.url}${path}?from=${text}`, { headers: moved.headers })).status;
      expect(await statusAt('/contents.v1')).toBe(200);
      expect(await statusAt('/contentsXv1')).toBe(404);
      expect(await statusAt('/api/rest/cma/contents')).toBe(404);
      await moved.stop();
      await place.remove();
    });

    it('COLOPHON_SITE_OWNER=required and COLOPHON_REFERENCES=unchecked', async () => {
      const place = places();
      const instance = await startInstance(place, { siteOwnerRequired: true, referencesChecked: false });
      const post = async (body: object) => {
        const headers = { ...instance.headers, 'Content-Type': 'application/json' };
        const response = await fetch(instance.cmaUrl, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return { status: response.status, body: await response.json() };
      };
      expect(await post({ _type: text, name: 'x' })).toMatchObject({
        status: 400,
        body: { error: { path: 'cms.site.owner' } },
      });
      const owner = { 'cms.site.owner': { _ref: noAsset, _type: site } };
      expect(await post({ _type: text, name: 'x', ...owner })).toMatchObject({ status: 200 });
      await instance.stop();
      await place.remove();
    });
  });
});
