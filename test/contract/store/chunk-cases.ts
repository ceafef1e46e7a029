/** Pages and id lists too large for one response: the store returns them in chunks, complete and in order. */
import { beforeAll, expect, test } from 'vitest';
import type { Asset } from '../../../src/model/content-type.ts';
import { bindSort } from '../../../src/query/sort.ts';
import {
  chunkBytes,
  type FindRequest,
  type FoundAssets,
  type FoundPage,
  type StoredAsset,
} from '../../../src/store/port.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const catalog = suiteCatalog('indexed');
const types = ['suite.Item'];
/** Five of these fit into a chunk; each character takes two bytes. */
const body = 'é'.repeat(Math.floor(chunkBytes / 11));
const numbers = Array.from({ length: 13 }, (_, n) => n + 1);

/** Cases of `find`, `getChunk` and `getMany` with documents that do not fit into one chunk. */
export function describeChunks(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog });
  const insert = (n: number, fields: Parameters<typeof assetOf>[2]) =>
    store().insert({ asset: assetOf('Item', n, fields), version: `v${n}` });
  const find = (request: Partial<FindRequest> = {}) =>
    store().find({ types, offset: 0, limit: 1000, withCount: false, ...request });

  beforeAll(async () => {
    for (const n of numbers) await insert(n, { count: -n, name: 'large', body });
    await insert(0x100, { name: 'huge', body: 'x'.repeat(3 * chunkBytes) });
    for (const n of numbers) await insert(0x200 + n, { name: 'small' });
  });

  test('a page holds the first assets that fit and lists the ids of the rest', async () => {
    const page = await find({ limit: 13, withCount: true });
    expect(idsOf(page.items)).toEqual(numbers.slice(0, 5).map(idOf));
    expect(page.rest).toEqual(numbers.slice(5).map(idOf));
    expect(page.count).toBe(27);
    expect(page.items[0]).toEqual(await store().get(idOf(1)));
  });

  test('a page that fits into one chunk lists no further ids', async () => {
    const page = await find({ offset: 14 });
    expect(idsOf(page.items)).toEqual(numbers.map((n) => idOf(0x200 + n)));
    expect(page).not.toHaveProperty('rest');
    expect(await find({ limit: 1 })).not.toHaveProperty('rest');
  });

  test('offset and limit apply to the whole page, not to a chunk', async () => {
    const page = await find({ offset: 2, limit: 8 });
    expect(await readAll(page)).toEqual(numbers.slice(2, 10).map(idOf));
  });

  test.each([false, true])('chunks continue the requested order, descending %s', async (descending) => {
    const sort = bindSort(catalog, types, [{ field: 'count', descending }]);
    const page = await find({ sort, limit: 1000 });
    const others = [0x100, ...numbers.map((n) => 0x200 + n)];
    // Assets without a value sort lowest; ties are ordered by `_id` in the same direction.
    const expected = descending ? [...numbers, ...others.toReversed()] : [...others, ...numbers.toReversed()];
    expect(await readAll(page)).toEqual(expected.map(idOf));
  });

  test('a document larger than a chunk is returned alone', async () => {
    const page = await find({ offset: 13, limit: 3 });
    expect(idsOf(page.items)).toEqual([idOf(0x100)]);
    expect(page.rest).toEqual([idOf(0x201), idOf(0x202)]);
    const { items, rest } = await store().getChunk([idOf(0x201), idOf(0x100), idOf(0x202)]);
    expect(idsOf(items)).toEqual([idOf(0x201)]);
    expect(rest).toEqual([idOf(0x100), idOf(0x202)]);
  });

  test('getChunk omits assets deleted meanwhile and returns the current state of changed ones', async () => {
    const gone = await Promise.all(
      [0x301, 0x302, 0x303].map((n) => insert(n, { name: 'late', body }).then(() => n)),
    );
    const ids = [...numbers, ...gone].map(idOf);
    await store().delete({ id: idOf(0x301), type: 'suite.Item' });
    await store().delete({ id: idOf(0x303), type: 'suite.Item' });
    await store().patch({
      id: idOf(0x302),
      type: 'suite.Item',
      set: { name: 'new' },
      unset: ['body'],
      version: 'v',
    });
    expect(await readAll({ items: [], rest: ids })).toEqual([...numbers, 0x302].map(idOf));
    expect((await store().getChunk([idOf(0x302)])).items).toEqual([
      { asset: assetOf('Item', 0x302, { name: 'new' }), version: 'v' },
    ]);
    expect(await store().getChunk([idOf(0x301), idOf(0x303)])).toEqual({ items: [] });
    await store().delete({ id: idOf(0x302), type: 'suite.Item' });
  });

  test('getMany returns the assets that fit and lists the ids of the rest', async () => {
    const wanted = [...numbers, 0x100, 0xdead, 0x201].map(idOf);
    const seen = new Map<string, Asset>();
    let left: readonly string[] | undefined = wanted;
    let calls = 0;
    while (left) {
      const { found, rest }: FoundAssets = await store().getMany(left);
      for (const [id, { asset, version }] of found) {
        expect(version).toMatch(/^v\d+$/);
        expect(seen.has(id)).toBe(false);
        seen.set(id, asset);
      }
      left = rest;
      calls++;
    }
    expect([...seen.keys()].sort()).toEqual([...numbers, 0x100, 0x201].map(idOf));
    expect(calls).toBeGreaterThan(3);
  });

  async function readAll({ items, rest }: FoundPage): Promise<string[]> {
    const ids = idsOf(items);
    let left = rest;
    while (left) {
      const chunk = await store().getChunk(left);
      const bytes = chunk.items.reduce((sum, { asset }) => sum + Buffer.byteLength(JSON.stringify(asset)), 0);
      if (chunk.items.length > 1) expect(bytes).toBeLessThanOrEqual(chunkBytes);
      ids.push(...idsOf(chunk.items));
      left = chunk.rest;
    }
    return ids;
  }
}

const idsOf = (items: readonly StoredAsset[]) => items.map(({ asset }) => asset._id);
