/** Cases of writing content through a GraphQL endpoint, which follows the same rules as the CMA. */
import { describe, expect, it } from 'vitest';
import { gallery } from './gallery.ts';
import { article, author, type GraphqlContext, image, noAsset, reference, site } from './graphql-context.ts';

/** Runs the cases. */
export function describeWriting(context: GraphqlContext): void {
  const { dataOf, errorsOf, create, cma, newSlug } = context;
  const createGallery = 'mutation ($input: CreateGalleryInput!) { createGallery(input: $input) { _id } }';
  const updateGallery =
    'mutation ($id: ID!, $input: UpdateGalleryInput!) { updateGallery(_id: $id, input: $input) { _id name code } }';

  describe('an asset created through GraphQL', () => {
    it('is returned unchanged by the CMA', async () => {
      const owner = await create({ _type: site, name: 'Owner' });
      const picture = await create({ _type: image, url: 'https://example.com/a.png', alternativeText: 'A' });
      const guide = await create({ _type: author, slug: newSlug(), name: 'Guide' });
      const values = {
        name: 'Created',
        openings: [4_102_444_800_000, -1],
        moods: ['QUIET'],
        size: 2.5,
        free: true,
        notes: { any: [{ thing: null }] },
      };
      const input = {
        ...values,
        cover: { _ref: picture._id, _type: image },
        exhibits: [{ _ref: picture._id, _type: image }],
        rooms: [{ number: 1, floor: { level: 2, guide: { _ref: guide._id } }, labels: ['x'] }],
        cms_site_owner: { _ref: owner._id },
        cms_content_publishDate: 1_000,
      };
      const { createGallery: created } = await dataOf('open', createGallery, { input });
      expect(await cma('GET', `/${created._id}`)).toEqual({
        status: 200,
        result: {
          _id: created._id,
          _type: gallery,
          ...values,
          cover: reference(picture, image),
          exhibits: [reference(picture, image)],
          rooms: [{ number: 1, floor: { level: 2, guide: reference(guide, author) }, labels: ['x'] }],
          'cms.site.owner': reference(owner, site),
          'cms.content.publishDate': 1_000,
          'cms.content.updateDate': expect.any(Number),
        },
      });
    });

    it('may have a given ID, as a literal or as a variable', async () => {
      const _id = '0190a0c0-0000-7000-8000-0000000000aa';
      const literal = `mutation { createGallery(input: {_id: "${_id.toUpperCase()}", name: "Literal", moods: LOUD,
        notes: {a: [1, 2.5, "x", null, true]}, rooms: [{number: 1}], openings: 4102444800000}) { _id moods notes openings } }`;
      expect(await dataOf('open', literal)).toEqual({
        createGallery: {
          _id,
          moods: ['LOUD'],
          notes: { a: [1, 2.5, 'x', null, true] },
          openings: [4_102_444_800_000],
        },
      });
      expect(await errorsOf('open', createGallery, { input: { _id, name: 'Again' } })).toEqual([
        { at: 'createGallery', code: 'id_in_use', path: '_id', http: { status: 409 } },
      ]);
    });
  });

  describe('an asset of the CMA', () => {
    it('is updated through GraphQL in the given fields; null clears a field', async () => {
      const { _id: id } = await create({
        _type: gallery,
        name: 'Before',
        code: newSlug(),
        size: 1,
        moods: ['LOUD'],
        rooms: [{ number: 1, labels: ['x'] }],
      });
      const input = { name: 'After', code: null, moods: [], rooms: [{ number: 2, labels: null }] };
      expect(await dataOf('open', updateGallery, { id, input })).toEqual({
        updateGallery: { _id: id, name: 'After', code: null },
      });
      const { result } = await cma('GET', `/${id}`);
      expect(result).toMatchObject({ name: 'After', size: 1, moods: [], rooms: [{ number: 2 }] });
      expect(result).not.toHaveProperty('code');
      expect(result.rooms[0]).not.toHaveProperty('labels');
    });

    it('is unchanged by an update without fields, and accepts given dates', async () => {
      const kept = await create({ _type: gallery, name: 'Dated' });
      await dataOf('open', updateGallery, { id: kept._id, input: {} });
      expect((await cma('GET', `/${kept._id}`)).result).toMatchObject({ name: 'Dated' });
      await dataOf('open', updateGallery, { id: kept._id, input: { cms_content_publishDate: 5 } });
      expect((await cma('GET', `/${kept._id}`)).result['cms.content.publishDate']).toBe(5);
    });

    it('is deleted through GraphQL once', async () => {
      const { _id: id } = await create({ _type: gallery, name: 'Deleted' });
      const query = 'mutation ($id: ID!) { deleteGallery(_id: $id) again: deleteGallery(_id: $id) }';
      expect(await dataOf('open', query, { id })).toEqual({ deleteGallery: true, again: false });
      expect((await cma('GET', `/${id}`)).status).toBe(404);
    });

    it('is not found by a mutation of another type', async () => {
      const { _id: id } = await create({ _type: author, slug: newSlug(), name: 'An author' });
      for (const one of [id, noAsset, 'x']) {
        expect(await errorsOf('open', updateGallery, { id: one, input: { name: 'x' } })).toEqual([
          { at: 'updateGallery', code: 'not_found', http: { status: 404 } },
        ]);
        expect(await dataOf('open', 'mutation ($id: ID!) { deleteGallery(_id: $id) }', { id: one })).toEqual({
          deleteGallery: false,
        });
      }
      expect((await cma('GET', `/${id}`)).status).toBe(200);
    });
  });

  describe('the validation of assets', () => {
    it('reports all problems, each with its path', async () => {
      const create = 'mutation ($input: CreateArticleInput!) { createArticle(input: $input) { _id } }';
      const input = {
        slug: 'No Slug',
        headline: '',
        status: 'DRAFT',
        author: { _ref: noAsset },
        place: { name: 'x', country: 'xx' },
        related: [{ _ref: 'x', _type: author }, { _ref: noAsset }],
        sources: [{ title: 'ok', url: 'no url' }],
      };
      const [error] = await errorsOf('open', create, { input });
      const { problems, ...rest } = Object(error);
      expect(rest).toEqual({ at: 'createArticle', code: 'invalid_body', path: 'slug' });
      expect(problems.map(({ path }: { path: string }) => path).toSorted()).toEqual([
        'headline',
        'place.country',
        'related[0]._ref',
        'related[1]._type',
        'slug',
        'sources[0].url',
      ]);
    });

    it('refuses references to missing assets', async () => {
      const input = { name: 'Dangling', cover: { _ref: noAsset, _type: image } };
      expect(await errorsOf('open', createGallery, { input })).toEqual([
        {
          at: 'createGallery',
          code: 'invalid_body',
          path: 'cover',
          problems: [{ path: 'cover', message: `refers to ${noAsset}, which does not exist` }],
        },
      ]);
    });

    it('refuses a unique value in use', async () => {
      const code = newSlug();
      const { createGallery: first } = await dataOf('open', createGallery, {
        input: { name: 'First', code },
      });
      const refusal = { code: 'value_in_use', path: 'code', http: { status: 409 } };
      expect(await errorsOf('open', createGallery, { input: { name: 'Second', code } })).toEqual([
        { at: 'createGallery', ...refusal },
      ]);
      const { _id: id } = await create({ _type: gallery, name: 'Third' });
      expect(await errorsOf('open', updateGallery, { id, input: { code } })).toEqual([
        { at: 'updateGallery', ...refusal },
      ]);
      expect(await dataOf('open', updateGallery, { id: first._id, input: { code } })).toMatchObject({
        updateGallery: { code },
      });
    });

    it('refuses to clear a required field', async () => {
      const { _id: id } = await create({ _type: gallery, name: 'Required' });
      expect(await errorsOf('open', updateGallery, { id, input: { name: null } })).toMatchObject([
        { code: 'invalid_body', path: 'name' },
      ]);
    });

    it('refuses fields and values that the schema does not have, before any write', async () => {
      const count = async () => (await dataOf('open', '{ galleryList { count } }')).galleryList.count;
      const before = await count();
      const inputs = [
        {},
        { name: null },
        { name: 5 },
        { name: 'x', nothing: 1 },
        { name: 'x', size: '1' },
        { name: 'x', free: 1 },
        { name: 'x', moods: ['BLUE'] },
        { name: 'x', openings: [1.5] },
        { name: 'x', openings: ['1'] },
        { name: 'x', rooms: [{ floor: null }] },
        { name: 'x', rooms: [{ number: 2_147_483_648 }] },
        { name: 'x', cover: 'x' },
        { name: 'x', __proto__: null, cms_site_owner: {} },
      ];
      for (const input of inputs) {
        const errors = await errorsOf('open', createGallery, { input });
        expect([input, errors]).toEqual([input, [{ at: undefined, code: 'invalid_variables' }]]);
      }
      expect(await count()).toBe(before);
    });
  });

  describe('several mutations in one document', () => {
    it('run one after the other; each sees the earlier results, which stay when a later one fails', async () => {
      const code = newSlug();
      const query = `mutation ($code: String) {
        a: createGallery(input: {name: "a", code: $code}) { _id }
        b: createGallery(input: {name: "b", code: $code}) { _id } }`;
      expect(await errorsOf('open', query, { code })).toMatchObject([{ at: 'b', code: 'value_in_use' }]);
      const found = await dataOf('open', `{ galleryList(where: "code = '${code}'") { items { name } } }`);
      expect(found).toEqual({ galleryList: { items: [{ name: 'a' }] } });
    });

    it('return the current targets of references', async () => {
      const { _id: id } = await create({ _type: author, slug: newSlug(), name: 'Old name' });
      const story = await create({
        _type: article,
        slug: newSlug(),
        headline: 'x',
        status: 'DRAFT',
        author: reference({ _id: id }, author),
      });
      const query = `mutation ($id: ID!, $story: ID!) {
        before: updateArticle(_id: $story, input: {headline: "1"}) { author { name } }
        updateAuthor(_id: $id, input: {name: "New name"}) { name }
        after: updateArticle(_id: $story, input: {headline: "2"}) { author { name } }
        deleteAuthor(_id: $id)
        gone: updateArticle(_id: $story, input: {headline: "3"}) { author { name } } }`;
      expect(await dataOf('open', query, { id, story: story._id })).toEqual({
        before: { author: { name: 'Old name' } },
        updateAuthor: { name: 'New name' },
        after: { author: { name: 'New name' } },
        deleteAuthor: true,
        gone: { author: null },
      });
    });
  });
}
