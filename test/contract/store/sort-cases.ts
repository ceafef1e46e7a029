/**
 * Sorting: every kind of field, absent values, ties, several keys, several types. Each case lists the assets in order, and
 * `compareBySort`, the reference, must give the same order. Each case runs on indexed and on plain fields.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/content-type.ts';
import type { SortPosition } from '../../../src/query/keyset.ts';
import { bindSort, compareBySort } from '../../../src/query/sort.ts';
import type { FindRequest, FoundPage, StoredAsset } from '../../../src/store/port.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, type Indexing, idOf, referenceTo, suiteCatalog, toWhere } from './suite-content.ts';

/** Sort keys as `name` or, for descending, `-name`, and the numbers of the assets in order. */
type Case = readonly [keys: string, found: readonly number[]];

const items: Record<number, Record<string, Json>> = {
  1: {
    name: 'b',
    count: 2,
    ratio: 1.5,
    at: 1700000000000,
    active: true,
    mood: 'WILD',
    owner: referenceTo('Person', 103),
    place: { city: 'Oslo', spot: { height: 2, keeper: referenceTo('Person', 101) } },
    'dotted.name.long': 'y',
  },
  2: {
    name: 'B',
    count: -3,
    ratio: -0.25,
    at: -1,
    active: false,
    mood: 'calm',
    owner: referenceTo('Person', 101),
    place: { city: 'Bergen', spot: {} },
  },
  3: {
    name: '\uffff',
    count: 10,
    ratio: 1e21,
    at: 9007199254740991,
    mood: 'CALM',
    owner: referenceTo('Person', 102),
    place: { spot: { height: 10, keeper: referenceTo('Person', 102) } },
    'dotted.name.long': 'x',
  },
  4: { name: '😀', count: 2, ratio: 1, at: 0, active: true, place: {} },
  5: { name: '', count: 2147483647, ratio: 1.25, active: false, code: '10' },
  6: { name: 'a b', count: 0, mood: 'WILD', code: '9' },
  7: { name: 'a', code: 'A' },
  // Null counts as absent.
  8: { name: null, count: null, active: null, owner: null, place: null },
};

const people: Record<number, Record<string, Json>> = {
  101: { name: 'a', age: 7 },
  102: { name: 'c' },
  103: { name: 'b', age: 40 },
};

/** Cases for `find` with `sort`. */
export function describeSorting(createHarness: CreateHarness): void {
  for (const indexing of ['plain', 'indexed'] as const) {
    describe(`${indexing} types`, () => describeOrders(createHarness, indexing));
  }
}

function describeOrders(createHarness: CreateHarness, indexing: Indexing): void {
  const catalog = suiteCatalog(indexing);
  const store = useStore(createHarness, { catalog });
  const assets = [
    ...Object.entries(items).map(([n, fields]) => assetOf('Item', Number(n), fields)),
    ...Object.entries(people).map(([n, fields]) => assetOf('Person', Number(n), fields)),
    // Unique fields have another kind of index. Tickets without a number tie.
    ...['b', undefined, 'a', undefined, 'c'].map((number, index) =>
      assetOf(
        'Ticket',
        201 + index,
        number === undefined ? {} : { number, holder: { email: `${number}@x` } },
      ),
    ),
  ];

  beforeAll(async () => {
    for (const asset of assets.toReversed()) await store().insert({ asset, version: 'v' });
  });

  const toSort = (classes: readonly string[], keys: string) =>
    bindSort(
      catalog,
      classes,
      keys.split(' ').map((key) => ({ field: key.replace('-', ''), descending: key.startsWith('-') })),
    );

  const find = async (
    keys: string,
    request: Partial<Omit<FindRequest, 'where'>> & { where?: string } = {},
  ) => {
    const { where: text, types: classes = ['suite.Item'], ...rest } = request;
    const page = { offset: 0, limit: 1000, withCount: false, ...rest };
    const where = text === undefined ? {} : { where: toWhere(catalog, { classes, text }) };
    return store().find({ types: classes, sort: toSort(classes, keys), ...page, ...where });
  };
  /** Returns the identifiers of the assets on all pages by cursor. */
  const findByCursor = async (
    keys: string,
    {
      between = async () => {},
      ...request
    }: Parameters<typeof find>[1] & { between?: (page: FoundPage) => Promise<void> },
  ) => {
    const found: string[] = [];
    for (let after: SortPosition | undefined; ; ) {
      const page = await find(keys, { ...request, keyset: after ? { after } : {} });
      found.push(...idsOf(page.items));
      after = page.next;
      if (!after || found.length > 100) return found;
      await between(page);
    }
  };
  const idsOf = (found: readonly StoredAsset[]) => found.map(({ asset }) => asset._id);

  const expectOrder = async (classes: readonly string[], [keys, numbers]: Case) => {
    const known = assets.filter(({ _type }) => classes.includes(_type));
    const meant = known.toSorted(compareBySort(toSort(classes, keys)));
    expect(meant.map(({ _id }) => _id)).toEqual(numbers.map(idOf));
    const { items: found } = await find(keys, { types: classes });
    expect(found.map(({ asset }) => asset)).toEqual(meant);
  };

  const cases: Case[] = [
    ['name', [8, 5, 2, 7, 6, 1, 3, 4]],
    ['-name', [4, 3, 1, 6, 7, 2, 5, 8]],
    ['code', [1, 2, 3, 4, 8, 5, 6, 7]],
    ['-code', [7, 6, 5, 8, 4, 3, 2, 1]],
    ['count', [7, 8, 2, 6, 1, 4, 3, 5]],
    ['-count', [5, 3, 4, 1, 6, 2, 8, 7]],
    ['ratio', [6, 7, 8, 2, 4, 5, 1, 3]],
    ['-ratio', [3, 1, 5, 4, 2, 8, 7, 6]],
    ['at', [5, 6, 7, 8, 2, 4, 1, 3]],
    ['-at', [3, 1, 4, 2, 8, 7, 6, 5]],
    ['active', [3, 6, 7, 8, 2, 5, 1, 4]],
    ['-active', [4, 1, 5, 2, 8, 7, 6, 3]],
    ['mood', [4, 5, 7, 8, 3, 1, 6, 2]],
    ['-mood', [2, 6, 1, 3, 8, 7, 5, 4]],
    ['owner', [4, 5, 6, 7, 8, 2, 3, 1]],
    ['-owner', [1, 3, 2, 8, 7, 6, 5, 4]],
    ['place.city', [3, 4, 5, 6, 7, 8, 2, 1]],
    ['-place.spot.height', [3, 1, 8, 7, 6, 5, 4, 2]],
    ['place.spot.keeper', [2, 4, 5, 6, 7, 8, 1, 3]],
    ['dotted.name.long', [2, 4, 5, 6, 7, 8, 3, 1]],
    ['_id', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['-_id', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['-_type', [8, 7, 6, 5, 4, 3, 2, 1]],
  ];
  test.each(cases)('by %s', (...each) => expectOrder(['suite.Item'], each));

  const several: Case[] = [
    ['active count', [7, 8, 6, 3, 2, 5, 1, 4]],
    ['active -count', [3, 6, 8, 7, 5, 2, 4, 1]],
    ['-mood active name', [2, 6, 1, 3, 8, 7, 5, 4]],
    ['-active _id name', [1, 4, 2, 5, 3, 6, 7, 8]],
    ['_type -count', [5, 3, 4, 1, 6, 2, 8, 7]],
  ];
  test.each(several)('by several keys: %s', (...each) => expectOrder(['suite.Item'], each));

  const unique: Case[] = [
    ['number', [202, 204, 203, 201, 205]],
    ['-number', [205, 201, 203, 204, 202]],
    ['-holder.email', [205, 201, 203, 204, 202]],
  ];
  test.each(unique)('by a unique field: %s', (...each) => expectOrder(['suite.Ticket'], each));

  const mixed: Case[] = [
    ['name', [8, 5, 2, 7, 101, 6, 1, 103, 102, 3, 4]],
    ['-name', [4, 3, 102, 103, 1, 6, 101, 7, 2, 5, 8]],
    ['-_type name', [101, 103, 102, 8, 5, 2, 7, 6, 1, 3, 4]],
    ['_type -name', [4, 3, 1, 6, 7, 2, 5, 8, 102, 103, 101]],
  ];
  test.each(mixed)('of several types together: %s', (...each) =>
    expectOrder(['suite.Item', 'suite.Person'], each),
  );

  const wheres: [where: string, keys: string, found: readonly number[]][] = [
    ['count = 2', '-name', [4, 1]],
    ['count >= 2', 'count', [1, 4, 3, 5]],
    ['count >= 2', '-count', [5, 3, 4, 1]],
    ['count = [2, 10]', '-count', [3, 4, 1]],
    ['count < 2 or count > 10', '-count', [5, 6, 2]],
    ['count < 2 or name = "b"', 'count', [2, 6, 1]],
    ['name startsWith "a"', 'count', [7, 6]],
    ['name startsWith "a"', '-name', [6, 7]],
    ['name contains "b"', 'name', [6, 1]],
    ['mood = WILD and count < 5', '-count', [1, 6]],
    ['owner/name = ["a", "c"]', '-count', [3, 2]],
    ['at = missing', '-count', [5, 6, 8, 7]],
    ['at = missing', 'at', [5, 6, 7, 8]],
    [`_id = ["${idOf(1)}", "${idOf(2)}", "${idOf(3)}"]`, '-count', [3, 1, 2]],
    [`count > 0 and _id > "${idOf(3)}"`, '-_id', [5, 4]],
    ['false', 'name', []],
  ];
  test.each(wheres)('of those with %s, by %s', async (where, keys, numbers) => {
    const found = await find(keys, { where, withCount: true });
    expect(idsOf(found.items)).toEqual(numbers.map(idOf));
    expect(found.count).toBe(numbers.length);
  });

  test('of several types, of those that match', async () => {
    const types = ['suite.Item', 'suite.Person'];
    const found = await find('-name', { types, where: 'name > "a"' });
    expect(idsOf(found.items)).toEqual([4, 3, 102, 103, 1, 6].map(idOf));
  });

  test.each([
    ['name', ['suite.Item', 'suite.Person']],
    ['-count', ['suite.Item']],
    ['active -ratio', ['suite.Item']],
    ['-number', ['suite.Ticket']],
  ])('pages by %s follow one another without gap or repeat', async (keys, types) => {
    const { items: all } = await find(keys, { types });
    const offsets = [0, 2, 4, 6, 8, 10, 12];
    const pages = await Promise.all(offsets.map((offset) => find(keys, { types, offset, limit: 2 })));
    expect(idsOf(pages.flatMap((page) => page.items))).toEqual(idsOf(all));
    expect(await find(keys, { types, offset: 1, limit: 0, withCount: true })).toEqual({
      items: [],
      count: all.length,
    });
    expect(await findByCursor(keys, { types, limit: 2 })).toEqual(idsOf(all));
  });

  test.each(['name', '-name', '-_id', 'name -age'])(
    'pages by cursor, by %s, have each unchanged asset once',
    async (keys) => {
      const assetAt = (n: number) => assetOf('Person', n, { name: `${n % 3}`, age: n });
      const added: string[] = [];
      let turn = 0;
      const meddle = async ({ items: [last] }: FoundPage) => {
        // The asset that the page ended with, one that moves from the end to the start, and a new one.
        if (last && !kept.has(last.asset._id))
          await store().delete({ id: last.asset._id, type: 'suite.Person' });
        const patch = {
          id: idOf(500),
          type: 'suite.Person',
          set: { name: '', age: -1 },
          unset: [],
          version: `w${turn}`,
        };
        await store().patch(patch);
        await store().insert({ asset: assetAt(600 - turn++), version: 'v' });
        added.push(idOf(600 - turn + 1));
      };
      const all = Array.from({ length: 12 }, (_, n) => assetAt(501 + n));
      const kept = new Set(all.filter((_, n) => n % 2 === 0).map(({ _id }) => _id));
      for (const asset of [assetAt(500), ...all]) await store().insert({ asset, version: 'v' });
      const where = `_id >= "${idOf(500)}"`;
      const found = await findByCursor(keys, {
        types: ['suite.Person'],
        limit: 1,
        where,
        between: meddle,
      });
      expect(found.filter((id) => kept.has(id)).toSorted()).toEqual([...kept].toSorted());
      for (const id of [idOf(500), ...all.map(({ _id }) => _id), ...added])
        await store().delete({ id, type: 'suite.Person' });
    },
  );
}
