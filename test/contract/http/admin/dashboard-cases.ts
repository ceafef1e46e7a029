/** Cases of the dashboard: endpoints and API clients in short, with their requests of the last hour, and what is broken. */
import { describe, expect, it } from 'vitest';
import { article } from '../cma/cma-content.ts';
import type { AdminContext, AdminResponse } from './admin-caller.ts';
import { byIdQuery, countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeDashboard(context: AdminContext): void {
  const { call, instance, newName, signIn } = context;
  const { create, pathOf, served } = createRestMaker(context);
  const read = async (path: string) => (await call('GET', `/dashboard${path}`)).body;
  const list = (kind: string, query: string) => read(`/${kind}?${query}`);
  const publish = (endpoint: AdminResponse) => call('POST', `${pathOf(endpoint)}/publish`);

  /** Creates a published endpoint with two routes. */
  async function createTwoRoutes() {
    const endpoint = await create({
      mappings: [
        { name: 'Count', path: '/count', query: countQuery },
        { name: 'One', path: '/one', query: byIdQuery },
      ],
    });
    expect((await publish(endpoint)).status).toBe(200);
    return endpoint;
  }

  describe('the dashboard', () => {
    it('lists REST endpoints with the requests of the last hour to each route', async () => {
      const { body } = await createTwoRoutes();
      const { name, pathPrefix } = body.draft;
      for (const path of ['/one', '/one?id=x', '/count']) await served(pathPrefix + path);
      await fetch(`${instance().url}${pathPrefix}/one?id=x`, { method: 'HEAD' });
      const { count, since, uncounted, items } = await list('rest-endpoints', `search=${name.toUpperCase()}`);
      expect({ count, uncounted }).toEqual({ count: 1, uncounted: 0 });
      expect(since).toBeGreaterThan(Date.now() - 3_600_000);
      const [row] = items;
      const medianMs = expect.any(Number);
      expect(row).toEqual({
        id: body.id,
        name,
        pathPrefix,
        source: { id: body.draft.source, name: expect.any(String) },
        state: 'published',
        broken: 0,
        hasPublicWrites: false,
        mappings: 2,
        requests: 4,
        errors: expect.any(Number),
        medianMs,
        routes: [
          {
            mapping: 'One',
            path: `${pathPrefix}/one`,
            methods: ['GET'],
            isBroken: false,
            requests: 3,
            errors: row.errors,
            medianMs,
          },
          {
            mapping: 'Count',
            path: `${pathPrefix}/count`,
            methods: ['GET'],
            isBroken: false,
            requests: 1,
            errors: 0,
            medianMs,
          },
        ],
      });
      expect(row.errors).toBeGreaterThan(0);
      const { body: unused } = await createTwoRoutes();
      const [quiet] = (await list('rest-endpoints', `search=${unused.draft.name}`)).items;
      expect(quiet).toMatchObject({ requests: 0, errors: 0, routes: [{ requests: 0 }, {}] });
      expect(quiet).not.toHaveProperty('medianMs');
    });

    it('finds REST endpoints by state and text, in the wanted order, a page at a time', async () => {
      const word = newName().replace(' ', '');
      const names = ['b', 'a', 'c'].map((letter) => `${word} ${letter}`);
      const created: AdminResponse[] = [];
      for (const name of names) created.push(await create({ name }));
      const [first, second] = created;
      if (!first || !second) throw new Error('none');
      await publish(first);
      await publish(second);
      const draft = { ...second.body.draft, name: names[1], access: 'API_KEY' };
      expect((await call('PUT', pathOf(second), { body: draft })).status).toBe(200);
      for (let n = 0; n < 2; n++) await served(`${first.body.draft.pathPrefix}/count`);
      const namesOf = async (query: string) =>
        (await list('rest-endpoints', `search=${word}&${query}`)).items.map((row: { name: string }) =>
          row.name.at(-1),
        );
      expect(await namesOf('')).toEqual(['a', 'b', 'c']);
      expect(await namesOf('sort=requests')).toEqual(['b', 'a', 'c']);
      expect(await namesOf('sort=medianMs&limit=1')).toEqual(['b']);
      // None has errors, and "b" is the slowest.
      expect(await namesOf('sort=errors')).toEqual(['b', 'a', 'c']);
      expect(await namesOf('limit=1&offset=1')).toEqual(['b']);
      expect(await namesOf('offset=3')).toEqual([]);
      expect(await namesOf('state=published')).toEqual(['b']);
      expect(await namesOf('state=changed')).toEqual(['a']);
      expect(await namesOf('state=draft')).toEqual(['c']);
      expect(await namesOf('state=broken')).toEqual([]);
      const [unpublished] = (await list('rest-endpoints', `search=${word}&state=draft`)).items;
      expect(unpublished).toMatchObject({ requests: 0, mappings: 1, routes: [] });
    });

    it('reports what is broken and what has changed, and lists broken endpoints', async () => {
      const { body: source } = await call('POST', '/graphql-endpoints', {
        body: { name: newName(), readTypes: [article, 'com.example.news.Author'], access: 'ANYONE' },
      });
      const endpoint = await create({ source: source.name });
      await publish(endpoint);
      const before = await read('');
      // The mapping reads authors.
      const path = `/graphql-endpoints/${source.id}`;
      const narrowed = { name: source.name, path: source.path, readTypes: [article], access: 'ANYONE' };
      expect((await call('PUT', path, { body: narrowed })).status).toBe(200);
      const after = await read('');
      expect(after.mappings.count).toBe(before.mappings.count + 1);
      expect(after.mappings.items).toContainEqual({
        endpoint: { id: endpoint.body.id, name: endpoint.body.draft.name },
        mapping: 'Count',
        message: expect.stringContaining('authorList'),
      });
      const broken = await list('rest-endpoints', `state=broken&search=${endpoint.body.draft.pathPrefix}`);
      expect(broken.items).toMatchObject([{ broken: 1, routes: [{ mapping: 'Count', isBroken: true }] }]);
      expect(after.unfit).toEqual({
        assets: expect.any(Number),
        isCounted: expect.any(Boolean),
        items: expect.any(Array),
      });
      if (after.changes) {
        const by = { kind: 'client', id: context.client()['X-Client-Id'], name: expect.any(String) };
        // On MongoDB a change enters the log shortly after it is answered.
        await expect
          .poll(async () => (await read('')).changes[0])
          .toMatchObject({ asset: source.id, action: 'update', by });
        expect(after.changes.length).toBeLessThanOrEqual(10);
        expect(JSON.stringify(after.changes)).not.toContain('com.colophon.system.User');
      }
      await call('PUT', path, { body: { ...narrowed, readTypes: ['*'] } });
      expect((await read('')).mappings.count).toBe(before.mappings.count);
    });

    it('lists GraphQL endpoints with their requests', async () => {
      const body = { name: newName(), readTypes: ['*'], writeTypes: [article], access: 'ANYONE' };
      const { body: made } = await call('POST', '/graphql-endpoints', { body });
      const query = JSON.stringify({ query: '{ __typename }' });
      const headers = { 'Content-Type': 'application/json' };
      await fetch(`${instance().url}/graphql/${made.path}`, { method: 'POST', headers, body: query });
      await fetch(`${instance().url}/graphql/${made.path}`, { method: 'POST', headers, body: '{' });
      const { count, items } = await list('graphql-endpoints', `search=/graphql/${made.path}`);
      expect(count).toBe(1);
      expect(items).toEqual([
        {
          id: made.id,
          name: made.name,
          path: made.path,
          access: 'ANYONE',
          writeTypes: 1,
          hasPublicWrites: true,
          requests: 2,
          errors: 1,
          medianMs: expect.any(Number),
        },
      ]);
    });

    it('lists API clients with their keys, and the revoked ones apart', async () => {
      const word = newName().replace(' ', '');
      const issue = async (name: string) =>
        (await call('POST', '/api-clients', { body: { name, scopes: ['graphql'] } })).body.client;
      const [kept, gone] = [await issue(`${word} kept`), await issue(`${word} gone`)];
      const nextExpiry = Date.now() + 60_000;
      for (const expiry of [{}, { expiresAt: nextExpiry }, { expiresAt: nextExpiry + 60_000 }])
        await call('POST', `/api-clients/${kept.clientId}/keys`, { body: { name: 'Key', ...expiry } });
      await call('DELETE', `/api-clients/${gone.clientId}`);
      const row = {
        clientId: kept.clientId,
        name: kept.name,
        scopes: ['graphql'],
        createdAt: kept.createdAt,
      };
      const active = await list('api-clients', `search=${word}`);
      expect(active).toEqual({
        count: 1,
        revoked: 1,
        items: [{ ...row, keys: 3, expiredKeys: 0, nextExpiry }],
      });
      instance().advanceClock(60_000);
      const later = await list('api-clients', `search=${kept.clientId}`);
      instance().advanceClock(-60_000);
      expect(later.items).toMatchObject([{ expiredKeys: 1, nextExpiry: nextExpiry + 60_000 }]);
      const revoked = await list('api-clients', `search=${word}&revoked=true`);
      expect(revoked).toMatchObject({
        count: 1,
        items: [{ clientId: gone.clientId, revokedAt: expect.any(Number) }],
      });
    });

    it('is refused for wrong parameters, and to those who are not signed in', async () => {
      for (const query of [
        'search=',
        'state=gone',
        'sort=age',
        'offset=-1',
        'limit=0',
        'limit=101',
        'other=1',
      ])
        expect((await call('GET', `/dashboard/rest-endpoints?${query}`)).status, query).toBe(400);
      expect((await call('GET', '/dashboard/api-clients?revoked=perhaps')).status).toBe(400);
      const { headers } = await signIn();
      for (const path of ['', '/rest-endpoints', '/graphql-endpoints', '/api-clients']) {
        expect((await call('GET', `/dashboard${path}`, { as: headers })).status).toBe(200);
        expect((await call('GET', `/dashboard${path}`, { as: {} })).status).toBe(401);
      }
    });
  });
}
