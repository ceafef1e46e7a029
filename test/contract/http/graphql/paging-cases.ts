/** Cases of lists that are read by cursor, and of the values that they count. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import { type GraphqlContext, reference, section, site } from './graphql-context.ts';

/** Runs the cases. */
export function describePaging(context: GraphqlContext): void {
  const { ask, dataOf, errorsOf, create, cma, createClient, newSlug } = context;

  describe('a list by cursor', () => {
    let client: ClientHeaders;

    beforeAll(async () => {
      const own = await create({ _type: site, name: 'Paged' });
      client = await createClient({ sites: [own._id] });
      for (let order = 0; order < 12; order++) {
        const name = `Turned ${['c', 'a', 'b'][order % 3]}`;
        const owner = order < 5 ? { 'cms.site.owner': reference(own, site) } : {};
        await create({ _type: section, slug: newSlug(), name, order, ...owner });
      }
    });

    const where = 'name startsWith "Turned"';
    const list = `query ($where: String, $cursor: String, $sort: [SortInput!], $limit: Int, $offset: Int) {
      sectionList(where: $where, cursor: $cursor, sortBy: $sort, limit: $limit, offset: $offset) {
        items { order } next count } }`;
    interface Page {
      readonly orders: readonly number[];
      readonly next: string | null;
      readonly count: number;
    }
    const toPage = ({ items, ...page }: Omit<Page, 'orders'> & { items: { order: number }[] }): Page => ({
      ...page,
      orders: items.map(({ order }) => order),
    });
    const pageOf = async (variables: object) =>
      toPage((await dataOf('open', list, { where, limit: 5, ...variables })).sectionList);

    it.each([
      ['its own order', undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [
        'another order',
        [{ field: 'name' }, { field: 'order', order: 'DESC' }],
        [10, 7, 4, 1, 11, 8, 5, 2, 9, 6, 3, 0],
      ],
    ])('has each asset once in %s, and the count on every page', async (_name, sort, expected) => {
      const orders: number[] = [];
      const sizes: number[] = [];
      for (let cursor: string | null = ''; cursor !== null && sizes.length < 10; ) {
        const page: Page = await pageOf({ cursor, sort });
        orders.push(...page.orders);
        sizes.push(page.orders.length);
        expect(page.count).toBe(12);
        cursor = page.next;
      }
      expect({ orders, sizes }).toEqual({ orders: expected, sizes: [5, 5, 2] });
    });

    it('goes on behind an asset that was deleted, and does not move for those created before it', async () => {
      const [, , third] = (
        await dataOf('open', `{ sectionList(where: "name startsWith Turned") { items { _id } } }`)
      ).sectionList.items;
      const sort = [{ field: 'order', order: 'DESC' }];
      const { orders, next } = await pageOf({ sort, cursor: '', limit: 10 });
      expect(orders).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
      await cma('DELETE', `/${third._id}`);
      await create({ _type: section, slug: newSlug(), name: 'Turned new', order: 50 });
      expect(await pageOf({ sort, cursor: next, limit: 10 })).toEqual({
        orders: [1, 0],
        next: null,
        count: 12,
      });
    });

    it('has no next without a cursor', async () => {
      expect(await pageOf({ limit: 2 })).toMatchObject({ next: null });
      expect(await pageOf({ limit: 2, cursor: null, offset: 1 })).toMatchObject({ next: null });
    });

    it('can be read for its cursor alone', async () => {
      const { next } = await pageOf({ cursor: '', limit: 3 });
      const alone = await dataOf(
        'open',
        `{ sectionList(where: ${JSON.stringify(where)}, cursor: "", limit: 3) { next } }`,
      );
      expect(alone).toEqual({ sectionList: { next } });
    });

    it('refuses a cursor of another query, one that is none, an offset and the limit 0', async () => {
      const { next } = await pageOf({ cursor: '' });
      const refused = (variables: object) => errorsOf('open', list, { where, ...variables });
      expect(await refused({ cursor: next, where: 'name startsWith "Turn"' })).toMatchObject([
        { code: 'cursor_mismatch', path: 'cursor' },
      ]);
      expect(await refused({ cursor: next, sort: { field: 'name' } })).toMatchObject([
        { code: 'cursor_mismatch' },
      ]);
      expect(await refused({ cursor: 'x' })).toMatchObject([{ code: 'invalid_parameter', path: 'cursor' }]);
      expect(await refused({ cursor: '', offset: 0 })).toMatchObject([
        { code: 'invalid_parameter', path: 'offset' },
      ]);
      expect(await refused({ cursor: '', limit: 0 })).toMatchObject([
        { code: 'invalid_parameter', path: 'limit' },
      ]);
      for (const part of ['count', 'next', 'facets(paths: ["name"]) { path }']) {
        const query = `{ sectionList(cursor: "x") { ${part} } }`;
        expect(await errorsOf('open', query)).toMatchObject([{ path: 'cursor' }]);
      }
    });

    it('and its counted values have only the assets that a client may see', async () => {
      const query = `query ($cursor: String!) { sectionList(where: "name startsWith Turned", cursor: $cursor, limit: 3) {
        items { order } next count facets(paths: ["name"]) { values { value count } } } }`;
      const asClient = async (cursor: string, headers: ClientHeaders) =>
        (await ask('management', { query, variables: { cursor } }, headers)).body;
      const { data } = await asClient('', client);
      expect(toPage(data.sectionList)).toMatchObject({ orders: [0, 1, 3], count: 4 });
      expect(data.sectionList.facets).toEqual([
        {
          values: [
            { value: 'Turned a', count: 2 },
            { value: 'Turned c', count: 2 },
          ],
        },
      ]);
      const { next } = data.sectionList;
      expect(toPage((await asClient(next, client)).data.sectionList)).toMatchObject({
        orders: [4],
        next: null,
      });
      const stranger = await createClient();
      const { errors } = await asClient(next, stranger);
      expect(errors[0]).toMatchObject({ extensions: { code: 'cursor_mismatch' } });
    });
  });

  describe('counted values', () => {
    beforeAll(async () => {
      for (let n = 0; n < 7; n++)
        await create({ _type: section, slug: newSlug(), name: `Counted ${'aab'[n % 3]}`, order: n % 2 });
    });

    it('are of all assets that match, most first, in the order of the paths', async () => {
      const query = `query ($paths: [String!]!) { sectionList(where: "name startsWith ?", values: ["Counted"], limit: 1) {
        items { order } facets(paths: $paths) { __typename path values { __typename value count } } } }`;
      const { sectionList } = await dataOf('open', query, { paths: ['order', 'name'] });
      const counted = (value: unknown, count: number) => ({ __typename: 'ListFacetValue', value, count });
      expect(sectionList).toEqual({
        items: [{ order: 0 }],
        facets: [
          { __typename: 'ListFacet', path: 'order', values: [counted(0, 4), counted(1, 3)] },
          {
            __typename: 'ListFacet',
            path: 'name',
            values: [counted('Counted a', 5), counted('Counted b', 2)],
          },
        ],
      });
      expect(await dataOf('open', query, { paths: [] })).toMatchObject({ sectionList: { facets: [] } });
    });

    it('are counted under several aliases, without any other part of the page', async () => {
      const query = `{ sectionList(where: "name startsWith Counted") { a: facets(paths: "order") { values { count } }
        b: facets(paths: ["name"]) { path } } none: sectionList(where: "false") { facets(paths: ["name"]) { path values { value } } } }`;
      expect(await dataOf('open', query)).toEqual({
        sectionList: { a: [{ values: [{ count: 4 }, { count: 3 }] }], b: [{ path: 'name' }] },
        none: { facets: [{ path: 'name', values: [] }] },
      });
    });

    it.each([
      ['a field without an index', ['cms.content.publishDate', 'parent/name']],
      ['an unknown field', ['nothing']],
      ['a field twice', ['name', 'name']],
      ['six fields', ['a', 'b', 'c', 'd', 'e', 'f']],
    ])('are refused for %s', async (_name, paths) => {
      const query = 'query ($paths: [String!]!) { sectionList { facets(paths: $paths) { path } } }';
      expect(await errorsOf('open', query, { paths })).toEqual([
        expect.objectContaining({ at: 'sectionList.facets', code: 'invalid_parameter', path: 'paths' }),
      ]);
    });
  });
}
