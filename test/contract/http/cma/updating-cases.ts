/** Cases of updates, single and simultaneous. */
import { describe, expect, it } from 'vitest';
import { article, type CmaContext, noAsset, site, text } from './cma-content.ts';

/** Runs the cases. */
export function describeUpdating({ call, create, newArticle }: CmaContext): void {
  describe('updating', () => {
    it('changes only the given fields, and clears those that are null', async () => {
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

    it('accepts an asset as it was read, with _id and _type', async () => {
      const asset = await create(newArticle({ tags: ['a'] }));
      const { body } = await call('PUT', { path: `/${asset._id}`, body: asset });
      expect(body.result).toEqual({ ...asset, 'cms.content.updateDate': expect.any(Number) });
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
      const response = await call('PUT', { path: `/${asset._id}`, body });
      expect([response.status, response.body.error.code, response.body.error.path]).toEqual([
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
      expect((await put('no tag')).status).toBe(400);
      const updated = await put(`"other", ${etag}`);
      expect(updated.status).toBe(200);
      expect((await put(etag)).status).toBe(412);
      expect((await put(`W/${etag}`)).status).toBe(412);
      expect((await put(`W/${updated.headers.etag}`)).status).toBe(200);
      expect((await put('*')).status).toBe(200);
    });

    it('accepts only one of many simultaneous updates with the same If-Match', async () => {
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

    it('keeps the changes of two simultaneous updates of different fields', async () => {
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
}
