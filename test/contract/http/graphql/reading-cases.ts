/** Cases of reading content through a GraphQL endpoint: single assets, lists, values of every kind and references. */
import { beforeAll, describe, expect, it } from 'vitest';
import { gallery } from './gallery.ts';
import {
  article,
  author,
  type GraphqlContext,
  image,
  noAsset,
  reference,
  type StoredContent,
  section,
} from './graphql-context.ts';

/** Runs the cases. */
export function describeReading(context: GraphqlContext): void {
  const { dataOf, errorsOf, create, cma, createEndpoint, newSlug } = context;
  const createAuthor = (name: string) => create({ _type: author, slug: newSlug(), name });

  describe('one asset', () => {
    it('has every kind of value as it is stored', async () => {
      const guide = await createAuthor('A guide');
      const notes = { deep: [1, null, { 'a.b': true, $c: '' }], __proto: 'x' };
      const kept = await create({
        _type: gallery,
        name: 'Kinds',
        openings: [4_102_444_800_000, -62_135_596_800_000, 0, 8_640_000_000_000_000],
        moods: ['LOUD', 'QUIET'],
        rooms: [
          { number: 1, floor: { level: -1, guide: reference(guide, author) }, labels: ['ä', '🏃', ''] },
          { number: 2, floor: { level: 2 } },
          { number: -2_147_483_648, labels: [] },
        ],
        size: 0.1,
        free: false,
        notes,
      });
      const query = `query ($id: ID!) { gallery(_id: $id) {
        __typename _id _type name code cover { __typename } openings moods size free notes
        rooms { number floor { level guide { name } } labels }
        cms_site_owner { name } cms_content_publishDate cms_content_updateDate } }`;
      const date = kept['cms.content.publishDate'];
      expect(await dataOf('open', query, { id: kept._id })).toEqual({
        gallery: {
          __typename: 'Gallery',
          _id: kept._id,
          _type: gallery,
          name: 'Kinds',
          code: null,
          cover: null,
          openings: [4_102_444_800_000, -62_135_596_800_000, 0, 8_640_000_000_000_000],
          moods: ['LOUD', 'QUIET'],
          size: 0.1,
          free: false,
          notes,
          rooms: [
            { number: 1, floor: { level: -1, guide: { name: 'A guide' } }, labels: ['ä', '🏃', ''] },
            { number: 2, floor: { level: 2, guide: null }, labels: null },
            { number: -2_147_483_648, floor: null, labels: [] },
          ],
          cms_site_owner: null,
          cms_content_publishDate: date,
          cms_content_updateDate: date,
        },
      });
    });

    it('is null when no asset has the ID and the type, for any text as the ID', async () => {
      const { _id } = await createAuthor('Nobody');
      const query = 'query ($id: ID!) { author(_id: $id) { name } section(_id: $id) { name } }';
      expect(await dataOf('open', query, { id: _id })).toEqual({ author: { name: 'Nobody' }, section: null });
      expect(await dataOf('open', query, { id: _id.toUpperCase() })).toMatchObject({
        author: { name: 'Nobody' },
      });
      for (const id of [noAsset, 'x', '', '__proto__', '$where', 5]) {
        expect(await dataOf('open', query, { id })).toEqual({ author: null, section: null });
      }
    });
  });

  describe('references', () => {
    it('resolve to their targets, also through unions and interfaces, and to null after a target is deleted', async () => {
      const picture = await create({ _type: image, url: 'https://example.com/a.png', alternativeText: 'A' });
      const story = await create({ _type: article, slug: newSlug(), headline: 'A story', status: 'REVIEW' });
      const gone = await create({ _type: image, url: 'https://example.com/b.png', alternativeText: 'B' });
      const writer = await createAuthor('Related');
      const show = await create({
        _type: gallery,
        name: 'References',
        cover: reference(gone, image),
        exhibits: [reference(picture, image), reference(gone, image), reference(story, article)],
      });
      const teller = await create({
        _type: article,
        slug: newSlug(),
        headline: 'Teller',
        status: 'DRAFT',
        related: [reference(writer, author), reference(story, article)],
      });
      const query = `query ($show: ID!, $teller: ID!) {
        gallery(_id: $show) {
          cover { __typename ... on Image { alternativeText } }
          exhibits { ... on Image { alternativeText } ... on Article { headline status } } }
        article(_id: $teller) { related { __typename slug ... on Author { name } } } }`;
      const find = () => dataOf('open', query, { show: show._id, teller: teller._id });
      const related = [
        { __typename: 'Author', slug: writer.slug, name: 'Related' },
        { __typename: 'Article', slug: story.slug },
      ];
      const [a, b, c] = [
        { alternativeText: 'A' },
        { alternativeText: 'B' },
        { headline: 'A story', status: 'REVIEW' },
      ];
      expect(await find()).toEqual({
        gallery: { cover: { __typename: 'Image', ...b }, exhibits: [a, b, c] },
        article: { related },
      });
      await cma('DELETE', `/${gone._id}`);
      await cma('DELETE', `/${writer._id}`);
      expect(await find()).toEqual({
        gallery: { cover: null, exhibits: [a, null, c] },
        article: { related: [null, related[1]] },
      });
    });
  });

  describe('a list', () => {
    let created: StoredContent[];

    beforeAll(async () => {
      created = [];
      for (let order = 0; order < 25; order++) {
        const name = `Listed ${['c', 'a', 'b'][order % 3]}`;
        created.push(await create({ _type: section, slug: newSlug(), name, order }));
      }
      await createEndpoint({ name: 'short', defaultLimit: 3, maxLimit: 5 });
    });

    const list = `query (
        $where: String = "name startsWith Listed", $values: [JSON!], $sort: [SortInput!], $offset: Int, $limit: Int
      ) { sectionList(where: $where, values: $values, sortBy: $sort, offset: $offset, limit: $limit) { items { order } } }`;
    const ordersOf = async (variables: Record<string, unknown>, path = 'open'): Promise<number[]> =>
      (await dataOf(path, list, variables)).sectionList.items.map(({ order }: { order: number }) => order);
    const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);

    it('has the requested number of items, or the default of the endpoint', async () => {
      expect(await ordersOf({})).toEqual(upTo(10));
      expect(await ordersOf({ limit: 0 })).toEqual([]);
      expect(await ordersOf({ limit: 100 })).toEqual(upTo(25));
      expect(await ordersOf({ limit: null, offset: null })).toEqual(upTo(10));
      expect(await ordersOf({}, 'short')).toEqual(upTo(3));
      expect(await ordersOf({ limit: 5 }, 'short')).toEqual(upTo(5));
      expect(await errorsOf('short', list, { limit: 6 })).toEqual([
        { at: 'sectionList', code: 'invalid_parameter', path: 'limit' },
      ]);
    });

    it('has a stable order for paging', async () => {
      const pages = [];
      for (let offset = 0; offset < 30; offset += 10) pages.push(...(await ordersOf({ offset })));
      expect(pages).toEqual(upTo(25));
      expect(await ordersOf({ offset: 25 })).toEqual([]);
      expect(await ordersOf({ offset: 2_147_483_647 })).toEqual([]);
    });

    it('is sorted by sortBy', async () => {
      expect(await ordersOf({ sort: [{ field: 'order', order: 'DESC' }], limit: 3 })).toEqual([24, 23, 22]);
      const sort = [{ field: 'name' }, { field: 'order', order: 'DESC' }];
      expect(await ordersOf({ sort, limit: 10 })).toEqual([22, 19, 16, 13, 10, 7, 4, 1, 23, 20]);
      expect(await ordersOf({ sort: { field: '_id', order: 'DESC' }, limit: 2 })).toEqual([24, 23]);
    });

    it('has the assets that match, with values of any kind', async () => {
      expect(await ordersOf({ where: 'name startsWith Listed and order >= 23' })).toEqual([23, 24]);
      expect(await ordersOf({ where: 'name = ? and order < ?', values: ['Listed a', 5] })).toEqual([1, 4]);
      expect(await ordersOf({ where: 'name in ?1 and order in ?0', values: [[2, 3], ['Listed b']] })).toEqual(
        [2],
      );
      expect(await ordersOf({ where: 'slug = ?', values: [String(created[7]?.slug)] })).toEqual([7]);
      expect(await ordersOf({ where: 'name startsWith Listed', values: [] })).toEqual(upTo(10));
    });

    it('counts all matching assets when count is selected', async () => {
      const query = `{ sectionList(where: "name startsWith Listed", offset: 20, limit: 2) { count items { order } }
        none: sectionList(where: "name = Unlisted") { count items { order } }
        alone: sectionList(where: "name = 'Listed a'") { count } }`;
      expect(await dataOf('open', query)).toEqual({
        sectionList: { count: 25, items: [{ order: 20 }, { order: 21 }] },
        none: { count: 0, items: [] },
        alone: { count: 8 },
      });
    });

    it('of an interface has the assets of all implementing types', async () => {
      const slug = newSlug();
      await create({ _type: article, slug: `${slug}-b`, headline: 'Paged', status: 'DRAFT' });
      await create({ _type: author, slug: `${slug}-c`, name: 'Paged' });
      await create({ _type: section, slug: `${slug}-a`, name: 'Paged' });
      const query = `{ pageList(where: "slug startsWith '${slug}-'", sortBy: {field: "slug"}) {
        count items { __typename _type slug ... on Article { headline } ... on Author { name } } } }`;
      expect(await dataOf('open', query)).toEqual({
        pageList: {
          count: 3,
          items: [
            { __typename: 'Section', _type: section, slug: `${slug}-a` },
            { __typename: 'Article', _type: article, slug: `${slug}-b`, headline: 'Paged' },
            { __typename: 'Author', _type: author, slug: `${slug}-c`, name: 'Paged' },
          ],
        },
      });
    });

    const refused: [name: string, variables: object, extensions: object][] = [
      [
        'an invalid predicate',
        { where: "name = 'x' and" },
        { code: 'predicate_syntax', path: 'where', column: 15 },
      ],
      ['an empty predicate', { where: '' }, { code: 'predicate_syntax', path: 'where', column: 1 }],
      [
        'a value of another type',
        { where: 'order = x' },
        { code: 'predicate_type', path: 'where', column: 9 },
      ],
      ['an unknown field', { where: "nmae = 'x'" }, { code: 'unknown_field', path: 'nmae' }],
      ['too few values', { where: 'order = ?', values: [] }, { code: 'values_mismatch', path: 'values' }],
      ['values alone', { where: null, values: [1] }, { code: 'invalid_parameter', path: 'values' }],
      ['an order by an unknown field', { sort: { field: 'nmae' } }, { path: 'sort' }],
      ['an order by one field twice', { sort: [{ field: 'name' }, { field: 'name' }] }, { path: 'sort' }],
      ['a negative limit', { limit: -1 }, { at: 'sectionList', code: 'invalid_parameter', path: 'limit' }],
      ['a negative offset', { offset: -1 }, { at: 'sectionList', code: 'invalid_parameter', path: 'offset' }],
    ];
    it.each(refused)('refuses %s, with the code and the position', async (_name, variables, extensions) => {
      const errors = await errorsOf('open', list, { ...variables });
      expect(errors).toEqual([expect.objectContaining({ at: 'sectionList.items', ...extensions })]);
    });

    it('never treats a value as an operator of the database', async () => {
      const hostile = ['{"$gt":""}', "' or 1=1 --", '%', '_', '.*', '\\', '"', '$where'];
      for (const value of hostile) expect(await ordersOf({ where: 'name = ?', values: [value] })).toEqual([]);
      for (const value of [{ $gt: '' }, { $ne: null }, ['x', { $ne: 1 }]]) {
        const errors = await errorsOf('open', list, { where: 'name = ?', values: [value] });
        expect(errors).toMatchObject([{ code: 'predicate_type' }]);
      }
    });
  });
}
