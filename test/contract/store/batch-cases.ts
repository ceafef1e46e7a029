/** Batches of writes, applied in order: independent, where each succeeds or fails alone, or atomic, where all succeed or none. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTrialStore } from '../../../src/content/overlay/trial-store.ts';
import { applyWrite } from '../../../src/content/overlay/write-overlay.ts';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import { createKeysOf } from '../../../src/query/unique-values.ts';
import { type AssetWrite, idOfWrite, type WriteOutcome } from '../../../src/store/port.ts';
import { roundsOf } from '../../support/rounds.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog, toWhere } from './suite-content.ts';

type Fields = Readonly<Record<string, Json>>;

/** Cases for `write`. */
export function describeBatches(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog: suiteCatalog('indexed'), emptied: true });
  let versions = 0;
  const insert = (type: string, n: number, fields: Fields = {}): AssetWrite => ({
    kind: 'insert',
    asset: assetOf(type, n, fields),
    version: `v-${++versions}`,
  });
  const patch = (type: string, n: number, set: Fields, ifVersion?: string): AssetWrite => ({
    kind: 'patch',
    id: idOf(n),
    type: `suite.${type}`,
    set,
    unset: [],
    version: `v-${++versions}`,
    ...(ifVersion === undefined ? {} : { ifVersion }),
  });
  const remove = (type: string, n: number, ifVersion?: string): AssetWrite => ({
    kind: 'delete',
    id: idOf(n),
    type: `suite.${type}`,
    ...(ifVersion === undefined ? {} : { ifVersion }),
  });
  const versionOf = (write: AssetWrite | undefined) => (write && 'version' in write ? write.version : '');
  const outcomesOf = (outcomes: readonly WriteOutcome[]) =>
    outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.error.code : outcome.kind));
  const write = async (...writes: AssetWrite[]) => outcomesOf(await store().write(writes));
  const writeAll = async (...writes: AssetWrite[]) =>
    outcomesOf(await store().write(writes, { atomic: true }));
  const assetsOf = async (type: string) =>
    (await store().find({ types: [`suite.${type}`], offset: 0, limit: 1000, withCount: true })) ?? {};
  const numbersOf = async () =>
    (await assetsOf('Ticket')).items.map(({ asset: { _id, number } }) => [
      Number.parseInt(_id.slice(-12), 16),
      number,
    ]);

  describe('a batch of independent writes', () => {
    test('inserts, patches and deletes, and returns the version of each', async () => {
      await write(insert('Item', 1, { name: 'a', count: 1 }), insert('Item', 2, { tags: ['x'] }));
      const writes = [insert('Item', 3, { name: 'c' }), patch('Item', 1, { name: 'b' }), remove('Item', 2)];
      expect(await write(...writes)).toEqual(['done', 'done', 'done']);
      expect(await store().get(idOf(1))).toEqual({
        asset: assetOf('Item', 1, { name: 'b', count: 1 }),
        version: versionOf(writes[1]),
      });
      expect(await store().get(idOf(2))).toBeUndefined();
      expect((await store().get(idOf(3)))?.version).toBe(versionOf(writes[0]));
    });

    test('accepts an empty batch', async () => {
      expect(await write()).toEqual([]);
      expect(await writeAll()).toEqual([]);
    });

    test('stores 250 inserts, counts them and finds them by index', async () => {
      const numbers = Array.from({ length: 250 }, (_, n) => n + 1);
      const outcomes = await write(
        ...numbers.map((n) => insert('Item', n, { count: n, tags: [`t${n % 10}`] })),
      );
      expect(new Set(outcomes)).toEqual(new Set(['done']));
      const { count, items } = await assetsOf('Item');
      expect([count, items.map(({ asset }) => asset.count)]).toEqual([250, numbers]);
    });

    test('applies writes in order: one asset is created, changed twice and deleted', async () => {
      const first = insert('Item', 1, { count: 1 });
      const second = patch('Item', 1, { count: 2 }, versionOf(first));
      const third = patch('Item', 1, { name: 'x' }, versionOf(second));
      expect(await write(first, second, third)).toEqual(['done', 'done', 'done']);
      expect((await store().get(idOf(1)))?.asset).toEqual(assetOf('Item', 1, { count: 2, name: 'x' }));
      expect(await write(remove('Item', 1, versionOf(third)), insert('Item', 1), remove('Item', 1))).toEqual([
        'done',
        'done',
        'done',
      ]);
      expect((await assetsOf('Item')).count).toBe(0);
    });

    test('applies the other writes when one fails or finds no asset', async () => {
      await write(insert('Ticket', 1, { number: 'A' }), insert('Item', 2));
      expect(
        await write(
          insert('Ticket', 3, { number: 'A' }),
          insert('Item', 2),
          insert('Ticket', 4, { number: 'B' }),
          patch('Ticket', 1, { number: 'C' }, 'another version'),
          patch('Ticket', 9, { number: 'D' }),
          patch('Item', 1, { count: 1 }),
          remove('Ticket', 9),
          remove('Ticket', 1, 'another version'),
          patch('Ticket', 4, { holder: { email: 'x' } }),
          insert('Ticket', 5, { holder: { email: 'x' } }),
          insert('Ticket', 6),
        ),
      ).toEqual([
        'value_in_use',
        'id_in_use',
        'done',
        'precondition_failed',
        'absent',
        'absent',
        'absent',
        'precondition_failed',
        'done',
        'value_in_use',
        'done',
      ]);
      expect(await numbersOf()).toEqual([
        [1, 'A'],
        [4, 'B'],
        [6, undefined],
      ]);
    });

    test('names the value or id in use in its errors', async () => {
      const outcomes = await store().write([
        insert('Ticket', 1, { number: 'A' }),
        insert('Ticket', 2, { number: 'A' }),
        insert('Ticket', 1, { number: 'B' }),
      ]);
      expect(outcomes).toMatchObject([
        { kind: 'done' },
        { error: { code: 'value_in_use', details: { field: 'number', value: 'A' } } },
        { error: { code: 'id_in_use', details: { id: idOf(1) } } },
      ]);
    });

    test('gives a contested unique value to the first write', async () => {
      const writes = Array.from({ length: 60 }, (_, n) => insert('Ticket', n + 1, { number: `${n % 20}` }));
      const outcomes = await write(...writes);
      expect(outcomes).toEqual([...Array(20).fill('done'), ...Array(40).fill('value_in_use')]);
    });

    test('lets a later write reuse a value that a delete or patch released, but not an earlier one', async () => {
      await write(insert('Ticket', 1, { number: 'A' }), insert('Ticket', 2, { number: 'B' }));
      expect(
        await write(
          insert('Ticket', 3, { number: 'A' }),
          remove('Ticket', 1),
          insert('Ticket', 4, { number: 'A' }),
          insert('Ticket', 5, { number: 'B' }),
          patch('Ticket', 2, { number: 'C' }),
          insert('Ticket', 6, { number: 'B' }),
          patch('Ticket', 4, { number: 'D' }),
          patch('Ticket', 6, { number: 'A' }),
        ),
      ).toEqual(['value_in_use', 'done', 'done', 'value_in_use', 'done', 'done', 'done', 'done']);
      expect(await numbersOf()).toEqual([
        [2, 'C'],
        [4, 'D'],
        [6, 'A'],
      ]);
    });

    test('lets assets exchange unique values in a cycle', async () => {
      await write(...[1, 2, 3].map((n) => insert('Ticket', n, { number: `${n}` })));
      expect(
        await write(
          patch('Ticket', 1, { number: 'free' }),
          patch('Ticket', 2, { number: '1' }),
          patch('Ticket', 3, { number: '2' }),
          patch('Ticket', 1, { number: '3' }),
        ),
      ).toEqual(['done', 'done', 'done', 'done']);
      expect((await numbersOf()).map(([, number]) => number)).toEqual(['3', '1', '2']);
    });

    test('lets assets exchange values that are unique together, each write giving one of them', async () => {
      const place = (n: number, hall: string, row: string) =>
        insert('Seat', n, { hall, row, from: `2026-01-0${n}` });
      await write(place(1, 'A', '1'), place(2, 'A', '2'), place(3, 'B', '2'));
      expect(
        await write(
          patch('Seat', 1, { row: '2' }),
          patch('Seat', 1, { row: '9', from: '2026-02-01' }),
          patch('Seat', 2, { row: '1.0', from: '2026-01-01' }),
          patch('Seat', 3, { hall: 'A', from: '2026-01-02' }),
          patch('Seat', 1, { hall: 'B' }),
          patch('Seat', 1, { row: '2.00', from: '2026-01-03' }),
          insert('Seat', 4, { hall: 'A', row: '9' }),
        ),
      ).toEqual(['value_in_use', 'done', 'done', 'done', 'done', 'done', 'done']);
    });

    test('is applied before writes that were requested later', async () => {
      const numbers = Array.from({ length: 50 }, (_, n) => n + 1);
      const several = store().write(numbers.map((n) => insert('Item', n, { count: 0 })));
      const single = numbers.map((n) =>
        store().patch({ id: idOf(n), type: 'suite.Item', set: { count: n }, unset: [], version: 'w' }),
      );
      await several;
      expect((await Promise.all(single)).map((stored) => stored?.asset.count)).toEqual(numbers);
    });

    test('changes the revision of its types', async () => {
      const before = await store().revision(['suite.Item']);
      await write(insert('Person', 1));
      expect(await store().revision(['suite.Item'])).toBe(before);
      await write(insert('Item', 2), remove('Item', 2));
      expect(await store().revision(['suite.Item'])).not.toBe(before);
    });
  });

  describe('an atomic batch', () => {
    test('applies all writes, each seeing the results of the earlier ones', async () => {
      await write(insert('Ticket', 1, { number: 'A' }));
      expect(
        await writeAll(
          remove('Ticket', 1),
          insert('Ticket', 2, { number: 'A' }),
          insert('Ticket', 3, { number: 'B' }),
          patch('Ticket', 3, { number: 'C' }),
          insert('Ticket', 4, { number: 'B' }),
        ),
      ).toEqual(Array(5).fill('done'));
      expect(await numbersOf()).toEqual([
        [2, 'A'],
        [3, 'C'],
        [4, 'B'],
      ]);
    });

    const refused: [name: string, conflicting: () => AssetWrite, outcome: string][] = [
      ['an id in use', () => insert('Item', 1), 'id_in_use'],
      ['an id that another write of the batch inserts', () => insert('Item', 11), 'id_in_use'],
      ['a value in use', () => insert('Ticket', 8, { number: 'A' }), 'value_in_use'],
      [
        'a value that another write of the batch stores',
        () => insert('Ticket', 8, { number: 'B' }),
        'value_in_use',
      ],
      ['a patch to a value in use', () => patch('Ticket', 10, { number: 'A' }), 'value_in_use'],
      [
        'a patch with a stale version',
        () => patch('Ticket', 1, { number: 'Z' }, 'none'),
        'precondition_failed',
      ],
      ['a deletion with a stale version', () => remove('Ticket', 1, 'none'), 'precondition_failed'],
      ['a patch of a missing asset', () => patch('Ticket', 9, { number: 'Z' }), 'absent'],
      ['a deletion of a missing asset', () => remove('Item', 9), 'absent'],
    ];
    test.each(refused)('applies nothing when one write is %s', async (_name, conflicting, outcome) => {
      await write(insert('Ticket', 1, { number: 'A' }));
      const revision = await store().revision(['suite.Ticket', 'suite.Item']);
      expect(
        await writeAll(
          insert('Ticket', 10, { number: 'B' }),
          patch('Ticket', 1, { holder: { email: 'e' } }),
          insert('Item', 11),
          conflicting(),
          insert('Item', 12),
        ),
      ).toEqual(['undone', 'undone', 'undone', outcome, 'undone']);
      expect(await numbersOf()).toEqual([[1, 'A']]);
      expect([(await assetsOf('Ticket')).count, (await assetsOf('Item')).count]).toEqual([1, 0]);
      expect(await store().revision(['suite.Ticket', 'suite.Item'])).toBe(revision);
    });

    test('reports values in use as of the state after the earlier writes', async () => {
      await write(
        insert('Ticket', 1, { number: 'A' }),
        insert('Ticket', 2, { number: 'B', holder: { email: 'b' } }),
      );
      const failuresOf = async (...writes: AssetWrite[]) =>
        (await store().write(writes, { atomic: true })).filter(({ kind }) => kind === 'failed');
      expect(await failuresOf(remove('Ticket', 1), insert('Ticket', 1, { number: 'B' }))).toMatchObject([
        { error: { code: 'value_in_use', details: { field: 'number', value: 'B' } } },
      ]);
      expect(
        await failuresOf(
          patch('Ticket', 1, { number: 'C' }),
          insert('Ticket', 3, { number: 'A', holder: { email: 'b' } }),
        ),
      ).toMatchObject([{ error: { details: { field: 'holder.email', value: 'b' } } }]);
      expect(await numbersOf()).toEqual([
        [1, 'A'],
        [2, 'B'],
      ]);
    });

    test('lets its assets exchange unique values, with one entry in the log for each write', async () => {
      await write(
        insert('Ticket', 1, { number: 'A', holder: { email: 'a' } }),
        insert('Ticket', 2, { number: 'B', holder: { email: 'b' } }),
        insert('Ticket', 3, { number: 'C' }),
      );
      const writes = [
        patch('Ticket', 1, { number: 'B', holder: { email: 'c' } }),
        patch('Ticket', 2, { number: 'C' }),
        patch('Ticket', 3, { number: 'A' }),
        insert('Ticket', 4, { number: 'D', holder: { email: 'b' } }),
        patch('Ticket', 2, { holder: { email: 'a' } }),
        patch('Ticket', 4, { number: 'E' }),
      ];
      expect(await writeAll(...writes)).toEqual(Array(6).fill('done'));
      expect(await numbersOf()).toEqual([
        [1, 'B'],
        [2, 'C'],
        [3, 'A'],
        [4, 'E'],
      ]);
      expect((await store().get(idOf(2)))?.version).toBe(versionOf(writes[4]));
      const where = toWhere(suiteCatalog('indexed'), {
        classes: ['suite.Ticket'],
        text: "holder.email = 'a'",
      });
      const found = await store().find({
        types: ['suite.Ticket'],
        where,
        offset: 0,
        limit: 9,
        withCount: false,
      });
      expect(found.items.map(({ asset }) => asset._id)).toEqual([idOf(2)]);
      const { entries } = await store().changes.history({ asset: idOf(2), limit: 2 });
      expect(entries.map(({ action, before }) => [action, before])).toEqual([
        ['update', { holder: { email: 'b' } }],
        ['update', { number: 'B' }],
      ]);
    });

    test('takes values from assets that it deletes or creates again later', async () => {
      await write(insert('Ticket', 1, { number: 'A' }), insert('Ticket', 2, { number: 'B' }));
      expect(
        await writeAll(
          insert('Ticket', 3, { number: 'A' }),
          patch('Ticket', 3, { number: 'B' }),
          remove('Ticket', 2),
          insert('Ticket', 2, { number: 'A' }),
          remove('Ticket', 1),
        ),
      ).toEqual(Array(5).fill('done'));
      expect(await numbersOf()).toEqual([
        [2, 'A'],
        [3, 'B'],
      ]);
    });

    test('exchanges values if no two assets have the same in the end, and else applies nothing', async () => {
      const n = fc.integer({ min: 1, max: 4 });
      const value = fc.constantFrom('a', 'b', 'c');
      const move = fc.oneof(
        fc.record({ kind: fc.constant('patch'), n, value }),
        fc.record({ kind: fc.constant('email'), n, value }),
        fc.record({ kind: fc.constant('seat'), n, value }),
        fc.record({ kind: fc.constantFrom('delete', 'insert'), n, value }),
      );
      const toWrite = ({ kind, n, value }: { kind: string; n: number; value: string }): AssetWrite => {
        if (kind === 'insert') return insert('Ticket', n, { number: value });
        if (kind === 'delete') return remove('Ticket', n);
        if (kind === 'email') return patch('Ticket', n, { holder: { email: value } });
        return kind === 'seat'
          ? patch('Seat', n + 4, { hall: value })
          : patch('Ticket', n, { number: value });
      };
      const keysOf = createKeysOf(suiteCatalog('indexed'));
      await write(...[5, 6, 7, 8].map((seat) => insert('Seat', seat, { hall: `${seat}`, row: '1' })));
      const check = async (moves: readonly { kind: string; n: number; value: string }[]) => {
        const writes = moves.map(toWrite);
        const types = ['suite.Ticket', 'suite.Seat'];
        const read = () => store().find({ types, offset: 0, limit: 100, withCount: false });
        const before = new Map((await read()).items.map((one) => [one.asset._id, one.asset]));
        const after = new Map<string, Asset | undefined>(before);
        let isPossible = true;
        for (const one of writes) {
          const present = after.get(idOfWrite(one));
          isPossible &&= (one.kind === 'insert') === (present === undefined);
          after.set(idOfWrite(one), applyWrite(one, present)?.asset);
        }
        const keys = [...after.values()].flatMap((asset) => (asset ? keysOf(asset) : []));
        isPossible &&= new Set(keys.map(({ text }) => text)).size === keys.length;
        const checked = await createTrialStore(store(), { keysOf }).write(writes, { atomic: true });
        const outcomes = await store().write(writes, { atomic: true });
        // Where several writes are wrong, each store may name another of them.
        for (const ended of [checked, outcomes]) {
          expect(ended.every(({ kind }) => kind === 'done')).toBe(isPossible);
          expect(ended.filter(({ kind }) => kind === 'failed' || kind === 'absent')).toHaveLength(
            isPossible ? 0 : 1,
          );
        }
        const wanted = isPossible ? after : before;
        const found = new Map((await read()).items.map((one) => [one.asset._id, one.asset]));
        expect(found).toEqual(new Map([...wanted].flatMap(([id, asset]) => (asset ? [[id, asset]] : []))));
      };
      const moves = fc.array(move, { minLength: 1, maxLength: 6 });
      await fc.assert(fc.asyncProperty(moves, check), { numRuns: roundsOf({ usual: 60, long: 1_000 }) });
    });

    test('is stored completely or not at all when many run at once', async () => {
      const batches = Array.from({ length: 12 }, (_, batch) =>
        writeAll(
          ...Array.from({ length: 5 }, (_, n) =>
            insert('Ticket', 100 * batch + n + 1, { number: n < 4 ? `${batch} ${n}` : `last ${batch % 4}` }),
          ),
        ),
      );
      const ended = await Promise.all(batches);
      expect(ended.filter((outcomes) => outcomes.every((outcome) => outcome === 'done'))).toHaveLength(4);
      expect((await assetsOf('Ticket')).count).toBe(20);
    });
  });
}
