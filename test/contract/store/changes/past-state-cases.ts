/** Past states: an asset as it was after any of its changes, found by version, time or number. */
import { expect, test } from 'vitest';
import type { Moment, PastState } from '../../../../src/store/changes.ts';
import type { CreateHarness } from '../harness.ts';
import { idOf } from '../suite-content.ts';
import { assetOf, createLogWriter, type Fields, originAt, readWhenNumbered, useLog } from './log-content.ts';

/** Cases for `stateOf`. */
export function describePastStates(createHarness: CreateHarness): void {
  const open = useLog(createHarness);
  const exists = (fields: Fields, number: number, version = `v-${number}`): PastState => ({
    kind: 'exists',
    asset: assetOf('Note', 1, fields),
    version,
    number,
  });

  test('is found by version, time and number through creation, updates, deletion and creation again', async () => {
    const store = await open();
    const { create, update, remove } = createLogWriter(store);
    await create(1, { title: 'a', tags: ['x'] });
    await update(1, { title: 'b', count: 1 });
    await update(1, { title: 'c' }, ['tags']);
    await remove(1);
    await create(1, { title: 'd' });
    await update(1, { slug: 's' });
    const states: PastState[] = [
      exists({ title: 'a', tags: ['x'] }, 1),
      exists({ title: 'b', count: 1, tags: ['x'] }, 2),
      exists({ title: 'c', count: 1 }, 3),
      { kind: 'deleted' },
      exists({ title: 'd' }, 5),
      exists({ title: 'd', slug: 's' }, 6),
    ];
    const stateAt = (moment: Moment) => store.changes.stateOf(idOf(1), moment);
    for (const [index, state] of states.entries()) {
      const number = index + 1;
      expect(await stateAt({ number })).toEqual(state);
      expect(await stateAt({ atMs: 1_000 + number })).toEqual(state);
      expect(await stateAt({ version: `v-${number}` })).toEqual(state);
    }
    expect(await stateAt({ atMs: 9_000_000_000_000 })).toEqual(states[5]);
  });

  test('is not created at an earlier time, an unknown version or number, and for an unknown asset', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    await create(1);
    const moments: Moment[] = [
      { atMs: 1_000 },
      { atMs: -1 },
      { number: 0 },
      { number: 2 },
      { version: 'unknown' },
      { version: '' },
    ];
    for (const moment of moments) {
      expect([moment, await store.changes.stateOf(idOf(1), moment)]).toEqual([
        moment,
        { kind: 'not created' },
      ]);
    }
    for (const moment of [{ atMs: 9_000_000_000_000 }, { number: 1 }, { version: 'v-1' }]) {
      for (const id of [idOf(2), 'no such id', '']) {
        expect(await store.changes.stateOf(id, moment)).toEqual({ kind: 'not created' });
      }
    }
  });

  test('follows the order of changes when the clock goes back', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { count: 1 }, { atMs: 5_000 });
    await update(1, { count: 2 }, [], { atMs: 3_000 });
    await update(1, { count: 3 }, [], { atMs: 4_000 });
    const countAt = async (atMs: number) => {
      const state = await store.changes.stateOf(idOf(1), { atMs });
      return state.kind === 'exists' ? state.asset.count : state.kind;
    };
    // The state after the last change whose time is not later.
    expect([await countAt(3_500), await countAt(4_500), await countAt(5_500)]).toEqual([2, 3, 3]);
  });

  test('is the same as what a read then gave, over more changes than one kept state covers', async () => {
    const store = await open();
    const { create, update, remove } = createLogWriter(store);
    const expected: PastState[] = [];
    for (let number = 1; number <= 140; number++) {
      if (number === 1 || number === 129) await create(1, { title: `t ${number}` });
      else if (number === 128) await remove(1);
      else {
        const change = { [number % 3 === 0 ? 'title' : 'count']: number, extra: [number] };
        await update(1, change, number % 5 === 0 ? ['slug', 'count'] : []);
      }
      const stored = await store.get(idOf(1));
      expected.push(stored ? { kind: 'exists', ...stored, number } : { kind: 'deleted' });
    }
    for (const [index, state] of expected.entries()) {
      expect(await store.changes.stateOf(idOf(1), { number: index + 1 })).toEqual(state);
    }
    expect(await store.changes.stateOf(idOf(1), { version: 'v-3' })).toEqual(expected[2]);
  });

  test('after trimming: the state before the oldest entry is known, earlier ones are removed', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { count: 1 });
    for (let count = 2; count <= 6; count++) await update(1, { count });
    await create(2, { title: 'untouched' }, { atMs: 1_002 });
    await readWhenNumbered(store, 7);
    // The second asset's entry is the newest of all, which stays.
    expect(await store.changes.trim({ beforeMs: 1_004, limit: 100 })).toBe(3);
    const stateAt = (moment: Moment) => store.changes.stateOf(idOf(1), moment);
    expect(await stateAt({ version: 'v-3' })).toEqual(exists({ count: 3 }, 3));
    expect(await stateAt({ atMs: 1_003 })).toEqual(exists({ count: 3 }, 3));
    for (const moment of [{ version: 'v-2' }, { number: 2 }, { atMs: 1_002 }, { atMs: 0 }]) {
      expect([moment, await stateAt(moment)]).toEqual([moment, { kind: 'removed' }]);
    }
    expect(await stateAt({ version: 'v-5' })).toEqual(exists({ count: 5 }, 5));
    expect(await stateAt({ number: 7 })).toEqual({ kind: 'not created' });
  });

  test('an asset whose entries were all trimmed is as it was since then', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    await create(1, { count: 1 });
    await create(2, {}, { atMs: 2_000 });
    await create(3, {}, { atMs: 3_000 });
    await readWhenNumbered(store, 3);
    expect(await store.changes.trim({ beforeMs: 2_500, limit: 100 })).toBe(2);
    expect(await store.changes.stateOf(idOf(1), { version: 'v-1' })).toEqual(exists({ count: 1 }, 1));
    expect(await store.changes.stateOf(idOf(1), { atMs: 3_500 })).toEqual(exists({ count: 1 }, 1));
    expect(await store.changes.stateOf(idOf(1), { atMs: 500 })).toEqual({ kind: 'removed' });
    expect(await store.changes.stateOf(idOf(1), { version: 'v-0' })).toEqual({ kind: 'removed' });
    // Its next entry goes on with the numbers.
    const patch = { id: idOf(1), type: 'log.Note', set: { count: 2 }, unset: [], version: 'w' };
    await store.patch(patch, originAt(4_000));
    expect(await store.changes.stateOf(idOf(1), { version: 'w' })).toEqual(exists({ count: 2 }, 2, 'w'));
  });
}
