/** Cases of REST endpoints: drafts, publishing and versions. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';
import { countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeRestEndpoints(context: AdminContext): void {
  const { call, client, signIn, newName } = context;
  const { definition, create, pathOf, served } = createRestMaker(context);

  describe('a REST endpoint', () => {
    it('starts as a draft, with defaults for omitted fields', async () => {
      const name = newName();
      const created = await create({ name, access: undefined });
      const { body, headers } = created;
      const prefix = `/${name.toLowerCase().replace(' ', '-')}`;
      expect(body).toEqual({
        id: expect.any(String),
        state: 'draft',
        broken: [],
        warnings: [],
        number: 1,
        action: 'SAVED',
        savedAt: expect.any(Number),
        savedBy: client()['X-Client-Id'],
        savedByName: expect.any(String),
        draft: {
          name,
          pathPrefix: prefix,
          source: expect.stringMatching(/^[0-9a-f-]{36}$/),
          access: 'INHERIT',
          disableParameterSlashSyntax: false,
          mappings: [{ name: 'Count', path: '/count', methods: ['GET'], query: countQuery, cacheSeconds: 0 }],
        },
      });
      expect(headers.location).toBe(`/api/admin${pathOf(created)}`);
      expect((await call('GET', pathOf(created))).body).toEqual(body);
      expect((await call('GET', '/rest-endpoints')).body.items).toContainEqual(body);
      expect(await served(`${prefix}/count`)).toBe(404);
    });

    it('is served as soon as publishing is answered, until unpublishing is answered', async () => {
      const created = await create();
      const path = pathOf(created);
      const { draft } = created.body;
      const route = `${draft.pathPrefix}/count`;
      const published = await call('POST', `${path}/publish`);
      expect(published.body).toMatchObject({
        state: 'published',
        action: 'PUBLISHED',
        number: 2,
        published: { number: 2, definition: draft, warnings: [] },
      });
      expect(await served(route)).toBe(200);
      const mappings = [{ name: 'Total', query: countQuery }];
      const saved = await call('PUT', path, { body: { ...draft, mappings } });
      expect(saved.body).toMatchObject({ state: 'changed', number: 3, published: { number: 2 } });
      expect([await served(route), await served(`${draft.pathPrefix}/total`)]).toEqual([200, 404]);
      const { status, body } = await call('POST', `${path}/unpublish`);
      expect([status, body.state, body.action]).toEqual([200, 'draft', 'UNPUBLISHED']);
      expect(body).not.toHaveProperty('published');
      expect(await served(route)).toBe(404);
    });

    it('keeps every version with its author, and can restore each', async () => {
      const created = await create();
      const path = pathOf(created);
      const { draft } = created.body;
      const { headers, email } = await signIn();
      const saved = await call('PUT', path, { as: headers, body: { ...draft, mappings: [] } });
      expect([saved.status, saved.body.savedBy]).toEqual([200, email]);
      await call('POST', `${path}/publish`, { as: headers });
      const restored = await call('POST', `${path}/versions/1/restore`);
      expect(restored.body).toMatchObject({ number: 4, action: 'RESTORED', state: 'changed', draft });
      const { body } = await call('GET', `${path}/versions`);
      const outlined = body.items.map(({ number, action, savedBy }: Record<string, unknown>) => [
        number,
        action,
        savedBy,
      ]);
      const clientId = client()['X-Client-Id'];
      expect(outlined).toEqual([
        [4, 'RESTORED', clientId],
        [3, 'PUBLISHED', email],
        [2, 'SAVED', email],
        [1, 'SAVED', clientId],
      ]);
      const { name } = (await call('GET', `/api-clients/${clientId}`)).body;
      expect([body.items[0].savedByName, restored.body.savedByName]).toEqual([name, name]);
      // The user has no name.
      expect(body.items[1]).not.toHaveProperty('savedByName');
      const { body: page } = await call('GET', `${path}/versions?before=4&limit=2`);
      expect(page.items).toEqual(body.items.slice(1, 3));
      const { body: second } = await call('GET', `${path}/versions/2`);
      expect(second).toEqual({ ...body.items[2], definition: { ...draft, mappings: [] } });
      for (const number of ['5', '1000000']) {
        expect((await call('GET', `${path}/versions/${number}`)).status).toBe(404);
      }
      for (const number of ['0', 'x', '-1', '1.5']) {
        const response = await call('GET', `${path}/versions/${number}`);
        expect([response.status, response.body.problems[0].path]).toEqual([400, 'number']);
      }
    });

    it('is changed only in the state that If-Match names', async () => {
      const created = await create();
      const path = pathOf(created);
      const stale = { 'If-Match': created.headers.etag ?? '' };
      const { headers, body } = await call('PUT', path, { body: created.body.draft, headers: stale });
      const changes: [method: string, path: string, body?: object][] = [
        ['PUT', path, body.draft],
        ['POST', `${path}/publish`],
        ['POST', `${path}/unpublish`],
        ['POST', `${path}/versions/1/restore`],
        ['DELETE', path],
      ];
      for (const [method, changed, sent] of changes) {
        const response = await call(method, changed, { headers: stale, ...(sent ? { body: sent } : {}) });
        expect([method, changed, response.status]).toEqual([method, changed, 412]);
      }
      const known = await call('POST', `${path}/publish`, { headers: { 'If-Match': headers.etag ?? '' } });
      expect(known.status).toBe(200);
      const broken = await call('POST', `${path}/publish`, { headers: { 'If-Match': 'x' } });
      expect([broken.status, broken.body.problems[0].path]).toEqual([400, 'If-Match']);
    });

    it('must have an unused name, also when a version is restored', async () => {
      const created = await create();
      const { name } = created.body.draft;
      const again = await call('POST', '/rest-endpoints', {
        body: definition({ name, pathPrefix: '/other' }),
      });
      expect([again.status, again.body.code]).toEqual([409, 'value_in_use']);
      const other = await create();
      const clash = { ...other.body.draft, name };
      expect((await call('PUT', pathOf(other), { body: clash })).status).toBe(409);
      await call('PUT', pathOf(created), { body: { ...created.body.draft, name: newName() } });
      await call('PUT', pathOf(other), { body: clash });
      expect((await call('POST', `${pathOf(created)}/versions/1/restore`)).status).toBe(409);
    });

    it('is deleted with its routes', async () => {
      const created = await create();
      const path = pathOf(created);
      await call('POST', `${path}/publish`);
      expect((await call('DELETE', path)).status).toBe(204);
      expect(await served(`${created.body.draft.pathPrefix}/count`)).toBe(404);
      for (const gone of [path, `${path}/versions`, `${path}/operations`]) {
        expect((await call('GET', gone)).status).toBe(404);
      }
    });
  });
}
