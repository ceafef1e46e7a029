import { beforeEach, expect, it } from 'vitest';
import { createDemoClient } from '../../../../src/cli/demo/create-demo-client.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const openClients = useClients();
let opened: OpenedClients;
beforeEach(async () => {
  opened = await openClients();
});

const demo = { clientId: 'demo', secret: 'demo' };
const everything = ['cma:read', 'cma:write', 'cma:draft', 'history', 'graphql', 'metrics', 'admin'];
const scopesNow = async () => (await opened.clients.list()).map(({ scopes }) => scopes);

it('creates the client of a new store with every scope, once', async () => {
  await createDemoClient(opened.clients, demo);
  await createDemoClient(opened.clients, demo);
  expect(await scopesNow()).toEqual([everything]);
});

it('adds the scopes that the first client of a server lacks', async () => {
  await opened.clients.create({
    ...demo,
    name: 'First client',
    scopes: ['cma:read', 'cma:write', 'graphql'],
  });
  await createDemoClient(opened.clients, demo);
  expect(await scopesNow()).toEqual([everything]);
});

it('leaves a client that was revoked or restricted, and other clients, as they are', async () => {
  await opened.clients.create({ ...demo, name: 'Revoked', scopes: ['cma:read'] });
  await opened.clients.revoke('demo');
  const { asset } = await opened.system.create({ _type: 'com.colophon.cms.db.Site', name: 'Here' }, {});
  await opened.clients.create({
    clientId: 'restricted',
    name: 'Restricted',
    scopes: ['cma:read'],
    sites: [asset._id],
  });
  for (const clientId of ['demo', 'restricted', 'unknown'])
    await createDemoClient(opened.clients, { clientId, secret: 'demo' });
  expect(await scopesNow()).toEqual([['cma:read'], ['cma:read']]);
});
