/** Cases of the configuration as a whole; `test/contract/cli/configuration.test.ts` has those of folders. */
import { afterAll, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { type AdminContext, noId } from './admin-caller.ts';
import { byIdQuery, countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeConfiguration(context: AdminContext): void {
  const { call, instance, newName, signIn } = context;
  const rest = createRestMaker(context);
  const empty = { graphqlEndpoints: [], restEndpoints: [], webhooks: [], apiClients: [] };
  const apply = (body: object) => call('POST', '/configuration/apply', { body: { ...empty, ...body } });
  const read = async () => {
    const { unpublished: _, ...lists } = (await call('GET', '/configuration')).body;
    return lists;
  };

  describe('the configuration', () => {
    const made: string[] = [];
    afterAll(async () => {
      for (const path of made) await call('DELETE', path);
    });

    it('is read without IDs of endpoints, and applied as it was read without a change', async () => {
      const created = await rest.create();
      made.push(rest.pathOf(created));
      const { name } = created.body.draft;
      expect((await call('GET', '/configuration')).body.unpublished).toContain(name);
      await call('POST', `${rest.pathOf(created)}/publish`);
      const lists = await read();
      expect(lists.restEndpoints).toContainEqual({ ...created.body.draft, source: 'delivery' });
      const applied = await apply({ ...lists, prune: true, force: true });
      expect([applied.status, applied.body]).toEqual([
        200,
        { changes: [], clientSecrets: [], webhookSecrets: [] },
      ]);
    });

    it('is applied where endpoints swap their paths, and theirs are served throughout', async () => {
      const names = [newName(), newName(), newName()];
      const pathOf = (name: string) => `/swapped/${name.replace(' ', '-').toLowerCase()}`;
      const [a = '', b = '', c = ''] = names;
      const at = (name: string, pathPrefix: string, result?: string) => ({
        name,
        pathPrefix,
        source: a,
        access: 'ANYONE',
        mappings: [{ name: 'Count', query: countQuery, ...(result && { result }) }],
      });
      const graphql = (name: string, path: string) => ({ name, path, readTypes: ['*'], access: 'ANYONE' });
      const [first, second] = [a.replace(' ', '-'), b.replace(' ', '-')];
      const created = await apply({
        graphqlEndpoints: [graphql(a, first), graphql(b, second)],
        restEndpoints: [at(a, pathOf(a)), at(b, pathOf(b), '/authorList/count'), at(c, pathOf(c))],
      });
      expect([created.status, created.body.failure]).toEqual([200, undefined]);
      for (const { id, draft } of (await call('GET', '/rest-endpoints')).body.items)
        if (names.includes(draft.name)) made.push(`/rest-endpoints/${id}`);
      for (const { id, name } of (await call('GET', '/graphql-endpoints')).body.items)
        if (names.includes(name)) made.push(`/graphql-endpoints/${id}`);
      // Two paths are swapped, and three go round.
      const swapped = {
        graphqlEndpoints: [graphql(a, second), graphql(b, first)],
        restEndpoints: [at(a, pathOf(b)), at(b, pathOf(c), '/authorList/count'), at(c, pathOf(a))],
      };
      const { status, body } = await apply(swapped);
      const applied = body.changes.filter((change: { applied: boolean }) => change.applied);
      expect([status, body.failure, applied.length]).toEqual([200, undefined, 5]);
      const read = async (path: string) => (await fetch(`${instance().url}${path}/count`)).json();
      expect(await read(pathOf(a))).toEqual({ data: { authorList: { count: expect.any(Number) } } });
      expect(await read(pathOf(c))).toEqual(expect.any(Number));
      const again = (await apply(swapped)).body.changes;
      expect(again.filter(({ action }: { action: string }) => action !== 'REMOVE')).toEqual([]);
      // The paths belong to their new endpoints: nobody else can publish them, and they can be left.
      const moved = await apply({ restEndpoints: [at(a, `${pathOf(a)}-moved`), at(c, pathOf(b))] });
      expect([moved.status, moved.body.failure]).toEqual([200, undefined]);
    });

    it('is checked as a whole: endpoints on new ones, routes that move, and clients', async () => {
      const [graphql, first, second] = [newName(), newName(), newName()];
      const endpoint = { name: graphql, readTypes: ['*'], access: 'ANYONE' };
      const moving = { name: 'Moving', path: '/moving', query: countQuery };
      const other = { ...moving, name: 'Other', path: '/other' };
      const pathPrefix = `/${noId}`;
      const at = (name: string, mapping: object) => ({
        name,
        pathPrefix,
        source: graphql,
        mappings: [mapping],
      });
      const clientId = newName().replace(' ', '-');
      const client = { clientId, name: 'A client', scopes: ['graphql'], endpoints: [graphql] };
      const lists = {
        graphqlEndpoints: [endpoint],
        restEndpoints: [at(first, moving), at(second, other)],
        apiClients: [client],
      };
      const created = await apply(lists);
      const actions = (body: { changes: { action: string; applied: boolean }[] }) =>
        body.changes.filter(({ applied }) => applied).map(({ action }) => action);
      expect(actions(created.body)).toEqual(['CREATE', 'CREATE', 'CREATE', 'CREATE']);
      expect(created.body.clientSecrets).toEqual([{ clientId, secret: expect.any(String) }]);
      // The first one needs the path that the second one leaves.
      const swapped = await apply({
        restEndpoints: [at(first, other), at(second, { ...moving, path: '/third' })],
      });
      expect([actions(swapped.body), swapped.body.failure]).toEqual([['UPDATE', 'UPDATE'], undefined]);
      for (const { id, draft } of (await call('GET', '/rest-endpoints')).body.items)
        if (draft.pathPrefix === pathPrefix) made.push(`/rest-endpoints/${id}`);
      for (const { id, name } of (await call('GET', '/graphql-endpoints')).body.items)
        if (name === graphql) made.push(`/graphql-endpoints/${id}`);

      const before = await read();
      const refused = await apply({
        graphqlEndpoints: [{ ...endpoint, readTypes: ['com.colophon.cms.db.Site'] }, endpoint],
        restEndpoints: [at(first, moving)],
      });
      expect(refused.body.problems).toEqual([
        { path: 'graphqlEndpoints[1].name', message: 'is also the name of graphqlEndpoints[0]' },
      ]);
      const breaking = await apply({
        graphqlEndpoints: [{ ...endpoint, readTypes: ['com.colophon.cms.db.Site'] }],
        restEndpoints: [at(first, moving)],
        apiClients: [
          { ...client, sites: [noId] },
          { ...client, clientId: 'x', endpoints: ['nowhere'] },
        ],
        webhooks: [],
      });
      expect(breaking.status).toBe(400);
      expect(breaking.body.problems.map(({ path }: { path: string }) => path)).toEqual([
        'restEndpoints[0].mappings[0].query',
        'graphqlEndpoints[0]',
        'apiClients[0].sites[0]',
        'apiClients[1].endpoints[0]',
      ]);
      expect(await read()).toEqual(before);
      await call('DELETE', `/api-clients/${clientId}`);
      const again = await apply({ graphqlEndpoints: [], apiClients: [{ ...client, endpoints: undefined }] });
      expect(again.body.problems[0].message).toContain('revoked');
    });

    it('agrees with the installation after two have applied it at once, and once more', async () => {
      const [name, endpoint] = [newName(), newName()];
      const mappings = [
        { name: 'One', path: '/{id}', query: byIdQuery, notFound: '/author', result: '/author' },
      ];
      const lists = {
        graphqlEndpoints: [{ name, readTypes: ['*'], access: 'ANYONE' }],
        restEndpoints: [{ name: endpoint, source: name, mappings }],
      };
      const both = await Promise.all([apply(lists), apply(lists)]);
      expect(both.map(({ status, body }) => body.problems ?? status)).toEqual([200, 200]);
      await apply(lists);
      const { body } = await apply({ ...lists, dryRun: true });
      const ofLists = ({ name: changed, action }: { name: string; action: string }) =>
        action !== 'REMOVE' || changed === name || changed === endpoint;
      expect(body.changes.filter(ofLists)).toEqual([]);
      const { restEndpoints } = (await call('GET', '/configuration')).body;
      const published = restEndpoints.find((one: { name: string }) => one.name === endpoint);
      expect(published.mappings[0]).toMatchObject(mappings[0] ?? {});
      for (const { id, draft } of (await call('GET', '/rest-endpoints')).body.items)
        if (draft.name === endpoint) made.push(`/rest-endpoints/${id}`);
    });

    it('never takes the scope admin from the caller, and needs the role admin', async () => {
      const lists = await read();
      const clientId = context.client()['X-Client-Id'];
      const apiClients = lists.apiClients.map((one: { clientId: string }) =>
        one.clientId === clientId ? { ...one, scopes: ['graphql'] } : one,
      );
      const refused = await apply({ ...lists, apiClients });
      expect(refused.body.problems[0].message).toContain('this API client applies the configuration');
      const pruned = await apply({ ...lists, apiClients: [], prune: true, dryRun: true, force: true });
      const removed = pruned.body.changes.map(({ name }: { name: string }) => name);
      expect(removed.includes(clientId)).toBe(false);
      const { headers } = await signIn();
      expect((await call('GET', '/configuration', { as: headers })).status).toBe(200);
    });

    it('writes secret headers of purges, and keeps them where they are empty', async () => {
      if (!(await keepsHistory(instance()))) return;
      const purge = { headers: { 'X-Tags': '{tags:comma}' }, secretHeaders: { Authorization: '' } };
      const webhook = { name: newName(), kind: 'purge', url: 'http://127.0.0.1:1/', types: ['*'], purge };
      const refused = await apply({ webhooks: [webhook] });
      expect(refused.body.problems[0].path).toBe('webhooks[0].purge.secretHeaders.Authorization');
      const withSecret = { ...webhook, purge: { ...purge, secretHeaders: { Authorization: 'a' } } };
      const created = await apply({ webhooks: [withSecret] });
      expect(created.body.webhookSecrets).toEqual([{ name: webhook.name, secret: expect.any(String) }]);
      const changed = await apply({ webhooks: [{ ...webhook, enabled: false }] });
      expect(changed.body.changes[0].members).toEqual([{ path: 'enabled', before: 'true', after: 'false' }]);
      const { items } = (await call('GET', '/webhooks')).body;
      const stored = items.find(({ name }: { name: string }) => name === webhook.name);
      made.push(`/webhooks/${stored.id}`);
      expect([stored.purge.secretHeaders, stored.state]).toEqual([['Authorization'], 'disabled']);
    });
  });
}
