/** Cases of the content types and of queries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { shippedCatalog } from '../../../support/types.ts';
import { article, author, site, text } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';
import { countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeContent(context: AdminContext): void {
  const { call, createAsset, signIn, newName } = context;
  describe('the content types', () => {
    it('are listed by class name, with the number of their assets', async () => {
      const before = await call('GET', '/types');
      await createAsset({ _type: author, slug: 'counted', name: 'Counted' });
      const after = await call('GET', '/types');
      const countOf = ({ body }: typeof before, name: string) =>
        body.items.find((item: { class: string }) => item.class === name).count;
      const page = 'com.example.news.Page';
      for (const name of [author, page]) expect(countOf(after, name)).toBe(countOf(before, name) + 1);
      expect(countOf(after, 'com.example.news.Image')).toBe(0);
      const { types, interfaces } = shippedCatalog();
      const classes = [...types.keys(), ...interfaces.keys()].toSorted();
      expect(after.body.items.map((item: { class: string }) => item.class)).toEqual(classes);
    });

    it('have schemas in the OpenAPI document of the CMA, which has the configured path', async () => {
      const { body } = await call('GET', '/cma/openapi.json');
      expect(Object.keys(body.paths)).toContain('/contents/{id}');
      expect(Object.keys(body.paths).join()).not.toContain('/api/rest/cma');
      expect(body.components.schemas.Article.properties._type).toEqual({ type: 'string', const: article });
    });

    it('have schemas in the OpenAPI document of the admin API', async () => {
      const { body } = await call('GET', '/openapi.json');
      expect(Object.keys(body.paths)).toContain('/api/admin/contents/{id}');
      expect(body.servers).toEqual([{ url: '/' }]);
      expect(body.components.schemas.ArticleCreate.properties._type.enum).toContain(article);
    });

    it('are returned with their fields, by class name and by type ID', async () => {
      const { body } = await call('GET', `/types/${article}`);
      expect((await call('GET', `/types/${body.id}`)).body).toEqual(body);
      expect(body).toMatchObject({
        class: article,
        name: 'Article',
        kind: 'object',
        description: 'A piece of news.',
        interfaces: ['com.example.news.Page'],
      });
      const fieldOf = (name: string) => body.fields.find((field: { name: string }) => field.name === name);
      expect(fieldOf('slug')).toMatchObject({
        type: { kind: 'scalar', name: 'String' },
        required: true,
        indexed: { unique: true },
        constraint: { maxLength: 120 },
      });
      expect(fieldOf('related')).toMatchObject({
        list: true,
        type: { kind: 'reference', name: 'Page', targets: [article, author, 'com.example.news.Section'] },
      });
      expect(fieldOf('status').type.values).toEqual(['DRAFT', 'REVIEW', 'PUBLISHED', 'ARCHIVED']);
      expect(fieldOf('status').type.labels.REVIEW).toEqual({ color: 'orange' });
      expect(fieldOf('cms.site.owner')).toMatchObject({ graphqlName: 'cms_site_owner', required: false });
      expect(fieldOf('place').type).toEqual({ kind: 'embedded', name: 'Place' });
      expect(body.referencedBy).toEqual([{ class: article, path: 'related' }]);
      const embedded = body.embeddedTypes.map(({ name }: { name: string }) => name);
      expect(embedded).toEqual(['Source', 'Place']);
      expect(body.embeddedTypes[1].fields[1]).toMatchObject({
        name: 'country',
        constraint: { pattern: '^[A-Z]{2}$' },
      });
    });

    it('include interfaces', async () => {
      const { body } = await call('GET', '/types/com.example.news.Page');
      expect(body).toMatchObject({ kind: 'interface', name: 'Page', embeddedTypes: [] });
      expect(body.referencedBy).toEqual([
        { class: article, path: 'related' },
        { class: article, path: 'author' },
        { class: article, path: 'section' },
        { class: 'com.example.news.Section', path: 'parent' },
      ]);
    });
  });

  describe('the uses of a content type', () => {
    it('are its GraphQL endpoints, published routes, webhooks and API clients', async () => {
      const name = newName();
      const source = await call('POST', '/graphql-endpoints', {
        body: { name, path: 'uses', readTypes: [author], writeTypes: [author], access: 'CLIENT_CREDENTIALS' },
      });
      expect(source.status).toBe(201);
      const { create, pathOf } = createRestMaker(context);
      const remove = 'mutation Remove($id: ID!) { deleteAuthor(_id: $id) }';
      const mappings = [
        { name: 'Count', query: countQuery },
        { name: 'Remove', methods: ['DELETE'], query: remove },
      ];
      const made = { source: source.body.id, access: 'INHERIT', mappings };
      const endpoint = await create({ name, ...made });
      await create(made);
      await call('POST', `${pathOf(endpoint)}/publish`);
      const hook = await call('POST', '/webhooks', {
        body: { name, url: 'http://127.0.0.1:1/', types: ['com.example.news.Page'], actions: ['update'] },
      });
      const client = await call('POST', '/api-clients', {
        body: { name, scopes: ['graphql'], endpoints: [source.body.id] },
      });

      const { body } = await call('GET', `/types/${author}/uses`);
      const { id } = source.body;
      expect(body.graphqlEndpoints.items).toContainEqual({ id, name, writes: true });
      const place = { restEndpoint: { id: endpoint.body.id, name }, path: expect.any(String) };
      expect(body.routes).toEqual({
        count: 2,
        items: [
          { ...place, mapping: 'Count', methods: ['GET'], writes: false },
          { ...place, mapping: 'Remove', methods: ['DELETE'], writes: true },
        ],
      });
      const { clientId, scopes } = { ...client.body, ...client.body.client };
      expect(body.apiClients.items).toContainEqual({ clientId, name, scopes });
      const webhook = { id: hook.body.webhook?.id, name, actions: ['update'] };
      expect(body.webhooks.items).toEqual(hook.status === 201 ? expect.arrayContaining([webhook]) : []);

      const ofText = (await call('GET', `/types/${text}/uses`)).body;
      expect(JSON.stringify(ofText)).not.toContain(name);
      expect((await call('GET', '/types/com.example.Nothing/uses')).status).toBe(404);
      const { headers } = await signIn('editor');
      expect((await call('GET', `/types/${author}/uses`, { as: headers })).status).toBe(403);
      for (const path of [pathOf(endpoint), `/webhooks/${webhook.id}`]) await call('DELETE', path);
    });
  });

  describe('a query', () => {
    const query = (body: object, as?: Record<string, string>) =>
      call('POST', '/query', { body, ...(as ? { as } : {}) });
    const namesIn = ({ body }: Awaited<ReturnType<typeof query>>) =>
      body.items.map(({ name }: { name: string }) => name);
    let owner: string;

    beforeAll(async () => {
      owner = await createAsset({ _type: site, name: 'Queried site' });
      const owned = { 'cms.site.owner': { _ref: owner, _type: site } };
      await createAsset({ _type: text, name: 'queried b', ...owned });
      await createAsset({ _type: text, name: 'queried c' });
      await createAsset({ _type: text, name: 'queried a' });
    });

    it('finds assets by predicate and values, in the requested order, and reports its duration', async () => {
      const found = await query({
        from: text,
        where: 'name startsWith ?',
        values: ['queried'],
        sort: [{ field: 'name', descending: true }],
      });
      expect([found.status, found.body.count]).toEqual([200, 3]);
      expect(namesIn(found)).toEqual(['queried c', 'queried b', 'queried a']);
      expect(found.body.ms).toBeGreaterThanOrEqual(0);
    });

    it('returns a page, or the count alone', async () => {
      const all = { from: text, where: "name startsWith 'queried'", sort: [{ field: 'name' }] };
      expect(namesIn(await query({ ...all, offset: 1, limit: 1 }))).toEqual(['queried b']);
      const { body } = await query({ ...all, limit: 0 });
      expect([body.count, body.items]).toEqual([3, []]);
    });

    it('returns only the fields asked for', async () => {
      const all = { from: text, where: 'name = ?', values: ['queried b'] };
      const { body } = await query({ ...all, fields: ['name'] });
      expect(body.items).toEqual([{ _id: expect.any(String), _type: text, name: 'queried b' }]);
      const identity = await query({ ...all, fields: [] });
      expect(identity.body.items).toEqual([{ _id: body.items[0]._id, _type: text }]);
    });

    it('is open to users, who see all assets', async () => {
      const { headers } = await signIn();
      const found = await query({ from: text, where: "name startsWith 'queried'" }, headers);
      expect(found.body.count).toBe(3);
    });

    it('can be checked without running, with the same problems', async () => {
      const check = async (body: object) => (await call('POST', '/query/check', { body })).body;
      const { headers } = await signIn();
      for (const terms of [
        { from: text },
        { from: text, where: 'name = ? or missing', values: ['a'] },
        { from: text, where: 'name = ' },
        { from: text, where: 'cms.content.updateDate > noon' },
        { from: text, where: 'title = 1' },
        { from: 'com.example.Poem', where: 'true' },
        { from: text, where: 'name = ?' },
        { from: text, values: ['a'] },
      ]) {
        const { status, body } = await query(terms);
        expect(await check(terms), JSON.stringify(terms)).toEqual({
          problems: status === 200 ? [] : body.problems,
        });
      }
      const body = { from: text, where: 'name = ' };
      expect((await call('POST', '/query/check', { body, as: headers })).body.problems[0].column).toBe(8);
      const wrong = await call('POST', '/query/check', { body: { from: text, limit: 1 } });
      expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_body']);
    });

    it.each([
      ['a predicate that cannot be read', { where: 'name = ' }, 'predicate_syntax', 'where', 8],
      [
        'a value that does not fit',
        { where: 'cms.content.updateDate > noon' },
        'predicate_type',
        'where',
        26,
      ],
      ['an unknown field', { where: 'title = 1' }, 'unknown_field', 'title', 1],
      ['an unknown type', { from: 'com.example.Poem' }, 'unknown_type', 'from', undefined],
      ['too few values', { where: 'name = ?' }, 'values_mismatch', 'values', undefined],
      [
        'an order by an unknown field',
        { sort: [{ field: 'title' }] },
        'invalid_parameter',
        'sort',
        undefined,
      ],
      ['an unknown field to return', { fields: ['title'] }, 'unknown_field', 'title', undefined],
      ['too large a page', { limit: 1001 }, 'invalid_body', 'limit', undefined],
      ['no type', { from: undefined }, 'invalid_body', 'from', undefined],
      ['an order without a field', { sort: [{}] }, 'invalid_body', 'sort[0].field', undefined],
      ['an unknown member', { order: 'name' }, 'invalid_body', 'order', undefined],
    ])('refuses %s, with the path of the problem', async (_name, fields, code, path, column) => {
      const { status, body } = await query({ from: text, ...fields });
      expect([status, body.code]).toEqual([400, code]);
      expect(body.problems).toEqual([
        { path, message: expect.any(String), ...(column === undefined ? {} : { line: 1, column }) },
      ]);
    });
  });
}
