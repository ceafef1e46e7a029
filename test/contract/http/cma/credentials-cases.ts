/** Cases of the credentials, scopes and sites of CMA callers. */
import { describe, expect, it } from 'vitest';
import { type CmaContext, noAsset, site, text } from './cma-content.ts';

/** Runs the cases. */
export function describeCredentials({ call, create, instance }: CmaContext): void {
  describe('credentials', () => {
    const wrong: [name: string, headers: Record<string, string>][] = [
      ['no header', {}],
      ['the ID alone', { 'X-Client-Id': 'x' }],
      ['the secret alone', { 'X-Client-Secret': 'x' }],
      ['an unknown ID', { 'X-Client-Id': 'nobody', 'X-Client-Secret': 'x' }],
      [
        'an ID named like a property of every JavaScript object',
        { 'X-Client-Id': '__proto__', 'X-Client-Secret': 'x' },
      ],
      ['bytes outside ASCII', { 'X-Client-Id': '\u00ff\u0080é', 'X-Client-Secret': '\u00fe\u00ff' }],
      ['a token of no client', { Authorization: 'Bearer header.payload.signature' }],
      ['a malformed token', { Authorization: 'Bearer' }],
      ['another scheme', { Authorization: 'Basic YTpi' }],
      ['very long credentials', { 'X-Client-Id': 'x'.repeat(10_000), 'X-Client-Secret': 'y'.repeat(10_000) }],
    ];
    it.each(wrong)('are refused with 401: %s', async (_name, headers) => {
      const { status, body } = await call('GET', { client: null, headers, query: { from: text } });
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    });

    it('are refused when the secret is wrong', async () => {
      const headers = {
        ...instance().headers,
        'X-Client-Secret': `${instance().headers['X-Client-Secret']}x`,
      };
      expect((await call('GET', { client: null, headers })).status).toBe(401);
    });

    it('may be sent as a bearer token, unless the two headers are sent too', async () => {
      const { 'X-Client-Id': id, 'X-Client-Secret': secret } = instance().headers;
      const statusOf = async (headers: Record<string, string>) =>
        (await call('GET', { client: null, headers, query: { from: text } })).status;
      expect(await statusOf({ Authorization: `Bearer ${id}.${secret}` })).toBe(200);
      expect(await statusOf({ Authorization: `bearer  ${id}.${secret}` })).toBe(200);
      expect(await statusOf({ Authorization: `Bearer ${id}.${secret}x` })).toBe(401);
      expect(await statusOf({ Authorization: `Bearer ${id}.${secret}`, 'X-Client-Id': `${id}` })).toBe(401);
      expect(await statusOf({ ...instance().headers, Authorization: 'Basic YTpi' })).toBe(200);
      expect(await statusOf({ ...instance().headers, Authorization: 'Bearer of.a.proxy' })).toBe(200);
    });

    it.each([
      ['nobody.secret', 'The client ID or the client secret is wrong'],
      ['secret', 'The token of Authorization: Bearer must be "<client ID>.<secret>"'],
    ])('say what is wrong with the bearer token %s', async (token, message) => {
      const headers = { Authorization: `Bearer ${token}` };
      const { body } = await call('GET', { client: null, headers, query: { from: text } });
      expect(body.error.message).toBe(message);
    });

    it.each([
      ['an unknown asset to read', 'GET', { path: `/${noAsset}` }],
      ['a wrong path', 'GET', { path: '/a/b/c' }],
      ['an unsupported method', 'PATCH', {}],
      ['a patch of another media type', 'PATCH', { path: `/${noAsset}`, body: {} }],
      ['a broken body', 'POST', { raw: '{', headers: { 'Content-Type': 'application/json' } }],
      ['another media type', 'POST', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
      ['a body that is too large', 'PUT', { path: `/${noAsset}`, body: { x: 'x'.repeat(5_000_000) } }],
      ['an unsupported method of files', 'GET', { path: '/files' }],
      ['a bad query string', 'GET', { path: '?from=%E0' }],
      ['an unknown asset', 'DELETE', { path: `/${noAsset}` }],
    ] as const)('come before everything else: %s', async (_name, method, sent) => {
      expect((await call(method, { ...sent, client: null })).status).toBe(401);
    });

    it('need the scope of the operation', async () => {
      const { _id } = await create({ _type: text, name: 'scoped' });
      const reader = await instance().createClient({ scopes: ['cma:read'] });
      const writer = await instance().createClient({ scopes: ['cma:write'] });
      const stranger = await instance().createClient({ scopes: ['graphql', 'admin'] });
      await expect
        .poll(async () => (await call('GET', { path: `/${_id}`, client: stranger })).status)
        .toBe(403);
      const statusOf = async (method: string, path: string, client: typeof reader, body?: object) =>
        (
          await call(method, {
            path,
            client,
            ...(body ? { body } : {}),
            query: method === 'GET' && path === '' ? { from: text } : {},
          })
        ).status;
      expect(await statusOf('GET', '', reader)).toBe(200);
      expect(await statusOf('POST', '/query', reader, { from: text })).toBe(200);
      expect(await statusOf('POST', '/query', writer, { from: text })).toBe(403);
      expect(await statusOf('GET', `/${_id}`, reader)).toBe(200);
      expect(await statusOf('POST', '', reader, { _type: text, name: 'x' })).toBe(403);
      expect(await statusOf('PUT', `/${_id}`, reader, { name: 'x' })).toBe(403);
      expect(await statusOf('DELETE', `/${_id}`, reader)).toBe(403);
      const patch = { raw: '{}', headers: { 'Content-Type': 'application/merge-patch+json' } };
      expect((await call('PATCH', { path: `/${_id}`, client: reader, ...patch })).status).toBe(403);
      expect(await statusOf('GET', '', writer)).toBe(403);
      expect(await statusOf('GET', `/${_id}`, writer)).toBe(403);
      expect(await statusOf('PUT', `/${_id}`, writer, { name: 'written' })).toBe(200);
      expect(await statusOf('DELETE', `/${_id}`, writer)).toBe(200);
    });

    it('stop working after a rotation or revocation', async () => {
      const old = await instance().createClient({});
      const statusOf = async (client: typeof old) =>
        (await call('GET', { query: { from: text }, client })).status;
      await expect.poll(() => statusOf(old)).toBe(200);
      const rotated = await instance().rotate(old);
      await expect.poll(() => statusOf(old)).toBe(401);
      expect(await statusOf(rotated)).toBe(200);
      await instance().revoke(rotated);
      await expect.poll(() => statusOf(rotated)).toBe(401);
    });

    it('may be restricted to certain sites, so that no other asset is visible', async () => {
      const { _id: mine } = await create({ _type: site, name: 'Mine' });
      const { _id: theirs } = await create({ _type: site, name: 'Theirs' });
      const ownedBy = (id: string) => ({ 'cms.site.owner': { _ref: id, _type: site } });
      const own = await create({ _type: text, name: 'bounded own', ...ownedBy(mine) });
      const foreign = await create({ _type: text, name: 'bounded foreign', ...ownedBy(theirs) });
      await create({ _type: text, name: 'bounded global' });
      const client = await instance().createClient({ sites: [mine] });
      await expect.poll(async () => (await call('GET', { path: `/${own._id}`, client })).status).toBe(200);
      const found = await call('GET', { query: { from: text, where: "name startsWith 'bounded'" }, client });
      expect(found.body.result).toEqual({ count: 1, items: [own] });
      expect((await call('GET', { path: `/${foreign._id}`, client })).status).toBe(404);
      expect((await call('DELETE', { path: `/${foreign._id}`, client })).status).toBe(404);
      expect((await call('POST', { body: { _type: text, name: 'x' }, client })).status).toBe(403);
      expect(
        (await call('POST', { body: { _type: text, name: 'x', ...ownedBy(theirs) }, client })).status,
      ).toBe(403);
      expect(
        (await call('POST', { body: { _type: text, name: 'x', ...ownedBy(mine) }, client })).status,
      ).toBe(200);
      const move = await call('PUT', { path: `/${own._id}`, body: ownedBy(theirs), client });
      expect([move.status, move.body.error.code]).toEqual([403, 'forbidden']);
      expect(
        (await call('PUT', { path: `/${own._id}`, body: { 'cms.site.owner': null }, client })).status,
      ).toBe(403);
    });
  });
}
