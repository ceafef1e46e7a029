/** Cases of mappings: the problems of a draft, the types of its operations, and mappings that no longer fit their source. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { article, author } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';
import { byIdQuery, countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeMappings(context: AdminContext): void {
  const { call, newName } = context;
  const { definition, create, pathOf, served } = createRestMaker(context);

  describe('a draft', () => {
    it('is refused with all its problems, with line and column', async () => {
      const taken = await create();
      const { status, body } = await call('POST', '/rest-endpoints', {
        body: definition({
          pathPrefix: taken.body.draft.pathPrefix,
          mappings: [
            { name: 'Count', query: countQuery },
            { name: 'Broken', query: 'query Broken {\n  authorList { count ' },
            { name: 'Unknown', query: 'query Unknown {\n  authorList { total }\n}' },
            { name: 'Two words', path: '/two words', query: byIdQuery },
            { name: 'Nothing', methods: ['TRACE'], query: countQuery, cacheSeconds: -1 },
          ],
        }),
      });
      expect([status, body.code]).toEqual([400, 'invalid_body']);
      const found = body.problems.map(({ path, line }: { path: string; line?: number }) => [path, line]);
      expect(found).toEqual(
        expect.arrayContaining([
          ['mappings[0].path', undefined],
          ['mappings[1].query', 2],
          ['mappings[2].query', 2],
          ['mappings[3].path', undefined],
          ['mappings[4].methods[0]', undefined],
          ['mappings[4].cacheSeconds', undefined],
        ]),
      );
      for (const problem of body.problems) expect(problem.message).not.toBe('');
    });

    it('is refused for errors inside predicates, with line and column within their texts', async () => {
      const lists = (args: string) => `query Q {\n  authorList(${args}) { count }\n}`;
      const queries = [
        lists('where: "name = = ? and ("'),
        lists('where: """\n    name = x\n      and nothing = 1\n  """'),
        lists('where: "name = ?", values: ["x", "y"]'),
        lists('sortBy: [{ field: "nothing" }]'),
      ];
      const mappings = queries.map((query, index) => ({ name: `Mapping ${index}`, query }));
      const body = definition({ mappings });
      const problems = [
        { path: 'mappings[0].query', line: 2, column: 29 },
        { path: 'mappings[1].query', line: 4, column: 11 },
        { path: 'mappings[2].query', line: 2, column: 41 },
        { path: 'mappings[3].query', line: 2, column: 33 },
      ];
      const refused = await call('POST', '/rest-endpoints', { body });
      expect([refused.status, refused.body.problems]).toMatchObject([400, problems]);
      const checked = await call('POST', '/rest-endpoints/check', { body });
      expect(checked.body.problems).toEqual(refused.body.problems);
      expect(checked.body.mappings[0]).not.toHaveProperty('typescript');
    });

    const wrong: [name: string, fields: object, path: string][] = [
      ['no name', { name: undefined }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name that is a number', { name: 1 }, 'name'],
      ['no source', { source: undefined }, 'source'],
      ['a prefix with a slash at its end', { pathPrefix: '/a/' }, 'pathPrefix'],
      ['an unknown access', { access: 'FRIENDS' }, 'access'],
      ['a switch that is a text', { disableParameterSlashSyntax: 'no' }, 'disableParameterSlashSyntax'],
      ['mappings that are not a list', { mappings: {} }, 'mappings'],
      ['a mapping that is a text', { mappings: ['x'] }, 'mappings[0]'],
      ['a mapping without a query', { mappings: [{ name: 'A' }] }, 'mappings[0].query'],
      [
        'a mapping without methods',
        { mappings: [{ name: 'A', query: countQuery, methods: [] }] },
        'mappings[0].methods',
      ],
      [
        'a method twice',
        { mappings: [{ name: 'A', query: countQuery, methods: ['GET', 'GET'] }] },
        'mappings[0].methods',
      ],
      ['an unknown member', { owner: 'me' }, 'owner'],
      [
        'a mapping with an unknown member',
        { mappings: [{ name: 'A', query: countQuery, cache: 1 }] },
        'mappings[0].cache',
      ],
    ];
    const ajv = new Ajv2020({ strict: false }).addSchema(readAdminDocument(), 'document');
    const fits = ajv.compile({ $ref: 'document#/components/schemas/RestEndpointInput' });

    it.each(wrong)('is refused like in the OpenAPI document: %s', async (_name, fields, path) => {
      const sent = definition(fields);
      expect(fits(JSON.parse(JSON.stringify(sent)))).toBe(false);
      const { status, body } = await call('POST', '/rest-endpoints', { body: sent });
      expect([status, body.code]).toEqual([400, 'invalid_body']);
      expect(body.problems.map((problem: { path: string }) => problem.path)).toContain(path);
    });

    it('returns the types of its operations', async () => {
      const created = await create({
        mappings: [
          { name: 'By ID', query: byIdQuery },
          { name: 'Count', query: countQuery },
        ],
      });
      const { body } = await call('GET', `${pathOf(created)}/operations`);
      expect(body.items.map(({ mapping }: { mapping: string }) => mapping)).toEqual(['By ID', 'Count']);
      const [byId] = body.items;
      expect(byId.typescript).toMatch(/interface AuthorByIdVariables \{\s+id: string;\s+\}/);
      expect(byId.typescript).toContain('AuthorByIdData');
      expect(byId.variables).toMatchObject({ required: ['id'], properties: { id: { type: 'string' } } });
      expect(byId.problems).toEqual([]);
    });

    it('has no OpenAPI document until it is published', async () => {
      const created = await create({ mappings: [{ name: 'By ID', query: byIdQuery }] });
      const path = `${pathOf(created)}/openapi.json`;
      const before = await call('GET', path);
      expect([before.status, before.body.code]).toEqual([404, 'route_not_found']);
      await call('POST', `${pathOf(created)}/publish`);
      const { body } = await call('GET', path);
      const { name, pathPrefix } = created.body.draft;
      expect(body).toMatchObject({ openapi: '3.1.0', info: { title: name, version: '2' } });
      expect(Object.keys(body.paths)).toEqual([`${pathPrefix}/by-id`]);
    });
  });

  describe('a mapping that no longer fits its source', () => {
    it('is found when only the text of a predicate is wrong', async () => {
      const source = { name: newName(), readTypes: [author, article], access: 'ANYONE' };
      const { body: endpoint } = await call('POST', '/graphql-endpoints', { body: source });
      const query = 'query ByAuthor {\n  articleList(where: "author/name = x") { count }\n}';
      const created = await create({ source: endpoint.id, mappings: [{ name: 'By author', query }] });
      await call('POST', `${pathOf(created)}/publish`);
      const route = `${created.body.draft.pathPrefix}/by-author`;
      expect(await served(route)).toBe(200);
      const narrowed = { ...source, readTypes: [article] };
      const message = `articleList, where: ${article} has no field "author"`;
      const problems = [{ message, line: 2, column: 23 }];
      const tried = await call('POST', '/graphql-endpoints/dry-run', {
        body: { change: 'REPLACE', id: endpoint.id, definition: narrowed },
      });
      expect(tried.body.breaks).toMatchObject([{ mapping: 'By author', effect: 'FAILS', problems }]);
      await call('PUT', `/graphql-endpoints/${endpoint.id}`, { body: narrowed });
      expect(await served(route)).toBe(500);
      expect((await call('GET', pathOf(created))).body.broken).toEqual([{ mapping: 'By author', problems }]);
      const { body } = await call('POST', '/mappings/check');
      const facts = { restEndpoint: created.body.draft.name, mapping: 'By author', problems };
      expect(body.broken).toContainEqual({ ...facts, state: 'published' });
      await call('PUT', pathOf(created), { body: { ...created.body.draft, mappings: [] } });
      const restored = await call('POST', `${pathOf(created)}/versions/1/restore`);
      expect([restored.status, restored.body.problems[0]]).toMatchObject([400, { line: 2, column: 23 }]);
    });

    it('is reported by every operation that returns it, and works again only after its source fits', async () => {
      const source = { name: newName(), readTypes: [author, article], access: 'ANYONE' };
      const { body: endpoint } = await call('POST', '/graphql-endpoints', { body: source });
      const created = await create({
        source: endpoint.id,
        mappings: [
          { name: 'Count', query: countQuery },
          { name: 'Headlines', query: 'query Headlines {\n  articleList { items { headline } }\n}' },
        ],
      });
      const path = pathOf(created);
      await call('POST', `${path}/publish`);
      const route = `${created.body.draft.pathPrefix}/headlines`;
      const report = async () => {
        const { body } = await call('POST', '/mappings/check');
        return body.broken.filter(
          (one: { restEndpoint: string }) => one.restEndpoint === created.body.draft.name,
        );
      };
      expect([await served(route), await report()]).toEqual([200, []]);

      const narrowed = { ...source, readTypes: [author] };
      await call('PUT', `/graphql-endpoints/${endpoint.id}`, { body: narrowed });
      expect(await served(route)).toBe(500);
      const problems = [{ message: expect.stringContaining('articleList'), line: 2, column: 3 }];
      const { body } = await call('GET', path);
      expect(body.broken).toEqual([{ mapping: 'Headlines', problems }]);
      const facts = { restEndpoint: created.body.draft.name, mapping: 'Headlines', problems };
      expect(await report()).toEqual([{ ...facts, state: 'published' }]);
      const { body: operations } = await call('GET', `${path}/operations`);
      expect(operations.items[1]).toEqual({ mapping: 'Headlines', problems });
      const { body: document } = await call('GET', `${path}/openapi.json`);
      expect(Object.keys(document.paths)).toEqual([`${created.body.draft.pathPrefix}/count`]);
      const restore = await call('POST', `${path}/versions/1/restore`);
      expect([restore.status, restore.body.problems[0].path]).toEqual([400, 'mappings[1].query']);

      await call('PUT', `/graphql-endpoints/${endpoint.id}`, { body: source });
      expect([await served(route), await report()]).toEqual([200, []]);
    });
  });
}
