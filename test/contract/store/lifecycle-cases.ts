/** Reopening and sharing a database: assets persist when a store closes, when indexes change and when other stores write. */
import { describe, expect, test } from 'vitest';
import { type ErrorCode, isDomainError } from '../../../src/base/errors.ts';
import type { Asset, Catalog } from '../../../src/model/content-type.ts';
import { bindSort } from '../../../src/query/sort.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { catalogOf } from '../../support/types.ts';
import { type CreateHarness, codeOf, useDatabase } from './harness.ts';
import { assetOf, idOf, referenceTo, suiteCatalog, toWhere } from './suite-content.ts';

/** Cases for opening, closing and sharing a database. */
export function describeLifecycle(createHarness: CreateHarness): void {
  const open = useDatabase(createHarness);
  const [plain, indexed] = [suiteCatalog('plain'), suiteCatalog('indexed')];

  test('assets, versions, totals and revisions persist after the store is closed', async () => {
    const first = await open(indexed);
    const asset = assetOf('Item', 1, { name: 'x', tags: ['a'] });
    await first.insert({ asset, version: 'v-1' });
    await first.insert({ asset: assetOf('Item', 2), version: 'v-2' });
    const revision = await first.revision(['suite.Item']);
    await first.close();
    const second = await open(indexed);
    expect(await second.get(idOf(1))).toEqual({ asset, version: 'v-1' });
    expect(await second.revision(['suite.Item'])).toBe(revision);
    expect(await second.find({ types: ['suite.Item'], offset: 0, limit: 1, withCount: true })).toEqual({
      items: [{ asset, version: 'v-1' }],
      count: 2,
    });
  });

  test.each([
    ['made', plain, indexed],
    ['dropped', indexed, plain],
  ])('answers stay the same when indexes are %s', async (_, before, after) => {
    const first = await open(before);
    await fill(first, 1);
    const expected = await answersOf(first, before);
    expect(expected.every((ids) => ids.length > 0)).toBe(true);
    await first.close();
    const second = await open(after);
    expect(await answersOf(second, after)).toEqual(expected);
    // Indexes built over stored assets must also be kept current by later writes.
    await clear(second, 1);
    expect((await answersOf(second, after)).flat()).toEqual([]);
    await fill(second, 11);
    expect(await answersOf(second, after)).toEqual(expected.map((ids) => ids.map((id) => id + 10)));
  });

  test('a field that becomes unique stays unique after a store without that rule opens', async () => {
    const first = await open(plain);
    await first.insert({ asset: assetOf('Ticket', 1, { number: 'A' }), version: 'v' });
    await first.close();
    const second = await open(indexed);
    const twin = { asset: assetOf('Ticket', 2, { number: 'A' }), version: 'v' };
    expect(await codeOf(second.insert(twin))).toBe('value_in_use');
    await second.close();
    const third = await open(plain);
    expect(await codeOf(third.insert(twin))).toBe('value_in_use');
  });

  test.each([
    [
      'Decimal',
      ['1.00', '-0.5', 'no number', '0.3', '12345678901234567890.12', '1', '-0'],
      ['price > 0.1 and price <= 1', 'price = 12345678901234567890.120', 'price = 0'],
      [[1, 4, 6], [5], [7]],
      [3, 2, 7, 4, 1, 6, 5],
      '1.000',
    ],
    [
      'DateTime',
      ['2024-03-01T01:30:00+02:00', '1969-12-31T23:59:59.5Z', '2024', '2024-02-29T23:30:00.000001Z'],
      ['price < 2024-03-01T00:00:00Z', 'price = 2024-02-29T18:00:00-05:30'],
      [[1, 2, 4], [1]],
      [3, 2, 1, 4],
      '2024-02-29T23:30:00Z',
    ],
  ] as const)(
    'texts that become a %s are compared, sorted, counted and unique as what they stand for',
    async (scalar, texts, wheres, found, sorted, twin) => {
      const typeOf = (field: string) =>
        catalogOf(
          `type Item @contentType(class: "suite.Item") { price: ${field} prices: [${field.split(' ')[0]}!] }`,
        );
      const itemOf = (n: number, price: string): Asset => ({
        _id: idOf(n),
        _type: 'suite.Item',
        price,
        prices: [price, 'no value'],
      });
      const first = await open(typeOf('String @indexed'));
      for (const [index, text] of texts.entries())
        await first.insert({ asset: itemOf(index + 1, text), version: 'v' });
      await first.close();

      for (const catalog of [typeOf(`${scalar} @indexed`), typeOf(scalar)]) {
        const store = await open(catalog);
        const find = async (where: string, keys: readonly string[]) => {
          const sort = bindSort(
            catalog,
            ['suite.Item'],
            keys.map((field) => ({ field, descending: false })),
          );
          const page = { types: ['suite.Item'], offset: 0, limit: 9, withCount: true, sort };
          const { items, count } = await store.find({
            ...page,
            where: toWhere(catalog, { classes: ['suite.Item'], text: where }),
          });
          expect(count).toBe(items.length);
          return items.map(({ asset }) => Number(asset._id.slice(-12)));
        };
        for (const [index, where] of wheres.entries()) {
          expect(await find(where, [])).toEqual(found[index]);
          expect(await find(where.replaceAll('price', 'prices'), [])).toEqual(found[index]);
        }
        expect(await find('true', ['price'])).toEqual(sorted);
        await store.close();
      }

      const isRepeated = scalar === 'Decimal';
      const unique = typeOf(`${scalar} @indexed(unique: true)`);
      if (isRepeated) {
        expect(String(await open(unique).catch((reason: unknown) => reason))).toMatch(/"1(\.00)?"/);
        const store = await open(typeOf(scalar));
        await store.delete({ id: idOf(6), type: 'suite.Item' });
        await store.close();
      }
      const store = await open(unique);
      const asset = itemOf(9, twin);
      const error: unknown = await store.insert({ asset, version: 'v' }).catch((reason: unknown) => reason);
      expect(isDomainError(error, 'value_in_use') && error.details.field).toBe('price');
      const patch = { id: idOf(2), type: 'suite.Item', unset: [], version: 'w' };
      expect(await codeOf(store.patch({ ...patch, set: { price: twin } }))).toBe('value_in_use');
      expect((await store.get(idOf(1)))?.asset.price).toBe(texts[0]);
    },
  );

  test('prepare fails and loses nothing when values of a newly unique field repeat', async () => {
    const first = await open(plain);
    for (const n of [1, 2, 3]) {
      await first.insert({ asset: assetOf('Ticket', n, { number: n < 3 ? 'twice' : 'once' }), version: 'v' });
    }
    await first.close();
    const error: unknown = await open(indexed).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: expect.stringMatching(/^bad_(config|types)$/) });
    expect(String(error)).toMatch(/suite\.Ticket.*number.*"twice"/s);
    const second = await open(plain);
    expect((await second.find({ types: ['suite.Ticket'], offset: 0, limit: 9, withCount: true })).count).toBe(
      3,
    );
  });

  test('prepare names the values that repeat where fields become unique together', async () => {
    const first = await open(plain);
    for (const n of [1, 2]) await first.insert({ asset: assetOf('Seat', n, { code: 'x' }), version: 'v' });
    await first.close();
    const error: unknown = await open(indexed).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/suite\.Seat cms\.site\.owner,code.*2 assets have "global, x"/s);
  });

  describe('two stores on one database', () => {
    test('see the writes of the other', async () => {
      const [one, other] = [await open(indexed), await open(indexed)];
      const before = await other.revision(['suite.Item']);
      await one.insert({ asset: assetOf('Item', 1, { name: 'x', tags: ['a'] }), version: 'v-1' });
      expect((await other.get(idOf(1)))?.version).toBe('v-1');
      expect(await other.revision(['suite.Item'])).not.toBe(before);
      expect(await countWhere(other, 'tags = a')).toBe(1);
      await other.patch({ id: idOf(1), type: 'suite.Item', set: { tags: ['b'] }, unset: [], version: 'v-2' });
      expect((await one.get(idOf(1)))?.version).toBe('v-2');
      expect([await countWhere(one, 'tags = a'), await countWhere(one, 'tags = b')]).toEqual([0, 1]);
    });

    test('lose no write and keep unique fields unique when both write at once', async () => {
      const stores = [await open(indexed), await open(indexed)];
      const tickets = Array.from({ length: 60 }, (_, n) =>
        assetOf('Ticket', n + 1, { number: n % 4 === 0 ? `shared ${n % 8}` : `own ${n}` }),
      );
      const codes = await Promise.all(
        tickets.map((asset, n) => insertAtLast(stores[n % 3 === 0 ? 0 : 1] as ContentStore, asset)),
      );
      const stored = tickets.filter((_, n) => codes[n] !== 'value_in_use').map(({ _id }) => _id);
      // Of the fifteen with a shared number two are stored.
      expect(stored).toHaveLength(60 - 13);
      for (const store of stores) {
        const page = await store.find({ types: ['suite.Ticket'], offset: 0, limit: 1000, withCount: true });
        expect([page.count, page.items.map(({ asset }) => asset._id)]).toEqual([47, stored]);
      }
    });

    test('keep both changes to one asset', async () => {
      const [one, other] = [await open(indexed), await open(indexed)];
      await one.insert({ asset: assetOf('Item', 1), version: 'v' });
      const patch = { id: idOf(1), type: 'suite.Item', unset: [] };
      await Promise.all([
        one.patch({ ...patch, set: { name: 'one' }, version: 'a' }),
        other.patch({ ...patch, set: { count: 2 }, version: 'b' }),
      ]);
      expect((await one.get(idOf(1)))?.asset).toEqual(expect.objectContaining({ name: 'one', count: 2 }));
    });

    test('can be opened at the same time on a new database', async () => {
      const stores = await Promise.all([open(indexed), open(indexed), open(indexed)]);
      await stores[0].insert({ asset: assetOf('Item', 1, { name: 'x' }), version: 'v' });
      expect(await Promise.all(stores.map((store) => countWhere(store, 'name = x')))).toEqual([1, 1, 1]);
    });

    test('give the same search results when their indexes differ', async () => {
      const one = await open(indexed);
      await fill(one, 1);
      const expected = await answersOf(one, indexed);
      const byName = await findByName(one);
      expect(byName.map(({ name }) => name)).toEqual(['y', 'x']);
      const other = await open(plain);
      expect(await answersOf(other, plain)).toEqual(expected);
      expect(await answersOf(one, indexed)).toEqual(expected);
      expect(await findByName(other)).toEqual(byName);
      expect(await findByName(one)).toEqual(byName);
    });
  });

  describe('close', () => {
    test('waits for pending writes', async () => {
      const store = await open(indexed);
      const writes = Array.from({ length: 20 }, (_, n) =>
        store.insert({ asset: assetOf('Item', n + 1), version: 'v' }),
      );
      await store.close();
      await Promise.all(writes);
      const next = await open(indexed);
      expect((await next.find({ types: ['suite.Item'], offset: 0, limit: 0, withCount: true })).count).toBe(
        20,
      );
    });

    test('can be called twice, and makes every later call reject', async () => {
      const store = await open(indexed);
      await Promise.all([store.close(), store.close()]);
      await store.close();
      const find = { types: ['suite.Item'], offset: 0, limit: 1, withCount: true };
      const calls = [
        store.get(idOf(1)),
        store.getMany([idOf(1)]),
        store.find(find),
        store.insert({ asset: assetOf('Item', 1), version: 'v' }),
        store.patch({ id: idOf(1), type: 'suite.Item', set: {}, unset: [], version: 'v' }),
        store.delete({ id: idOf(1), type: 'suite.Item' }),
        store.write([{ kind: 'delete', id: idOf(1), type: 'suite.Item' }]),
        store.revision(['suite.Item']),
        store.ping(),
      ];
      const codes = await Promise.all(calls.map(codeOf));
      expect(new Set(codes)).toEqual(new Set(['store_failure']));
    });
  });

  test('ping resolves while the store is open', async () => {
    const store = await open(indexed);
    await expect(store.ping()).resolves.toBeUndefined();
  });
}

const questions = [
  'name = x',
  'tags = a',
  'stops.tags = s',
  'owner/name = boss',
  'counts > 3',
  'place.city startsWith "Os"',
];

/** Inserts an asset, again while the store is busy: a write that ran out of time may have been applied or not. */
async function insertAtLast(store: ContentStore, asset: Asset): Promise<ErrorCode | undefined> {
  const write = () => codeOf(store.insert({ asset, version: 'v' }));
  let code = await write();
  if (code !== 'store_busy') return code;
  while (code === 'store_busy') code = await write();
  return (await store.get(asset._id)) ? undefined : code;
}

async function fill(store: ContentStore, from: number): Promise<void> {
  const boss = assetOf('Person', from, { name: 'boss' });
  const first = assetOf('Item', from + 1, {
    name: 'x',
    tags: ['a', 'b', 'a'],
    owner: referenceTo('Person', from),
    stops: [{ tags: ['s', 't'] }, {}],
  });
  const second = assetOf('Item', from + 2, {
    name: 'y',
    tags: ['a'],
    counts: [1, 5],
    place: { city: 'Oslo' },
  });
  for (const asset of [boss, first, second]) await store.insert({ asset, version: 'v' });
}

/** Removes everything the questions find, by deleting one item and patching the other. */
async function clear(store: ContentStore, from: number): Promise<void> {
  await store.delete({ id: idOf(from + 1), type: 'suite.Item' });
  const patch = { id: idOf(from + 2), type: 'suite.Item', version: 'w' };
  await store.patch({ ...patch, set: { tags: ['z'], place: {} }, unset: ['counts'] });
}

async function answersOf(store: ContentStore, catalog: Catalog): Promise<number[][]> {
  const classes = ['suite.Item'];
  return Promise.all(
    questions.map(async (text) => {
      const where = toWhere(catalog, { classes, text });
      const { items } = await store.find({ types: classes, where, offset: 0, limit: 100, withCount: false });
      return items.map(({ asset }) => Number.parseInt(asset._id.slice(-12), 16));
    }),
  );
}

async function findByName(store: ContentStore): Promise<readonly Asset[]> {
  const types = ['suite.Item'];
  const sort = bindSort(suiteCatalog('plain'), types, [{ field: 'name', descending: true }]);
  return (await store.find({ types, sort, offset: 0, limit: 100, withCount: false })).items.map(
    ({ asset }) => asset,
  );
}

async function countWhere(store: ContentStore, text: string): Promise<number | undefined> {
  const classes = ['suite.Item'];
  const where = toWhere(suiteCatalog('plain'), { classes, text });
  return (await store.find({ types: classes, where, offset: 0, limit: 0, withCount: true })).count;
}
