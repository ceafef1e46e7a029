/** `eachAsset` over a running server, on every store, also while others write. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AssetCreate,
  type CmaClient,
  createClient,
  PredicateError,
} from '../../../generated/client/lib/index.js';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore } from '../../support/stores.ts';

const section = 'com.example.news.Section';
const text = 'com.colophon.cms.db.Text';
const idAt = (index: number) => `01935e4a-7c1b-7d52-9a6e-${String(index).padStart(12, '0')}`;

const newSection = (index: number) =>
  ({ _id: idAt(index), _type: section, slug: `s${index}`, name: `S${index % 4}`, order: index }) as const;

const newText = (index: number) => ({ _id: idAt(1000 + index), _type: text, name: String(index) }) as const;

const create = <New extends AssetCreate>(asset: New) => ({ action: 'create', asset }) as const;

const there = Array.from({ length: 50 }, (_, index) => 100 + 2 * index);

describeOnEachStore('eachAsset', (locations) => {
  let instance: TestInstance;
  let cma: CmaClient;
  beforeAll(async () => {
    instance = await startInstance(locations());
    const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = instance.headers;
    cma = createClient({ baseUrl: instance.url, clientId, clientSecret });
    const operations = there.map((index) => create(newSection(index)));
    expect(await cma.batchAssets({ operations })).toMatchObject({ failed: 0 });
  });

  it.each([1, 7, 50, 51, undefined])(
    'yields every asset once, in order, with pages of %s',
    async (pageSize) => {
      const orders: unknown[] = [];
      for await (const { order } of cma.eachAsset({ from: section, pageSize })) orders.push(order);
      expect(orders).toEqual(there);
    },
  );

  describe('with a predicate', () => {
    it.each([
      ['name = S0 or name = S2', []],
      ['name = ? or name = ?', ['S0', 'S2']],
      ['name = ?1 or name = ?0', ['S0', 'S2']],
      [`name in [?, 'S2'] or name = '?0'`, ['S0']],
      ['not name = S1', []],
    ])('finds the same assets as a single page: %s', async (where, values) => {
      const { items } = await cma.queryAssets({ from: section, where, values, limit: 1000 });
      const found: unknown[] = [];
      for await (const one of cma.eachAsset({ from: section, where, values, pageSize: 3 })) found.push(one);
      expect([found, found.length]).toEqual([items, 50]);
    });

    it.each(['name = S0) or (name = S2', 'name = S0 or', `name = 'S0`, ''])(
      'rejects an invalid one: %s',
      async (where) => {
        const each = cma.eachAsset({ from: section, where, pageSize: 3 });
        const alone = await cma.queryAssets({ from: section, where }).catch((error: unknown) => error);
        expect(alone).toBeInstanceOf(PredicateError);
        await expect(each.next()).rejects.toMatchObject({ message: Object(alone).message });
      },
    );
  });

  it('yields every asset that exists throughout exactly once, while others create and delete assets', async () => {
    await cma.batchAssets({ operations: there.map((index) => create(newText(index))) });
    const seen: number[] = [];
    for await (const { name } of cma.eachAsset({ from: text, pageSize: 5 })) {
      const index = Number(name);
      seen.push(index);
      // With offsets these writes would skip or repeat assets: a yielded asset is deleted, or a new one is inserted before it.
      if (index % 3 === 0) await cma.deleteAsset(newText(index)._id);
      else if (index < 200) await cma.createAsset(newText(index - 99));
    }
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
    expect(seen.filter((index) => index >= 100 && index % 2 === 0)).toEqual(there);
  });
});
