/** Cases of orders and of pages by cursor. */
import { describe, expect, it } from 'vitest';
import { article, type CmaContext, text } from './cma-content.ts';

/** Runs the cases. */
export function describePaging({ call, create, newArticle, newSlug }: CmaContext): void {
  describe('sorting and pages by cursor', () => {
    const minutesOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
      body.result.items.map((item: { readingMinutes?: number }) => item.readingMinutes);
    /** Creates articles that only `where` with `values` finds. */
    const createArticles = async (minutes: readonly (number | undefined)[]) => {
      const tag = newSlug();
      for (const readingMinutes of minutes) {
        await create(newArticle({ tags: [tag], ...(readingMinutes !== undefined && { readingMinutes }) }));
      }
      return { from: article, where: 'tags = ?', values: [tag] };
    };

    it('sorts by several fields, in both directions, and after an absent value', async () => {
      const query = await createArticles([3, undefined, 5, 3, 4]);
      expect(minutesOf(await call('GET', { query: { ...query, sort: 'readingMinutes' } }))).toEqual([
        undefined,
        3,
        3,
        4,
        5,
      ]);
      const sort = ['-readingMinutes', 'slug'];
      const byText = await call('GET', { query: { ...query, sort: sort.join(',') } });
      expect(minutesOf(byText)).toEqual([5, 4, 3, 3, undefined]);
      const byBody = await call('POST', { path: '/query', body: { ...query, sort } });
      expect(byBody.body).toEqual(byText.body);
    });

    it('pages by cursor: each asset once, the count on the first page, no cursor on the last', async () => {
      const query = await createArticles([3, undefined, 5, 3, 4]);
      for (const order of [{}, { sort: '-readingMinutes' }]) {
        const { body: all } = await call('GET', { query: { ...query, ...order } });
        const found: unknown[] = [];
        const counts: unknown[] = [];
        for (let cursor = '', limit = 2; cursor !== undefined; limit = 1) {
          const { body } = await call('GET', { query: { ...query, ...order, cursor, limit } });
          found.push(...body.result.items);
          counts.push(body.result.count);
          cursor = body.result.next;
        }
        expect(found).toEqual(all.result.items);
        expect(counts).toEqual([5, undefined, undefined, undefined]);
      }
      const { body: exact } = await call('GET', { query: { ...query, cursor: '', limit: 5 } });
      expect(exact.result.next).toBeUndefined();
    });

    it('goes on where the page ended although its last asset was deleted and others were created', async () => {
      const query = await createArticles([1, 2, 3, 4]);
      const first = await call('POST', { path: '/query', body: { ...query, cursor: '', limit: 2 } });
      const [, last] = first.body.result.items;
      await call('DELETE', { path: `/${last._id}` });
      const cursor = first.body.result.next;
      const second = await call('POST', { path: '/query', body: { ...query, cursor, limit: 2 } });
      expect(minutesOf(second)).toEqual([3, 4]);
    });

    it('refuses a cursor of another query', async () => {
      const query = await createArticles([1, 2, 3]);
      const { body } = await call('GET', { query: { ...query, cursor: '', limit: 1 } });
      const cursor = body.result.next;
      for (const other of [
        { sort: 'slug' },
        { values: ['x'] },
        { where: 'tags != ?' },
        { from: 'com.example.news.Page', where: 'true', values: [] },
      ]) {
        const { status, body } = await call('GET', { query: { ...query, ...other, cursor } });
        expect([status, body.error.code, body.error.path]).toEqual([400, 'cursor_mismatch', 'cursor']);
      }
    });

    const bad: [name: string, query: Record<string, string>, path: string, reason: RegExp][] = [
      ['an unknown field', { sort: 'nmae' }, 'sort', /no field "nmae"/],
      ['a list', { from: article, sort: 'tags' }, 'sort', /"tags": it is a list/],
      ['a path through a reference', { from: article, sort: 'author/name' }, 'sort', /through a reference/],
      ['a field twice', { sort: 'name,-name' }, 'sort', /given twice/],
      ['nine fields', { sort: 'a,b,c,d,e,f,g,h,i' }, 'sort', /9 keys; at most 8/],
      ['facets of an unknown field', { facets: 'nmae' }, 'facets', /no field "nmae"/],
      ['facets of a field without an index', { facets: 'text' }, 'facets', /"text": it has no index in/],
      [
        'facets through a reference',
        { from: article, facets: 'author/slug' },
        'facets',
        /through a reference/,
      ],
      ['facets of a field twice', { facets: 'name,name' }, 'facets', /given twice/],
      ['facets of six fields', { facets: 'a,b,c,d,e,f' }, 'facets', /6 fields; at most 5/],
      ['empty facets', { facets: '' }, 'facets', /./],
      ['an empty sort', { sort: '' }, 'sort', /./],
      ['an empty field', { sort: 'name,' }, 'sort', /names of fields/],
      ['only a sign', { sort: '-' }, 'sort', /names of fields/],
      ['a cursor with an offset', { cursor: '', offset: '0' }, 'offset', /combined with "cursor"/],
      ['a cursor with limit 0', { cursor: '', limit: '0' }, 'limit', /at least 1/],
      ['a text that is no cursor', { cursor: 'x' }, 'cursor', /not a cursor/],
      ['a cursor that is JSON but none of ours', { cursor: 'WzFd' }, 'cursor', /not a cursor/],
    ];
    it.each(bad)('refuses %s with 400', async (_name, query, path, reason) => {
      const { status, body } = await call('GET', { query: { from: text, ...query } });
      expect([status, body.error.code, body.error.path]).toEqual([400, 'invalid_parameter', path]);
      expect(body.error.message).toMatch(reason);
    });

    it('counts the values of fields among all assets that match', async () => {
      const tag = newSlug();
      const other = newSlug();
      for (const [tags, status] of [
        [[tag, other], 'DRAFT'],
        [[tag, tag], 'PUBLISHED'],
        [[tag], 'DRAFT'],
        [[other], 'DRAFT'],
      ] as const) {
        await create(newArticle({ tags, status }));
      }
      const query = { from: article, where: 'tags = ?', values: [tag], limit: 1 };
      const facets = {
        status: [
          { value: 'DRAFT', count: 2 },
          { value: 'PUBLISHED', count: 1 },
        ],
        tags: [
          { value: tag, count: 3 },
          { value: other, count: 1 },
        ],
      };
      const { body } = await call('GET', { query: { ...query, facets: 'status,tags' } });
      expect(body.result).toMatchObject({ count: 3, facets });
      const posted = await call('POST', { path: '/query', body: { ...query, facets: ['status', 'tags'] } });
      expect(posted.body).toEqual(body);
    });

    it('refuses a cursor that would be too long', async () => {
      const query = await createArticles([1, 2]);
      const long = 'x'.repeat(2_001);
      const { body } = await call('GET', { query: { ...query, limit: 2 } });
      for (const { _id } of body.result.items) await call('PUT', { path: `/${_id}`, body: { body: long } });
      const refused = await call('GET', { query: { ...query, sort: 'body', cursor: '', limit: 1 } });
      expect(refused.body.error).toMatchObject({ code: 'invalid_parameter', path: 'sort' });
    });
  });
}
