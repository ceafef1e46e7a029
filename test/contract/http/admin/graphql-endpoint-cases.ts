/** Cases of GraphQL endpoints. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { article, author } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeGraphqlEndpoints({ call, instance, newName }: AdminContext): void {
  const create = async (fields: object = {}) => {
    const body = { name: newName(), readTypes: [author], access: 'ANYONE', ...fields };
    const response = await call('POST', '/graphql-endpoints', { body });
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    return response;
  };
  const served = async (path: string) =>
    (await fetch(`${instance().url}/graphql/${path}?query=%7B__typename%7D`)).status;

  describe('a GraphQL endpoint', () => {
    it('exists twice in a new installation', async () => {
      const { body } = await call('GET', '/graphql-endpoints');
      const names = body.items.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['management', 'delivery']));
    });

    it('is created with defaults for omitted fields, and served at once', async () => {
      const name = newName();
      const { headers, body } = await create({ name });
      const path = name.toLowerCase().replace(' ', '-');
      expect(body).toEqual({
        id: expect.any(String),
        name,
        path,
        readTypes: [author],
        writeTypes: [],
        access: 'ANYONE',
        defaultLimit: 10,
        maxLimit: 100,
        introspection: true,
        trustedOnly: false,
        updatedAt: expect.any(Number),
        warnings: [],
      });
      expect(headers.location).toBe(`/api/admin/graphql-endpoints/${body.id}`);
      expect(await served(path)).toBe(200);
      const read = await call('GET', `/graphql-endpoints/${body.id}`);
      expect([read.body, read.headers.etag]).toEqual([body, headers.etag]);
      expect((await call('GET', '/graphql-endpoints')).body.items).toContainEqual(body);
    });

    it('stores, lists and removes trusted documents', async () => {
      const { body } = await create({ name: newName() });
      const path = `/graphql-endpoints/${body.id}/documents`;
      const [named, unnamed] = ['query Authors { authorList { count } }', '{ authorList { count } }'];
      const added = await call('POST', path, { body: { add: [named, unnamed] } });
      expect(added.body).toEqual({ added: 2, removed: 0, stored: 2 });
      const stored = (text: string) => ({
        documentId: `sha256:${hash('sha256', text)}`,
        text,
        storedAt: expect.any(Number),
      });
      const { items } = (await call('GET', path)).body;
      expect(items).toEqual([{ ...stored(named), name: 'Authors' }, stored(unnamed)]);
      const remove = [items[0].documentId];
      expect((await call('POST', path, { body: { remove } })).body).toEqual({
        added: 0,
        removed: 1,
        stored: 1,
      });
      expect((await call('POST', path, { body: { add: ['{ nothing }'] } })).body).toMatchObject({
        code: 'invalid_body',
        problems: [{ path: 'add[0]', line: 1, column: 3 }],
      });
    });

    it('has a schema of its types only', async () => {
      const { body } = await create();
      const { sdl } = (await call('GET', `/graphql-endpoints/${body.id}/schema`)).body;
      expect(sdl).toContain('type Author');
      expect(sdl).not.toContain('type Article');
    });

    it('is refused with all its problems', async () => {
      const { status, body } = await call('POST', '/graphql-endpoints', {
        body: {
          name: '',
          path: 'a/b',
          readTypes: [author, 'com.example.Poem'],
          writeTypes: [article],
          access: 'NOBODY',
          maxLimit: 5000,
          owner: 'me',
        },
      });
      expect([status, body.code]).toEqual([400, 'invalid_body']);
      const paths = new Set(body.problems.map(({ path }: { path: string }) => path));
      const expected = ['name', 'path', 'readTypes[1]', 'writeTypes', 'access', 'maxLimit', 'owner'];
      expect([...paths].toSorted()).toEqual(expected.toSorted());
    });

    it('must have an unused name and an unused path', async () => {
      const { body } = await create();
      const codeOf = async (fields: object) => {
        const sent = { name: newName(), readTypes: [author], access: 'ANYONE', ...fields };
        const { status, body: problem } = await call('POST', '/graphql-endpoints', { body: sent });
        return [status, problem.code, problem.problems[0].path];
      };
      expect(await codeOf({ path: body.path })).toEqual([409, 'value_in_use', 'path']);
      expect(await codeOf({ name: body.name, path: 'another' })).toEqual([409, 'value_in_use', 'name']);
    });

    it('is replaced as a whole, and only in the state that If-Match names', async () => {
      const { headers, body } = await create({ maxLimit: 7 });
      const path = `/graphql-endpoints/${body.id}`;
      const { body: taken } = await create();
      const condition = { 'If-Match': headers.etag ?? '' };
      const sent = { name: body.name, path: `${body.path}-2`, readTypes: ['*'], access: 'API_KEY' };
      const replaced = await call('PUT', path, { body: sent, headers: condition });
      expect(replaced.body.updatedAt).toBeGreaterThanOrEqual(body.updatedAt);
      const { updatedAt } = replaced.body;
      expect(replaced.body).toEqual({ ...body, ...sent, updatedAt, defaultLimit: 10, maxLimit: 100 });
      expect(replaced.headers.etag).not.toBe(headers.etag);
      expect([await served(body.path), await served(sent.path)]).toEqual([404, 401]);
      for (const [method, again] of [
        ['PUT', { body: sent }],
        ['DELETE', {}],
      ] as const) {
        const stale = await call(method, path, { ...again, headers: condition });
        expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
      }
      const clash = await call('PUT', path, { body: { ...sent, name: taken.name } });
      expect([clash.status, clash.body.code]).toEqual([409, 'value_in_use']);
    });

    it('is deleted unless a REST endpoint uses it', async () => {
      const { body } = await create();
      const path = `/graphql-endpoints/${body.id}`;
      const name = newName();
      const rest = await call('POST', '/rest-endpoints', { body: { name, source: body.id, mappings: [] } });
      const refused = await call('DELETE', path);
      expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
      expect(refused.body.detail).toContain(name);
      await call('DELETE', `/rest-endpoints/${rest.body.id}`);
      expect((await call('DELETE', path)).status).toBe(204);
      expect(await served(body.path)).toBe(404);
      expect((await call('GET', path)).status).toBe(404);
    });

    it('is not found by the ID of another record or by an unknown ID', async () => {
      const { body: rest } = await call('POST', '/rest-endpoints', {
        body: { name: newName(), source: 'delivery', mappings: [] },
      });
      for (const id of [rest.id, noId, 'delivery', '..']) {
        expect((await call('GET', `/graphql-endpoints/${encodeURIComponent(id)}/schema`)).status).toBe(404);
      }
    });
  });
}
