/** Reading the change log: pages in both orders, filters, the history of one asset, following while others write. */
import { expect, test } from 'vitest';
import type { ChangeFilter } from '../../../../src/store/changes.ts';
import { chunkBytes } from '../../../../src/store/port.ts';
import { type CreateHarness, codeOf } from '../harness.ts';
import { idOf } from '../suite-content.ts';
import {
  assetOf,
  createLogWriter,
  originAt,
  readHistory,
  readLog,
  readWhenNumbered,
  useLog,
} from './log-content.ts';

/** Cases for `position`, `read` and `history`. */
export function describeLogReading(createHarness: CreateHarness): void {
  const open = useLog(createHarness);

  test('the position has the epoch of the database and the ends of the log', async () => {
    const store = await open();
    const empty = await store.changes.position();
    expect(empty).toEqual({ epoch: expect.stringMatching(/^[\w-]{8,64}$/), first: 0, last: 0, trimmedTo: 0 });
    const { create } = createLogWriter(store);
    for (const n of [1, 2, 3]) await create(n);
    const entries = await readWhenNumbered(store, 3);
    const other = await open();
    const [first, last] = [entries[0]?.seq, entries[2]?.seq];
    expect(await other.changes.position()).toEqual({ epoch: empty.epoch, first, last, trimmedTo: 0 });
    expect(await other.changes.waitUntilNumbered()).toBe(last);
    expect(first).toBeGreaterThan(0);
  });

  test('pages have no gap and no overlap in either order, and end without a next page', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    for (let n = 1; n <= 10; n++) await create(n);
    const whole = await readWhenNumbered(store, 10);
    for (const limit of [1, 3, 5, 10, 11]) {
      expect(await readLog(store, { limit })).toEqual(whole);
      expect(await readLog(store, { limit, order: 'newest first' })).toEqual(whole.toReversed());
    }
    const exact = await store.changes.read({ order: 'oldest first', limit: 10 });
    expect(exact.next).toBeUndefined();
    const [, , third] = whole;
    const from = third?.seq ?? 0;
    expect(await readLog(store, { from })).toEqual(whole.slice(3));
    expect(await readLog(store, { from, order: 'newest first' })).toEqual(whole.slice(0, 2).toReversed());
    expect(await readLog(store, { from: whole[9]?.seq ?? 0 })).toEqual([]);
  });

  const filters: [name: string, filter: ChangeFilter, found: string[]][] = [
    ['asset', { asset: idOf(1) }, ['v-1', 'v-3', 'v-6']],
    ['unknown asset', { asset: 'no such asset' }, []],
    ['type', { types: ['log.Other'] }, ['o-1']],
    [
      'types',
      { types: ['log.Other', 'log.Note', 'log.Unknown'] },
      ['v-1', 'v-2', 'o-1', 'v-3', 'v-4', 'v-5', 'v-6'],
    ],
    ['no type', { types: [] }, []],
    ['action', { actions: ['update'] }, ['v-3', 'v-4']],
    ['actions', { actions: ['delete', 'create'] }, ['v-1', 'v-2', 'o-1', 'v-5', 'v-6']],
    ['kind of actor', { by: { kind: 'user' } }, ['v-2', 'v-4']],
    ['actor', { by: { id: 'u-2' } }, ['v-4']],
    ['kind and id of actor', { by: { kind: 'client', id: 'u-2' } }, []],
    ['run', { run: 'r.1' }, ['v-3', 'v-5']],
    ['run and asset', { run: 'r.1', asset: idOf(1) }, ['v-3']],
    ['unknown run', { run: 'r.2' }, []],
    ['time from, inclusive', { fromMs: 1_004 }, ['v-4', 'v-5', 'v-6']],
    ['time to, exclusive', { toMs: 1_003 }, ['v-1', 'v-2', 'o-1']],
    ['latest entries', { latestOnly: true }, ['o-1', 'v-4', 'v-5', 'v-6']],
    [
      'all of these',
      { latestOnly: true, types: ['log.Note'], actions: ['update'], by: { kind: 'user' }, fromMs: 0 },
      ['v-4'],
    ],
  ];

  test('filters select entries, in both orders and by pages', async () => {
    const store = await open();
    const { create, update, remove } = createLogWriter(store);
    await create(1);
    await create(2, {}, { by: { kind: 'user', id: 'u-1' } });
    await store.insert({ asset: assetOf('Other', 7), version: 'o-1' }, originAt(1_002));
    await update(1, { title: 'x' }, [], { run: 'r.1' });
    await update(2, { title: 'x' }, [], { by: { kind: 'user', id: 'u-2', name: 'Ada' } });
    await create(3, {}, { run: 'r.1' });
    await remove(1);
    await readWhenNumbered(store, 7);
    for (const [name, filter, found] of filters) {
      for (const limit of [1, 2, 100]) {
        const idsOf = async (order: 'oldest first' | 'newest first') =>
          (await readLog(store, { order, filter, limit })).map(({ id }) => id);
        expect([name, await idsOf('oldest first')]).toEqual([name, found]);
        expect([name, await idsOf('newest first')]).toEqual([name, found.toReversed()]);
      }
    }
  });

  test('a page of large entries ends early, and a larger entry is returned alone', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { title: 'x'.repeat(chunkBytes + 1) });
    for (let n = 0; n < 5; n++) await update(1, { title: `${n}${'x'.repeat(chunkBytes / 2.5)}` });
    const whole = await readWhenNumbered(store, 6);
    const sizes: number[] = [];
    for (let from = 0; ; ) {
      const page = await store.changes.read({ order: 'oldest first', from, limit: 100 });
      sizes.push(page.entries.length);
      if (page.next === undefined) break;
      from = page.next;
    }
    expect(sizes).toEqual([1, 1, 2, 2]);
    const page = await store.changes.history({ asset: idOf(1), limit: 100 });
    expect([page.entries.length, page.next]).toEqual([2, 5]);
    expect((await readHistory(store, 1)).map(({ seq }) => seq)).toEqual(
      whole.map(({ seq }) => seq).toReversed(),
    );
  });

  test('the history of an asset has pages, newest first', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1);
    await create(2);
    for (let n = 0; n < 7; n++) await update(1, { count: n });
    await readWhenNumbered(store, 9);
    const whole = await readHistory(store, 1);
    expect(whole.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    for (const limit of [1, 3, 4, 8]) expect(await readHistory(store, 1, limit)).toEqual(whole);
    expect((await store.changes.history({ asset: idOf(1), limit: 8 })).next).toBeUndefined();
    expect(await store.changes.history({ asset: idOf(1), before: 1, limit: 8 })).toEqual({ entries: [] });
    expect(await store.changes.history({ asset: idOf(3), limit: 8 })).toEqual({ entries: [] });
  });

  test('a reader that follows while two stores write misses no entry and sees none twice', async () => {
    const writers = [await open(), await open()].map((store) => createLogWriter(store));
    const follower = await open();
    const perWriter = 60;
    const total = writers.length * perWriter;
    const seen: string[] = [];
    const follow = async () => {
      const endMs = Date.now() + 60_000;
      for (let from = 0; seen.length < total && Date.now() < endMs; ) {
        const { entries, next } = await follower.changes.read({ order: 'oldest first', from, limit: 7 });
        seen.push(...entries.map(({ asset }) => asset));
        from = next ?? entries.at(-1)?.seq ?? from;
      }
    };
    const write = ({ create }: (typeof writers)[number], w: number) =>
      Promise.all(Array.from({ length: perWriter }, (_, n) => create(1_000 * w + n + 1)));
    await Promise.all([follow(), ...writers.map(write)]);
    const ids = writers.flatMap((_, w) =>
      Array.from({ length: perWriter }, (__, n) => idOf(1_000 * w + n + 1)),
    );
    expect(seen.toSorted()).toEqual(ids);
    expect((await readLog(follower)).map(({ asset }) => asset)).toEqual(seen);
  });

  test('every call rejects after close', async () => {
    const store = await open();
    await store.close();
    const { changes } = store;
    const calls = [
      changes.position(),
      changes.read({ order: 'oldest first', limit: 1 }),
      changes.history({ asset: idOf(1), limit: 1 }),
      changes.stateOf(idOf(1), { number: 1 }),
      changes.append({ id: 'e', asset: idOf(1), type: 'log.Account', action: 'signIn' }, originAt(1)),
      changes.trim({ beforeMs: 1, limit: 1 }),
      changes.erase({ id: idOf(1), change: 'e' }, originAt(1)),
    ];
    expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['store_failure']));
  });
}
