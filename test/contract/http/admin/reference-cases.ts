/** Cases of the references to an asset. */
import { describe, expect, it } from 'vitest';
import { article, author } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeReferences({ call, createAsset, newName }: AdminContext): void {
  const slug = () => newName().toLowerCase().replace(' ', '-');
  const newArticle = (fields: object) =>
    createAsset({ _type: article, slug: slug(), headline: 'A headline', status: 'DRAFT', ...fields });
  const referencesOf = (id: string, query = '') => call('GET', `/contents/${id}/references${query}`);

  describe('the references to an asset', () => {
    it('are counted by type and listed with titles, from fields and from lists, each asset once', async () => {
      const id = await createAsset({ _type: author, slug: slug(), name: 'Referred to' });
      const reference = { _ref: id, _type: author };
      const first = await newArticle({ headline: 'By the author', author: reference });
      const second = await newArticle({ headline: 'Both', author: reference, related: [reference] });
      const third = await newArticle({ headline: 'Related', related: [reference] });
      await newArticle({ headline: 'Unrelated' });
      const { status, body } = await referencesOf(id);
      expect([status, body]).toEqual([
        200,
        {
          count: 3,
          types: [{ class: article, name: 'Article', count: 3 }],
          items: [
            { _id: first, _type: article, title: 'By the author' },
            { _id: second, _type: article, title: 'Both' },
            { _id: third, _type: article, title: 'Related' },
          ],
          unsearched: [],
        },
      ]);
      const { body: page } = await referencesOf(id, '?limit=1');
      expect([page.count, page.items]).toEqual([3, body.items.slice(0, 1)]);
      expect((await referencesOf(id.toUpperCase(), '?limit=0')).body).toEqual({ ...body, items: [] });
    });

    it('do not include a reference of the asset to itself', async () => {
      const id = await newArticle({});
      await call('PUT', `/contents/${id}`, { body: { related: [{ _ref: id, _type: article }] } });
      expect((await referencesOf(id)).body).toEqual({ count: 0, types: [], items: [], unsearched: [] });
    });

    it('are answered 404 for an unknown asset', async () => {
      for (const id of [noId, 'x']) expect((await referencesOf(id)).status).toBe(404);
      const { status, body } = await referencesOf(noId, '?limit=101');
      expect([status, body.problems[0].path]).toEqual([400, 'limit']);
    });
  });
}
