import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/base/errors.ts';
import { errorOf, type OpenedEndpoints, openEndpoints } from '../../../support/endpoints.ts';
import { sqliteLocation } from '../../../support/stores.ts';

let opened: OpenedEndpoints;
beforeAll(async () => {
  opened = await openEndpoints(sqliteLocation());
  const source = { name: 'News', readTypes: ['*'], access: 'ANYONE' };
  await opened.graphqlEndpoints.create(source);
  await opened.graphqlEndpoints.create({ ...source, name: 'Writing', writeTypes: ['*'] });
  const { id } = await save({
    name: 'Taken',
    mappings: [
      { ...list, name: 'Old', path: '/old' },
      { ...list, name: 'Both', path: '/both' },
    ],
  });
  await opened.restEndpoints.publish({ id, by: 'me' });
  const body = { name: 'Taken now', pathPrefix: '/taken', source: 'News' };
  const mappings = [
    { ...list, name: 'New', path: '/new', methods: ['GET', 'POST'] },
    { ...list, name: 'Both', path: '/both' },
  ];
  await opened.restEndpoints.save({ id, body: { ...body, mappings }, by: 'me' });
});

const list = { name: 'List', query: 'query List { articleList { count } }' };

const save = (body: object) => opened.restEndpoints.create({ body: { source: 'News', ...body }, by: 'me' });

async function problemsOf(body: object): Promise<readonly Problem[]> {
  const { code, details } = await errorOf(save({ name: 'Tried', ...body }));
  expect(code).toBe('invalid_body');
  return (details as { problems: Problem[] }).problems;
}

const mappingProblems = (...mappings: object[]) =>
  problemsOf({ mappings: mappings.map((mapping) => ({ ...list, ...mapping })) });

const queryProblems = async (query: string, source = 'News') =>
  problemsOf({ source, mappings: [{ ...list, query }] });

describe('the form of a body', () => {
  it('is refused with all its problems', async () => {
    const problems = await problemsOf({
      name: ' Tried',
      source: 'Nowhere',
      pathPrefix: 'tried/',
      access: 'NOBODY',
      disableParameterSlashSyntax: 0,
      id: 'mine',
      mappings: [
        3,
        { ...list, name: undefined, path: 'list' },
        { ...list, name: 'A', methods: ['GET', 'PATCH', 'GET'], cacheSeconds: -1, extra: true },
        { ...list, name: 'A', path: '/b', methods: [], cacheSeconds: 1.5 },
        { name: 'C' },
      ],
    });
    expect(Object.fromEntries(problems.map(({ path, message }) => [path, message]))).toEqual({
      name: 'must not begin or end with a space or contain a control character',
      source: 'must be the ID or the name of a GraphQL endpoint',
      pathPrefix: expect.stringContaining('must begin with /'),
      access: 'must be one of INHERIT, ANYONE, API_KEY, CLIENT_CREDENTIALS',
      disableParameterSlashSyntax: 'must be true or false',
      id: 'is not a field of this type',
      'mappings[0]': 'must be an object',
      'mappings[1].name': 'is required',
      'mappings[1].path': expect.stringContaining('must begin with /'),
      'mappings[2].methods': 'must not name a method twice',
      'mappings[2].methods[1]': 'must be one of GET, POST, PUT, DELETE',
      'mappings[2].cacheSeconds': 'must be at least 0',
      'mappings[2].extra': 'is not a field of this type',
      'mappings[3].name': 'is also the name of mappings[2]',
      'mappings[3].methods': 'must not be empty',
      'mappings[3].cacheSeconds': expect.stringContaining('must be a whole number'),
      'mappings[4].query': 'is required',
    });
  });

  it('is an object with a name, a source and mappings', async () => {
    const { details } = await errorOf(opened.restEndpoints.create({ body: {}, by: 'me' }));
    const paths = (details as { problems: Problem[] }).problems.map(({ path }) => path);
    expect(paths).toEqual(['name', 'pathPrefix', 'source', 'mappings']);
    for (const body of [null, [], 'text']) {
      expect(await errorOf(opened.restEndpoints.create({ body, by: 'me' }))).toMatchObject({
        details: { problems: [{ path: '', message: 'The body must be a JSON object' }] },
      });
    }
  });

  it('has a name that makes a path, or a path', async () => {
    expect(await mappingProblems({ name: '日本' })).toEqual([
      { path: 'mappings[0].path', message: 'is required' },
    ]);
    expect(await problemsOf({ name: '!', mappings: [] })).toEqual([
      { path: 'pathPrefix', message: 'is required' },
    ]);
  });

  it.each(['list', '/', '/list/', '/a//b', '/a b', '/a%20b', '/é', '/{id}', '/a?b', '/.', '/a/../b', '//'])(
    'has no path %j',
    async (path) => {
      expect(await mappingProblems({ path })).toMatchObject([{ path: 'mappings[0].path' }]);
      expect(await problemsOf({ pathPrefix: path, mappings: [] })).toMatchObject([{ path: 'pathPrefix' }]);
    },
  );

  it('has at most 500 mappings', async () => {
    const mappings = Array.from({ length: 501 }, (_, index) => ({ ...list, name: `L${index}` }));
    const { id } = await save({ name: 'Many', mappings: mappings.slice(1) });
    await opened.restEndpoints.delete({ id });
    expect(await problemsOf({ mappings })).toEqual([
      { path: 'mappings', message: 'must have at most 500 items' },
    ]);
  });

  it('has a prefix that is not empty', async () => {
    expect(await problemsOf({ pathPrefix: '', mappings: [] })).toMatchObject([{ path: 'pathPrefix' }]);
  });
});

describe('the document of a mapping', () => {
  it('is refused with its location when it is not GraphQL', async () => {
    expect(await queryProblems('query List {\n  articleList { count }')).toEqual([
      { path: 'mappings[0].query', message: expect.stringContaining('Expected Name'), line: 2, column: 24 },
    ]);
  });

  it('is refused with every location when it does not fit its source', async () => {
    const problems = await queryProblems(
      'query List($n: Int) {\n  articleList(limit: $m) { count pages }\n}',
    );
    const at = (message: string, line: number, column: number) => ({
      path: 'mappings[0].query',
      message: expect.stringContaining(message),
      line,
      column,
    });
    expect(problems).toContainEqual(at('"$n" is never used', 1, 12));
    expect(problems).toContainEqual(at('"$m" is not defined', 2, 22));
    expect(problems).toContainEqual(at('"pages"', 2, 34));
    expect(problems).toHaveLength(3);
  });

  it.each<[what: string, query: string, message: string, line: number, column: number]>([
    [
      'no operation',
      'fragment A on Article { headline }',
      'The document must have a query or a mutation',
      1,
      1,
    ],
    ['no name', ' { articleList { count } }', 'The operation must have a name', 1, 2],
    [
      'a second operation',
      `${list.query}\nquery More { articleList { count } }`,
      'The document must have only one operation: remove More',
      2,
      1,
    ],
    ['a subscription', 'subscription S { articleList }', 'A subscription cannot be mapped', 1, 1],
    [
      'the name of a credential',
      'query Q($ApiKey: String) { articleList(where: $ApiKey) { count } }',
      'The variable name ApiKey is reserved',
      1,
      9,
    ],
    [
      'a name of GraphQL itself',
      'query Q(\n$__proto__: String) { articleList(where: $__proto__) { count } }',
      'The variable name __proto__ is reserved',
      2,
      1,
    ],
  ])('is refused for %s', async (_what, query, message, line, column) => {
    expect(await queryProblems(query)).toEqual([{ path: 'mappings[0].query', message, line, column }]);
  });

  it('cannot be a mutation when its source is read-only', async () => {
    const mutation = 'mutation M { deleteArticle(_id: "x") }';
    expect(await queryProblems(mutation)).toMatchObject([{ path: 'mappings[0].query', line: 1 }]);
    expect(
      await problemsOf({ source: 'Writing', mappings: [{ ...list, query: mutation, cacheSeconds: 5 }] }),
    ).toEqual([
      {
        path: 'mappings[0].cacheSeconds',
        message: 'must be 0, because responses to mutations are never cached',
      },
    ]);
  });

  it('is refused together with those of other mappings', async () => {
    const problems = await mappingProblems(
      { query: '{' },
      { name: 'B', query: 'query B { nothing }' },
      { name: 'C' },
    );
    expect(problems.map(({ path }) => path)).toEqual(['mappings[0].query', 'mappings[1].query']);
  });
});

describe('a route', () => {
  it('belongs to one mapping of an endpoint', async () => {
    expect(
      await mappingProblems(
        { path: '/a', methods: ['GET', 'POST'] },
        { name: 'B', path: '/a', methods: ['POST', 'PUT'] },
        { name: 'C', path: '/a', methods: ['DELETE'] },
      ),
    ).toEqual([
      { path: 'mappings[1].path', message: 'results in POST /tried/a, which mapping "List" already uses' },
    ]);
  });

  it.each<[what: string, path: string, owner: string]>([
    ['the draft', '/new', 'New'],
    ['what is published', '/old', 'Old'],
    ['both', '/both', 'Both'],
  ])('belongs to one endpoint, also by %s of another', async (_what, path, owner) => {
    const message = `results in GET /taken${path}, which mapping "${owner}" of REST endpoint "Taken now" already uses`;
    expect(await problemsOf({ pathPrefix: '/taken', mappings: [{ ...list, path }] })).toEqual([
      { path: 'mappings[0].path', message },
    ]);
    const [above = '', ...rest] = `taken${path}`.split('/');
    expect(
      await problemsOf({ pathPrefix: `/${above}`, mappings: [{ ...list, path: `/${rest.join('/')}` }] }),
    ).toHaveLength(1);
  });

  it('is available with another method or path', async () => {
    const mappings = [
      { ...list, path: '/old', methods: ['PUT'] },
      { ...list, name: 'B', path: '/OLD' },
    ];
    const { id } = await save({ name: 'Beside', pathPrefix: '/taken', mappings });
    await opened.restEndpoints.delete({ id });
  });

  it.each<[prefix: string, path: string, own: string]>([
    ['/api', '/admin', '/api/admin'],
    ['/api', '/admin/x', '/api/admin'],
    ['/api', '/cma/assets', '/api/cma'],
  ])('is not Colophon’s own: %s with %s', async (pathPrefix, path, own) => {
    expect(await problemsOf({ pathPrefix, mappings: [{ ...list, path }] })).toEqual([
      {
        path: 'mappings[0].path',
        message: `results in ${pathPrefix}${path}, but ${own} is reserved for Colophon`,
      },
    ]);
  });

  it.each([
    '/api/admin',
    '/api/cma/x',
    '/graphql',
    '/admin',
    '/_debug/x',
    '/docs',
    '/healthz',
    '/readyz',
    '/metrics',
  ])('has no prefix of Colophon’s own: %s', async (pathPrefix) => {
    for (const mappings of [[], [{ ...list, path: '/x' }]]) {
      expect(await problemsOf({ pathPrefix, mappings })).toEqual([
        { path: 'pathPrefix', message: expect.stringMatching(/^results in .* is reserved for Colophon$/) },
      ]);
    }
  });

  it('may look like Colophon’s own', async () => {
    const { id } = await save({
      name: 'Alike',
      pathPrefix: '/api',
      mappings: [{ ...list, path: '/administration' }],
    });
    await opened.restEndpoints.delete({ id });
  });
});
