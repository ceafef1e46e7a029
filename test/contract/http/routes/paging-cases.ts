/** Cases of lists that a mapped operation reads by cursor, and of the values that it counts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createNews } from './news.ts';
import type { RouteResponse, RoutesContext } from './routes-context.ts';

const list = `articleList(where: "tags = turned", sortBy: [{ field: "readingMinutes", order: DESC }], limit: $limit, cursor: $cursor)`;
const paging = {
  name: 'Paging',
  mappings: [
    {
      name: 'Turn',
      methods: ['GET', 'POST'],
      query: `query Turn($cursor: String!, $limit: Int! = 2) {
        ${list} { items { slug } next count facets(paths: ["status", "tags"]) { path values { value count } } } }`,
    },
    {
      name: 'Facets',
      query: `query Facets($paths: [String!]!) {
        articleList(where: "tags = turned") { facets(paths: $paths) { path values { value count } } } }`,
    },
  ],
};

const [DRAFT, PUBLISHED] = ['DRAFT', 'PUBLISHED'];

interface Page {
  readonly items: readonly { slug: string }[];
  readonly next: string | null;
  readonly count: number;
  readonly facets: readonly object[];
}

/** Runs the cases. */
export function describePaging({ call, publish, instance }: RoutesContext): void {
  beforeAll(async () => {
    await publish(paging);
    for (const [n, status] of [DRAFT, PUBLISHED, DRAFT, DRAFT, PUBLISHED].entries()) {
      const fields = { status, tags: n < 2 ? ['turned', 'other'] : ['turned'] };
      const minutes = n === 2 ? {} : { readingMinutes: n % 2 };
      await instance().services.content.create({ ...createNews(`turned-${n}`), ...fields, ...minutes }, {});
    }
  });

  const byStatus = {
    path: 'status',
    values: [
      { value: DRAFT, count: 3 },
      { value: PUBLISHED, count: 2 },
    ],
  };
  const byTag = {
    path: 'tags',
    values: [
      { value: 'turned', count: 5 },
      { value: 'other', count: 2 },
    ],
  };

  const turn = (method: string, cursor: string): Promise<RouteResponse> =>
    method === 'GET'
      ? call('GET', `/paging/turn?${new URLSearchParams({ cursor })}`)
      : call('POST', '/paging/turn', { json: { cursor } });

  describe('a list of a mapped operation', () => {
    it.each(['GET', 'POST'])(
      'is read by its next, with the counts of values on each page, by %s',
      async (method) => {
        const found: string[] = [];
        const sizes: number[] = [];
        for (let cursor: string | null = ''; cursor !== null && sizes.length < 5; ) {
          const { status, body } = await turn(method, cursor);
          expect([status, body.errors]).toEqual([200, undefined]);
          const { items, next, count, facets }: Page = body.data.articleList;
          expect({ count, facets }).toEqual({ count: 5, facets: [byStatus, byTag] });
          found.push(...items.map(({ slug }) => slug));
          sizes.push(items.length);
          cursor = next;
        }
        const order = [3, 1, 4, 0, 2].map((n) => `turned-${n}`);
        expect({ found, sizes }).toEqual({ found: order, sizes: [2, 2, 1] });
      },
    );

    it('has a tag by which its page is revalidated, and another one once a count differs', async () => {
      const path = '/paging/turn?cursor=&limit=1';
      const { headers } = await call('GET', path);
      const sent = { headers: { 'If-None-Match': String(headers.etag) } };
      expect((await call('GET', path, sent)).status).toBe(304);
      const extra = { ...createNews('turned-last'), tags: ['turned'] };
      const { asset } = await instance().services.content.create(extra, {});
      const { status, body } = await call('GET', path, sent);
      expect([status, body.data.articleList.count]).toEqual([200, 6]);
      await instance().services.content.delete({ id: asset._id }, {});
    });

    it('refuses a cursor that is none and fields that cannot be counted', async () => {
      const cursor = await call('GET', '/paging/turn?cursor=none');
      expect([cursor.status, cursor.body.errors[0].extensions]).toMatchObject([
        400,
        { code: 'invalid_parameter', path: 'cursor' },
      ]);
      const counted = await call('GET', '/paging/facets?paths[]=tags');
      expect([counted.status, counted.body.data.articleList.facets]).toEqual([200, [byTag]]);
      const refused = await call('GET', '/paging/facets?paths[]=summary');
      expect([refused.status, refused.body.errors[0].extensions]).toMatchObject([
        400,
        { code: 'invalid_parameter', path: 'paths' },
      ]);
    });
  });
}
