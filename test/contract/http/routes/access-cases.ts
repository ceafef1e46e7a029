/** Cases of access to mapped routes: the rule of the REST endpoint or its source, and the order of the checks. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { NewApiClient } from '../../../../src/access/clients/api-clients.ts';
import { article, createNews } from './news.ts';
import type { RoutesContext } from './routes-context.ts';

const site = 'com.colophon.cms.db.Site';
const echoName = 'query Echo($name: JSON = "") { textList(where: "name = ?", values: [$name]) { count } }';
const needy = 'query Needy($id: ID!) { article(_id: $id) { headline } }';

const mappings = [
  { name: 'List', query: echoName, methods: ['GET', 'POST'] },
  { name: 'Needy', query: needy },
];

/** Credentials by their query parameters. */
type Given = Readonly<Partial<Record<'apiKey' | 'clientId' | 'clientSecret', string>>>;

const headerNames = {
  apiKey: 'X-API-Key',
  clientId: 'X-Client-Id',
  clientSecret: 'X-Client-Secret',
} as const;

const toHeaders = (given: Given): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [headerNames[name as keyof Given], value]), // Entries lose the type of names.
  );

/** Runs the cases. */
export function describeAccess({ call, publish, instance }: RoutesContext): void {
  async function createClient(client: Partial<NewApiClient> = {}): Promise<Required<Given>> {
    const headers = await instance().createClient({ scopes: ['graphql'], ...client });
    const clientId = headers['X-Client-Id'];
    const { secret: apiKey } = await instance().services.clients.addKey({ clientId, name: 'test' });
    await instance().refresh();
    return { apiKey, clientId, clientSecret: headers['X-Client-Secret'] };
  }

  /** Returns the status of a response, and asserts the body and headers of a refusal. */
  async function statusOf(path: string, given: Given): Promise<number> {
    const { status, headers, body } = await call('GET', path, { headers: toHeaders(given) });
    const codes: Record<number, string> = { 401: 'unauthorized', 403: 'forbidden' };
    expect(body.errors?.[0].extensions.code).toBe(codes[status]);
    if (status !== 200) expect(Object.keys(body)).toEqual(['errors']);
    expect(headers['www-authenticate']).toBe(
      status === 401 ? 'Bearer realm="colophon", X-Client-Secret realm="colophon"' : undefined,
    );
    return status;
  }

  describe('access', () => {
    let client: Required<Given>;

    beforeAll(async () => {
      client = await createClient();
      const access = (name: string, rule: string, source: string) =>
        publish({ name, pathPrefix: `/access/${name}`, access: rule, source, mappings });
      await access('anyone', 'ANYONE', 'management');
      await access('key', 'API_KEY', 'Open');
      await access('secret', 'CLIENT_CREDENTIALS', 'delivery');
      await access('from-anyone', 'INHERIT', 'Open');
      await access('from-key', 'INHERIT', 'delivery');
      await access('from-secret', 'INHERIT', 'management');
    });

    const endpoints = ['anyone', 'key', 'secret', 'from-anyone', 'from-key', 'from-secret'];
    const anyoneOnly = [200, 401, 401, 200, 401, 401];
    const withKey = [200, 200, 401, 200, 200, 401];
    const withAny = [200, 200, 200, 200, 200, 200];
    const withSecret = [200, 401, 200, 200, 401, 200];

    it.each<[name: string, pick: (all: Required<Given>) => Given, statuses: readonly number[]]>([
      ['nothing', () => ({}), anyoneOnly],
      ['a key', ({ apiKey }) => ({ apiKey }), withKey],
      ['ID and secret', ({ apiKey: _, ...both }) => both, withAny],
      ['all of them', (all) => all, withAny],
      ['an ID alone', ({ clientId }) => ({ clientId }), anyoneOnly],
      ['a secret alone', ({ clientSecret }) => ({ clientSecret }), anyoneOnly],
      ['a wrong key', () => ({ apiKey: 'wrong' }), anyoneOnly],
      ['a secret for a key', ({ clientSecret }) => ({ apiKey: clientSecret }), anyoneOnly],
      ['a wrong secret', ({ clientId }) => ({ clientId, clientSecret: 'wrong' }), anyoneOnly],
      ['a wrong key beside ID and secret', (all) => ({ ...all, apiKey: 'wrong' }), withSecret],
    ])(
      'follows the rule of the endpoint, with credentials in headers or in the query string: %s',
      async (_name, pick, statuses) => {
        const given = pick(client);
        const query = new URLSearchParams(given);
        const received = endpoints.map(async (endpoint) => [
          await statusOf(`/access/${endpoint}/list`, given),
          await statusOf(`/access/${endpoint}/list?${query}`, {}),
        ]);
        expect(await Promise.all(received)).toEqual(statuses.map((status) => [status, status]));
      },
    );

    it('accepts credentials split between headers and query string, and equal ones twice', async () => {
      const { apiKey, clientId, clientSecret } = client;
      expect(await statusOf(`/access/secret/list?clientSecret=${clientSecret}`, { clientId })).toBe(200);
      expect(await statusOf(`/access/key/list?apiKey=${apiKey}&apiKey=${apiKey}`, { apiKey })).toBe(200);
    });

    it('is refused for two different credentials, unless anyone has access', async () => {
      const { apiKey } = client;
      for (const query of ['apiKey=other', `apiKey=${apiKey}&apiKey=other`]) {
        const sent = { headers: toHeaders({ apiKey }) };
        const { status, body } = await call('GET', `/access/key/list?${query}`, sent);
        expect([status, body.errors[0].extensions]).toEqual([
          400,
          { code: 'invalid_parameter', path: 'apiKey' },
        ]);
        expect((await call('GET', `/access/anyone/list?${query}`, sent)).status).toBe(200);
      }
    });

    it('ignores credentials in a body', async () => {
      const form = new URLSearchParams(client).toString();
      for (const sent of [{ form }, { json: client }]) {
        expect((await call('POST', '/access/key/list', sent)).status).toBe(401);
      }
    });

    it('does not pass credentials in the query string to variables', async () => {
      const { apiKey } = client;
      await publish({
        name: 'Literal access',
        access: 'API_KEY',
        disableParameterSlashSyntax: true,
        mappings,
      });
      for (const path of [
        `/access/key/list?name=x&apiKey=${apiKey}`,
        `/literal-access/list?name=%22x%22&apiKey=${apiKey}`,
      ]) {
        expect((await call('GET', path)).body).toEqual({ data: { textList: { count: 0 } } });
      }
    });

    it('requires the scope graphql, and access to the source of the route', async () => {
      const { graphqlEndpoints } = instance().services;
      const { id = '' } = (await graphqlEndpoints.list()).find(({ name }) => name === 'delivery') ?? {};
      const others = await createClient({ scopes: ['cma:read', 'cma:write', 'admin'] });
      const held = await createClient({ endpoints: [id] });
      for (const { apiKey, clientId, clientSecret } of [others, held]) {
        expect(await statusOf('/access/key/list', { apiKey })).toBe(403);
        expect(await statusOf('/access/from-secret/list', { clientId, clientSecret })).toBe(403);
        expect(await statusOf('/access/anyone/list', { apiKey })).toBe(200);
      }
      expect(await statusOf('/access/from-key/list', others)).toBe(403);
      expect(await statusOf('/access/from-key/list', held)).toBe(200);
      expect(await statusOf('/access/secret/list', held)).toBe(200);
    });

    it('ends when a key is deleted or a client revoked', async () => {
      const { apiKey, ...secret } = await createClient();
      const { clients } = instance().services;
      const { keys } = await clients.get(secret.clientId);
      expect(await statusOf('/access/key/list', { apiKey })).toBe(200);
      await clients.removeKey({ clientId: secret.clientId, keyId: keys[0]?.id ?? '' });
      await expect.poll(() => statusOf('/access/key/list', { apiKey })).toBe(401);
      expect(await statusOf('/access/key/list', secret)).toBe(200);
      await clients.revoke(secret.clientId);
      await expect.poll(() => statusOf('/access/key/list', secret)).toBe(401);
    });

    it('is checked after the path and the method, and before everything else', async () => {
      expect((await call('GET', '/access/key/none')).status).toBe(404);
      expect((await call('PATCH', '/access/key/list')).status).toBe(405);
      for (const path of ['/access/key/needy', '/access/key/list?name=%E0', '/access/key/list?__proto__=1']) {
        expect((await call('GET', path)).status).toBe(401);
        expect((await call('GET', path, { headers: toHeaders(client) })).status).toBe(400);
      }
      const bodies = [
        { raw: '{', headers: { 'Content-Type': 'application/json' } },
        { raw: 'x', headers: { 'Content-Type': 'text/plain' } },
        { json: { name: 'x'.repeat(4_200_000) } },
      ];
      for (const sent of bodies) expect((await call('POST', '/access/key/list', sent)).status).toBe(401);
    });
  });

  describe('a client restricted to certain sites', () => {
    it('reaches only their assets through every route', async () => {
      const { content } = instance().services;
      const create = async (body: object) => (await content.create(body, {})).asset._id;
      const [mine, theirs] = [
        await create({ _type: site, name: 'Mine' }),
        await create({ _type: site, name: 'Theirs' }),
      ];
      const owned = (slug: string, owner: string, more: object = {}) =>
        create({ ...createNews(slug), 'cms.site.owner': { _ref: owner, _type: site }, ...more });
      const foreign = await owned('foreign', theirs);
      const own = await owned('own', mine, { related: [{ _ref: foreign, _type: article }] });
      await create(createNews('global'));
      await publish({
        name: 'Bounded',
        access: 'API_KEY',
        mappings: [
          { name: 'Get', query: 'query Get($id: ID!) { article(_id: $id) { slug related { slug } } }' },
          {
            name: 'List',
            query: `query List { articleList(where: "slug in ['own', 'foreign', 'global']") { count items { slug } } }`,
          },
          {
            name: 'Create',
            query: 'mutation Create($input: CreateArticleInput!) { createArticle(input: $input) { slug } }',
          },
          {
            name: 'Update',
            query:
              'mutation Update($id: ID!) { updateArticle(_id: $id, input: { headline: "new" }) { headline } }',
          },
          {
            name: 'Delete',
            query: 'mutation Delete($id: ID!) { deleteArticle(_id: $id) }',
            methods: ['DELETE'],
          },
        ],
      });
      const { apiKey } = await createClient({ sites: [mine] });
      const headers = toHeaders({ apiKey });
      const dataOf = async (method: string, path: string) =>
        (await call(method, `/bounded${path}`, { headers })).body.data;
      expect(await dataOf('GET', `/get?id=${own}`)).toEqual({ article: { slug: 'own', related: [null] } });
      expect(await dataOf('GET', `/get?id=${foreign}`)).toEqual({ article: null });
      expect(await dataOf('GET', '/list')).toEqual({ articleList: { count: 1, items: [{ slug: 'own' }] } });
      expect(await dataOf('DELETE', `/delete?id=${foreign}`)).toEqual({ deleteArticle: false });
      expect(await dataOf('POST', `/update?id=${own}`)).toEqual({ updateArticle: { headline: 'new' } });
      const refused = async (path: string, json: object) => {
        const { status, body } = await call('POST', `/bounded${path}`, { headers, json });
        return [status, body.errors[0].extensions.code];
      };
      expect(await refused('/update', { id: foreign })).toEqual([404, 'not_found']);
      const input = { slug: 'more', headline: 'More', status: 'DRAFT' };
      expect(await refused('/create', { input })).toEqual([403, 'forbidden']);
      const elsewhere = { ...input, cms_site_owner: { _ref: theirs } };
      expect(await refused('/create', { input: elsewhere })).toEqual([403, 'forbidden']);
    });
  });
}
