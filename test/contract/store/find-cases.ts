/** Pages and counts: order, boundaries, and searches over several types. `predicate-cases.ts` has the meaning of predicates. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { FindRequest } from '../../../src/store/port.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, type Indexing, idOf, referenceTo, suiteCatalog, toWhere } from './suite-content.ts';

/** Cases for `find` with offset, limit, count and types. */
export function describeFinding(createHarness: CreateHarness): void {
  for (const indexing of ['plain', 'indexed'] as const) {
    describe(`${indexing} types`, () => describePages(createHarness, indexing));
  }
}

function describePages(createHarness: CreateHarness, indexing: Indexing): void {
  const catalog = suiteCatalog(indexing);
  const store = useStore(createHarness, { catalog });
  const itemNumbers = Array.from({ length: 25 }, (_, n) => n * 2 + 1);

  beforeAll(async () => {
    // Written backwards, so that the id order differs from the write order; ids of people lie between those of items.
    for (const n of itemNumbers.toReversed()) {
      const fields = {
        name: `name ${n % 3}`,
        count: n,
        tags: [`tag ${n % 2}`, `tag ${n % 5}`],
        owner: referenceTo('Person', 2),
      };
      await store().insert({ asset: assetOf('Item', n, fields), version: 'v' });
    }
    for (const n of [2, 4, 6]) {
      await store().insert({ asset: assetOf('Person', n, { name: `name ${n % 3}` }), version: 'v' });
    }
  });

  const find = async (request: Partial<Omit<FindRequest, 'where'>> & { where?: string } = {}) => {
    const { where: text, types: classes = ['suite.Item'], ...rest } = request;
    return store().find({
      types: classes,
      offset: 0,
      limit: 1000,
      withCount: false,
      ...rest,
      ...(text !== undefined && { where: toWhere(catalog, { classes, text }) }),
    });
  };
  const idsOf = async (request: Parameters<typeof find>[0]) =>
    (await find(request)).items.map(({ asset }) => asset._id);

  test('find returns complete items with their versions in id order', async () => {
    const { items } = await find();
    expect(items.map(({ asset }) => asset._id)).toEqual(itemNumbers.map(idOf));
    expect(items[0]).toEqual(await store().get(idOf(1)));
  });

  test('explain runs the search and visits at least what it finds', async () => {
    const explain = (text: string, page: Partial<FindRequest> = {}) =>
      store().explain({
        types: ['suite.Item'],
        offset: 0,
        limit: 1000,
        withCount: false,
        ...page,
        where: toWhere(catalog, { classes: ['suite.Item'], text }),
      });
    const found = await explain('name = "name 1"');
    expect(found.rowsVisited).toBeGreaterThanOrEqual(8);
    expect(found.indexes.every((path) => ['name', '_id'].includes(path))).toBe(true);
    const tested = await explain('hasOwnProperty = 1 or extra = missing');
    expect(tested.rowsVisited).toBeGreaterThanOrEqual(itemNumbers.length);
    expect(tested.indexes.filter((path) => path !== '_id')).toEqual([]);
    const counted = await explain('name = "name 1"', { limit: 0, withCount: true });
    expect(counted.rowsVisited).toBeGreaterThanOrEqual(8);
    const nothing = await explain('true', { limit: 0 });
    expect(nothing).toMatchObject({ indexes: [], rowsVisited: 0 });
  });

  test('consecutive pages have no gap and no repeated item', async () => {
    const pages = await Promise.all([0, 7, 14, 21, 28].map((offset) => idsOf({ offset, limit: 7 })));
    expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 4, 0]);
    expect(pages.flat()).toEqual(itemNumbers.map(idOf));
  });

  const wheres: [string, (n: number) => boolean][] = [
    ['count >= 21', (n) => n >= 21],
    ['name = "name 1"', (n) => n % 3 === 1],
    ['name startsWith "name"', () => true],
    ['tags = "tag 3"', (n) => n % 5 === 3],
    ['name = "name 1" or count > 40', (n) => n % 3 === 1 || n > 40],
    ['name = ["name 1", "name 2"] and count < 30', (n) => n % 3 !== 0 && n < 30],
    ['owner/name = "name 2"', () => true],
    ['not tags = "tag 1"', () => false],
  ];
  test.each(wheres)('pages of assets with %s continue one another', async (where, holds) => {
    const expected = itemNumbers.filter(holds).map(idOf);
    const offsets = [0, 4, 8, 12, 16, 20, 24];
    const pages = await Promise.all(offsets.map((offset) => idsOf({ where, offset, limit: 4 })));
    expect(pages.flat()).toEqual(expected);
    expect((await find({ where, withCount: true, limit: 0 })).count).toBe(expected.length);
  });

  test('count ignores offset and limit, and is present only when requested', async () => {
    expect(await find({ withCount: true, offset: 3, limit: 2 })).toMatchObject({ count: 25 });
    expect(await find({ withCount: true, limit: 2, where: 'count > 9' })).toMatchObject({ count: 20 });
    expect(await find({ limit: 2 })).not.toHaveProperty('count');
  });

  test('limit 0 returns only the count', async () => {
    expect(await find({ withCount: true, limit: 0 })).toEqual({ items: [], count: 25 });
    expect(await find({ limit: 0 })).toEqual({ items: [] });
  });

  test('an offset beyond the end returns the count and no items', async () => {
    expect(await find({ withCount: true, offset: 25 })).toEqual({ items: [], count: 25 });
    const beyond = { withCount: true, offset: Number.MAX_SAFE_INTEGER, where: 'count > 9' };
    expect(await find(beyond)).toEqual({ items: [], count: 20 });
  });

  test('the predicate true finds all items, false finds none', async () => {
    expect(await find({ where: 'true', withCount: true, limit: 1 })).toMatchObject({ count: 25 });
    expect(await find({ where: 'false', withCount: true })).toEqual({ items: [], count: 0 });
    expect(await find({ where: 'not (false)', withCount: true, limit: 1 })).toMatchObject({ count: 25 });
  });

  test('a type without assets gives an empty page', async () => {
    expect(await find({ types: ['suite.Ticket'], withCount: true })).toEqual({ items: [], count: 0 });
  });

  describe('an aborted search', () => {
    test('rejects with the reason of the signal, before or after it has started', async () => {
      const left = AbortSignal.abort();
      await expect(find({ signal: left })).rejects.toBe(left.reason);
      const leaving = new AbortController();
      const searches = Array.from({ length: 20 }, () =>
        find({ where: 'owner/name matches "name"', withCount: true, signal: leaving.signal }),
      );
      const ended = Promise.allSettled(searches);
      leaving.abort();
      for (const search of await ended) {
        expect(search).toEqual({ status: 'rejected', reason: leaving.signal.reason });
      }
      expect(await idsOf({ limit: 2 })).toEqual([1, 3].map(idOf));
    });

    test('keeps its result when the signal aborts after the response', async () => {
      const leaving = new AbortController();
      const page = await find({ limit: 2, signal: leaving.signal });
      leaving.abort();
      expect(page.items).toHaveLength(2);
    });
  });

  describe('a search over several types', () => {
    const types = ['suite.Item', 'suite.Person', 'suite.Ticket'];

    test('returns assets of all types in one id order', async () => {
      const all = [...itemNumbers, 2, 4, 6].sort((a, b) => a - b).map(idOf);
      expect(await idsOf({ types })).toEqual(all);
      expect(await idsOf({ types, offset: 2, limit: 3 })).toEqual(all.slice(2, 5));
      expect((await find({ types, withCount: true, limit: 0 })).count).toBe(28);
    });

    test('applies the predicate to all types', async () => {
      const where = 'name = "name 1"';
      const both = ['suite.Person', 'suite.Item'];
      const expected = [...itemNumbers, 2, 4, 6].sort((a, b) => a - b).filter((n) => n % 3 === 1);
      expect(await idsOf({ types: both, where })).toEqual(expected.map(idOf));
      expect(await idsOf({ types: both, where, offset: 2, limit: 3 })).toEqual(
        expected.slice(2, 5).map(idOf),
      );
      expect((await find({ types: both, where, withCount: true, limit: 1 })).count).toBe(expected.length);
    });

    test('can be narrowed by a predicate on _type', async () => {
      const both = ['suite.Item', 'suite.Person'];
      const where = '_type = "suite.Person"';
      expect(await idsOf({ types: both, where })).toEqual([2, 4, 6].map(idOf));
    });
  });
}
