/** Cases of the parameter `release` in the admin API, and of the role `author`, which writes drafts alone. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../../../src/access/clients/secret.ts';
import { previewLinkClass } from '../../../../src/content/drafts/draft.ts';
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

    it('and preview links are discarded and ended by their authors and by editors', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      await signIn();
      const [author, other, editor] = [await signIn(), await signIn(), await signIn()];
      const { body: users } = await call('GET', '/users');
      const idOf = (email: string) => users.items.find((user: { email: string }) => user.email === email).id;
      for (const { email, role } of [
        { ...author, role: 'author' },
        { ...other, role: 'author' },
        { ...editor, role: 'editor' },
      ])
        expect((await call('PATCH', `/users/${idOf(email)}`, { body: { role } })).status).toBe(200);
      const id = await createAsset({ _type: text, name: newName() });
      const path = `/contents/${id}?${release}`;
      const draft = `/releases/drafts/drafts/${id}`;
      await call('PUT', path, { as: author.headers, body: { name: 'First' } });
      await call('PUT', path, { as: other.headers, body: { text: 'Second' } });
      for (const { headers: as } of [author, other]) {
        const refusals = [
          await call('DELETE', draft, { as }),
          await call('DELETE', `${path}&discard=true`, { as }),
          await call('DELETE', path, { as }),
          await call('PUT', path, { as, body: { text: null } }),
          await call('POST', `${draft}/rebase`, { as, body: { theirs: ['name'] } }),
        ];
        expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      }
      expect((await call('POST', `${draft}/rebase`, { as: other.headers, body: {} })).status).toBe(200);
      expect((await call('DELETE', draft, { as: editor.headers })).status).toBe(204);
      await call('PUT', path, { as: author.headers, body: { name: 'First' } });
      expect((await call('DELETE', draft, { as: author.headers })).status).toBe(204);

      const links = '/releases/drafts/preview-links';
      const create = async ({ headers: as }: typeof author) =>
        (await call('POST', links, { as, body: {} })).body;
      const end = async (link: { id: string }, { headers: as }: typeof author) =>
        (await call('DELETE', `${links}/${link.id}`, { as })).status;
      const [first, second, third] = [await create(author), await create(author), await create(author)];
      expect(await end(first, other)).toBe(403);
      expect([await end(first, author), await end(second, editor)]).toEqual([204, 204]);
      expect(await end(await create(editor), author)).toBe(403);
      const { previewLinks, users: accounts } = instance().services;
      const listed = async () => (await call('GET', links)).body.items.map((link: { id: string }) => link.id);
      expect(await previewLinks.releaseOf(third.token)).toBe('drafts');
      expect(await listed()).toContain(third.id);
      const lost = { code: 'unauthorized' };
      await call('PATCH', `/users/${idOf(author.email)}`, { body: { disabled: true } });
      await expect(previewLinks.releaseOf(third.token)).rejects.toMatchObject(lost);
      await call('DELETE', `/users/${idOf(author.email)}`);
      await expect(previewLinks.releaseOf(third.token)).rejects.toMatchObject(lost);
      expect(await listed()).not.toContain(third.id);
      // Somebody with the same name is somebody else.
      await accounts.create({ email: author.email, role: 'author' });
      await expect(previewLinks.releaseOf(third.token)).rejects.toMatchObject(lost);

      const headers = await instance().createClient({ scopes: ['admin'] });
      await instance().refresh();
      const { body: ofClient } = await call('POST', links, { as: headers, body: {} });
      expect(await previewLinks.releaseOf(ofClient.token)).toBe('drafts');
      await instance().services.clients.revoke(headers['X-Client-Id']);
      await expect(previewLinks.releaseOf(ofClient.token)).rejects.toMatchObject(lost);
      const { store } = instance().services;
      const named = { _type: previewLinkClass, release: 'drafts', createdAt: 1, createdBy: editor.email };
      const token = 'a token of a link that names no account';
      const asset = {
        _id: randomUUID(),
        ...named,
        expiresAt: Date.now() + 1e6,
        tokenHash: hashSecret(token),
      };
      await store.insert({ asset, version: 'one' });
      await expect(previewLinks.releaseOf(token)).rejects.toMatchObject(lost);
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
