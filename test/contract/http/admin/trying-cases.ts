/** Cases of running a mapping that need not be saved: the response is that of the route after publishing. */
import { describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { author } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';
import { createRestMaker } from './rest-endpoint.ts';

const query = `query Authors($where: String, $sort: [SortInput!], $limit: Int!) {
  authorList(where: $where, sortBy: $sort, limit: $limit) { count items { slug } }
}`;
const addQuery =
  'mutation Add($slug: String!, $name: String!) { createAuthor(input: { slug: $slug, name: $name }) { name } }';

/** Runs the cases. */
export function describeTrying(context: AdminContext): void {
  const { call, createAsset, instance, newName, signIn } = context;
  const { create, pathOf } = createRestMaker(context);
  const tryOut = (body: object, as?: Record<string, string>) =>
    call('POST', '/rest-endpoints/try', { body, ...(as ? { as } : {}) });

  /** Publishes both mappings; returns the prefix. */
  async function publish(fields: object = {}): Promise<string> {
    const mappings = [
      { name: 'Authors', query, methods: ['GET', 'POST'] },
      { name: 'Add', query: addQuery },
    ];
    const created = await create({ source: 'management', mappings, ...fields });
    await call('POST', `${pathOf(created)}/publish`);
    await instance().refresh();
    return created.body.draft.pathPrefix;
  }

  describe('trying a mapping', () => {
    it.each([false, true])(
      'returns the response of the route, with disabled slash syntax: %s',
      async (disableParameterSlashSyntax) => {
        await createAsset({ _type: author, slug: `tried-${disableParameterSlashSyntax}`, name: newName() });
        const prefix = await publish({ disableParameterSlashSyntax });
        const requests = [
          { parameters: 'limit=1&where=slug^%3D%27tried%27' },
          { parameters: 'limit=1&where=%22slug^%3D%27tried%27%22&sort/0/field=slug' },
          { parameters: 'limit=1&limit=2' },
          { parameters: 'limit=one' },
          { parameters: 'limit=1&where=%E0' },
          { parameters: 'limit=5&sort[0]/field=slug&sort[0]/descending=true' },
          { parameters: '' },
          {
            parameters: 'ignored=1',
            body: { limit: 2, where: "slug startsWith 'tried'", sort: [{ field: 'slug' }] },
          },
          { parameters: 'limit=2', body: { limit: 2 } },
          { parameters: '', body: { limit: 'two' } },
          { parameters: '', body: { limit: 2, where: 'slug = = 1' } },
        ];
        for (const { parameters, body } of requests) {
          const served = await fetch(`${instance().url}${prefix}/authors?${parameters}`, {
            method: body ? 'POST' : 'GET',
            ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
          });
          const { status, body: tried } = await tryOut({
            source: 'management',
            query,
            disableParameterSlashSyntax,
            parameters,
            ...(body ? { body } : {}),
          });
          expect([status, tried.status, tried.body], parameters).toEqual([
            200,
            served.status,
            await served.json(),
          ]);
          expect(tried.ms).toBeGreaterThanOrEqual(0);
        }
      },
    );

    it('runs as an administrator for a user, saves nothing, and says which change a mutation has made', async () => {
      const { headers } = await signIn();
      const before = (await call('GET', '/rest-endpoints')).body;
      const name = newName();
      const slug = name.toLowerCase().replace(/\W+/g, '-');
      const { body } = await tryOut(
        { source: 'management', query: addQuery, parameters: `slug=${slug}`, body: { name } },
        headers,
      );
      expect([body.status, body.body.data]).toEqual([200, { createAuthor: { name } }]);
      if (await keepsHistory(instance()))
        expect(body.body.extensions).toEqual({ changes: [body.headers['X-Change']] });
      expect((await call('GET', '/rest-endpoints')).body).toEqual(before);
      const again = await tryOut({ source: 'management', query: addQuery, body: { name, slug } });
      expect([again.body.status, again.body.body.errors[0].extensions.code]).toEqual([409, 'value_in_use']);
    });

    it('refuses what could not be saved, with the places', async () => {
      const unknown = await tryOut({ source: 'nowhere', query });
      expect([unknown.status, unknown.body.problems]).toEqual([
        400,
        [{ path: 'source', message: 'must be the ID or the name of a GraphQL endpoint' }],
      ]);
      const broken = await tryOut({ source: 'delivery', query: 'query A {\n  authorList { total }\n}' });
      expect([broken.status, broken.body.problems[0]]).toMatchObject([
        400,
        { path: 'query', line: 2, column: 16 },
      ]);
      const two = await tryOut({
        source: 'delivery',
        query: 'query A { __typename } query B { __typename }',
      });
      expect([two.status, two.body.problems[0].message]).toEqual([
        400,
        'The document must have only one operation: remove B',
      ]);
      const reserved = await tryOut({
        source: 'delivery',
        query: 'query A($apiKey: ID!) { author(_id: $apiKey) { name } }',
      });
      expect([reserved.status, reserved.body.code]).toEqual([400, 'invalid_body']);
      for (const sent of [
        {},
        { source: 'delivery' },
        { source: 'delivery', query, body: [] },
        { source: 'delivery', query, parameters: 5 },
      ]) {
        const { status, body } = await tryOut(sent);
        expect([status, body.code]).toEqual([400, 'invalid_body']);
      }
    });
  });
}
