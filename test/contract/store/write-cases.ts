/** Concurrent writes, unique fields, and the revision, which changes with every write. */
import { describe, expect, test } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import { type CreateHarness, codeOf, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

/** Cases for concurrent writes, unique values and `revision`. */
export function describeWriting(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog: suiteCatalog('indexed'), emptied: true });
  const insert = (type: string, n: number, fields = {}) =>
    store().insert({ asset: assetOf(type, n, fields), version: 'first' });
  const patch = (type: string, n: number, set: Record<string, string | number>) =>
    store().patch({
      id: idOf(n),
      type: `suite.${type}`,
      set,
      unset: [],
      version: `of ${JSON.stringify(set)}`,
    });
  const countOf = async (type: string) =>
    (await store().find({ types: [`suite.${type}`], offset: 0, limit: 0, withCount: true })).count;

  describe('concurrently', () => {
    test('two patches of different fields both take effect', async () => {
      await insert('Item', 1, { name: 'x' });
      await Promise.all([patch('Item', 1, { count: 1 }), patch('Item', 1, { mood: 'WILD' })]);
      expect((await store().get(idOf(1)))?.asset).toEqual(
        assetOf('Item', 1, { name: 'x', count: 1, mood: 'WILD' }),
      );
    });

    test('exactly one of many patches with the same ifVersion succeeds', async () => {
      await insert('Item', 1, { count: 0 });
      const attempts = Array.from({ length: 20 }, (_, n) =>
        store().patch({
          id: idOf(1),
          type: 'suite.Item',
          set: { count: n },
          unset: [],
          version: `v-${n}`,
          ifVersion: 'first',
        }),
      );
      const results = await Promise.allSettled(attempts);
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      const codes = results
        .map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
        .sort();
      expect(codes).toEqual(['done', ...Array(19).fill('precondition_failed')]);
      expect(await store().get(idOf(1))).toMatchObject({ version: `v-${winner}`, asset: { count: winner } });
    });

    test('40 inserts are all stored and counted', async () => {
      const numbers = Array.from({ length: 40 }, (_, n) => n + 1);
      await Promise.all(numbers.map((n) => insert('Item', n, { count: n })));
      const { items, count } = await store().find({
        types: ['suite.Item'],
        offset: 0,
        limit: 1000,
        withCount: true,
      });
      expect(count).toBe(40);
      expect(items.map(({ asset }) => asset.count)).toEqual(numbers);
    });

    test('exactly one of several inserts with the same id succeeds', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => codeOf(insert('Item', 1))));
      expect(results.filter((code) => code === undefined)).toHaveLength(1);
      expect(results.filter((code) => code === 'id_in_use')).toHaveLength(9);
      expect(await countOf('Item')).toBe(1);
    });

    test('writes to one asset are applied in the order of the calls', async () => {
      await insert('Item', 1, { count: 0 });
      const patches = Array.from({ length: 20 }, (_, n) => patch('Item', 1, { count: n + 1 }));
      await Promise.all(patches);
      expect((await store().get(idOf(1)))?.asset.count).toBe(20);
    });
  });

  describe('a unique value', () => {
    test('in use makes an insert fail with the field and store nothing', async () => {
      await insert('Ticket', 1, { number: 'A' });
      const error = await insert('Ticket', 2, { number: 'A' }).catch((reason: unknown) => reason);
      expect(isDomainError(error, 'value_in_use') && error.details).toEqual({ field: 'number', value: 'A' });
      expect(await store().get(idOf(2))).toBeUndefined();
      expect(await countOf('Ticket')).toBe(1);
    });

    test('inside an embedded object is checked as well', async () => {
      await insert('Ticket', 1, { holder: { email: 'a@example.com' } });
      const error = await insert('Ticket', 2, { holder: { email: 'a@example.com' } }).catch(
        (reason: unknown) => reason,
      );
      expect(isDomainError(error, 'value_in_use') && error.details).toEqual({
        field: 'holder.email',
        value: 'a@example.com',
      });
    });

    test('in use makes a patch fail and change nothing', async () => {
      await insert('Ticket', 1, { number: 'A' });
      await insert('Ticket', 2, { number: 'B' });
      expect(await codeOf(patch('Ticket', 2, { number: 'A' }))).toBe('value_in_use');
      expect(await store().get(idOf(2))).toEqual({
        asset: assetOf('Ticket', 2, { number: 'B' }),
        version: 'first',
      });
    });

    test('can be set again on the asset that has it', async () => {
      await insert('Ticket', 1, { number: 'A' });
      expect((await patch('Ticket', 1, { number: 'A' }))?.asset.number).toBe('A');
    });

    test('can be absent in any number of assets, and empty in one', async () => {
      await Promise.all([insert('Ticket', 1), insert('Ticket', 2), insert('Ticket', 3, { holder: {} })]);
      await insert('Ticket', 4, { number: '' });
      expect(await codeOf(insert('Ticket', 5, { number: '' }))).toBe('value_in_use');
    });

    test('can be used again in another type', async () => {
      await insert('Ticket', 1, { number: 'A' });
      await insert('Badge', 2, { number: 'A' });
      expect(await countOf('Badge')).toBe(1);
    });

    test('is compared exactly', async () => {
      const values = ['a', 'A', 'á', 'a\u0301', 'a ', ' a', '1', '01', '1.0', 'ß', 'ss'];
      await Promise.all(values.map((number, n) => insert('Ticket', n + 1, { number })));
      expect(await countOf('Ticket')).toBe(values.length);
    });

    test('can be reused after a delete or a change', async () => {
      await insert('Ticket', 1, { number: 'A' });
      await patch('Ticket', 1, { number: 'B' });
      await insert('Ticket', 2, { number: 'A' });
      await store().delete({ id: idOf(2), type: 'suite.Ticket' });
      await insert('Ticket', 3, { number: 'A' });
      expect(await countOf('Ticket')).toBe(2);
    });

    test('makes only the conflicting ones of many concurrent writes fail', async () => {
      const numbers = Array.from({ length: 60 }, (_, n) => n + 1);
      const codes = await Promise.all(
        numbers.map((n) => codeOf(insert('Ticket', n, { number: n % 3 === 0 ? 'same' : `own ${n}` }))),
      );
      expect(codes.filter((code) => code === 'value_in_use')).toHaveLength(19);
      expect(codes.filter((code) => code === undefined)).toHaveLength(41);
      expect(await countOf('Ticket')).toBe(41);
      const stored = await Promise.all(numbers.map((n) => store().get(idOf(n))));
      expect(stored.map((each) => each !== undefined)).toEqual(codes.map((code) => code === undefined));
    });
  });

  describe('fields that are unique together', () => {
    const conflictOf = async (write: Promise<unknown>) => {
      const error: unknown = await write.catch((reason: unknown) => reason);
      return isDomainError(error, 'value_in_use') && error.details;
    };

    test('refuse the values that another asset has, by insert and by a patch of one of them', async () => {
      await insert('Seat', 1, { hall: 'A', row: '1.0' });
      await insert('Seat', 2, { hall: 'A', row: '2' });
      await insert('Seat', 3, { hall: 'B', row: '1' });
      const inUse = { field: 'hall,row', value: 'A, 1' };
      expect(await conflictOf(insert('Seat', 4, { hall: 'A', row: '1' }))).toEqual(inUse);
      expect(await conflictOf(patch('Seat', 2, { row: '1.00' }))).toMatchObject({ field: 'hall,row' });
      expect(await conflictOf(patch('Seat', 3, { hall: 'A' }))).toEqual(inUse);
      await patch('Seat', 1, { row: '3' });
      await patch('Seat', 2, { row: '1' });
      await insert('Seat', 4, { hall: 'A', row: '2' });
      expect(await countOf('Seat')).toBe(4);
    });

    test('make no key where one is absent, but for the site owner, whose absence is the global site', async () => {
      await Promise.all([1, 2].map((n) => insert('Seat', n, { hall: 'A' })));
      const owner = (n: number) => ({
        'cms.site.owner': { _ref: idOf(n), _type: 'com.colophon.cms.db.Site' },
      });
      await insert('Seat', 3, { code: 'x' });
      await insert('Seat', 4, { code: 'x', ...owner(8) });
      await insert('Seat', 5, { code: 'x', ...owner(9) });
      const field = 'cms.site.owner,code';
      const taken = { field, value: 'global, x' };
      expect(await conflictOf(insert('Seat', 6, { code: 'x' }))).toEqual(taken);
      expect(await conflictOf(patch('Seat', 1, { code: 'x' }))).toEqual(taken);
      expect(await conflictOf(insert('Seat', 6, { code: 'x', ...owner(9) }))).toMatchObject({ field });
      const cleared = { id: idOf(5), type: 'suite.Seat', set: {}, unset: ['cms.site.owner'], version: 'v' };
      expect(await conflictOf(store().patch(cleared))).toEqual(taken);
    });

    test('have one winner of 20 inserts, and of 20 patches of one of them', async () => {
      const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
      const inserts = await Promise.all(
        numbers.map((n) => codeOf(insert('Seat', n, { hall: 'A', row: n % 2 ? '1' : '1.0' }))),
      );
      expect(inserts.toSorted()).toEqual([...Array(19).fill('value_in_use'), undefined]);
      await Promise.all(numbers.map((n) => insert('Seat', n + 20, { hall: `${n}`, row: '7' })));
      const patches = await Promise.all(numbers.map((n) => codeOf(patch('Seat', n + 20, { hall: 'A' }))));
      expect(patches.toSorted()).toEqual([...Array(19).fill('value_in_use'), undefined]);
      expect(await countOf('Seat')).toBe(21);
    });
  });

  describe('the revision of types', () => {
    const revision = (...types: string[]) => store().revision(types.map((type) => `suite.${type}`));

    test('changes with every insert, patch and delete of their assets', async () => {
      const seen = [await revision('Item')];
      await insert('Item', 1);
      seen.push(await revision('Item'));
      await patch('Item', 1, { count: 1 });
      seen.push(await revision('Item'));
      await store().delete({ id: idOf(1), type: 'suite.Item' });
      seen.push(await revision('Item'));
      await insert('Item', 1);
      seen.push(await revision('Item'));
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('does not change without writes, by failed writes or by writes of other types', async () => {
      await insert('Ticket', 1, { number: 'A' });
      const before = await revision('Ticket', 'Person');
      await insert('Item', 2);
      await codeOf(insert('Ticket', 3, { number: 'A' }));
      await patch('Ticket', 9, { number: 'B' });
      await store().delete({ id: idOf(9), type: 'suite.Ticket' });
      expect(await revision('Ticket', 'Person')).toBe(before);
    });

    test('changes when any of the types is written', async () => {
      const before = await revision('Ticket', 'Item', 'Person');
      await insert('Person', 1);
      expect(await revision('Ticket', 'Item', 'Person')).not.toBe(before);
    });
  });
}
