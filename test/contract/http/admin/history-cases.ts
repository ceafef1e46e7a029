/** Cases of the history of assets in the admin API: changes, past states, deleted assets, restoring and erasing. */
import { describe, expect, it, vi } from 'vitest';
import { keepsHistory, trimHistory } from '../../../support/history.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { article, author, text } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeHistory(context: AdminContext, location: () => StoreLocation): void {
  const { call, createAsset, instance, signIn, newName } = context;
  const past = (name: string, run: () => Promise<void>) =>
    it(name, async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      await run();
    });
  const newSlug = () => newName().toLowerCase().replace(' ', '-');
  const listed = async (path: string) => (await call('GET', `${path}/history`)).body.items;
  const isOf = (id: string) => (item: { _id: string }) => item._id === id;

  /** Lists the deleted assets once this one is the first; a store may number its deletion a moment later. */
  const listDeleted = (id: string) =>
    vi.waitFor(
      async () => {
        const { items } = (await call('GET', '/contents/deleted')).body;
        expect(items[0]?._id).toBe(id);
        return items;
      },
      { timeout: 60_000 },
    );

  /** Creates a text that is called A, then B; returns its path and the version that it had as A. */
  async function createChanged() {
    const id = await createAsset({ _type: text, name: 'A' });
    const path = `/contents/${id}`;
    await call('PUT', path, { body: { name: 'B', text: 'added' } });
    return { id, path, first: (await listed(path)).at(-1).version };
  }

  describe('the history of an asset in the admin API', () => {
    past('names the user or the client who made each change', async () => {
      const { email, headers } = await signIn();
      const { path } = await createChanged();
      await call('PUT', path, { as: headers, body: { name: 'C' } });
      const first = await call('GET', `${path}/history?limit=1&values=true`, { as: headers });
      expect(first.body.items).toMatchObject([
        { action: 'update', by: { kind: 'user', name: email }, before: { name: 'B' } },
      ]);
      const rest = await call('GET', `${path}/history?cursor=${first.body.next}`);
      expect(rest.body.items).toMatchObject([
        { action: 'update', by: { kind: 'client' } },
        { action: 'create', by: { kind: 'client', name: 'test' } },
      ]);
      expect(rest.body.next).toBeUndefined();
      expect((await call('GET', `${path}/history?cursor=x`)).status).toBe(400);
    });

    past('leads to each past state, by version and by ETag', async () => {
      const { id, path, first } = await createChanged();
      const { status, headers, body } = await call('GET', `${path}/versions/${first}`);
      expect(status).toBe(200);
      expect(body).toEqual({ asset: expect.objectContaining({ _id: id, _type: text, name: 'A' }) });
      const byTag = await call('GET', `${path}/versions/${encodeURIComponent(headers.etag ?? '')}`);
      expect(byTag.body).toEqual(body);
      expect((await call('GET', `${path}/versions/never`)).status).toBe(404);
      expect((await call('GET', `${path}/versions/%20`)).status).toBe(404);
      expect((await call('GET', `${path}/versions/never?at=1`)).status).toBe(400);
    });

    past('is restored as a whole, or field by field', async () => {
      const { path, first } = await createChanged();
      const part = await call('POST', `${path}/restore`, { body: { version: first, fields: ['name'] } });
      expect(part.body).toMatchObject({ name: 'A', text: 'added' });
      const stale = { 'If-Match': '"never"' };
      const refused = await call('POST', `${path}/restore`, { body: { version: first }, headers: stale });
      expect(refused.status).toBe(412);
      const whole = await call('POST', `${path}/restore`, { body: { version: first } });
      expect(whole.body).not.toHaveProperty('text');
      const read = await call('GET', path);
      expect([read.body, read.headers.etag]).toEqual([whole.body, whole.headers.etag]);
      const neither = await call('POST', `${path}/restore`, { body: {} });
      expect([neither.status, neither.body.code]).toEqual([400, 'invalid_body']);
    });

    past('is refused with 409 when a unique value is taken', async () => {
      const slug = newSlug();
      const id = await createAsset({ _type: author, slug, name: 'Ada' });
      const [{ version }] = await listed(`/contents/${id}`);
      await call('DELETE', `/contents/${id}`);
      await createAsset({ _type: author, slug, name: 'Other' });
      const { status, body } = await call('POST', `/contents/${id}/restore`, { body: { version } });
      expect([status, body.code]).toEqual([409, 'value_in_use']);
    });
  });

  describe('the deleted assets', () => {
    past('are listed with title, time and user, until they are restored', async () => {
      const { email, headers } = await signIn();
      const slug = newSlug();
      const id = await createAsset({ _type: article, slug, headline: 'Lost', status: 'DRAFT' });
      await call('DELETE', `/contents/${id}`, { as: headers });
      const [item] = await listDeleted(id);
      expect(item).toEqual({
        _id: id,
        _type: article,
        title: 'Lost',
        version: expect.any(String),
        at: expect.any(Number),
        by: { kind: 'user', id: expect.any(String), name: email },
      });
      const { version } = item;
      expect((await call('POST', `/contents/${id}/restore`, { body: { version } })).status).toBe(200);
      await vi.waitFor(
        async () => {
          const after = await call('GET', '/contents/deleted');
          expect(after.body.items.filter(isOf(id))).toEqual([]);
        },
        { timeout: 60_000 },
      );
    });

    past(
      'are filtered by type, also by an interface, and by words of their title, and come in pages',
      async () => {
        const ids: string[] = [];
        for (const name of ['1', '2', '3']) {
          ids.unshift(await createAsset({ _type: author, slug: newSlug(), name }));
        }
        const other = await createAsset({ _type: text, name: newName() });
        for (const id of [...ids.toReversed(), other]) await call('DELETE', `/contents/${id}`);
        await listDeleted(other);
        for (const type of [author, 'com.example.news.Page']) {
          const first = await call('GET', `/contents/deleted?type=${type}&limit=2`);
          const second = await call(
            'GET',
            `/contents/deleted?type=${type}&limit=1&cursor=${first.body.next}`,
          );
          const found = [...first.body.items, ...second.body.items].map(({ _id }: { _id: string }) => _id);
          expect([type, found]).toEqual([type, ids]);
        }
        const word = newName().replaceAll(' ', '');
        const named = await createAsset({ _type: text, name: `A ${word} text` });
        await call('DELETE', `/contents/${named}`);
        await listDeleted(named);
        const searched = await call('GET', `/contents/deleted?search=${word.toUpperCase()}&limit=100`);
        expect(searched.body.items.map(({ _id }: { _id: string }) => _id)).toEqual([named]);
        const unknown = await call('GET', '/contents/deleted?type=com.example.Poem');
        expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_type']);
        expect((await call('GET', '/contents/deleted?cursor=0')).status).toBe(400);
      },
    );

    past('do not include erased ones', async () => {
      const id = await createAsset({ _type: text, name: 'secret' });
      await call('DELETE', `/contents/${id}`);
      expect((await call('DELETE', `/contents/${id}?erase=true`)).status).toBe(204);
      await vi.waitFor(
        async () => {
          const { body } = await call('GET', '/contents/deleted');
          expect(body.items.filter(isOf(id))).toEqual([]);
        },
        { timeout: 60_000 },
      );
      expect(await listed(`/contents/${id}`)).toMatchObject([{ action: 'erase' }]);
      expect((await call('DELETE', `/contents/${noId}?erase=true`)).status).toBe(404);
    });
  });

  past('a past state whose history was removed is 410', async () => {
    const { path, first } = await createChanged();
    await createAsset({ _type: text, name: 'the newest entry' });
    await trimHistory(location());
    const gone = await call('GET', `${path}/versions/${first}`);
    expect([gone.status, gone.body.code]).toEqual([410, 'history_removed']);
    expect((await call('POST', `${path}/restore`, { body: { version: first } })).status).toBe(410);
  });
}
