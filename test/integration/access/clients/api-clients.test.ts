import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiClients, createFirstApiClient } from '../../../../src/access/clients/api-clients.ts';
import { hashSecret } from '../../../../src/access/clients/secret.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const openClients = useClients();
let opened: OpenedClients;
let clients: ApiClients;
beforeEach(async () => {
  opened = await openClients();
  clients = opened.clients;
});

const nowhere = '0190a0c0-0000-7000-8000-000000000000';

async function createSite(): Promise<string> {
  const record = { _type: 'com.colophon.cms.db.Site', name: 'Here' };
  return (await opened.system.create(record, {})).asset._id;
}

async function createEndpoint(name: string): Promise<string> {
  const record = {
    _type: 'com.colophon.system.GraphqlEndpoint',
    name,
    path: name,
    readTypes: ['*'],
    writeTypes: [],
    access: 'API_KEY',
    defaultLimit: 10,
    maxLimit: 100,
    introspection: false,
    trustedOnly: false,
  };
  return (await opened.system.create(record, {})).asset._id;
}

const importer = { name: 'Importer', scopes: ['cma:read', 'cma:write'] } as const;

describe('creating', () => {
  it('generates omitted values, and stores only the hash of the secret', async () => {
    const { clientId, secret } = await clients.create(importer);
    expect(secret).toBe('secret-1');
    expect(await clients.list()).toEqual([
      {
        ...importer,
        clientId,
        secretHash: hashSecret(secret),
        createdAtMs: 1000,
        updatedAtMs: 1000,
        keys: [],
      },
    ]);
  });

  it('accepts a given ID and secret', async () => {
    const given = { clientId: `it's"x"`, secret: 's' };
    expect(await clients.create({ ...importer, ...given })).toEqual(given);
    expect(await clients.list()).toMatchObject([{ clientId: given.clientId, secretHash: hashSecret('s') }]);
  });

  it('ignores duplicate scopes', async () => {
    await clients.create({ ...importer, scopes: ['admin', 'admin'] });
    expect(await clients.list()).toMatchObject([{ scopes: ['admin'] }]);
  });

  it.each([
    ['no scopes', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['admin', 'cma:raed'] }, 'scopes[1]'],
    ['a scope named like a member of every object', { scopes: ['toString'] }, 'scopes[0]'],
    ['no sites', { sites: [] }, 'sites'],
    ['a site that does not exist', { sites: [nowhere] }, 'sites[0]'],
    ['a site that is no UUID', { sites: ['home'] }, 'sites[0]'],
    ['no endpoints', { endpoints: [] }, 'endpoints'],
    ['an endpoint that does not exist', { endpoints: [nowhere] }, 'endpoints[0]'],
    ['an empty name', { name: '' }, 'name'],
    ['an empty ID', { clientId: '' }, 'clientId'],
    ['an ID with a blank', { clientId: 'a b' }, 'clientId'],
    ['an ID with characters outside ASCII', { clientId: 'ü' }, 'clientId'],
    ['a very long ID', { clientId: 'x'.repeat(101) }, 'clientId'],
  ])('refuses %s', async (_name, wrong, path) => {
    const refusal = { code: 'invalid_body', details: { problems: [{ path }] } };
    await expect(clients.create({ ...importer, ...wrong })).rejects.toMatchObject(refusal);
    expect(await clients.list()).toEqual([]);
  });

  it('reports all problems at once, by the names in the request', async () => {
    const wrong = { name: '', scopes: ['x'], sites: [await createEndpoint('e')], endpoints: ['y'] };
    await expect(clients.create(wrong)).rejects.toMatchObject({
      details: {
        problems: expect.arrayContaining([
          { path: 'name', message: expect.any(String) },
          {
            path: 'scopes[0]',
            message: 'must be one of cma:read, cma:write, cma:draft, history, graphql, metrics, admin',
          },
          { path: 'endpoints[0]', message: 'must be a UUID' },
        ]),
      },
    });
    await expect(clients.create({ ...importer, sites: wrong.sites })).rejects.toMatchObject({
      details: { problems: [{ path: 'sites[0]', message: 'is the ID of something else' }] },
    });
  });

  it('stores the sites and endpoints that restrict the client', async () => {
    const held = {
      sites: [await createSite()],
      endpoints: [await createEndpoint('a'), await createEndpoint('b')],
    };
    const { clientId } = await clients.create({ ...importer, ...held });
    expect(await clients.get(clientId)).toMatchObject(held);
  });

  it('refuses an ID in use, also by a revoked client', async () => {
    await clients.create({ ...importer, clientId: 'x' });
    await expect(clients.create({ ...importer, clientId: 'x' })).rejects.toMatchObject({
      code: 'value_in_use',
    });
    await clients.revoke('x');
    await expect(clients.create({ ...importer, clientId: 'x' })).rejects.toMatchObject({
      code: 'value_in_use',
    });
  });
});

it('lists more clients than a page, in the order of creation', async () => {
  const ids = Array.from({ length: 1001 }, (_, n) => `client-${n}`);
  await Promise.all(ids.map((clientId) => clients.create({ ...importer, clientId })));
  expect((await clients.list()).map(({ clientId }) => clientId)).toEqual(ids);
});

describe('rotating and revoking', () => {
  it('replace the secret and end the client', async () => {
    const { clientId } = await clients.create(importer);
    const { secret } = await clients.rotate(clientId);
    expect(secret).toBe('secret-2');
    expect(await clients.list()).toMatchObject([{ secretHash: hashSecret('secret-2') }]);
    opened.clock.advance(500);
    await clients.revoke(clientId);
    expect(await clients.list()).toMatchObject([{ clientId, revokedAtMs: 1500 }]);
  });

  it('find no client with another ID, and no revoked client', async () => {
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    for (const id of ['nobody', '', '__proto__', clientId, "' or true"]) {
      await expect(clients.rotate(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(clients.revoke(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('getting one', () => {
  it('returns the values of the list, with a version that every change replaces', async () => {
    const { clientId } = await clients.create(importer);
    const { version, ...client } = await clients.get(clientId);
    expect([client]).toEqual(await clients.list());
    await clients.rotate(clientId);
    expect((await clients.get(clientId)).version).not.toBe(version);
  });

  it('finds revoked clients, but none with an unknown ID', async () => {
    for (const id of ['nobody', '', '__proto__', '\0', '\ud800', "' or true", 'x'.repeat(100_000)]) {
      await expect(clients.get(id)).rejects.toMatchObject({ code: 'not_found' });
    }
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    expect((await clients.get(clientId)).revokedAtMs).toBe(1000);
  });
});

describe('updating', () => {
  it('changes only the given members', async () => {
    const site = await createSite();
    const { clientId, secret } = await clients.create({ ...importer, sites: [site] });
    const before = await clients.get(clientId);
    const updated = await clients.update({ clientId, changes: { name: 'Reader', scopes: ['cma:read'] } });
    expect(updated).toEqual({ ...before, name: 'Reader', scopes: ['cma:read'], version: updated.version });
    expect(updated.version).not.toBe(before.version);
    expect(await clients.get(clientId)).toEqual(updated);
    expect(updated.secretHash).toBe(hashSecret(secret));
  });

  it('restricts a client to sites and endpoints, and removes restrictions with null', async () => {
    const { clientId } = await clients.create(importer);
    const held = { sites: [await createSite()], endpoints: [await createEndpoint('a')] };
    expect(await clients.update({ clientId, changes: held })).toMatchObject(held);
    const freed = await clients.update({ clientId, changes: { sites: null, endpoints: null } });
    expect(freed).not.toHaveProperty('sites');
    expect(freed).not.toHaveProperty('endpoints');
  });

  it('refuses the same values as creating, and does not change the client', async () => {
    const { clientId } = await clients.create(importer);
    const before = await clients.get(clientId);
    for (const [changes, path] of [
      [{ name: '' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['root'] }, 'scopes[0]'],
      [{ sites: [] }, 'sites'],
      [{ endpoints: [nowhere] }, 'endpoints[0]'],
    ] as const) {
      const refusal = { code: 'invalid_body', details: { problems: [{ path }] } };
      await expect(clients.update({ clientId, changes })).rejects.toMatchObject(refusal);
    }
    expect(await clients.get(clientId)).toEqual(before);
  });

  it('is refused when the client has changed since it was read', async () => {
    const { clientId } = await clients.create(importer);
    const { version } = await clients.get(clientId);
    const ifVersions = ['another', version];
    await clients.update({ clientId, changes: { name: 'One' }, ifVersions });
    await expect(clients.update({ clientId, changes: { name: 'Two' }, ifVersions })).rejects.toMatchObject({
      code: 'precondition_failed',
      details: { id: clientId },
    });
    expect((await clients.get(clientId)).name).toBe('One');
  });

  it('does not find revoked clients', async () => {
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    await expect(clients.update({ clientId, changes: { name: 'x' } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a client with the scope admin', () => {
  const refusal = {
    code: 'invalid_body',
    details: { problems: [expect.objectContaining({ path: 'scopes' })] },
  };

  it('cannot be restricted, because it could remove the restrictions itself', async () => {
    const sites = [await createSite()];
    await expect(clients.create({ name: 'A', scopes: ['admin'], sites })).rejects.toMatchObject(refusal);
    const { clientId: admin } = await clients.create({ name: 'A', scopes: ['admin'] });
    const { clientId: held } = await clients.create({ ...importer, sites });
    const hold = clients.update({ clientId: admin, changes: { sites } });
    await expect(hold).rejects.toMatchObject(refusal);
    const promote = clients.update({ clientId: held, changes: { scopes: ['admin'] } });
    await expect(promote).rejects.toMatchObject(refusal);
    await clients.update({ clientId: held, changes: { scopes: ['admin'], sites: null } });
  });
});

describe('keys', () => {
  it('are returned once, stored as a hash, and removed by their ID', async () => {
    const { clientId } = await clients.create(importer);
    const one = await clients.addKey({ clientId, name: 'Site' });
    const other = await clients.addKey({ clientId, name: 'App' });
    expect(one.key).toEqual({
      id: expect.any(String),
      name: 'Site',
      keyHash: hashSecret(one.secret),
      createdAtMs: 1000,
    });
    expect((await clients.get(clientId)).keys).toEqual([one.key, other.key]);
    await clients.removeKey({ clientId, keyId: one.key.id });
    expect((await clients.get(clientId)).keys).toEqual([other.key]);
  });

  it('added concurrently are all stored, with other concurrent changes', async () => {
    const { clientId } = await clients.create(importer);
    const names = Array.from({ length: 20 }, (_, n) => `key ${n}`);
    await Promise.all([
      ...names.map((name) => clients.addKey({ clientId, name })),
      clients.update({ clientId, changes: { name: 'Renamed' } }),
    ]);
    const { keys, name } = await clients.get(clientId);
    expect(new Set(keys.map((key) => key.name))).toEqual(new Set(names));
    expect(name).toBe('Renamed');
  });

  it('are limited to twenty', async () => {
    const { clientId } = await clients.create(importer);
    for (let n = 0; n < 20; n++) await clients.addKey({ clientId, name: 'x' });
    await expect(clients.addKey({ clientId, name: 'x' })).rejects.toMatchObject({
      code: 'invalid_body',
      details: { problems: [{ path: 'keys' }] },
    });
    expect((await clients.get(clientId)).keys).toHaveLength(20);
  });

  it.each(['', 'x'.repeat(101), '\0'])('need a valid name: not %j', async (name) => {
    const { clientId } = await clients.create(importer);
    await clients.addKey({ clientId, name: 'first' });
    const refusal = { code: 'invalid_body', details: { problems: [{ path: 'name' }] } };
    await expect(clients.addKey({ clientId, name })).rejects.toMatchObject(refusal);
  });

  it('that do not exist cannot be removed', async () => {
    const { clientId } = await clients.create(importer);
    const { key } = await clients.addKey({ clientId, name: 'x' });
    const { clientId: other } = await clients.create(importer);
    for (const wrong of [
      { clientId, keyId: nowhere },
      { clientId, keyId: '' },
      { clientId: other, keyId: key.id },
      { clientId: 'nobody', keyId: key.id },
    ]) {
      await expect(clients.removeKey(wrong)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await clients.get(clientId)).keys).toEqual([key]);
  });

  it('cannot be added to a revoked client', async () => {
    const { clientId } = await clients.create(importer);
    const { key } = await clients.addKey({ clientId, name: 'x' });
    await clients.revoke(clientId);
    const gone = { code: 'not_found' };
    await expect(clients.addKey({ clientId, name: 'y' })).rejects.toMatchObject(gone);
    await expect(clients.removeKey({ clientId, keyId: key.id })).rejects.toMatchObject(gone);
  });
});

it('the revision differs after every write, and after no read', async () => {
  const revisions = [await clients.revision()];
  const { clientId } = await clients.create(importer);
  revisions.push(await clients.revision());
  await clients.rotate(clientId);
  revisions.push(await clients.revision());
  await clients.revoke(clientId);
  revisions.push(await clients.revision());
  expect(new Set(revisions).size).toBe(4);
  await clients.list();
  expect(await clients.revision()).toBe(revisions.at(-1));
});

describe('the first client', () => {
  it('is created from the given values in an empty store, with the content scopes', async () => {
    expect(await createFirstApiClient(clients, { clientId: 'me' })).toEqual({
      clientId: 'me',
      secret: 'secret-1',
    });
    expect(await clients.list()).toMatchObject([
      { clientId: 'me', scopes: ['cma:read', 'cma:write', 'graphql'] },
    ]);
  });

  it('is not created when a client exists, even a revoked one', async () => {
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    expect(await createFirstApiClient(clients, { clientId: 'me' })).toBeUndefined();
    expect(await clients.list()).toHaveLength(1);
  });

  it('is created by only one of many processes that start at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createFirstApiClient(clients, {})));
    expect(made.filter((credentials) => credentials !== undefined)).toHaveLength(1);
    expect(await clients.list()).toHaveLength(1);
  });
});
