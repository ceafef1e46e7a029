/** Cases of running GraphQL operations as an administrator. */
import { describe, expect, it } from 'vitest';
import { author, site, text } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';

/** Runs the cases. */
export function describeRunning({ call, createAsset, signIn, newName }: AdminContext): void {
  const createEndpoint = async (fields: object = {}): Promise<string> => {
    const definition = { name: newName(), readTypes: [author], access: 'CLIENT_CREDENTIALS', ...fields };
    const { status, body } = await call('POST', '/graphql-endpoints', { body: definition });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  };
  const run = (id: string, body: object, as?: Record<string, string>) =>
    call('POST', `/graphql-endpoints/${id}/run`, { body, ...(as ? { as } : {}) });

  describe('running an operation', () => {
    it('returns data to a user, whatever the access rule of the endpoint', async () => {
      const { headers } = await signIn();
      const name = newName();
      const _id = await createAsset({ _type: author, slug: 'asked-for', name });
      const query = 'query ById($id: ID!) { author(_id: $id) { name } } query Other { __typename }';
      const { status, body } = await run(
        await createEndpoint(),
        { query, operationName: 'ById', variables: { id: _id } },
        headers,
      );
      expect([status, body]).toEqual([200, { data: { author: { name } } }]);
    });

    it('reads the assets of all sites, but only the types of the endpoint', async () => {
      const owner = { _ref: await createAsset({ _type: site, name: newName() }), _type: site };
      const _id = await createAsset({ _type: text, name: 'Owned', 'cms.site.owner': owner });
      const id = await createEndpoint({ readTypes: [text] });
      const { body } = await run(id, { query: `{ text(_id: "${_id}") { name } }` });
      expect(body).toEqual({ data: { text: { name: 'Owned' } } });
      const { body: refused } = await run(id, { query: '{ authorList { count } }' });
      expect(refused.errors[0]).toMatchObject({
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'invalid_query' },
      });
      expect(refused).not.toHaveProperty('data');
    });

    it('runs the mutations of the endpoint, and reports the problems of invalid assets', async () => {
      const id = await createEndpoint({ writeTypes: [author] });
      const query = 'mutation Add($input: CreateAuthorInput!) { createAuthor(input: $input) { _id name } }';
      const { body } = await run(id, { query, variables: { input: { slug: 'run', name: 'Run' } } });
      const { _id } = body.data.createAuthor;
      expect((await call('GET', `/contents/${_id}`)).body.slug).toBe('run');
      const { status, body: refused } = await run(id, {
        query,
        variables: { input: { slug: '?', name: '' } },
      });
      expect(status).toBe(200);
      expect(refused.errors[0]).toMatchObject({
        path: ['createAuthor'],
        extensions: { code: 'invalid_body', problems: [{ path: 'slug' }, { path: 'name' }] },
      });
      const unfit = await run(id, { query, variables: { input: 7 } });
      expect(unfit.body.errors[0].extensions.code).toBe('invalid_variables');
    });

    it('answers 200 to a document with a syntax error, and to one above the limits', async () => {
      const id = await createEndpoint();
      const unreadable = await run(id, { query: '{ authorList { ' });
      expect([unreadable.status, unreadable.body.errors[0].extensions.code]).toEqual([200, 'invalid_query']);
      const aliases = Array.from({ length: 51 }, (_, i) => `a${i}: authorList { count }`).join(' ');
      const large = await run(id, { query: `{ ${aliases} }` });
      expect([large.status, large.body.errors[0].extensions]).toEqual([
        200,
        expect.objectContaining({ code: 'limit_exceeded', max: 50, actual: 51 }),
      ]);
    });

    it('accepts null for variables and operation name, and refuses an invalid request', async () => {
      const id = await createEndpoint();
      const query = '{ __typename }';
      const { body } = await run(id, { query, variables: null, operationName: null });
      expect(body).toEqual({ data: { __typename: 'Query' } });
      const wrong = [
        {},
        { query: 5 },
        { query, variables: [] },
        { query, operationName: 5 },
        { query, as: 'x' },
      ];
      for (const sent of wrong) {
        const { status, body: problem } = await run(id, sent);
        expect([status, problem.code]).toEqual([400, 'invalid_body']);
      }
    });
  });
}
