/** Cases of `validate=true`: the response is that of the write, and the write is not carried out. */
import { describe, expect, it } from 'vitest';
import type { CmaResponse } from './caller.ts';
import { article, author, type CmaContext, noAsset, text } from './cma-content.ts';

const query = { validate: 'true' };

/** Runs the cases. */
export function describeValidating({ call, create, newArticle, newSlug }: CmaContext): void {
  /** Removes what differs between two equal writes: assigned IDs, versions and times. */
  const comparable = ({ status, body }: CmaResponse) => {
    const json = JSON.stringify(body, (name, value) =>
      ['_id', 'etag', 'change', 'cms.content.publishDate', 'cms.content.updateDate'].includes(name)
        ? undefined
        : value,
    );
    return { status, json: json.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid') };
  };
  const total = async () => {
    const counts = [article, author, text].map((from) => call('GET', { query: { from, limit: 0 } }));
    return (await Promise.all(counts)).map(({ body }) => body.result.count);
  };

  describe('validating', () => {
    it('answers creating and updating as the write would, and writes nothing', async () => {
      const taken = newSlug();
      const { _id } = await create(newArticle({ slug: taken }));
      const other = await create(newArticle());
      const { headers } = await call('GET', { path: `/${other._id}` });
      const path = `/${other._id}`;
      const dangling = { author: { _ref: noAsset, _type: author } };
      const requests: readonly [
        method: string,
        path: string,
        body: object,
        headers?: Record<string, string>,
      ][] = [
        ['POST', '', newArticle({ slug: taken })],
        ['POST', '', newArticle({ _id })],
        ['POST', '', newArticle(dangling)],
        ['POST', '', { _type: article, readingMinutes: -1 }],
        ['POST', '', { _type: 'x.Y' }],
        ['PUT', path, { slug: taken }],
        ['PUT', path, dangling],
        ['PUT', path, { headline: null }],
        ['PUT', path, { headline: 'x' }, { 'If-Match': '"other"' }],
        ['PUT', `/${noAsset}`, { headline: 'x' }],
        ['POST', '', newArticle({ slug: newSlug() })],
        ['PUT', path, { headline: 'New', summary: 'x', tags: null }, { 'If-Match': headers.etag ?? '' }],
      ];
      for (const [method, at, body, more = {}] of requests) {
        const before = await total();
        const checked = await call(method, { path: at, body, headers: more, query });
        expect(await total()).toEqual(before);
        expect((await call('GET', { path })).headers.etag).toBe(headers.etag);
        const names = ['etag', 'x-change', 'location'].filter((name) => checked.headers[name] !== undefined);
        expect(names).toEqual([]);
        const written = await call(method, { path: at, body, headers: more });
        expect([body, comparable(checked)]).toEqual([body, comparable(written)]);
      }
    });

    it('answers a batch as the write would, each operation with the effects of those before it', async () => {
      const [taken, free, moved] = [newSlug(), newSlug(), newSlug()];
      const { _id } = await create(newArticle({ slug: taken }));
      const gone = await create({ _type: text, name: 'gone' });
      const ada = '0190a0c0-0000-7000-8000-0000000000ad';
      const operations = [
        { action: 'create', asset: { _id: ada, _type: author, slug: free, name: 'Ada' } },
        { action: 'create', asset: newArticle({ author: { _ref: ada, _type: author } }) },
        { action: 'create', asset: newArticle({ slug: taken }) },
        { action: 'update', asset: { _id, slug: moved } },
        { action: 'upsert', by: 'slug', asset: newArticle({ slug: taken }) },
        { action: 'upsert', by: 'slug', asset: { _type: author, slug: free, name: 'Grace' } },
        { action: 'update', asset: { _id, headline: 'x' }, ifMatch: '"other"' },
        { action: 'delete', id: gone._id },
        { action: 'delete', id: gone._id },
        { action: 'create', asset: newArticle({ lead: { _ref: noAsset, _type: 'com.example.news.Image' } }) },
        { action: 'create', asset: { _id: ada, _type: author, slug: newSlug(), name: 'Again' } },
      ];
      for (const body of [
        { operations: operations.slice(0, 2), atomic: true },
        { operations, references: 'deferred' },
        { operations },
      ]) {
        const before = await total();
        const checked = await call('POST', { path: '/batch', body, query });
        expect(await total()).toEqual(before);
        expect(JSON.stringify(checked.body)).not.toMatch(/"(etag|change)"/);
        // Atomic batches and deferred references are only checked, so that the last batch finds the same store.
        if ('atomic' in body) expect([200, 400]).toContain(checked.status);
        if ('atomic' in body || 'references' in body) continue;
        const written = await call('POST', { path: '/batch', body });
        expect(comparable(checked)).toEqual(comparable(written));
        expect(written.body.result.failed).toBe(5);
      }
      const refused = { operations: [operations[3], operations[6]], atomic: true };
      const [checked, written] = [
        await call('POST', { path: '/batch', body: refused, query }),
        await call('POST', { path: '/batch', body: refused }),
      ];
      expect(comparable(checked)).toEqual(comparable(written));
    });

    it('keeps no idempotency key', async () => {
      const headers = { 'Idempotency-Key': newSlug() };
      const checked = await call('POST', { body: { _type: text, name: 'x' }, headers, query });
      const written = await call('POST', { body: { _type: text, name: 'y' }, headers });
      expect([checked.status, written.status, written.headers['idempotency-replayed']]).toEqual([
        200,
        200,
        undefined,
      ]);
    });

    it.each(['', 'yes', '1'])('refuses validate=%s', async (validate) => {
      const { status, body } = await call('POST', { body: { _type: text, name: 'x' }, query: { validate } });
      expect([status, body.error.path]).toEqual([400, 'validate']);
    });
  });
}
