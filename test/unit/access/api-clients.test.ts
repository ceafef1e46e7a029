import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiClients, createFirstApiClient } from '../../../src/access/api-clients.ts';
import { hashSecret } from '../../../src/access/secret.ts';
import { type OpenedClients, openClients } from '../../support/api-clients.ts';

let opened: OpenedClients;
let clients: ApiClients;
beforeEach(async () => {
  opened = await openClients();
  clients = opened.clients;
});
afterEach(() => opened.remove());

const importer = { name: 'Importer', scopes: ['cma:read', 'cma:write'] } as const;

describe('creating', () => {
  it('makes up what is not given, and keeps of the secret its hash alone', async () => {
    const { clientId, secret } = await clients.create(importer);
    expect(secret).toBe('secret-1');
    expect(await clients.list()).toEqual([{ ...importer, clientId, secretHash: hashSecret(secret) }]);
  });

  it('takes an ID and a secret that are given', async () => {
    const given = { clientId: `it's"x"`, secret: 's' };
    expect(await clients.create({ ...importer, ...given })).toEqual(given);
    expect(await clients.list()).toMatchObject([{ clientId: given.clientId, secretHash: hashSecret('s') }]);
  });

  it('counts a scope that is given twice once', async () => {
    await clients.create({ ...importer, scopes: ['admin', 'admin'] });
    expect(await clients.list()).toMatchObject([{ scopes: ['admin'] }]);
  });

  it.each([
    ['no scopes', { scopes: [] }, 'scopes'],
    ['no sites', { sites: [] }, 'sites'],
    ['a site that is not there', { sites: ['0190a0c0-0000-7000-8000-000000000000'] }, 'sites[0]'],
    ['an empty name', { name: '' }, 'name'],
    ['an empty ID', { clientId: '' }, 'clientId'],
    ['an ID with a blank', { clientId: 'a b' }, 'clientId'],
    ['an ID beyond ASCII', { clientId: 'ü' }, 'clientId'],
    ['a very long ID', { clientId: 'x'.repeat(101) }, 'clientId'],
  ])('refuses %s', async (_name, wrong, path) => {
    const refusal = { code: 'invalid_body', details: { problems: [{ path }] } };
    await expect(clients.create({ ...importer, ...wrong })).rejects.toMatchObject(refusal);
    expect(await clients.list()).toEqual([]);
  });

  it('refuses an ID in use, a revoked client included', async () => {
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

it('lists more clients than a page holds, in the order they were made', async () => {
  const ids = Array.from({ length: 1001 }, (_, n) => `client-${n}`);
  await Promise.all(ids.map((clientId) => clients.create({ ...importer, clientId })));
  expect((await clients.list()).map(({ clientId }) => clientId)).toEqual(ids);
});

describe('rotating and revoking', () => {
  it('give a new secret, and an end', async () => {
    const { clientId } = await clients.create(importer);
    const { secret } = await clients.rotate(clientId);
    expect(secret).toBe('secret-2');
    expect(await clients.list()).toMatchObject([{ secretHash: hashSecret('secret-2') }]);
    opened.clock.advance(500);
    await clients.revoke(clientId);
    expect(await clients.list()).toMatchObject([{ clientId, revokedAtMs: 1500 }]);
  });

  it('find nobody of another ID, and nobody who is revoked', async () => {
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    for (const id of ['nobody', '', '__proto__', clientId, "' or true"]) {
      await expect(clients.rotate(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(clients.revoke(id)).rejects.toMatchObject({ code: 'not_found' });
    }
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
  it('is made of what is given in an empty store, with the scopes of content', async () => {
    expect(await createFirstApiClient(clients, { clientId: 'me' })).toEqual({
      clientId: 'me',
      secret: 'secret-1',
    });
    expect(await clients.list()).toMatchObject([
      { clientId: 'me', scopes: ['cma:read', 'cma:write', 'graphql'] },
    ]);
  });

  it('is not made where there was one, even if it is revoked', async () => {
    const { clientId } = await clients.create(importer);
    await clients.revoke(clientId);
    expect(await createFirstApiClient(clients, { clientId: 'me' })).toBeUndefined();
    expect(await clients.list()).toHaveLength(1);
  });

  it('is made by one of many that start at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createFirstApiClient(clients, {})));
    expect(made.filter((credentials) => credentials !== undefined)).toHaveLength(1);
    expect(await clients.list()).toHaveLength(1);
  });
});
