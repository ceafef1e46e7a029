import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createAssetFinder } from '../../../../src/content/reading/find-assets.ts';
import { type OpenPage, openPage } from '../../../../src/content/reading/read-chunks.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import { bindSort } from '../../../../src/query/sort.ts';
import { type ContentStore, chunkBytes } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf('type Note @contentType(class: "x.Note") { text: String rank: Int }');
const siteId = '00000000-0000-7000-8000-00000000feed';
const owner = { 'cms.site.owner': { _ref: siteId, _type: 'com.colophon.cms.db.Site' } };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
/** A size such that a chunk holds two assets. */
const text = 'x'.repeat(Math.floor(chunkBytes * 0.4));
const locations: StoreLocation[] = [];
let store: ContentStore;

beforeEach(async () => {
  await store?.close();
  const location = sqliteLocation();
  locations.push(location);
  store = await openStoreAt(location, catalog);
  for (let n = 1; n <= 14; n++) {
    await store.insert({ asset: { _id: idOf(n), _type: 'x.Note', text, rank: -n, ...owner }, version: 'v' });
  }
});
afterAll(() => Promise.all(locations.map((location) => location.remove())));

const page = (limit: number) => ({ types: ['x.Note'], offset: 0, limit, withCount: false });
const drop = (n: number) => store.delete({ id: idOf(n), type: 'x.Note' });
const numbersOf = (assets: readonly Asset[]) => assets.map(({ _id }) => Number.parseInt(_id.slice(-4), 16));

async function readAll({ first, rest }: Pick<OpenPage, 'first' | 'rest'>): Promise<number[]> {
  const numbers = numbersOf(first);
  for await (const assets of rest ?? []) numbers.push(...numbersOf(assets));
  return numbers;
}

describe('a page that is read in chunks', () => {
  test('contains the found assets, in order', async () => {
    const opened = await openPage(store, page(9), () => true);
    expect(numbersOf(opened.first)).toEqual([1, 2]);
    expect(await readAll(opened)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('replaces assets deleted meanwhile by the next ones, up to its limit', async () => {
    const opened = await openPage(store, page(6), () => true);
    // One that has been read already, and two that have not; then one of those that take their places.
    for (const n of [1, 3, 5]) await drop(n);
    expect(await readAll(opened)).toEqual([1, 2, 4, 6, 7, 8]);
  });

  test('is shorter when no assets follow', async () => {
    const opened = await openPage(store, page(100), () => true);
    for (const n of [4, 14]) await drop(n);
    expect(await readAll(opened)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test('in a given order omits deleted assets', async () => {
    const sort = bindSort(catalog, ['x.Note'], [{ field: 'rank', descending: false }]);
    const opened = await openPage(store, { ...page(6), sort }, () => true);
    await drop(10);
    expect(await readAll(opened)).toEqual([14, 13, 12, 11, 9]);
  });

  test('omits assets that moved to another site meanwhile', async () => {
    const finder = createAssetFinder({ catalog, store });
    const query = { from: 'x.Note', offset: 0, limit: 100, withCount: true };
    const opened = await finder.open(query, { sites: [siteId] });
    await store.patch({ id: idOf(5), type: 'x.Note', set: {}, unset: ['cms.site.owner'], version: 'w' });
    expect(opened.count).toBe(14);
    expect(await readAll(opened)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  test('is returned as a whole on request', async () => {
    const finder = createAssetFinder({ catalog, store });
    const query = { from: 'x.Note', offset: 1, limit: 100, withCount: true };
    const { items, count } = await finder.find(query, {});
    expect([numbersOf(items.map(({ asset }) => asset)), count]).toEqual([
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
      14,
    ]);
  });
});
