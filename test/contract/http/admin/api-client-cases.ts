/** Cases of API clients. */
import { describe, expect, it } from 'vitest';
import { site, text } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeApiClients({ call, createAsset, instance, newName }: AdminContext): void {
  const create = async (fields: object = {}) => {
    const body = { name: newName(), scopes: ['cma:read'], ...fields };
    const { status, body: issued } = await call('POST', '/api-clients', { body });
    if (status !== 201) throw new Error(JSON.stringify(issued));
    return issued;
  };
  const toHeaders = ({ client, secret }: { client: { clientId: string }; secret: string }) => ({
    'X-Client-Id': client.clientId,
    'X-Client-Secret': secret,
  });
  const cmaStatus = async (headers: Record<string, string>) =>
    (await fetch(`${instance().cmaUrl}?from=${text}&limit=0`, { headers })).status;
  const graphqlStatus = async (headers: Record<string, string>) => {
    const sent = { ...headers, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ query: '{ textList { count } }' });
    return (await fetch(`${instance().url}/graphql/delivery`, { method: 'POST', headers: sent, body }))
      .status;
  };

  describe('an API client', () => {
    it('is created with a secret that works at once and is never shown again', async () => {
      const name = newName();
      const created = await call('POST', '/api-clients', { body: { name, scopes: ['cma:read', 'graphql'] } });
      const { client, secret } = created.body;
      expect(client).toEqual({
        clientId: expect.any(String),
        name,
        scopes: ['cma:read', 'graphql'],
        keys: [],
        createdAt: expect.any(Number),
        updatedAt: client.createdAt,
      });
      expect(Math.abs(Date.now() - client.createdAt)).toBeLessThan(60_000);
      expect(created.headers.location).toBe(`/api/admin/api-clients/${client.clientId}`);
      expect(await cmaStatus(toHeaders(created.body))).toBe(200);
      const read = await call('GET', `/api-clients/${client.clientId}`);
      expect(read.body).toEqual(client);
      const listed = await call('GET', '/api-clients');
      expect(listed.body.items).toContainEqual(client);
      expect(JSON.stringify([read, listed])).not.toContain(secret);
    });

    it('can be created with a unique ID, which works percent-encoded in paths', async () => {
      const clientId = `${newName().replace(' ', '-')}/ä?#%`.replace('ä', '~');
      const { client } = await create({ clientId });
      expect(client.clientId).toBe(clientId);
      const path = `/api-clients/${encodeURIComponent(clientId)}`;
      expect((await call('GET', path)).body).toEqual(client);
      const again = await call('POST', '/api-clients', {
        body: { name: 'x', scopes: ['graphql'], clientId },
      });
      expect([again.status, again.body.code]).toEqual([409, 'value_in_use']);
    });

    it.each([
      ['no name', { name: undefined }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['no scopes', { scopes: [] }, 'scopes'],
      ['an unknown scope', { scopes: ['cma:read', 'root'] }, 'scopes[1]'],
      ['sites that are not a list', { sites: noId }, 'sites'],
      ['a site that does not exist', { sites: [noId] }, 'sites[0]'],
      ['an endpoint that does not exist', { endpoints: [noId] }, 'endpoints[0]'],
      ['an endpoint that is not a UUID', { endpoints: ['delivery'] }, 'endpoints[0]'],
      ['a given secret', { secret: 'x' }, 'secret'],
      ['a record ID', { recordId: noId }, 'recordId'],
      ['an ID with a space', { clientId: 'a b' }, 'clientId'],
    ])('is refused with %s', async (_name, fields, path) => {
      const body = { name: 'A name', scopes: ['graphql'], ...fields };
      const { status, body: problem } = await call('POST', '/api-clients', { body });
      expect([status, problem.code, problem.problems]).toEqual([
        400,
        'invalid_body',
        [{ path, message: expect.any(String) }],
      ]);
    });

    it('is patched field by field, and only in the state that If-Match names', async () => {
      const { client } = await create({ sites: [await createAsset({ _type: site, name: 'A site' })] });
      const path = `/api-clients/${client.clientId}`;
      const { headers } = await call('GET', path);
      const renamed = await call('PATCH', path, {
        body: { name: 'Renamed', scopes: ['cma:write'] },
        headers: { 'If-Match': headers.etag ?? '' },
      });
      expect(renamed.body).toEqual({
        ...client,
        name: 'Renamed',
        scopes: ['cma:write'],
        updatedAt: expect.any(Number),
      });
      const stale = await call('PATCH', path, {
        body: { name: 'Lost' },
        headers: { 'If-Match': headers.etag ?? '' },
      });
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
      const freed = await call('PATCH', path, { body: { sites: null } });
      expect(freed.body).not.toHaveProperty('sites');
      const { body } = await call('PATCH', path, { body: { name: null, secretHash: 'x' } });
      expect(body.problems.map(({ path }: { path: string }) => path).toSorted()).toEqual([
        'name',
        'secretHash',
      ]);
    });

    it('receives a new secret, which replaces the old one at once', async () => {
      const old = await create();
      const { status, body } = await call('POST', `/api-clients/${old.client.clientId}/secret`);
      expect([status, body.client]).toEqual([200, { ...old.client, updatedAt: expect.any(Number) }]);
      expect(await cmaStatus(toHeaders(old))).toBe(401);
      expect(await cmaStatus(toHeaders(body))).toBe(200);
    });

    it('has keys, each of which works until it is deleted', async () => {
      const { client } = await create({ scopes: ['graphql'] });
      const path = `/api-clients/${client.clientId}`;
      const { status, body } = await call('POST', `${path}/keys`, { body: { name: 'Front end' } });
      expect([status, body.key.name]).toEqual([201, 'Front end']);
      await call('POST', `${path}/keys`, { body: { name: 'Another' } });
      const { body: read } = await call('GET', path);
      expect(read.keys).toHaveLength(2);
      expect(read.keys).toContainEqual(body.key);
      expect(JSON.stringify(read)).not.toContain(body.secret);
      expect(await graphqlStatus({ 'X-API-Key': body.secret })).toBe(200);
      expect((await call('DELETE', `${path}/keys/${body.key.id}`)).status).toBe(204);
      expect(await graphqlStatus({ 'X-API-Key': body.secret })).toBe(401);
      expect((await call('DELETE', `${path}/keys/${body.key.id}`)).status).toBe(404);
      expect((await call('GET', path)).body.keys).toHaveLength(1);
    });

    it('has keys that expire, which are refused from that moment on', async () => {
      const { client } = await create({ scopes: ['graphql'] });
      const path = `/api-clients/${client.clientId}/keys`;
      const expiresAt = Date.now() + 3_600_000;
      const { status, body } = await call('POST', path, { body: { name: 'Trade fair', expiresAt } });
      expect([status, body.key]).toEqual([
        201,
        { id: expect.any(String), name: 'Trade fair', createdAt: expect.any(Number), expiresAt },
      ]);
      expect((await call('GET', `/api-clients/${client.clientId}`)).body.keys).toEqual([body.key]);
      const { body: lasting } = await call('POST', path, { body: { name: 'Site' } });
      expect(await graphqlStatus({ 'X-API-Key': body.secret })).toBe(200);
      instance().advanceClock(3_600_000);
      try {
        const refused = await fetch(`${instance().url}/graphql/delivery?query={__typename}`, {
          headers: { 'X-API-Key': body.secret },
        });
        expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('has expired')]);
        expect(await graphqlStatus({ 'X-API-Key': lasting.secret })).toBe(200);
      } finally {
        instance().advanceClock(-3_600_000);
      }
      for (const [wrong, message] of [
        [Date.now() - 1, 'must be in the future'],
        [expiresAt + 0.5, expect.any(String)],
        [String(expiresAt), expect.any(String)],
        [null, expect.any(String)],
      ]) {
        const refused = await call('POST', path, { body: { name: 'Past', expiresAt: wrong } });
        expect([refused.status, refused.body.problems]).toEqual([400, [{ path: 'expiresAt', message }]]);
      }
    });

    it('is revoked permanently', async () => {
      const issued = await create();
      const path = `/api-clients/${issued.client.clientId}`;
      expect((await call('DELETE', path)).status).toBe(204);
      expect(await cmaStatus(toHeaders(issued))).toBe(401);
      const { body } = await call('GET', path);
      expect(body).toEqual({
        ...issued.client,
        revokedAt: expect.any(Number),
        updatedAt: expect.any(Number),
      });
      expect((await call('POST', `${path}/secret`)).status).toBe(404);
      expect((await call('PATCH', path, { body: { name: 'Back' } })).status).toBe(404);
      const again = { name: 'x', scopes: ['graphql'], clientId: issued.client.clientId };
      expect((await call('POST', '/api-clients', { body: again })).status).toBe(409);
    });
  });
}
