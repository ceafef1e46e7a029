/** Cases of saved views: whose they are, who sees and changes them, and how many there can be. */
import { describe, expect, it } from 'vitest';
import { author, text } from '../cma/cma-content.ts';
import { type AdminContext, noId, type SenderHeaders } from './admin-caller.ts';

/** Runs the cases. */
export function describeViews({ call, newName, signIn }: AdminContext): void {
  const draft = (fields: object = {}) => ({
    name: newName(),
    type: text,
    query: 'search=a&sort=-name',
    ...fields,
  });
  const idsOf = async (as: SenderHeaders, query = '') => {
    const { status, body } = await call('GET', `/views${query}`, { as });
    expect(status).toBe(200);
    return body.items.map(({ id }: { id: string }) => id);
  };

  describe('saved views', () => {
    it('belong to their owner, and those for everybody to all editors', async () => {
      // Somebody stays an administrator.
      await signIn();
      const { headers: author1, email } = await signIn('author');
      const { headers: editor } = await signIn('editor');
      const own = draft({ columns: ['name'] });
      const created = await call('POST', '/views', { as: author1, body: own });
      const { id } = created.body;
      expect(created).toMatchObject({ status: 201, headers: { location: `/api/admin/views/${id}` } });
      expect(created.body).toEqual({
        id,
        ...own,
        shared: false,
        owner: email,
        isMine: true,
        mayChange: true,
      });
      expect(await idsOf(author1)).toContain(id);
      expect(await idsOf(author1, `?type=${author}`)).not.toContain(id);
      expect(await idsOf(editor)).not.toContain(id);
      const path = `/views/${id}`;
      expect((await call('GET', path, { as: author1 })).body).toEqual(created.body);
      expect((await call('GET', path, { as: editor })).status).toBe(404);
      for (const method of ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { body: { name: 'x' } } : {};
        expect((await call(method, path, { as: editor, ...body })).status).toBe(404);
      }
      expect((await call('PATCH', path, { as: author1, body: { shared: true } })).status).toBe(403);
      expect((await call('POST', '/views', { as: author1, body: draft({ shared: true }) })).status).toBe(403);
      const changed = await call('PATCH', path, { as: author1, body: { query: '', columns: null } });
      expect(changed.body).not.toHaveProperty('columns');
      expect(changed).toMatchObject({ status: 200, body: { name: own.name, query: '' } });

      const { body: shared } = await call('POST', '/views', { as: editor, body: draft({ shared: true }) });
      const seen = (await call('GET', '/views', { as: author1 })).body.items;
      expect(seen).toContainEqual({ ...shared, isMine: false, mayChange: false });
      expect((await call('PATCH', `/views/${shared.id}`, { as: author1, body: { name: 'x' } })).status).toBe(
        403,
      );
      expect((await call('DELETE', `/views/${shared.id}`, { as: author1 })).status).toBe(403);
      const renamed = await call('PATCH', `/views/${shared.id}`, { body: { name: 'By a client' } });
      expect(renamed).toMatchObject({ status: 200, body: { name: 'By a client', isMine: false } });

      const taken = await call('PATCH', `/views/${shared.id}`, { body: { shared: false } });
      expect([taken.status, taken.body.detail]).toEqual([403, expect.stringContaining('Only its owner')]);

      const { body: users } = await call('GET', '/users');
      const { id: user } = users.items.find((each: { email: string }) => each.email === email);
      expect((await call('DELETE', `/users/${user}`)).status).toBe(204);
      expect((await call('DELETE', `/views/${shared.id}`, { as: editor })).status).toBe(204);
      expect(await idsOf(editor)).not.toContain(shared.id);
    });

    it('are refused when something is wrong with them, or when there are too many', async () => {
      const { headers: as } = await signIn('editor');
      const post = (body: object) => call('POST', '/views', { as, body });
      for (const wrong of [
        { name: '' },
        { type: 'com.example.Gone' },
        { query: 'x'.repeat(4001) },
        { other: 1 },
      ])
        expect((await post(draft(wrong))).status, JSON.stringify(wrong)).toBe(400);
      expect((await call('PATCH', `/views/${noId}`, { as, body: { other: 1 } })).status).toBe(400);
      const { body: kept } = await post(draft());
      expect((await call('PATCH', `/views/${kept.id}`, { as, body: kept })).body).toEqual(kept);
      expect((await call('DELETE', `/views/${noId}`, { as })).status).toBe(404);
      expect((await call('GET', '/views?type=com.example.Gone', { as })).status).toBe(400);
      expect((await call('GET', '/views', { as: {} })).status).toBe(401);
      for (let n = 0; n < 100; n += 20) await Promise.all(Array.from({ length: 20 }, () => post(draft())));
      const full = await post(draft());
      expect([full.status, full.body.detail]).toEqual([400, expect.stringContaining('delete some first')]);
    });
  });
}
