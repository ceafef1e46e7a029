/** Cases of the activity: what editors read of the changes of content and of drafts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { author, text } from '../cma/cma-content.ts';
import type { AdminContext, SenderHeaders } from './admin-caller.ts';

interface Item {
  readonly action: string;
  readonly _id: string;
  readonly title?: string;
  readonly by: { readonly kind: string; readonly name?: string };
  readonly [member: string]: unknown;
}

/** Runs the cases. */
export function describeActivity({ call, instance, newName, signIn }: AdminContext): void {
  /** Reads a page, after all changes so far are listed: a store may number its entries a moment after the writes. */
  async function listed(query: string, as?: SenderHeaders): Promise<{ items: Item[]; next?: string }> {
    const { body: marker } = await call('POST', '/contents', {
      body: { _type: author, slug: randomUUID(), name: 'Marker' },
    });
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/activity?type=${author}&limit=1`);
      expect(body.items).toMatchObject([{ _id: marker._id }]);
    }, 60_000);
    const { status, body } = await call('GET', `/activity?${query}`, as && { as });
    expect([status, body.detail]).toEqual([200, undefined]);
    return body;
  }

  async function send(method: string, path: string, as: SenderHeaders, body?: object) {
    const response = await call(method, path, { as, ...(body && { body }) });
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
    return response.body;
  }

  describe('the activity', () => {
    it('says what editors and others did, with present titles', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      // Somebody stays an administrator.
      await signIn();
      const { email, headers: as } = await signIn('editor');
      const [first, second] = [newName(), newName()];
      const { _id: id } = await send('POST', '/contents', as, { _type: text, name: first });
      const path = `/contents/${id}`;
      await send('PUT', path, as, { name: second });
      await send('PUT', `${path}?release=drafts`, as, { name: `${second} drafted` });
      await send('POST', '/releases/drafts/publish', as, { only: [id] });
      await send('POST', `${path}/withdraw`, as);
      await send('POST', '/releases/drafts/publish', as, { only: [id] });
      await send('PUT', `${path}?release=drafts`, as, { name: 'Unwanted' });
      await send('DELETE', `${path}?release=drafts&discard=true`, as);
      const { _id: fresh } = await send('POST', '/contents?release=drafts', as, { _type: text, name: first });
      const other = await call('PUT', path, { body: { name: 'Of a client' } });
      expect(other.status).toBe(200);

      const mine = await listed(`user=me&type=${text}`, as);
      const shown = (items: readonly Item[]) => items.map(({ action, _id, title }) => [action, _id, title]);
      const title = 'Of a client';
      expect(shown(mine.items)).toEqual([
        ['drafted', fresh, first],
        ['discarded', id, title],
        ['published', id, title],
        ['withdrawn', id, title],
        ['published', id, title],
        ['changed', id, title],
        ['created', id, title],
      ]);
      expect(mine.items[0]).toMatchObject({
        isLive: false,
        release: 'drafts',
        by: { kind: 'user', name: email },
      });
      const others = await listed(`user=others&type=${text}&limit=1`, as);
      expect(others.items).toMatchObject([{ action: 'changed', _id: id, by: { kind: 'client' } }]);

      // One change a page: the two entries of the withdrawal stay one item.
      const paged: Item[] = [];
      for (let query = ''; ; ) {
        const page = await listed(`user=me&type=${text}&limit=1${query}`, as);
        paged.push(...page.items);
        if (page.next === undefined) break;
        query = `&cursor=${page.next}`;
      }
      expect(shown(paged)).toEqual(shown(mine.items));

      const { headers: live } = await call('GET', path);
      await send('DELETE', path, as);
      await send('POST', `${path}/restore`, as, { version: String(live.etag) });
      const { items } = await listed(`user=me&type=${text}&limit=2`, as);
      expect(shown(items)).toEqual([
        ['restored', id, title],
        ['deleted', id, title],
      ]);
      expect((await call('DELETE', `${path}?erase=true`)).status).toBe(204);
      const [erased] = (await listed(`type=${text}&limit=1`)).items;
      expect(erased).toMatchObject({ action: 'erased', _id: id, isLive: false });
      expect(erased).not.toHaveProperty('title');
    });

    it('is read by authors, and refuses wrong filters and cursors', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const { headers: as } = await signIn('author');
      expect((await call('GET', '/activity', { as })).status).toBe(200);
      expect((await call('GET', '/activity', { as: {} })).status).toBe(401);
      const wrong = ['user=ada', 'type=com.example.Gone', 'limit=101', 'cursor=1.abc', 'other=1'];
      for (const query of wrong) expect((await call('GET', `/activity?${query}`)).status, query).toBe(400);
    });
  });
}
