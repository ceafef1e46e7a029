/** Cases of patches, single and simultaneous. */
import { describe, expect, it } from 'vitest';
import { type CmaContext, noAsset, text } from './cma-content.ts';

const types = { merge: 'application/merge-patch+json', json: 'application/json-patch+json' };

/** Runs the cases. */
export function describePatching({ call, create, newArticle }: CmaContext): void {
  const patch = (
    id: string,
    type: keyof typeof types,
    body: unknown,
    { query = {}, headers = {} }: { query?: Record<string, string>; headers?: Record<string, string> } = {},
  ) =>
    call('PATCH', {
      path: `/${id}`,
      query,
      raw: JSON.stringify(body),
      headers: { 'Content-Type': types[type], ...headers },
    });

  describe('patching', () => {
    it.each([
      ['merge', { summary: null, headline: 'new', none: null }],
      [
        'json',
        [
          { op: 'test', path: '/summary', value: 'old' },
          { op: 'remove', path: '/summary' },
          { op: 'replace', path: '/headline', value: 'new' },
        ],
      ],
    ] as const)('by %s changes only what the patch changes', async (type, body) => {
      const asset = await create(newArticle({ summary: 'old', tags: ['a'], 'cms.content.updateDate': 1 }));
      const response = await patch(asset._id, type, body);
      const { summary: _, ...rest } = asset;
      expect(response.status).toBe(200);
      const updateDate = response.body.result['cms.content.updateDate'];
      expect(response.body.result).toEqual({
        ...rest,
        headline: 'new',
        'cms.content.updateDate': updateDate,
      });
      expect(updateDate).toBeGreaterThan(1);
      const read = await call('GET', { path: `/${asset._id}` });
      expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    });

    it('appends to a list for each of 20 clients at once', async () => {
      const { _id } = await create(newArticle({ tags: ['first'] }));
      const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
      const append = (value: string) => patch(_id, 'json', [{ op: 'add', path: '/tags/-', value }]);
      const statuses = await Promise.all(
        names.map(async (name) => {
          // As a client does, which is told to try again.
          for (;;) {
            const { status } = await append(name);
            if (status !== 503) return status;
          }
        }),
      );
      expect(statuses).toEqual(names.map(() => 200));
      const { tags } = (await call('GET', { path: `/${_id}` })).body.result;
      expect(tags.toSorted()).toEqual(['first', ...names].toSorted());
    });

    it('answers 409 when a test does not hold, and changes nothing', async () => {
      const asset = await create(newArticle({ tags: ['a'] }));
      const response = await patch(asset._id, 'json', [
        { op: 'add', path: '/tags/-', value: 'b' },
        { op: 'test', path: '/tags/0', value: 'b' },
      ]);
      const { code, path } = response.body.error;
      expect([response.status, code, path]).toEqual([409, 'test_failed', '[1]']);
      expect((await call('GET', { path: `/${asset._id}` })).body.result).toEqual(asset);
    });

    it.each([
      ['merge', 'another _id', { _id: noAsset }, '_id'],
      ['merge', 'another _type', { _type: 'com.example.news.Page' }, '_type'],
      ['merge', 'no _type', { _type: null }, '_type'],
      ['merge', 'a required field cleared', { headline: null }, 'headline'],
      ['merge', 'an unknown field', { nope: 1 }, 'nope'],
      ['merge', 'a list', [], ''],
      ['json', 'an object', {}, ''],
      ['json', 'an unknown operation', [{ op: 'grow', path: '/tags' }], '[0].op'],
      ['json', 'a place that does not exist', [{ op: 'remove', path: '/tags/7' }], '[0].path'],
      ['json', 'another _id', [{ op: 'replace', path: '/_id', value: noAsset }], '_id'],
      ['json', 'a list in place of the asset', [{ op: 'replace', path: '', value: [] }], ''],
    ] as const)('by %s refuses %s with 400', async (type, _name, body, path) => {
      const asset = await create(newArticle({ tags: ['a'] }));
      const response = await patch(asset._id, type, body);
      const { code, path: where = '' } = response.body.error;
      expect([response.status, code, where]).toEqual([400, 'invalid_body', path]);
      expect((await call('GET', { path: `/${asset._id}` })).body.result).toEqual(asset);
    });

    it('answers 413 when the body is too large, or the asset would have too many values', async () => {
      const asset = await create(newArticle());
      expect((await patch(asset._id, 'merge', { headline: 'x'.repeat(5_000_000) })).status).toBe(413);
      const tags = Array.from({ length: 60_000 }, () => 'a');
      const twice = ['tags', 'more'].map((name) => ({ op: 'add', path: `/${name}`, value: tags }));
      expect((await patch(asset._id, 'json', twice)).body.error.code).toBe('too_many_values');
    });

    it('answers 404 when there is no such asset, and 415 with the types that it accepts', async () => {
      expect((await patch(noAsset, 'merge', { name: 'x' })).status).toBe(404);
      const { _id } = await create({ _type: text, name: 'one' });
      const accepted = `${types.merge}, ${types.json}`;
      const plain = await call('PATCH', { path: `/${_id}`, body: { name: 'two' } });
      expect([plain.status, plain.headers['accept-patch']]).toEqual([415, accepted]);
      const options = await call('OPTIONS', { path: `/${_id}` });
      const { allow, 'accept-patch': patches } = options.headers;
      expect([allow, patches]).toEqual(['GET, HEAD, PUT, PATCH, DELETE', accepted]);
    });

    it('honours If-Match, also before a test', async () => {
      const { _id } = await create({ _type: text, name: 'one' });
      const etag = (await call('GET', { path: `/${_id}` })).headers.etag ?? '';
      const name = (value: string) => [
        { op: 'test', path: '/name', value: 'one' },
        { op: 'replace', path: '/name', value },
      ];
      const send = (value: string) => patch(_id, 'json', name(value), { headers: { 'If-Match': etag } });
      expect((await send('two')).status).toBe(200);
      expect((await send('three')).status).toBe(412);
    });

    it('only checks with validate=true', async () => {
      const asset = await create({ _type: text, name: 'one' });
      const checked = await patch(asset._id, 'merge', { name: 'two' }, { query: { validate: 'true' } });
      expect([checked.status, checked.body.result.name]).toEqual([200, 'two']);
      const refused = await patch(asset._id, 'merge', { name: null }, { query: { validate: 'true' } });
      expect(refused.status).toBe(400);
      expect((await call('GET', { path: `/${asset._id}` })).body.result).toEqual(asset);
    });

    it('is done once for an Idempotency-Key', async () => {
      const { _id } = await create(newArticle({ tags: [] }));
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const append = [{ op: 'add', path: '/tags/-', value: 'once' }];
      const [first, again] = [
        await patch(_id, 'json', append, { headers }),
        await patch(_id, 'json', append, { headers }),
      ];
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.body.result.tags).toEqual(['once']);
      const other = [{ op: 'add', path: '/tags/-', value: 'twice' }];
      expect((await patch(_id, 'json', other, { headers })).body.error.code).toBe('idempotency_key_reused');
    });
  });
}
