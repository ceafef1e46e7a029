/** Cases of who else has an asset open. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance } from '../../../support/instance.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { article } from '../cma/cma-content.ts';
import { type AdminContext, createAdminContext, noId, type SenderHeaders } from './admin-caller.ts';

/** The time is that of the store's clock. */
const since = expect.any(Number);

const presenceType = 'com.colophon.system.Presence';

/** Runs the cases. */
export function describePresence(context: AdminContext, location: () => StoreLocation): void {
  const { call, instance, client, createAsset, newName, signIn, contract } = context;
  describe('who has an asset open', () => {
    let ana: Awaited<ReturnType<typeof signIn>>;
    let ben: Awaited<ReturnType<typeof signIn>>;
    beforeAll(async () => {
      [ana, ben] = [await signIn('author'), await signIn('editor')];
    });
    const newArticle = () =>
      createAsset({
        _type: article,
        slug: newName().toLowerCase().replace(' ', '-'),
        headline: 'A',
        status: 'DRAFT',
      });
    const report = async (by: { headers: SenderHeaders }, id: string, state: string, query = '') =>
      await call('PUT', `/contents/${id}/presence${query}`, { as: by.headers, body: { state } });
    const othersOf = async (...given: Parameters<typeof report>) => (await report(...given)).body.others;

    it('is told to the others, on all servers, until they leave', async () => {
      const id = await newArticle();
      expect(await othersOf(ana, id, 'viewing')).toEqual([]);
      expect(await othersOf(ben, id.toUpperCase(), 'editing')).toEqual([
        { name: ana.email, editing: false, since },
      ]);
      expect(await othersOf(ana, await newArticle(), 'viewing')).toEqual([]);
      const second = await startInstance(location());
      try {
        const there = createAdminContext({ instance: () => second, client, contract });
        const { body } = await there.call('PUT', `/contents/${id}/presence`, {
          as: ana.headers,
          body: { state: 'editing' },
        });
        expect(body).toEqual({ others: [{ name: ben.email, editing: true, since }] });
      } finally {
        await second.stop();
      }
      expect(await othersOf(ben, id, 'viewing')).toEqual([{ name: ana.email, editing: true, since }]);
      expect(await othersOf(ana, id, 'left')).toEqual([]);
      expect(await othersOf(ana, id, 'left')).toEqual([]);
      expect(await othersOf(ben, id, 'viewing')).toEqual([]);
    });

    it('tells since when: a repeated report keeps the time, another state begins a new one', async () => {
      const id = await newArticle();
      const sinceOf = async (state: string): Promise<number> => {
        await report(ana, id, state);
        return (await othersOf(ben, id, 'viewing'))[0].since;
      };
      const opened = await sinceOf('viewing');
      expect(Math.abs(Date.now() - opened)).toBeLessThan(60_000);
      expect(await sinceOf('viewing')).toBe(opened);
      const edited = await sinceOf('editing');
      expect(edited).toBeGreaterThan(opened);
      expect(await sinceOf('editing')).toBe(edited);
    });

    it('ends with the mark, which leaves no trace in the change log', async () => {
      const id = await newArticle();
      const { store, system } = instance().services;
      const log = async () => (await call('GET', '/changes?limit=1')).body;
      const before = store.capabilities.changes && (await log());
      await report(ana, id, 'editing');
      const query = { from: presenceType, where: 'asset = ?', values: [id], offset: 0, limit: 5 };
      const find = async () => (await system.find({ ...query, withCount: false }, {})).items;
      const [mark] = await find();
      expect(Number(mark?.asset.expiresAt)).toBeGreaterThan(Date.now() + 20_000);
      await system.update({ id: mark?.asset._id ?? '', body: { expiresAt: Date.now() - 1 } }, {});
      expect(await othersOf(ben, id, 'viewing')).toEqual([]);
      // A new mark removes those that have ended.
      expect(await find()).toHaveLength(1);
      if (store.capabilities.changes) expect(await log()).toEqual(before);
    });

    it('needs a sender and an asset, and refuses other states', async () => {
      const id = await newArticle();
      const body = { state: 'viewing' };
      expect((await call('PUT', `/contents/${id}/presence`, { body })).body).toEqual({ others: [] });
      expect((await call('PUT', `/contents/${id}/presence`, { as: {}, body })).status).toBe(401);
      const { Cookie = '' } = ana.headers;
      expect((await call('PUT', `/contents/${id}/presence`, { as: { Cookie }, body })).status).toBe(403);
      expect((await report(ana, noId, 'viewing')).status).toBe(404);
      expect((await report(ana, 'x', 'viewing')).status).toBe(404);
      expect((await report(ana, id, 'asleep')).status).toBe(400);
      if (!instance().services.store.capabilities.changes) return;
      const drafted = await call('POST', '/contents?release=drafts', {
        as: ana.headers,
        body: {
          _type: article,
          slug: newName().toLowerCase().replace(' ', '-'),
          headline: 'D',
          status: 'DRAFT',
        },
      });
      expect((await report(ana, drafted.body._id, 'editing')).status).toBe(404);
      expect((await report(ana, drafted.body._id, 'editing', '?release=drafts')).status).toBe(200);
    });
  });
}
