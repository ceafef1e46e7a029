/** Cases of the status of an operation that ran, or that was refused because of its cost. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createNews } from './news.ts';
import type { RouteCall, RoutesContext } from './routes-context.ts';

const noAsset = '0190a0c0-0000-7000-8000-000000000000';

const related = (depth: number): string =>
  depth === 0 ? 'slug' : `related { ... on Article { ${related(depth - 1)} } }`;

const statuses = {
  name: 'Statuses',
  mappings: [
    { name: 'Get', query: 'query Get($id: ID!) { article(_id: $id) { headline } }' },
    {
      name: 'Find',
      query:
        'query Find($where: String, $values: [JSON!], $limit: Int, $offset: Int, $field: String = "slug") { articleList(where: $where, values: $values, limit: $limit, offset: $offset, sortBy: [{ field: $field }]) { count items { slug } } }',
    },
    {
      name: 'Costly',
      query: `query Costly($limit: Int!) { articleList(limit: $limit) { items { ${related(3)} } } }`,
    },
    {
      name: 'Create',
      query: 'mutation Create($input: CreateArticleInput!) { createArticle(input: $input) { _id slug } }',
    },
    {
      name: 'Update',
      query:
        'mutation Update($id: ID!, $input: UpdateArticleInput!) { updateArticle(_id: $id, input: $input) { headline } }',
      methods: ['PUT'],
    },
    { name: 'Delete', query: 'mutation Delete($id: ID!) { deleteArticle(_id: $id) }', methods: ['DELETE'] },
  ],
};

/** Runs the cases. */
export function describeStatuses({ call, publish, instance }: RoutesContext): void {
  beforeAll(async () => {
    await publish(statuses);
    await instance().services.content.create(createNews('taken'), {});
  });

  /** Returns the status, and the extensions and path of each error. */
  async function errorsOf(method: string, path: string, sent: RouteCall = {}) {
    const { status, body } = await call(method, `/statuses${path}`, sent);
    const errors = body.errors.map(({ path: at, extensions }: { path?: string[]; extensions: object }) => ({
      at: at?.join('.'),
      ...extensions,
    }));
    return { status, data: body.data, errors };
  }

  const input = (fields: object = {}) => ({
    json: { input: { slug: 'new', headline: 'New', status: 'DRAFT', ...fields } },
  });

  describe('a status', () => {
    it('is 200 without errors, also when nothing is found', async () => {
      const { status, body } = await call('GET', `/statuses/get?id=${noAsset}`);
      expect([status, body]).toEqual([200, { data: { article: null } }]);
      expect((await call('GET', '/statuses/get?id=no+uuid')).body).toEqual({ data: { article: null } });
      const nothing = await call('DELETE', `/statuses/delete?id=${noAsset}`);
      expect([nothing.status, nothing.body]).toEqual([200, { data: { deleteArticle: false } }]);
    });

    it.each<[query: string, at: string, error: object]>([
      ['where=slug+like+1', '.count', { code: 'predicate_syntax', path: 'where', column: 6 }],
      ['where=colour+%3D+1', '.count', { code: 'unknown_field', path: 'colour', column: 1 }],
      [
        'where=readingMinutes+%3D+?&values=x',
        '.count',
        { code: 'predicate_type', path: 'values[0]', column: 18 },
      ],
      ['where=slug+%3D+?', '.count', { code: 'values_mismatch', path: 'values' }],
      ['field=tags', '.count', { code: 'invalid_parameter', path: 'field' }],
      ['limit=101', '', { code: 'invalid_parameter', path: 'limit' }],
      ['limit=-1', '', { code: 'invalid_parameter', path: 'limit' }],
      ['offset=-1', '', { code: 'invalid_parameter', path: 'offset' }],
    ])('is 400 for invalid arguments: %s', async (query, at, error) => {
      const errors = [{ at: `articleList${at}`, ...error }];
      expect(await errorsOf('GET', `/find?${query}`)).toEqual({ status: 400, data: null, errors });
    });

    it('is 400 for an invalid asset, with all its problems', async () => {
      const { status, errors } = await errorsOf(
        'POST',
        '/create',
        input({ slug: 'No slug', headline: '', score: 2 }),
      );
      expect(status).toBe(400);
      const problems = ['slug', 'headline', 'score'].map((path) => ({ path, message: expect.any(String) }));
      expect(errors).toEqual([{ at: 'createArticle', code: 'invalid_body', path: 'slug', problems }]);
      const reference = { author: { _ref: noAsset } };
      expect(await errorsOf('POST', '/create', input(reference))).toMatchObject({
        status: 400,
        errors: [{ code: 'invalid_body', path: expect.stringMatching(/^author/) }],
      });
    });

    it('is 404 for an update of an unknown asset, for any text as its ID', async () => {
      for (const id of [noAsset, 'no UUID', '']) {
        expect(await errorsOf('PUT', '/update', { json: { id, input: { headline: 'x' } } })).toEqual({
          status: 404,
          data: null,
          errors: [{ at: 'updateArticle', code: 'not_found', http: { status: 404 } }],
        });
      }
    });

    it('is 409 for a unique value in use, and for an ID in use', async () => {
      expect(await errorsOf('POST', '/create', input({ slug: 'taken' }))).toEqual({
        status: 409,
        data: null,
        errors: [{ at: 'createArticle', code: 'value_in_use', path: 'slug', http: { status: 409 } }],
      });
      const { body } = await call('POST', '/statuses/create', input());
      const { _id } = body.data.createArticle;
      expect(await errorsOf('POST', '/create', input({ slug: 'other', _id }))).toMatchObject({
        status: 409,
        errors: [{ code: 'id_in_use', path: '_id' }],
      });
      expect(await errorsOf('PUT', '/update', { json: { id: _id, input: { slug: 'taken' } } })).toMatchObject(
        {
          status: 409,
          errors: [{ code: 'value_in_use' }],
        },
      );
    });

    it('is 400 for an operation above the cost limit, with its cost', async () => {
      expect((await call('GET', '/statuses/costly?limit=90')).status).toBe(200);
      const { status, body } = await call('GET', '/statuses/costly?limit=100');
      expect([status, body]).toEqual([
        400,
        {
          errors: [
            {
              message: "The query's cost is 111100; the limit is 100000",
              extensions: { code: 'limit_exceeded', limit: 'cost', max: 100_000, actual: 111_100 },
            },
          ],
        },
      ]);
    });
  });
}
