/** Cases of paths with parameters, of responses that consist of one value, and of 404 where there is nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createNews } from './news.ts';
import { by, documentOf, type RoutesContext } from './routes-context.ts';

const story = 'query Story($slug: String!) { articleBy(key: { slug: $slug }) { headline } }';
const minutes =
  'query Minutes($minutes: Int!, $limit: Int = 5) { articleList(filter: { readingMinutes: { eq: $minutes } }, limit: $limit) { items { slug } } }';
const change =
  'mutation Change($slug: ID!, $headline: String!) { updateArticle(_id: $slug, input: { headline: $headline }) { headline } }';

const mappings = [
  {
    name: 'Story',
    path: '/{slug}',
    query: story,
    notFound: '/articleBy',
    result: '/articleBy',
    cacheSeconds: 9,
  },
  { name: 'Fixed', path: '/fixed', query: 'query Fixed { articleList(limit: 0) { count } }' },
  { name: 'Headline', path: '/story/{slug}/headline', query: story, result: '/articleBy/headline' },
  { name: 'Minutes', path: '/minutes/{minutes}', query: minutes, result: '/articleList/items' },
  { name: 'First', path: '/first/{minutes}', query: minutes, notFound: '/articleList/items/0' },
  {
    name: 'State',
    path: '/state/{state}',
    query:
      'query State($state: ArticleStatus!) { articleList(filter: { status: { eq: $state } }) { count } }',
    result: '/articleList/count',
  },
];

/** Runs the cases. */
export function describeDelivery({ call, publish, instance, newName }: RoutesContext): void {
  let id: string;

  beforeAll(async () => {
    const { content } = instance().services;
    const created = await content.create({ ...createNews('to-deliver'), readingMinutes: 77 }, {});
    id = created.asset._id;
    await publish({ name: 'Delivery', mappings });
    await publish({ name: 'Delivered literally', disableParameterSlashSyntax: true, mappings });
  });

  /** Calls a route whose OpenAPI path is `template`. */
  const get = (path: string, template: string) =>
    call('GET', `/delivery${path}`, { template: `/delivery${template}` });

  describe('a path with parameters', () => {
    it('gives variables of the operation, converted to their types', async () => {
      expect((await get('/minutes/77', '/minutes/{minutes}')).body).toEqual([{ slug: 'to-deliver' }]);
      expect((await get('/minutes/77?limit=0', '/minutes/{minutes}')).body).toEqual([]);
      expect((await get('/state/DRAFT', '/state/{state}')).body).toBeGreaterThan(0);
    });

    it.each(['/minutes/many', '/minutes/7.5', '/state/LOST', '/minutes/%00'])(
      'gives a text that its variable does not take: 400 for %s',
      async (path) => {
        const { status, body } = await get(
          path,
          path.replace(/[^/]+$/, (_, at) => (at < 8 ? '{state}' : '{minutes}')),
        );
        expect([status, body.errors[0].extensions.code]).toEqual([400, 'invalid_parameter']);
      },
    );

    it('gives texts also where the query string has JSON literals', async () => {
      const { body } = await call('GET', '/delivered-literally/story/to-deliver/headline');
      expect(body).toBe('About to-deliver');
    });

    it('is decoded once', async () => {
      expect((await get('/%74o-deliver', '/{slug}')).status).toBe(200);
      expect((await get('/%2574o-deliver', '/{slug}')).status).toBe(404);
      expect((await get('/a%2Fb', '/{slug}')).body).toEqual({ data: { articleBy: null } });
    });

    it('matches neither an empty nor a malformed segment', async () => {
      for (const path of [
        '/',
        '/%',
        '/%ff',
        '/story//headline',
        '/to-deliver/',
        '/story/to-deliver/headline/more',
      ]) {
        const { status, body } = await call('GET', `/delivery${path}`);
        expect([status, body.errors[0].extensions.code], path).toEqual([404, 'route_not_found']);
      }
    });

    it('comes after a path without them, also for other methods', async () => {
      expect((await get('/fixed', '/fixed')).body.data.articleList.count).toBeGreaterThan(0);
      const { status, headers } = await call('POST', '/delivery/fixed');
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
      expect((await call('POST', '/delivery/other')).status).toBe(405);
    });

    it('refuses a variable that is given in the query string or the body, too', async () => {
      const { status, body } = await get('/to-deliver?slug=to-deliver', '/{slug}');
      expect([status, body.errors[0].message]).toEqual([
        400,
        '"slug" is given twice, in the path and in the query string',
      ]);
      await publish({
        name: 'Changes',
        mappings: [{ name: 'Change', path: '/{slug}', query: change, methods: ['PUT'] }],
      });
      const put = (json: object) => call('PUT', `/changes/${id}`, { json, template: '/changes/{slug}' });
      expect((await put({ headline: 'Anew', slug: id })).status).toBe(400);
      expect((await put({ headline: 'About to-deliver' })).body.data.updateArticle).toEqual({
        headline: 'About to-deliver',
      });
    });

    it('answers HEAD, and 304 for what a client has', async () => {
      const { headers } = await get('/to-deliver', '/{slug}');
      expect(headers['cache-control']).toBe('public, max-age=9');
      const again = { headers: { 'If-None-Match': String(headers.etag) }, template: '/delivery/{slug}' };
      expect((await call('GET', '/delivery/to-deliver', again)).status).toBe(304);
      expect((await call('HEAD', '/delivery/to-deliver', { template: '/delivery/{slug}' })).status).toBe(200);
      expect((await call('GET', '/delivery/nobody', again)).status).toBe(404);
    });

    it('is one route in the metrics, whatever its parameters are', async () => {
      const headers = await instance().createClient({ scopes: ['metrics'] });
      await instance().refresh();
      await get('/one', '/{slug}');
      const text = await (await fetch(`${instance().url}/metrics`, { headers })).text();
      expect(text).toContain('http_route="/delivery/{slug}"');
      expect(text).not.toContain('/delivery/one');
    });
  });

  describe('nothing', () => {
    it('is 404 with the body of GraphQL, and never kept', async () => {
      const { status, body, headers } = await get('/nobody', '/{slug}');
      expect([status, body, headers['cache-control']]).toEqual([
        404,
        { data: { articleBy: null } },
        'no-store',
      ]);
      const none = await get('/first/78', '/first/{minutes}');
      expect([none.status, none.body]).toEqual([404, { data: { articleList: { items: [] } } }]);
      expect((await get('/first/77', '/first/{minutes}')).status).toBe(200);
    });

    it('is found as soon as it is created', async () => {
      const { content } = instance().services;
      expect((await get('/late', '/{slug}')).status).toBe(404);
      const { asset } = await content.create(createNews('late'), {});
      expect((await get('/late', '/{slug}')).body).toEqual({ headline: 'About late' });
      await content.delete({ id: asset._id }, {});
      expect((await get('/late', '/{slug}')).status).toBe(404);
    });

    it('is null where only the result is named', async () => {
      const { status, body } = await get('/story/nobody/headline', '/story/{slug}/headline');
      expect([status, body]).toEqual([200, null]);
    });

    it('is an error if an error is the reason', async () => {
      const query = 'query Bad($where: String) { articleList(where: $where) { items { slug } } }';
      await publish({
        name: 'Bad',
        mappings: [{ name: 'Bad', query, notFound: '/articleList/items/0', result: '/articleList' }],
      });
      const { status, body } = await call('GET', '/bad/bad?where=nothing');
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'predicate_syntax']);
    });
  });

  describe('a save', () => {
    const save = async (mapping: object, more: readonly object[] = []) => {
      const body = {
        name: newName(),
        source: 'Open',
        mappings: [{ name: 'One', query: story, ...mapping }, ...more],
      };
      try {
        const { id } = await instance().services.restEndpoints.create({ body, by });
        await instance().services.restEndpoints.delete({ id });
        return [];
      } catch (error) {
        return (error as { details: { problems: unknown[] } }).details.problems;
      }
    };

    it.each([
      [
        { path: '/{other}' },
        'path',
        'has the parameter {other}, but the operation declares no variable $other',
      ],
      [
        {
          path: '/{filter}',
          query: 'query F($filter: ArticleFilter) { articleList(filter: $filter) { count } }',
        },
        'path',
        'has the parameter {filter}, but the type of $filter is no scalar and no enum',
      ],
      [
        { notFound: '/article' },
        'notFound',
        'names "article", which the data does not always have. Did you mean "articleBy"?',
      ],
      [
        { notFound: '/articleBy/headline/x' },
        'notFound',
        'must end at /articleBy/headline, which has no fields',
      ],
      [{ result: 'articleBy' }, 'result', 'must begin with / and name a field of the data'],
      [
        { query: minutes, result: '/articleList/items/slug' },
        'result',
        'must have an index behind /articleList/items, which is a list',
      ],
      [{ query: minutes, notFound: '/articleList/items' }, 'notFound', 'must name a value that can be null'],
      [{ query: change, result: '/updateArticle' }, 'result', 'is for queries only'],
    ])('says what is wrong: %o', async (mapping, path, message) => {
      expect(await save(mapping)).toEqual([{ path: `mappings[0].${path}`, message }]);
    });

    it('names clashes of paths that could match the same request', async () => {
      const two = {
        name: 'Two',
        path: '/{slug}/{x}',
        query: 'query Two($slug: String, $x: Int) { articleList(limit: $x, where: $slug) { count } }',
      };
      const [problem] = await save({ path: '/a/{slug}' }, [two]);
      expect(problem).toMatchObject({
        path: 'mappings[1].path',
        message: expect.stringMatching(
          /could match the same path as \/name-\d+\/a\/\{slug\} of mapping "One"$/,
        ),
      });
      expect(await save({ path: '/{slug}' }, [{ ...two, path: '/{x}/{slug}' }])).toEqual([]);
      const body = { name: newName(), pathPrefix: '/delivery', source: 'Open', mappings: [two] };
      await expect(instance().services.restEndpoints.create({ body, by })).rejects.toMatchObject({
        details: {
          problems: [
            {
              path: 'mappings[0].path',
              message:
                'results in /delivery/{slug}/{x}, which could match the same path as /delivery/minutes/{minutes} of mapping "Minutes" of REST endpoint "Delivery"',
            },
          ],
        },
      });
    });

    it('lets a path have several mappings with different methods', async () => {
      expect(await save({ path: '/{slug}' }, [{ name: 'Two', path: '/{slug}', query: change }])).toEqual([]);
    });
  });

  it('the OpenAPI document describes paths, results and 404', async () => {
    const described = await publish({ name: 'Described', mappings });
    const { paths } = await documentOf(instance(), described.id);
    const { get: operation } = Object(paths['/described/{slug}']);
    expect(operation.parameters[0]).toEqual({
      name: 'slug',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    });
    expect(Object.keys(operation.responses)).toContain('404');
    expect(operation.responses[200].content['application/json'].schema).toMatchObject({
      properties: { headline: {} },
    });
    expect(operation['x-colophon-result']).toEqual({ pointer: '/articleBy', isFound: true });
  });
}
