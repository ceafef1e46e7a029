/** Cases of unfit content in the admin API: the report, the assets to repair in pages, and the fields of one asset. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { createAdminContext, type SenderHeaders } from '../admin/admin-caller.ts';
import { product, shelf, type UnfitContext } from './unfit-content.ts';

/** What is stored: products that all break one rule, and one that breaks others. */
interface Stored {
  readonly ids: readonly string[];
  readonly broken: { readonly _id: string; readonly title: string };
  readonly problemsOfBroken: readonly object[];
}

/** Runs the cases. They read only. */
export function describeInAdminApi(context: () => UnfitContext, { ids, broken, problemsOfBroken }: Stored) {
  let sender: SenderHeaders;
  const { call } = createAdminContext({
    instance: () => context().instance,
    client: () => sender,
    contract: createContractAssertions(readAdminDocument()),
  });
  const list = (query: Record<string, string>) =>
    call('GET', `/unfit/assets?${new URLSearchParams({ type: product, ...query })}`);
  const added = { path: 'added', message: 'is required' };

  describe('in the admin API', () => {
    beforeAll(async () => {
      sender = await context().instance.createClient({ scopes: ['admin'] });
      await context().instance.refresh();
    });

    it('is reported by type and rule, with the time of the count', async () => {
      const { items } = (await call('GET', '/unfit')).body;
      const counted = Object.fromEntries(items.map((item: { class: string }) => [item.class, item]));
      expect(counted[product]).toMatchObject({ name: 'Product', assets: 21, unfit: 21 });
      expect(Math.abs(counted[product].countedAt - Date.now())).toBeLessThan(600_000);
      expect(counted[product].rules).toContainEqual({ ...added, assets: 21, ids: ids.slice(0, 5) });
      expect(counted[product].rules).toContainEqual({
        path: 'parts[].unit',
        message: 'is required',
        assets: 1,
        ids: [broken._id],
      });
      expect(counted[shelf]).toMatchObject({ assets: 1, unfit: 0, rules: [] });
    });

    it('is listed in pages, each asset once, with its title and all its problems', async () => {
      const found: string[] = [];
      let after = {};
      for (;;) {
        const { items, next } = (await list({ ...added, limit: '8', ...after })).body;
        found.push(...items.map(({ _id }: { _id: string }) => _id));
        if (next === undefined) break;
        expect(items).toHaveLength(8);
        after = { after: next };
      }
      expect(found).toEqual([...ids, broken._id]);
      const [first] = (await list({ limit: '1' })).body.items;
      expect(first).toEqual({ _id: ids[0], _type: product, title: 'Sound 0', problems: expect.any(Array) });
    });

    it('is listed by one rule, whichever items of a list break it, and after any asset', async () => {
      const one = await list({ path: 'parts[].unit', message: 'is required' });
      expect(one.body).toEqual({
        items: [{ _id: broken._id, _type: product, title: broken.title, problems: expect.any(Array) }],
        checkedAt: expect.any(Number),
        checked: 21,
      });
      expect(one.body.items[0].problems).toEqual(expect.arrayContaining([...problemsOfBroken]));
      expect((await list({ path: 'parts[].unit', message: 'is required', after: broken._id })).body).toEqual({
        items: [],
        checkedAt: expect.any(Number),
        checked: 0,
      });
      expect((await list({ type: shelf })).body).toMatchObject({ items: [], checked: 1 });
    });

    it('is listed field by field for one asset', async () => {
      const { items } = (await call('GET', `/contents/${broken._id}/unfit`)).body;
      expect(items).toHaveLength(problemsOfBroken.length);
      expect(items).toEqual(expect.arrayContaining([...problemsOfBroken]));
      expect((await call('GET', '/contents/0190a0c0-0000-7000-8000-00000000ffff/unfit')).status).toBe(404);
    });

    it('is refused for an unknown type, an interface and half a rule', async () => {
      const refusals: [query: Record<string, string>, code: string, path: string][] = [
        [{ type: 'shop.Nothing' }, 'unknown_type', 'type'],
        [{ path: 'added' }, 'invalid_parameter', 'message'],
        [{ message: 'is required' }, 'invalid_parameter', 'path'],
        [{ after: 'no-uuid' }, 'invalid_parameter', 'after'],
        [{ limit: '0' }, 'invalid_parameter', 'limit'],
      ];
      for (const [query, code, path] of refusals) {
        const { status, body } = await list(query);
        expect([status, body.code, body.problems?.[0].path]).toEqual([400, code, path]);
      }
    });
  });
}
