/** Cases of what writes tell about assets that their sender may not see: other sites' assets, and system records. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import { article, author, type CmaContext, noAsset, site } from './cma-content.ts';

/** Runs the cases. */
export function describeUnseen({ call, create, newArticle, newSlug, instance }: CmaContext): void {
  describe('what the sender of a write may not see', () => {
    const refer = (_ref: string, _type = author) => ({ _ref, _type });
    let own: { 'cms.site.owner': object };
    let hidden: { readonly _id: string; readonly slug?: unknown };
    let client: ClientHeaders;
    let otherClient: ClientHeaders;

    beforeAll(async () => {
      const [mine, theirs] = [
        await create({ _type: site, name: 'Mine' }),
        await create({ _type: site, name: 'Theirs' }),
      ];
      own = { 'cms.site.owner': refer(mine._id, site) };
      const owned = { 'cms.site.owner': refer(theirs._id, site) };
      hidden = await create({ _type: author, slug: newSlug(), name: 'Hidden', ...owned });
      client = await instance().createClient({ sites: [mine._id] });
      otherClient = await instance().createClient({ sites: [mine._id] });
      await instance().refresh();
    });

    /** Returns an error with the ID of the target left out. */
    const errorOf = ({ status, body }: { status: number; body: object }, id: string) =>
      JSON.parse(JSON.stringify({ status, body }).replaceAll(id, 'id'));
    /** Sends a write with a reference in each way that there is. */
    async function refuse(path: string, reference: { _ref: string }, sender?: ClientHeaders) {
      const fields = { author: reference };
      const batch = (atomic: boolean) => ({
        operations: [
          { action: 'create', asset: newArticle({ ...own, ...fields }) },
          { action: 'upsert', asset: { ...newArticle({ ...own, ...fields }), _id: reference._ref } },
        ].slice(0, atomic ? 1 : 2),
        atomic,
      });
      const sent = [
        { method: 'POST', body: newArticle({ ...own, ...fields }) },
        { method: 'PUT', path, body: fields },
        {
          method: 'PATCH',
          path,
          raw: JSON.stringify(fields),
          headers: { 'Content-Type': 'application/merge-patch+json' },
        },
        { method: 'POST', path: '/batch', body: batch(false) },
        { method: 'POST', path: '/batch', body: batch(true) },
      ];
      const responses: unknown[] = [];
      for (const { method, ...one } of sent) {
        for (const query of [{}, { validate: 'true' }]) {
          const response = await call(method, { ...one, query, ...(sender && { client: sender }) });
          const [first] = response.body.result?.results ?? [];
          responses.push(
            errorOf(first ? { status: first.status, body: first.error } : response, reference._ref),
          );
        }
      }
      return responses;
    }

    it('does not exist as the target of a reference, whatever its type', async () => {
      const page = await create(newArticle(own));
      const { items: records } = await instance().services.store.find({
        types: ['com.colophon.system.ApiClient'],
        offset: 0,
        limit: 1,
        withCount: false,
      });
      const record = records[0]?.asset._id ?? '';
      const asHidden = await refuse(`/${page._id}`, refer(hidden._id), client);
      expect(asHidden).toEqual(await refuse(`/${page._id}`, refer(noAsset), client));
      expect(asHidden[0]).toMatchObject({
        body: { error: { code: 'invalid_body', message: 'author refers to id, which does not exist' } },
      });
      const other = await refuse(`/${page._id}`, refer(hidden._id, article), client);
      expect(JSON.stringify(other)).not.toContain('the asset is');
      expect(record).not.toBe('');
      for (const sender of [client, undefined]) {
        const asRecord = await refuse(`/${page._id}`, refer(record), sender);
        expect(asRecord).toEqual(await refuse(`/${page._id}`, refer(noAsset), sender));
      }
    });

    it('may stay where an asset refers to it already', async () => {
      const fields = { author: refer(hidden._id), related: [refer(hidden._id)] };
      const page = await create(newArticle({ ...own, ...fields }));
      const path = `/${page._id}`;
      const change = { headline: 'New', ...fields };
      expect((await call('PUT', { path, body: change, client })).status).toBe(200);
      const moved = { related: [refer(hidden._id)], lead: refer(hidden._id, 'com.example.news.Image') };
      expect((await call('PUT', { path, body: moved, client })).body.error.message).toBe(
        `lead refers to ${hidden._id}, which does not exist`,
      );
      const operations = [
        { action: 'replace', asset: { ...page, headline: 'Newer' } },
        {
          action: 'update',
          asset: { _id: page._id, ...change, related: [...fields.related, refer(noAsset)] },
        },
      ];
      const { body } = await call('POST', { path: '/batch', body: { operations }, client });
      expect(body.result.results.map(({ status, error }: never) => [status, error])).toMatchObject([
        [200, undefined],
        [400, { message: `related[1] refers to ${noAsset}, which does not exist` }],
      ]);
    });

    it('limits checks of values that it has', async () => {
      const taken = { ...own, _type: author, slug: hidden.slug, name: 'x' };
      const query = { validate: 'true' };
      const check = (sender: ClientHeaders) => call('POST', { body: taken, query, client: sender });
      const operations = Array.from({ length: 18 }, () => ({ action: 'create', asset: taken }));
      for (const atomic of [instance().services.store.capabilities.transactions, false])
        await call('POST', { path: '/batch', body: { operations, atomic }, query, client });
      expect((await call('POST', { body: { ...taken, _id: hidden._id }, query, client })).status).toBe(409);
      for (let n = 3; n < 20; n++) expect((await check(client)).body.error.code).toBe('value_in_use');
      const refused = await check(client);
      expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
      // A response that depended on the value would tell whether it is in use.
      const free = { ...taken, slug: newSlug() };
      expect((await call('POST', { body: free, query, client })).status).toBe(429);
      expect((await call('POST', { body: free, client })).status).toBe(200);
      expect((await check(otherClient)).status).toBe(409);
    });
  });
}
