/** Cases of reading and deleting one asset. */
import { describe, expect, it } from 'vitest';
import { author, type CmaContext, noAsset, text } from './cma-content.ts';

/** Runs the cases. */
export function describeReading({ call, create, instance, newArticle, newSlug }: CmaContext): void {
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

    it('answers 304 to If-None-Match with its ETag, until the asset changes', async () => {
      const { _id } = await create({ _type: text, name: 'cached' });
      const first = await call('GET', { path: `/${_id}` });
      const headers = { 'If-None-Match': first.headers.etag ?? '' };
      expect((await call('GET', { path: `/${_id}`, headers })).status).toBe(304);
      await call('PUT', { path: `/${_id}`, body: { name: 'changed' } });
      expect((await call('GET', { path: `/${_id}`, headers })).body.result.name).toBe('changed');
    });

    it('answers HEAD like GET, without the body', async () => {
      const { _id } = await create({ _type: text, name: 'head' });
      const response = await fetch(`${instance().cmaUrl}/${_id}`, {
        method: 'HEAD',
        headers: instance().headers,
      });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    });

    it("does not find Colophon's own records", async () => {
      const found = await call('GET', { query: { from: 'com.colophon.system.ApiClient' } });
      expect([found.status, found.body.error.code]).toEqual([400, 'unknown_type']);
    });
  });

  describe('deleting', () => {
    it('returns null, and 404 afterwards', async () => {
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

    it('leaves references to the deleted asset in place', async () => {
      const writer = await create({ _type: author, slug: newSlug(), name: 'Gone' });
      const reference = { _ref: writer._id, _type: author };
      const asset = await create(newArticle({ author: reference }));
      await call('DELETE', { path: `/${writer._id}` });
      expect((await call('GET', { path: `/${asset._id}` })).body.result.author).toEqual(reference);
      expect((await call('PUT', { path: `/${asset._id}`, body: { headline: 'still' } })).status).toBe(200);
    });
  });
}
