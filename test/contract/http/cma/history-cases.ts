/** Cases of the history of assets: their changes and past states. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keepsHistory, trimHistory } from '../../../support/history.ts';
import type { ClientHeaders } from '../../../support/instance.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { article, type CmaContext, noAsset, site, text } from './cma-content.ts';

/** The senders of the cases, and calls as them. */
export interface HistoryContext extends CmaContext {
  location(): StoreLocation;
  /** A client with the scopes of the CMA and `history`. */
  historian(): ClientHeaders;
  /** A test that a store without a change log skips. */
  past(name: string, run: () => Promise<void>): void;
}

/** Creates the context of the cases; to be called while a suite is collected. */
export function createHistoryContext(context: CmaContext, location: () => StoreLocation): HistoryContext {
  let historian: ClientHeaders;
  beforeAll(async () => {
    const instance = context.instance();
    historian = await instance.createClient({
      name: 'Historian',
      scopes: ['cma:read', 'cma:write', 'history'],
    });
    await instance.refresh();
  });
  return {
    ...context,
    location,
    historian: () => historian,
    past: (name, run) =>
      it(name, async ({ skip }) => {
        if (!(await keepsHistory(context.instance()))) skip('the store keeps no change log');
        await run();
      }),
  };
}

/** Returns the version in an ETag. */
export const versionOf = (etag: string | undefined) => /^"([^".]+)/.exec(etag ?? '')?.[1] ?? '';

/** Runs the cases. */
export function describeHistory(context: HistoryContext): void {
  const { call, create, instance, newArticle, past } = context;
  const asHistorian = () => ({ client: context.historian() });
  const read = (id: string, query: Record<string, string | number> = {}) =>
    call('GET', { path: `/${id}`, query, ...asHistorian() });
  const list = (id: string, query: Record<string, string | number> = {}) =>
    call('GET', { path: `/${id}/history`, query, ...asHistorian() });
  const actionsOf = (items: { action: string }[]) => items.map(({ action }) => action);

  describe('the history of an asset', () => {
    past('lists its changes, newest first, with who made them and which fields changed', async () => {
      const client = context.historian();
      const created = await call('POST', { body: { _type: text, name: 'first', text: '<p>a</p>' }, client });
      const { _id } = created.body.result;
      const updated = await call('PUT', { path: `/${_id}`, body: { name: 'second', text: null }, client });
      const { items, next } = (await list(_id)).body.result;
      expect(next).toBeUndefined();
      const by = { kind: 'client', id: client['X-Client-Id'], name: 'Historian' };
      expect(items).toMatchObject([
        {
          action: 'update',
          version: versionOf(updated.headers.etag),
          previousVersion: versionOf(created.headers.etag),
          by,
          requestId: updated.headers['x-request-id'],
        },
        { action: 'create', version: versionOf(created.headers.etag), by },
      ]);
      expect(items[0].id).toBe(items[0].version);
      expect(items[0].changed.toSorted()).toEqual(['cms.content.updateDate', 'name', 'text']);
      expect(items[0].at).toBeGreaterThanOrEqual(items[1].at);
      expect(JSON.stringify(items)).not.toContain('first');
    });

    past('has the former values on request', async () => {
      const { _id } = await create({ _type: text, name: 'first' });
      await call('PUT', { path: `/${_id}`, body: { name: 'second', text: 'new' } });
      await call('DELETE', { path: `/${_id}` });
      const { items } = (await list(_id, { values: 'true' })).body.result;
      expect(items[0].before).toMatchObject({ _id, _type: text, name: 'second', text: 'new' });
      expect(items[1].before).toMatchObject({ name: 'first' });
      expect(items[1].before).not.toHaveProperty('text');
      expect(items[2]).not.toHaveProperty('before');
    });

    past('comes in pages that have each change once', async () => {
      const { _id } = await create({ _type: text, name: '0' });
      for (const name of ['1', '2', '3', '4']) await call('PUT', { path: `/${_id}`, body: { name } });
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await list(_id, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        expect(body.result.items.length).toBeLessThanOrEqual(2);
        found.push(...body.result.items.map(({ id }: { id: string }) => id));
        cursor = body.result.next;
      } while (cursor !== undefined);
      const whole = (await list(_id)).body.result.items;
      expect(found).toEqual(whole.map(({ id }: { id: string }) => id));
      expect(found).toHaveLength(5);
    });

    past('goes on when a deleted asset is created again', async () => {
      const { _id } = await create({ _type: text, name: 'one' });
      await call('DELETE', { path: `/${_id}` });
      expect(actionsOf((await list(_id)).body.result.items)).toEqual(['delete', 'create']);
      await create({ _id, ...newArticle() });
      expect(actionsOf((await list(_id.toUpperCase())).body.result.items)).toEqual([
        'create',
        'delete',
        'create',
      ]);
    });

    past(
      'is 404 for an asset that never was, for a record of Colophon, and for what is no UUID',
      async () => {
        const [record] = await instance().services.graphqlEndpoints.list();
        const id = record?.id ?? '';
        for (const unknown of [noAsset, id, 'not-a-uuid']) {
          expect([unknown, (await list(unknown)).status]).toEqual([unknown, 404]);
          expect([unknown, (await list(unknown, { cursor: '5' })).status]).toEqual([unknown, 404]);
          expect([unknown, (await read(unknown, { at: Date.now() })).status]).toEqual([unknown, 404]);
        }
      },
    );

    past('needs the scope history', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      const denied = await call('GET', { path: `/${_id}/history` });
      expect([denied.status, denied.body.error.message]).toEqual([403, expect.stringContaining('history')]);
      expect((await call('GET', { path: `/${_id}`, query: { at: 1 } })).status).toBe(403);
      expect((await call('GET', { path: `/${_id}`, query: { version: 'x' } })).status).toBe(403);
      expect((await call('GET', { path: `/${_id}/history`, client: null })).status).toBe(401);
    });

    past('refuses limits and cursors that it did not give', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      for (const query of [
        { limit: 0 },
        { limit: 101 },
        { cursor: '0' },
        { cursor: '-1' },
        { cursor: '1e3' },
        { cursor: '99999999999999999999' },
        { values: 'yes' },
        { colour: 'red' },
      ] as Record<string, string>[]) {
        expect([query, (await list(_id, query)).status]).toEqual([query, 400]);
      }
    });
  });

  describe('a past state', () => {
    past('of each version is what a read then gave', async () => {
      const { _id } = await create(newArticle({ tags: ['a'] }));
      const bodies = [
        { headline: 'B', summary: 'new' },
        { tags: ['b', 'a'], place: { name: 'Lund', country: 'SE' } },
        { summary: null, place: null, readingMinutes: 0 },
        { importData: { deep: [1, { x: null }], '': '' }, tags: null },
        ...Array.from({ length: 70 }, (_, n) => ({ readingMinutes: n, score: n / 100 })),
      ];
      const seen = [await call('GET', { path: `/${_id}` })];
      for (const body of bodies) seen.push(await call('PUT', { path: `/${_id}`, body }));
      await call('DELETE', { path: `/${_id}` });
      for (const { headers, body } of seen) {
        const then = await read(_id, { version: versionOf(headers.etag) });
        expect(then.body).toEqual(body);
        expect(versionOf(then.headers.etag)).toBe(versionOf(headers.etag));
      }
    });

    past('is found by an ETag as well, strong or weak, and by a version in quotes', async () => {
      const { _id } = await create({ _type: text, name: 'first' });
      const etag = (await call('GET', { path: `/${_id}` })).headers.etag ?? '';
      await call('PUT', { path: `/${_id}`, body: { name: 'second' } });
      for (const version of [etag, `W/${etag}`, `"${versionOf(etag)}"`, etag.replaceAll('"', '')]) {
        expect((await read(_id.toUpperCase(), { version })).body.result?.name).toBe('first');
      }
      expect((await read(_id, { version: 'a b' })).status).toBe(400);
      expect((await read(_id, { version: '""' })).status).toBe(400);
      const cached = await call('GET', {
        path: `/${_id}`,
        query: { version: etag },
        headers: { 'If-None-Match': etag },
        ...asHistorian(),
      });
      expect(cached.status).toBe(304);
    });

    past('at a time is the state after the last change until then', async () => {
      const { _id } = await create({ _type: text, name: 'first' });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await call('PUT', { path: `/${_id}`, body: { name: 'second' } });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await call('DELETE', { path: `/${_id}` });
      const [deleted, updated, created] = (await list(_id)).body.result.items;
      expect((await read(_id, { at: created.at })).body.result.name).toBe('first');
      expect((await read(_id, { at: updated.at - 1 })).body.result.name).toBe('first');
      expect((await read(_id, { at: updated.at })).body.result.name).toBe('second');
      for (const at of [0, created.at - 1, deleted.at, deleted.at + 1e9, '9'.repeat(20)]) {
        expect([at, (await read(_id, { at })).status]).toEqual([at, 404]);
      }
    });

    past('is 404 for a version that the asset never had', async () => {
      const one = await create({ _type: text, name: 'one' });
      const other = await create({ _type: text, name: 'other' });
      const etag = (await call('GET', { path: `/${other._id}` })).headers.etag ?? '';
      expect((await read(one._id, { version: etag })).status).toBe(404);
      expect((await read(one._id, { version: 'nothing' })).status).toBe(404);
    });

    past('is named by a version or a time, not both', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      const both = await read(_id, { version: 'x', at: 1 });
      expect([both.status, both.body.error.path]).toEqual([400, 'at']);
      expect((await read(_id, { at: -1 })).status).toBe(400);
      expect((await read(_id, { at: 'noon' })).status).toBe(400);
    });
  });

  describe('a client that is restricted to sites', () => {
    past('sees the states that lay in its sites, and the changes next to them', async () => {
      const own = await create({ _type: site, name: 'own' });
      const foreign = await create({ _type: site, name: 'foreign' });
      const ownerOf = ({ _id }: { _id: string }) => ({ 'cms.site.owner': { _ref: _id, _type: site } });
      const client = await instance().createClient({
        scopes: ['cma:read', 'history', 'cma:write'],
        sites: [own._id],
      });
      await instance().refresh();
      const { _id } = await create({ _type: text, name: 'hidden 0', ...ownerOf(foreign) });
      const path = `/${_id}`;
      const versions: string[] = [versionOf((await call('GET', { path })).headers.etag)];
      for (const body of [
        { name: 'hidden 1' },
        { name: 'shown 2', ...ownerOf(own) },
        { name: 'shown 3' },
        { name: 'hidden 4', ...ownerOf(foreign) },
        { name: 'hidden 5' },
      ]) {
        versions.push(versionOf((await call('PUT', { path, body })).headers.etag));
      }
      const listed = await call('GET', { path: `${path}/history`, query: { values: 'true' }, client });
      const ids = listed.body.result.items.map(({ id }: { id: string }) => id);
      expect(ids).toEqual([versions[4], versions[3], versions[2]]);
      expect(JSON.stringify(listed.body)).toContain('shown 2');
      expect(JSON.stringify(listed.body)).not.toContain('hidden');
      const statuses = [];
      for (const version of versions) {
        statuses.push((await call('GET', { path, query: { version }, client })).status);
      }
      expect(statuses).toEqual([404, 404, 200, 200, 404, 404]);
      // The asset itself now belongs to another site.
      const restored = await call('POST', {
        path: `${path}/restore`,
        body: { version: versions[3] },
        client,
      });
      expect([restored.status, restored.body.error.code]).toEqual([409, 'id_in_use']);
      const unseen = await create({ _type: text, name: 'never', ...ownerOf(foreign) });
      const hidden = await call('GET', { path: `/${unseen._id}/history`, client });
      const unknown = await call('GET', { path: `/${noAsset}/history`, client });
      expect(hidden.body.error.message.replace(unseen._id, noAsset)).toBe(unknown.body.error.message);
    });
  });
}

/** Runs the cases of a history that was removed. They come last, since they remove all history. */
export function describeRemovedHistory(context: HistoryContext): void {
  const { call, create, past } = context;
  past('a past state whose history was removed is 410, and the asset has a history again', async () => {
    const client = context.historian();
    const { _id } = await create({ _type: article, slug: 'trimmed', headline: 'A', status: 'DRAFT' });
    const path = `/${_id}`;
    const first = (await call('GET', { path })).headers.etag ?? '';
    await call('PUT', { path, body: { headline: 'B' } });
    await create({ _type: text, name: 'the newest entry' });
    await trimHistory(context.location());
    for (const query of [{ version: first }, { at: 1 }] as Record<string, string | number>[]) {
      const gone = await call('GET', { path, query, client });
      expect([query, gone.status, gone.body.error.code]).toEqual([query, 410, 'history_removed']);
    }
    const refused = await call('POST', { path: `${path}/restore`, body: { version: first }, client });
    expect([refused.status, refused.body.error.code]).toEqual([410, 'history_removed']);
    expect((await call('GET', { path: `${path}/history`, client })).body.result.items).toEqual([]);
    const last = (await call('GET', { path })).headers.etag ?? '';
    await call('PUT', { path, body: { headline: 'C' } });
    expect((await call('GET', { path, query: { version: last }, client })).body.result.headline).toBe('B');
  });
}
