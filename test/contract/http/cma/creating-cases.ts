/** Cases of creating assets: what is stored, and what is refused. */
import { describe, expect, it } from 'vitest';
import { article, author, type CmaContext, noAsset, text } from './cma-content.ts';

/** Runs the cases. */
export function describeCreating({ call, create, newArticle, newSlug }: CmaContext): void {
  describe('creating', () => {
    it('returns the whole asset, with an ID, a class name and dates', async () => {
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
      expect(headers.location).toBe(`/api/rest/cma/contents/${body.result._id}`);
    });

    it('accepts a type ID instead of the class name, and given dates and a given ID', async () => {
      const body = {
        _id: '0190A0C0-0000-7000-8000-00000000AAAA',
        _type: 'dd62b631-f0a1-51a4-9b23-6c140c233be7',
        name: 'given',
        'cms.content.publishDate': -1,
        'cms.content.updateDate': 0,
      };
      expect(await create(body)).toEqual({ ...body, _id: body._id.toLowerCase(), _type: text });
    });

    it('accepts UUIDs of every version', async () => {
      const _id = '0000018f-8a2e-d1a4-a9ef-9b6e5d3f0000';
      expect((await create({ _type: text, name: 'moved', _id }))._id).toBe(_id);
      expect((await call('GET', { path: `/${_id}` })).status).toBe(200);
      expect((await call('DELETE', { path: `/${_id}` })).status).toBe(200);
    });

    it('answers 409 when an asset with the ID exists', async () => {
      const { _id } = await create({ _type: text, name: 'once' });
      const { status, body } = await call('POST', { body: { _id, _type: text, name: 'twice' } });
      expect([status, body.error.code, body.error.path]).toEqual([409, 'id_in_use', '_id']);
      expect((await call('GET', { path: `/${_id}` })).body.result.name).toBe('once');
    });

    it('answers 409 to a unique value in use, on create and on update', async () => {
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

    it('stores every kind of value unchanged', async () => {
      const { _id: writer } = await create({ _type: author, slug: newSlug(), name: 'Ada' });
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
      ['a _type that is not a text', { _type: 5 }, 'invalid_body', '_type'],
      ['an unknown _type', { _type: 'com.example.Nope' }, 'unknown_type', '_type'],
      [
        'a _type named like a property of every JavaScript object',
        { _type: 'constructor' },
        'unknown_type',
        '_type',
      ],
      ['a system type', { _type: 'com.colophon.system.ApiClient', name: 'x' }, 'unknown_type', '_type'],
      ['an interface', { _type: 'com.example.news.Page', slug: 'x' }, 'invalid_body', '_type'],
      ['an _id that is not a UUID', { _type: text, name: 'x', _id: '5' }, 'invalid_body', '_id'],
      ['an _id that is not a text', { _type: text, name: 'x', _id: 5 }, 'invalid_body', '_id'],
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
      const response = await call('POST', { body });
      expect([response.status, response.body.error.code, response.body.error.path]).toEqual([
        400,
        code,
        path,
      ]);
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
        'a number that overflows to infinity',
        `{"_type":"${article}","slug":"x","headline":"x","status":"DRAFT","score":1e999}`,
        400,
        'invalid_body',
      ],
      [
        'bytes that are not UTF-8',
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        400,
        'invalid_json',
      ],
      ['a name twice', `{"_type":"${text}","name":"a","name":"b"}`, 400, 'invalid_json'],
      ['65 levels', `{"a":${deep(64)}}`, 400, 'invalid_body'],
      ['a million levels', deep(1_000_000), 400, 'invalid_body'],
      ['10 MB', JSON.stringify({ _type: text, name: 'x'.repeat(10_000_000) }), 413, 'body_too_large'],
      ['100,001 values', `{"a":[${'1,'.repeat(99_998)}1]}`, 413, 'too_many_values'],
      ['100,000 values', `{"a":[${'1,'.repeat(99_997)}1]}`, 400, 'invalid_body'],
    ];
    it.each(raw)('refuses %s', async (_name, body, status, code) => {
      const response = await call('POST', { raw: body, headers: json });
      expect([response.status, response.body.error.code]).toEqual([status, code]);
    });

    it('accepts 64 levels of JSON', async () => {
      const body = JSON.stringify(newArticle({ importData: 'HERE' })).replace('"HERE"', deep(63));
      expect((await call('POST', { raw: body, headers: json })).status).toBe(200);
    });

    it.each([
      ['text/plain', {}],
      ['application/xml', {}],
      ['application/json; charset=iso-8859-1', {}],
      ['application/json; charset=utf-8; charset=iso-8859-1', {}],
      ['application/json', { 'Content-Encoding': 'compress' }],
    ])('answers 415 to Content-Type %s %j', async (type, headers) => {
      const response = await call('POST', { raw: '{}', headers: { 'Content-Type': type, ...headers } });
      expect([response.status, response.body.error.code]).toEqual([415, 'unsupported_media_type']);
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
}
