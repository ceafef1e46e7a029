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

  /** Each kind of record: how it is updated, how one is made, and a member that only the server sets. */
  const kinds: readonly (readonly [
    kind: string,
    method: 'PUT' | 'PATCH',
    make: () => Promise<string>,
    changed: object,
  ])[] = [
    [
      'a GraphQL endpoint',
      'PUT',
      async () =>
        `/graphql-endpoints/${(await create('/graphql-endpoints', { name: newName(), readTypes: ['*'], access: 'ANYONE' })).id}`,
      { id: 'other' },
    ],
    [
      'a REST endpoint',
      'PUT',
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
      'PATCH',
      async () => {
        const { client } = await create('/api-clients', { name: newName(), scopes: ['graphql'] });
        await call('POST', `/api-clients/${client.clientId}/keys`, { body: { name: 'Front end' } });
        return `/api-clients/${client.clientId}`;
      },
      { keys: [] },
    ],
    [
      'a webhook',
      'PATCH',
      async () => {
        const url = 'http://127.0.0.1:1/purge';
        const webhook = { name: newName(), kind: 'purge', purge, url, types: ['*'] };
        return `/webhooks/${(await create('/webhooks', webhook)).webhook.id}`;
      },
      { state: 'disabled' },
    ],
    [
      'a user',
      'PATCH',
      async () =>
        `/users/${(await create('/users', { email: `${Date.now()}@example.com`, role: 'editor' })).id}`,
      { state: 'disabled' },
    ],
    [
      'an asset',
      'PUT',
      async () => `/contents/${await createAsset({ _type: 'com.colophon.cms.db.Site', name: newName() })}`,
      { 'cms.content.nothing': 1 },
    ],
  ];

  describe('a record that is sent back as it was read', () => {
    it.each(kinds)(
      'changes nothing for %s, and is refused with another value',
      async (kind, method, make, changed) => {
        if (kind === 'a webhook' && !(await keepsHistory(instance()))) return;
        const path = await make();
        const read = await call('GET', path);
        expect([kind, read.status]).toEqual([kind, 200]);
        const etag = `${read.headers.etag ?? '*'}`;
        const headers = read.headers.etag ? { 'If-Match': etag } : {};
        const sent = await call(method, path, { headers, body: read.body });
        expect([sent.status, sent.body.detail, sent.body.problems]).toEqual([200, undefined, undefined]);
        const refused = await call(method, path, { body: { ...read.body, ...changed } });
        expect(refused.status).toBe(400);
        expect(JSON.stringify(refused.body)).toContain(Object.keys(changed)[0]);
      },
    );

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
