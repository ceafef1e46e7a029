/** Cases of the titles of assets and of the search by words. */
import { describe, expect, it } from 'vitest';
import { article, author } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeSearch({ call, createAsset, newName }: AdminContext): void {
  const slug = () => newName().toLowerCase().replace(' ', '-');
  const newArticle = (fields: object) =>
    createAsset({ _type: article, slug: slug(), headline: 'A headline', status: 'DRAFT', ...fields });
  const search = (body: object) => call('POST', '/search', { body });

  describe('the titles of assets', () => {
    it('are those of the IDs that exist, each once', async () => {
      const first = await newArticle({ headline: 'The first title' });
      const second = await createAsset({ _type: author, slug: slug(), name: 'The second title' });
      const { status, body } = await call('POST', '/contents/titles', {
        body: { ids: [first, second.toUpperCase(), first, noId, 'x'] },
      });
      expect(status).toBe(200);
      expect(body.items).toHaveLength(2);
      expect(body.items).toEqual(
        expect.arrayContaining([
          { _id: first, _type: article, title: 'The first title' },
          { _id: second, _type: author, title: 'The second title' },
        ]),
      );
    });

    it('are refused for more than 200 IDs', async () => {
      const ids = Array.from({ length: 201 }, () => noId);
      expect((await call('POST', '/contents/titles', { body: { ids } })).status).toBe(400);
    });
  });

  describe('the search by words', () => {
    it('finds titles of all types before words of searchable texts, and the asset with an ID', async () => {
      const body = '<p>Where the quetzal and the <em>wombat</em> meet.</p>';
      const byBody = await newArticle({ headline: 'Animals', body });
      const byHeadline = await newArticle({ headline: 'Wombats and a QUETZAL' });
      const named = await createAsset({ _type: author, slug: slug(), name: 'Quetzal von Wombat' });
      const { status, body: found } = await search({ text: ' wombat  quetzal' });
      expect(status).toBe(200);
      expect(found).toEqual({
        items: [
          { _id: byHeadline, _type: article, title: 'Wombats and a QUETZAL' },
          { _id: named, _type: author, title: 'Quetzal von Wombat' },
          { _id: byBody, _type: article, title: 'Animals' },
        ],
        unsearched: [],
      });
      const { body: one } = await search({ text: 'wombat', types: [author] });
      expect(one.items).toEqual([found.items[1]]);
      const { body: limited } = await search({ text: 'wombat', limit: 1 });
      expect(limited.items).toEqual([found.items[0]]);
      expect((await search({ text: byBody })).body.items).toEqual([found.items[2]]);
      expect((await search({ text: byBody, types: [author] })).body.items).toEqual([]);
    });

    it('takes quotation marks and punctuation as they are', async () => {
      const id = await newArticle({ headline: `It's "odd" ?0 %_\\ --` });
      for (const text of [`"odd"`, `It's`, '?0', '%_\\', '--']) {
        const { status, body } = await search({ text, types: [article] });
        expect([status, body.items.map(({ _id }: { _id: string }) => _id)]).toEqual([200, [id]]);
      }
    });

    it('is refused for an unknown type and for a text without a word', async () => {
      expect((await search({ text: 'a', types: ['t.Unknown'] })).body.problems).toMatchObject([
        { path: 'types' },
      ]);
      expect((await search({ text: '  ' })).status).toBe(400);
    });
  });
}
