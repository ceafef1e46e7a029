/** Cases of the parameter `release` in the admin API, and of the role `author`, which writes drafts alone. */
import { describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';
import { site, text } from '../cma/cma-content.ts';
import type { AdminContext, AdminResponse } from './admin-caller.ts';

/** Runs the cases. */
export function describeDrafts({ call, createAsset, instance, newName, signIn }: AdminContext): void {
  const release = 'release=drafts';

  describe('drafts in the admin API', () => {
    it('are written by authors, who write nothing that is live', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      // Somebody stays an administrator.
      await signIn();
      const { email, headers: as } = await signIn();
      const { body: users } = await call('GET', '/users');
      const { id } = users.items.find((user: { email: string }) => user.email === email);
      expect((await call('PATCH', `/users/${id}`, { body: { role: 'author' } })).status).toBe(200);
      const name = newName();
      const live = await createAsset({ _type: text, name });
      const path = `/contents/${live}`;
      expect((await call('PUT', path, { as, body: { name: 'x' } })).status).toBe(403);
      expect((await call('POST', '/contents', { as, body: { _type: text, name } })).status).toBe(403);
      expect((await call('DELETE', path, { as })).status).toBe(403);
      expect((await call('DELETE', `${path}?erase=true&${release}`, { as })).status).toBe(400);

      const owner = await createAsset({ _type: site, name: newName() });
      const body = { name: `${name} drafted`, 'cms.site.owner': { _ref: owner, _type: site } };
      const put = await call('PUT', `${path}?${release}`, { as, body });
      expect(put).toMatchObject({ status: 200, headers: { 'x-release': 'drafts' } });
      const created = await call('POST', `/contents?${release}`, { as, body: { _type: text } });
      expect([created.status, created.headers.location]).toEqual([
        201,
        `/api/admin/contents/${created.body._id}?release=drafts`,
      ]);
      const unfit = await call('GET', `/contents/${created.body._id}/unfit?${release}`, { as });
      expect(unfit.body.items).toEqual([{ path: 'name', message: 'is required' }]);
      const got = await call('GET', `${path}?${release}`, { as });
      expect([got.body, got.headers.etag]).toEqual([put.body, put.headers.etag]);
      expect((await call('GET', path, { as })).body.name).toBe(name);

      const query = { from: text, where: 'name = ?', values: [body.name] };
      const idsOf = ({ body }: AdminResponse) => body.items.map(({ _id }: { _id: string }) => _id);
      expect(idsOf(await call('POST', `/query?${release}`, { as, body: query }))).toEqual([live]);
      expect(idsOf(await call('POST', '/query', { as, body: query }))).toEqual([]);
      const search = { text: body.name };
      expect(idsOf(await call('POST', `/search?${release}`, { as, body: search }))).toEqual([live]);
      const titles = await call('POST', `/contents/titles?${release}`, { as, body: { ids: [live] } });
      expect(titles.body.items).toMatchObject([{ title: body.name }]);
      const references = await call('GET', `/contents/${owner}/references?${release}`, { as });
      expect(idsOf(references)).toEqual([live]);
      const history = await call('GET', `${path}/history?${release}`, { as });
      expect(history.body.items).toMatchObject([{ action: 'update', by: { kind: 'user' } }]);
      const version = await call('GET', `${path}/versions/${history.body.items[0].id}?${release}`, { as });
      expect(version.body.asset.name).toBe(body.name);

      expect((await call('DELETE', `${path}?${release}&discard=true`, { as })).status).toBe(204);
      expect((await call('GET', `${path}?${release}`, { as })).body.name).toBe(name);
      expect((await call('DELETE', `${path}?${release}`, { as })).status).toBe(204);
      expect((await call('GET', `${path}?${release}`, { as })).status).toBe(404);
      expect((await call('GET', path, { as })).status).toBe(200);
    });

    it('are sent to no webhook', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const receiver = await startReceiver();
      const received = receiver.open();
      const webhook = { name: newName(), url: received.url, types: [text] };
      const { body: made } = await call('POST', '/webhooks', { body: webhook });
      const id = await createAsset({ _type: text, name: newName() });
      await call('PUT', `/contents/${id}?${release}`, { body: { name: newName() } });
      await call('POST', `/contents?${release}`, { body: { _type: text, name: newName() } });
      const last = await createAsset({ _type: text, name: newName() });
      const idsOf = () => received.accepted.map(({ event }) => event.data.id);
      await received.until(() => idsOf().includes(last), 'the creation after the drafts');
      expect(idsOf()).toEqual([id, last]);
      await call('DELETE', `/webhooks/${made.webhook.id}`);
      await receiver.stop();
    });

    it('are in no release that does not exist', async () => {
      const id = await createAsset({ _type: text, name: newName() });
      const ofQuery = { from: text };
      for (const [method, path, body] of [
        ['POST', '/contents', { _type: text, name: 'x' }],
        ['GET', `/contents/${id}`],
        ['PUT', `/contents/${id}`, { name: 'x' }],
        ['DELETE', `/contents/${id}`],
        ['GET', `/contents/${id}/history`],
        ['GET', `/contents/${id}/references`],
        ['GET', `/contents/${id}/unfit`],
        ['GET', `/contents/${id}/versions/x`],
        ['POST', '/contents/titles', { ids: [id] }],
        ['POST', '/search', { text: 'word' }],
        ['POST', '/query', ofQuery],
      ] as [string, string, object?][]) {
        const { status } = await call(method, `${path}?release=spring`, body ? { body } : {});
        expect([method, path, status]).toEqual([method, path, (await keepsHistory(instance())) ? 404 : 501]);
      }
    });
  });
}
