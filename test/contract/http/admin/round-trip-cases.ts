/** Cases of records that are sent back as they were read. */
import { describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import type { AdminContext } from './admin-caller.ts';
import { createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeRoundTrips(context: AdminContext): void {
  const { call, createAsset, instance, newName } = context;
  const create = async (path: string, body: object) => (await call('POST', path, { body })).body;
  const purge = { headers: { 'X-Tags': '{tags:comma}' }, secretHeaders: { Authorization: 'Bearer a' } };

  /** Each kind of record: the methods that update it, how one is made, and a member that only the server sets. */
  const kinds: readonly (readonly [
    kind: string,
    methods: readonly ('PUT' | 'PATCH')[],
    make: () => Promise<string>,
    changed: object,
  ])[] = [
    [
      'a GraphQL endpoint',
      ['PUT'],
      async () =>
        `/graphql-endpoints/${(await create('/graphql-endpoints', { name: newName(), readTypes: ['*'], access: 'ANYONE' })).id}`,
      { id: 'other' },
    ],
    [
      'a REST endpoint',
      ['PUT'],
      async () => {
        const rest = createRestMaker(context);
        const path = rest.pathOf(await rest.create());
        await call('POST', `${path}/publish`);
        return path;
      },
      { savedBy: 'somebody' },
    ],
    [
      'an API client',
      ['PUT', 'PATCH'],
      async () => {
        const { client } = await create('/api-clients', { name: newName(), scopes: ['graphql'] });
        await call('POST', `/api-clients/${client.clientId}/keys`, { body: { name: 'Front end' } });
        return `/api-clients/${client.clientId}`;
      },
      { keys: [] },
    ],
    [
      'a webhook',
      ['PUT', 'PATCH'],
      async () => {
        const url = 'http://127.0.0.1:1/purge';
        const webhook = { name: newName(), kind: 'purge', purge, url, types: ['*'] };
        return `/webhooks/${(await create('/webhooks', webhook)).webhook.id}`;
      },
      { state: 'disabled' },
    ],
    [
      'a user',
      ['PUT', 'PATCH'],
      async () =>
        `/users/${(await create('/users', { email: `${Date.now()}@example.com`, role: 'editor' })).id}`,
      { state: 'disabled' },
    ],
    [
      'an asset',
      ['PUT'],
      async () => `/contents/${await createAsset({ _type: 'com.colophon.cms.db.Site', name: newName() })}`,
      { 'cms.content.nothing': 1 },
    ],
  ];

  describe('a record that is sent back as it was read', () => {
    it.each(kinds)(
      'changes nothing for %s, and is refused with another value',
      async (kind, methods, make, changed) => {
        if (kind === 'a webhook' && !(await keepsHistory(instance()))) return;
        const path = await make();
        for (const method of methods) {
          const read = await call('GET', path);
          const headers = read.headers.etag ? { 'If-Match': `${read.headers.etag}` } : {};
          const sent = await call(method, path, { headers, body: read.body });
          expect([method, sent.body.problems, sent.status]).toEqual([method, undefined, 200]);
          const after = (await call('GET', path)).body;
          const unmoving = {
            position: 0,
            behind: 0,
            number: 0,
            savedAt: 0,
            updatedAt: 0,
            action: '',
            'cms.content.updateDate': 0,
          };
          expect({ ...after, ...unmoving }).toEqual({ ...read.body, ...unmoving });
          const refused = await call(method, path, { body: { ...after, ...changed } });
          expect(refused.status).toBe(400);
          expect(JSON.stringify(refused.body)).toContain(Object.keys(changed)[0]);
        }
      },
    );

    it('lifts the restrictions that a replacement leaves out', async () => {
      const sites = [await createAsset({ _type: 'com.colophon.cms.db.Site', name: newName() })];
      const { client } = await create('/api-clients', { name: newName(), scopes: ['graphql'], sites });
      const path = `/api-clients/${client.clientId}`;
      const replaced = await call('PUT', path, { body: { name: client.name, scopes: ['cma:read'] } });
      expect([replaced.body.sites, replaced.body.scopes]).toEqual([undefined, ['cma:read']]);
      const late = { headers: { 'If-Match': '"other"' }, body: { name: 'Late', scopes: ['cma:read'] } };
      expect((await call('PUT', path, late)).status).toBe(412);
    });

    it('resets what the replacement of a webhook leaves out', async () => {
      if (!(await keepsHistory(instance()))) return;
      const types = ['com.colophon.cms.db.Site'];
      const body = { name: newName(), url: 'http://127.0.0.1:1/', types };
      const special = { payload: 'asset', actions: ['create'], where: "name = 'A'" };
      const { webhook } = await create('/webhooks', { ...body, ...special });
      const path = `/webhooks/${webhook.id}`;
      const { body: replaced } = await call('PUT', path, { body });
      expect([replaced.payload, replaced.actions.length, replaced.where]).toEqual(['thin', 4, undefined]);
      const late = await call('PUT', path, { headers: { 'If-Match': '"other"' }, body });
      const { webhook: other } = await create('/webhooks', { ...body, name: newName() });
      const taken = await call('PUT', `/webhooks/${other.id}`, { body });
      expect([late.status, taken.status]).toEqual([412, 409]);
    });

    it('saves another draft of a REST endpoint, and says that the record has changed', async () => {
      const rest = createRestMaker(context);
      const created = await rest.create();
      const draft = { ...created.body.draft, access: 'API_KEY' };
      const saved = await call('PUT', rest.pathOf(created), { body: { ...created.body, draft } });
      expect([saved.status, saved.body.draft.access, saved.body.number]).toEqual([200, 'API_KEY', 2]);
      const headers = { 'If-Match': `${created.headers.etag}` };
      const late = await call('PUT', rest.pathOf(created), { headers, body: created.body });
      expect(late.status).toBe(412);
      const unconditional = await call('PUT', rest.pathOf(created), { body: created.body });
      expect([unconditional.status, unconditional.body.problems[0].path]).toEqual([400, 'number']);
    });
  });
}
