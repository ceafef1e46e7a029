/** Cases of the schema of a GraphQL endpoint; types that it does not serve must not be reachable in any way. */
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  article,
  author,
  type GraphqlContext,
  reference,
  type StoredContent,
  section,
  site,
} from './graphql-context.ts';

/** Runs the cases. */
export function describeSchema(context: GraphqlContext): void {
  const { instance, ask, dataOf, errorsOf, create, cma, createClient, createEndpoint, newSlug } = context;

  async function introspect(path: string, headers = {}): Promise<GraphQLSchema> {
    const { body } = await ask(
      path,
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
      headers,
    );
    expect(body.errors).toBeUndefined();
    return buildClientSchema(body.data);
  }

  const fieldsOf = (schema: GraphQLSchema, type: string) => {
    const found = schema.getType(type);
    return found && 'getFields' in found ? Object.keys(found.getFields()).toSorted() : undefined;
  };

  describe('the schema of', () => {
    it.each(['management', 'delivery'])(
      'the default endpoint %s is valid, and the same as by introspection',
      async (name) => {
        const { graphqlEndpoints, apis } = instance().services;
        const endpoint = (await graphqlEndpoints.list()).find((one) => one.name === name);
        const schema = buildSchema(endpoint ? apis.get(endpoint).sdl : '');
        expect(validateSchema(schema)).toEqual([]);
        const told = await introspect(name, await createClient());
        expect(validateSchema(told)).toEqual([]);
        const print = (one: GraphQLSchema) => printSchema(lexicographicSortSchema(one));
        expect(print(told)).toBe(print(schema));
        expect(told.getMutationType()?.name).toBe(name === 'management' ? 'Mutation' : undefined);
        expect(told.getSubscriptionType()).toBeFalsy();
      },
    );

    it('an endpoint without write types has no mutations', async () => {
      await createEndpoint({ name: 'reads-only' });
      const reply = await ask('reads-only', 'mutation { createText(input: {name: "x"}) { _id } }');
      expect(reply.body).toEqual({
        errors: [expect.objectContaining({ extensions: { code: 'invalid_query' } })],
      });
      expect(printSchema(await introspect('reads-only'))).not.toMatch(
        /Mutation|CreateTextInput|ReferenceInput/,
      );
    });

    it('an endpoint with some write types has only their mutations, with all their fields', async () => {
      await createEndpoint({ name: 'writes-authors', readTypes: [article, author], writeTypes: [author] });
      const schema = await introspect('writes-authors');
      expect(fieldsOf(schema, 'Mutation')).toEqual(['createAuthor', 'deleteAuthor', 'updateAuthor']);
      expect(fieldsOf(schema, 'CreateAuthorInput')).toContain('portrait');
      expect(fieldsOf(schema, 'Author')).not.toContain('portrait');
    });
  });

  describe('an endpoint that reads only certain types', () => {
    let shown: StoredContent;
    let hidden: StoredContent;
    let writer: StoredContent;

    beforeAll(async () => {
      await createEndpoint({ name: 'subset', readTypes: [article, author], writeTypes: [author] });
      const owner = await create({ _type: site, name: 'Hidden site' });
      hidden = await create({ _type: section, slug: newSlug(), name: 'Hidden section' });
      writer = await create({ _type: author, slug: newSlug(), name: 'Cut writer' });
      shown = await create({
        _type: article,
        slug: newSlug(),
        headline: 'Cut',
        status: 'DRAFT',
        section: reference(hidden, section),
        author: reference(writer, author),
        related: [reference(hidden, section), reference(writer, author)],
        'cms.site.owner': reference(owner, site),
      });
    });

    it('does not name others in its introspection', async () => {
      const schema = await introspect('subset');
      expect(fieldsOf(schema, 'Query')).toEqual([
        'article',
        'articleBy',
        'articleList',
        'author',
        'authorBy',
        'authorList',
        'pageList',
      ]);
      expect(
        schema
          .getPossibleTypes(schema.getType('Page') as never)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(['Article', 'Author']);
      const names = Object.keys(schema.getTypeMap()).filter((name) =>
        /Section|Image|Site|Text$|Gallery|Exhibit/.test(name),
      );
      expect(names).toEqual(['RichText']);
      for (const field of ['section', 'lead', 'cms_site_owner']) {
        expect(fieldsOf(schema, 'Article')).not.toContain(field);
      }
      for (const field of ['author', 'related', 'headline'])
        expect(fieldsOf(schema, 'Article')).toContain(field);
    });

    it('does not return others through references, lists and IDs', async () => {
      const query = `query ($shown: ID!, $hidden: ID!) {
        article(_id: $shown) { author { name } related { __typename slug } }
        author(_id: $hidden) { name }
        pageList(where: "slug = ?", values: ["${String(hidden.slug)}"]) { count items { slug } } }`;
      expect(await dataOf('subset', query, { shown: shown._id, hidden: hidden._id })).toEqual({
        article: {
          author: { name: 'Cut writer' },
          related: [null, { __typename: 'Author', slug: writer.slug }],
        },
        author: null,
        pageList: { count: 0, items: [] },
      });
    });

    it('does not accept others in predicates', async () => {
      const query = 'query ($where: String) { articleList(where: $where) { count } }';
      const predicates = [
        ["section/name = 'Hidden section'", 'section/name'],
        [`section = ${hidden._id}`, 'section'],
        ['section != missing', 'section'],
        ["cms.site.owner/name = 'Hidden site'", 'cms.site.owner/name'],
        ['not lead = missing', 'lead'],
      ];
      for (const [where, path] of predicates) {
        const [error] = await errorsOf('subset', query, { where });
        expect(error).toMatchObject({ code: 'unknown_field' });
        expect(path).toContain(Object(error).path);
      }
      const countOf = async (where: string) => (await dataOf('subset', query, { where })).articleList.count;
      expect(await countOf("author/name = 'Cut writer'")).toBe(1);
      expect(await countOf(`related/slug = '${writer.slug}'`)).toBe(1);
      expect(await countOf(`related/slug = '${hidden.slug}'`)).toBe(0);
    });

    it('does not accept others in sortBy', async () => {
      const query = 'query ($field: String!) { articleList(sortBy: {field: $field}) { items { _id } } }';
      for (const field of ['section', 'cms.site.owner', 'lead', 'section/name']) {
        expect(await errorsOf('subset', query, { field })).toMatchObject([{ code: expect.any(String) }]);
      }
      const [unknown] = await errorsOf('subset', query, { field: 'nothing' });
      const [restricted] = await errorsOf('subset', query, { field: 'section' });
      expect(Object(restricted).code).toBe(Object(unknown).code);
    });

    it('does not name others in its errors', async () => {
      const documents = [
        '{ section(_id: "x") { name } }',
        '{ sectionLis { count } }',
        '{ articleList { items { sectio { name } } } }',
        '{ pageList { items { ... on Section { name } } } }',
        'mutation { updateSection(_id: "x", input: {}) { _id } }',
      ];
      for (const query of documents) {
        const { body } = await ask('subset', query);
        const message = body.errors[0].message.replaceAll(/"[^"]*"/g, '');
        expect(message).not.toMatch(/Section/i);
        expect(message).not.toMatch(/Did you mean.*ection/);
      }
    });

    it('does not change or delete others, or types that it only reads', async () => {
      const update = 'mutation ($id: ID!) { updateAuthor(_id: $id, input: {name: "changed"}) { _id } }';
      for (const { _id: id } of [hidden, shown]) {
        expect(await errorsOf('subset', update, { id })).toMatchObject([
          { at: 'updateAuthor', code: 'not_found' },
        ]);
        const removal = await dataOf('subset', 'mutation ($id: ID!) { deleteAuthor(_id: $id) }', { id });
        expect(removal).toEqual({ deleteAuthor: false });
        expect(await cma('GET', `/${id}`)).toMatchObject({ status: 200 });
      }
    });
  });

  describe('an endpoint without introspection', () => {
    beforeAll(() => createEndpoint({ name: 'closed', writeTypes: ['*'], introspection: false }));

    it.each([
      '{ __schema { types { name } } }',
      '{ __type(name: "Text") { name } }',
      getIntrospectionQuery(),
    ])('refuses %s', async (query) => {
      const { body } = await ask('closed', query);
      expect(body).not.toHaveProperty('data');
      expect(body.errors[0].extensions).toEqual({ code: 'invalid_query' });
    });

    it('still resolves __typename', async () => {
      expect(await dataOf('closed', '{ a: __typename textList { __typename } }')).toEqual({
        a: 'Query',
        textList: { __typename: 'TextList' },
      });
    });

    const misspelt: [name: string, query: string, variables?: object][] = [
      ['a field', '{ textLis { count } }'],
      ['a field of a type', '{ siteList { items { nme } } }'],
      ['an argument', '{ siteList(wher: "true") { count } }'],
      ['a type', '{ pageList { items { ... on Articl { headline } } } }'],
      ['the type of a variable', 'query ($a: Strin) { siteList(where: $a) { count } }'],
      ['an enum value', 'mutation { createGallery(input: {name: "x", moods: [QUIE]}) { _id } }'],
      ['a member of an input', 'mutation { createSite(input: {name: "x", url: "y"}) { _id } }'],
      [
        'a member of a variable',
        'mutation ($i: CreateSiteInput!) { createSite(input: $i) { _id } }',
        { i: { name: 'x', url: ['y'] } },
      ],
      [
        'an enum value of a variable',
        'mutation ($m: [Mood!]) { createGallery(input: {name: "x", moods: $m}) { _id } }',
        { m: ['LOU'] },
      ],
    ];

    it.each(misspelt)('does not suggest the spelling of %s', async (_name, query, variables = {}) => {
      const suggesting = await ask('open', { query, variables: { ...variables } });
      expect(suggesting.body.errors[0].message).toContain('Did you mean');
      const { body } = await ask('closed', { query, variables: { ...variables } });
      expect(body).not.toHaveProperty('data');
      expect(JSON.stringify(body)).not.toContain('Did you mean');
    });
  });
}
