/** Cases of endpoints that let anyone change content: they are allowed, but every answer with them has a warning. */
import { describe, expect, it } from 'vitest';
import { article, author } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';
import { createRestMaker } from './rest-endpoint.ts';

const removal = 'mutation Remove($_id: ID!) { deleteAuthor(_id: $_id) }';

/** Runs the cases. */
export function describeWarnings(context: AdminContext): void {
  const { call, newName } = context;
  const { definition, create, pathOf } = createRestMaker(context);
  const publicTypes = {
    code: 'public_write',
    path: 'writeTypes',
    message: `Anyone can create, change and delete assets of ${author} without credentials`,
  };
  const publicMutation = {
    code: 'public_write',
    path: 'mappings[1].query',
    mapping: 'Remove',
    message: 'Anyone can run the mutation Remove without credentials',
  };
  const source = (fields: object = {}) => ({
    name: newName(),
    readTypes: [author, article],
    writeTypes: [author],
    access: 'ANYONE',
    ...fields,
  });
  const makeSource = async (fields?: object) => {
    const response = await call('POST', '/graphql-endpoints', { body: source(fields) });
    expect(response.status).toBe(201);
    return response.body;
  };
  const mappings = [
    { name: 'Count', query: 'query CountAuthors { authorList { count } }' },
    { name: 'Remove', query: removal },
  ];
  const report = async () => (await call('POST', '/mappings/check')).body.warnings;

  describe('a public write through GraphQL', () => {
    it('causes a warning in every answer with the endpoint', async () => {
      const made = await makeSource();
      expect(made.warnings).toEqual([publicTypes]);
      const path = `/graphql-endpoints/${made.id}`;
      expect((await call('GET', path)).body.warnings).toEqual([publicTypes]);
      const { body } = await call('GET', '/graphql-endpoints');
      expect(body.items).toContainEqual(made);
      expect(await report()).toContainEqual({ ...publicTypes, graphqlEndpoint: made.name });
      const closed = { ...source({ name: made.name, access: 'API_KEY' }) };
      expect((await call('PUT', path, { body: closed })).body.warnings).toEqual([]);
      const all = { ...closed, readTypes: ['*'], writeTypes: ['*'], access: 'ANYONE' };
      const message = publicTypes.message.replace(author, 'every content type');
      expect((await call('PUT', path, { body: all })).body.warnings).toEqual([{ ...publicTypes, message }]);
      await call('DELETE', path);
    });
  });

  describe('a public mutation', () => {
    it('causes a warning in checks, saves, lists, publications and the report', async () => {
      const body = definition({ source: 'management', access: 'ANYONE', mappings });
      const checked = await call('POST', '/rest-endpoints/check', { body });
      expect(checked.body.warnings).toEqual([publicMutation]);
      const created = await call('POST', '/rest-endpoints', { body });
      expect(created.body.warnings).toEqual([publicMutation]);
      const published = await call('POST', `${pathOf(created)}/publish`);
      expect(published.body.published.warnings).toEqual([publicMutation]);
      expect((await call('GET', pathOf(created))).body).toEqual(published.body);
      expect((await call('GET', '/rest-endpoints')).body.items).toContainEqual(published.body);
      const { name } = created.body.draft;
      expect(await report()).toContainEqual({ ...publicMutation, restEndpoint: name, state: 'published' });
      const closed = { ...created.body.draft, access: 'INHERIT' };
      const saved = await call('PUT', pathOf(created), { body: closed });
      expect([saved.body.warnings, saved.body.published.warnings]).toEqual([[], [publicMutation]]);
      await call('DELETE', pathOf(created));
    });

    it('stands beside a warning of a filter that holds for nothing', async () => {
      const empty = { name: 'None', query: 'query None { authorList(filter: { or: [] }) { count } }' };
      const body = definition({ source: 'management', access: 'ANYONE', mappings: [...mappings, empty] });
      const created = await call('POST', '/rest-endpoints', { body });
      expect(created.body.warnings).toEqual([
        publicMutation,
        {
          code: 'empty_filter',
          path: 'mappings[2].query',
          mapping: 'None',
          message: 'The filter of authorList has "or: []", which holds for no asset (line 1, column 39)',
        },
      ]);
      await call('DELETE', pathOf(created));
    });

    it('is also recognized by the access of its source', async () => {
      const made = await makeSource({ access: 'API_KEY' });
      const created = await create({ source: made.id, access: 'INHERIT', mappings });
      expect(created.body.warnings).toEqual([]);
      await call('PUT', `/graphql-endpoints/${made.id}`, { body: source({ name: made.name }) });
      expect((await call('GET', pathOf(created))).body.warnings).toEqual([publicMutation]);
      await call('DELETE', pathOf(created));
    });
  });
}
