/** Going through all assets of a live server, on every store, while others write. */
import { describe, expect, it } from 'vitest';
import { createClient, PredicateError } from '../../../generated/client/lib/index.js';
import { startInstance } from '../../support/instance.ts';
import { describeOnEachStore } from '../../support/stores.ts';

const section = 'com.example.news.Section';
const idAt = (index: number) => `01935e4a-7c1b-7d52-9a6e-${String(index).padStart(12, '0')}`;

describeOnEachStore('eachAsset', (places) => {
  async function withSections(use: (cma: ReturnType<typeof createClient>) => Promise<void>) {
    const place = places();
    const { url, headers, stop } = await startInstance(place);
    const [clientId, clientSecret] = [headers['X-Client-Id'], headers['X-Client-Secret']];
    const cma = createClient({ baseUrl: url, clientId, clientSecret });
    try {
      for (let index = 100; index < 200; index += 2) await create(cma, index);
      await use(cma);
    } finally {
      await stop();
      await place.remove();
    }
  }

  const create = (cma: ReturnType<typeof createClient>, index: number) =>
    cma.createAsset({
      _id: idAt(index),
      _type: section,
      slug: `s${index}`,
      name: `S${index % 4}`,
      order: index,
    });

  it('gives every asset once, in order, whatever the page size', () =>
    withSections(async (cma) => {
      for (const pageSize of [1, 7, 50, 51, undefined]) {
        const orders: unknown[] = [];
        for await (const { order } of cma.eachAsset({ from: section, pageSize })) orders.push(order);
        expect(orders).toEqual(Array.from({ length: 50 }, (_, index) => 100 + 2 * index));
      }
    }));

  it('gives what was there all the time once, when others create and delete before and behind it', () =>
    withSections(async (cma) => {
      const seen: number[] = [];
      for await (const { order = 0 } of cma.eachAsset({ from: section, pageSize: 5 })) {
        seen.push(order);
        // What an offset would lose or give twice: one that was given already goes, or a new one comes before it.
        if (order % 3 === 0) await cma.deleteAsset(idAt(order));
        else if (order < 200) await create(cma, order - 99);
      }
      const there = Array.from({ length: 50 }, (_, index) => 100 + 2 * index);
      expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
      expect(seen.filter((order) => order >= 100 && order % 2 === 0)).toEqual(there);
    }));

  describe('with a predicate', () => {
    it.each([
      ['name = S0 or name = S2', []],
      ['name = ? or name = ?', ['S0', 'S2']],
      ['name = ?1 or name = ?0', ['S0', 'S2']],
      [`name in [?, 'S2'] or name = '?0'`, ['S0']],
      ['not name = S1', []],
    ])('finds the same as a single page does: %s', (where, values) =>
      withSections(async (cma) => {
        const { items } = await cma.queryAssets({ from: section, where, values, limit: 1000 });
        const found: unknown[] = [];
        for await (const one of cma.eachAsset({ from: section, where, values, pageSize: 3 })) found.push(one);
        expect([found, found.length]).toEqual([items, 50]);
      }),
    );

    it.each(['name = S0) or (name = S2', 'name = S0 or', `name = 'S0`, ''])(
      'refuses one that is none: %s',
      (where) =>
        withSections(async (cma) => {
          const each = cma.eachAsset({ from: section, where, pageSize: 3 });
          const alone = await cma.queryAssets({ from: section, where }).catch((error: unknown) => error);
          expect(alone).toBeInstanceOf(PredicateError);
          await expect(each.next()).rejects.toMatchObject({ message: Object(alone).message });
        }),
    );
  });
});
