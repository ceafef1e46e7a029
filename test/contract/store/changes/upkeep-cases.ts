/** Upkeep of the change log: trimming by age, and erasing an asset with its history. */
import { expect, test } from 'vitest';
import type { CreateHarness } from '../harness.ts';
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

/** Cases for `trim` and `erase`. */
export function describeUpkeep(createHarness: CreateHarness): void {
  const open = useLog(createHarness);

  test('trimming removes the oldest entries up to the first newer one, as many as asked', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    for (let n = 1; n <= 8; n++) await create(n, {}, n === 5 ? { atMs: 9_000 } : {});
    const whole = await readWhenNumbered(store, 8);
    expect(await store.changes.trim({ beforeMs: 1_001, limit: 10 })).toBe(0);
    expect(await store.changes.trim({ beforeMs: 2_000, limit: 3 })).toBe(3);
    // The fifth entry is newer, so those behind it stay.
    expect(await store.changes.trim({ beforeMs: 2_000, limit: 3 })).toBe(1);
    expect(await readLog(store)).toEqual(whole.slice(4));
    expect(await store.changes.trim({ beforeMs: 2_000, limit: 3 })).toBe(0);
    expect(await store.changes.position()).toMatchObject({ first: whole[4]?.seq, trimmedTo: whole[3]?.seq });
  });

  test('trimming never removes the newest entry, and later entries get new numbers', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    await create(1);
    await create(2);
    const [, last] = await readWhenNumbered(store, 2);
    expect(await store.changes.trim({ beforeMs: 9_000_000_000_000, limit: 10 })).toBe(1);
    expect(await store.changes.trim({ beforeMs: 9_000_000_000_000, limit: 10 })).toBe(0);
    await create(3);
    const [kept, next] = await readWhenNumbered(store, 2);
    expect(kept).toEqual(last);
    expect(next?.seq).toBeGreaterThan(last?.seq ?? 0);
  });

  test('a reader that pages while the log is trimmed gets each remaining entry once', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    for (let n = 1; n <= 9; n++) await create(n);
    const whole = await readWhenNumbered(store, 9);
    const first = await store.changes.read({ order: 'oldest first', limit: 2 });
    await store.changes.trim({ beforeMs: 1_006, limit: 100 });
    expect(await readLog(store, { from: first.next ?? 0, limit: 2 })).toEqual(whole.slice(5));
    const newest = await store.changes.read({ order: 'newest first', limit: 2 });
    await store.changes.trim({ beforeMs: 1_008, limit: 100 });
    expect(await readLog(store, { from: newest.next ?? 0, order: 'newest first' })).toEqual([]);
  });

  test('erasing deletes the asset and its entries, and leaves one entry without values', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { title: 'gone', tags: ['gone'] });
    await create(2, { title: 'kept' });
    for (let n = 0; n < 70; n++) await update(1, { title: `gone ${n}` });
    await readWhenNumbered(store, 72);
    const revision = await store.revision(['log.Note']);
    const origin = originAt(5_000, { by: { kind: 'user', id: 'u-1', name: 'Ada' }, requestId: 'r-1' });
    expect(await store.changes.erase({ id: idOf(1), type: 'log.Note', change: 'e-1' }, origin)).toBe(true);
    expect(await store.get(idOf(1))).toBeUndefined();
    expect(await store.revision(['log.Note'])).not.toBe(revision);
    const entries = await readWhenNumbered(store, 2);
    expect(entries.map(({ asset }) => asset)).toEqual([idOf(2), idOf(1)]);
    const [erased] = await readHistory(store, 1);
    expect(erased).toMatchObject({
      ...origin,
      id: 'e-1',
      asset: idOf(1),
      type: 'log.Note',
      action: 'erase',
      changed: [],
    });
    expect(erased).not.toHaveProperty('before');
    expect(erased).not.toHaveProperty('version');
    expect(JSON.stringify([entries, erased])).not.toContain('gone');
    const page = { types: ['log.Note'], offset: 0, limit: 10, withCount: true };
    expect(await store.find(page)).toMatchObject({ count: 1 });
  });

  test('moments before an erasure are removed, later ones deleted, and the asset can be created again', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { title: 'a' });
    await update(1, { title: 'b' });
    await store.changes.erase({ id: idOf(1), change: 'e-1' }, originAt(5_000));
    const kindAt = async (moment: Parameters<typeof store.changes.stateOf>[1]) =>
      (await store.changes.stateOf(idOf(1), moment)).kind;
    expect([await kindAt({ version: 'v-1' }), await kindAt({ atMs: 1_002 })]).toEqual(['removed', 'removed']);
    expect(await kindAt({ atMs: 5_000 })).toBe('deleted');
    await create(1, { title: 'c' }, { atMs: 6_000 });
    expect(await kindAt({ atMs: 6_000 })).toBe('exists');
    expect((await readHistory(store, 1)).map(({ action }) => action)).toEqual(['create', 'erase']);
  });

  test('what is deleted already can be erased, again and again; what is unknown or of another type cannot', async () => {
    const store = await open();
    const { create, remove } = createLogWriter(store);
    await create(1, { title: 'a' });
    await remove(1);
    const erase = (n: number, type: string, change: string) =>
      store.changes.erase({ id: idOf(n), type, change }, originAt(5_000));
    expect(await erase(1, 'log.Other', 'e-0')).toBe(false);
    expect(await readHistory(store, 1)).toHaveLength(2);
    expect(await erase(1, 'log.Note', 'e-1')).toBe(true);
    expect(await erase(1, 'log.Note', 'e-2')).toBe(true);
    expect((await readHistory(store, 1)).map(({ id }) => id)).toEqual(['e-2']);
    expect(await erase(2, 'log.Note', 'e-3')).toBe(false);
    expect(await store.changes.erase({ id: 'unknown', change: 'e-4' }, originAt(5_000))).toBe(false);
    expect(await readWhenNumbered(store, 1)).toHaveLength(1);
  });

  test('erasing leaves one entry for each type that the asset had, the last one for its present type', async () => {
    const store = await open();
    const { create, remove } = createLogWriter(store);
    const origin = originAt(5_000);
    await create(1, { title: 'gone' });
    await remove(1);
    await store.insert({ asset: { ...assetOf('Other', 1), title: 'gone' }, version: 'o-1' }, originAt(2_000));
    const [last] = (await readWhenNumbered(store, 3)).slice(-1);
    for (const change of ['e-1', 'e-2']) {
      expect(await store.changes.erase({ id: idOf(1), change }, origin)).toBe(true);
      const entries = await readWhenNumbered(store, 2);
      expect(entries).toMatchObject([
        { ...origin, asset: idOf(1), type: 'log.Note', action: 'erase', changed: [] },
        { ...origin, asset: idOf(1), type: 'log.Other', action: 'erase', changed: [], id: change },
      ]);
      expect(entries[0]?.seq).toBeGreaterThan(last?.seq ?? Number.POSITIVE_INFINITY);
      expect(entries[1]?.number).toBe((entries[0]?.number ?? 0) + 1);
      expect(JSON.stringify(entries)).not.toContain('gone');
    }
    expect((await readHistory(store, 1)).map(({ type }) => type)).toEqual(['log.Other', 'log.Note']);
    expect(await store.changes.stateOf(idOf(1), { atMs: 5_000 })).toEqual({ kind: 'deleted' });
    expect(await store.changes.stateOf(idOf(1), { atMs: 2_000 })).toEqual({ kind: 'removed' });
  });

  for (const way of ['delete', 'write', 'atomic write'] as const) {
    test(`a deletion that erases leaves one entry without values, and none of an asset that was not deleted, by ${way}`, async () => {
      const store = await open();
      const { create, update } = createLogWriter(store);
      for (const n of [1, 2, 3]) await create(n, { title: `gone ${n}`, tags: ['gone'] });
      for (let n = 0; n < 3; n++) await update(1, { title: `gone ${n}` });
      await update(3, { title: 'kept' });
      await readWhenNumbered(store, 7);
      const revision = await store.revision(['log.Note']);
      const origin = originAt(5_000, { by: { kind: 'client', id: 'c' }, run: 'r' });
      const deletion = (n: number) =>
        ({ id: idOf(n), type: 'log.Note', change: `e-${n}`, erase: true }) as const;
      const refused = { ...deletion(3), ifVersion: 'other' };
      if (way === 'delete') {
        for (const n of [1, 2]) expect(await store.delete(deletion(n), origin)).toBe(true);
        await expect(store.delete(refused, origin)).rejects.toMatchObject({ code: 'precondition_failed' });
      } else {
        const write = (deletions: readonly (typeof refused | ReturnType<typeof deletion>)[]) =>
          store.write(
            deletions.map((one) => ({ kind: 'delete', ...one }) as const),
            { atomic: way === 'atomic write', origin },
          );
        expect(await write([deletion(1), deletion(2)])).toEqual([{ kind: 'done' }, { kind: 'done' }]);
        expect(await write([refused])).toMatchObject([{ kind: 'failed' }]);
      }
      await store.changes.purge();
      expect(await store.revision(['log.Note'])).not.toBe(revision);
      const entries = await readWhenNumbered(store, 4);
      expect(entries.filter(({ asset }) => asset !== idOf(3))).toMatchObject([
        { ...origin, id: 'e-1', asset: idOf(1), type: 'log.Note', action: 'erase', changed: [] },
        { ...origin, id: 'e-2', asset: idOf(2), type: 'log.Note', action: 'erase', changed: [] },
      ]);
      expect(
        entries.filter(({ action }) => action === 'erase').map(({ previousVersion }) => previousVersion),
      ).toEqual([expect.any(String), expect.any(String)]);
      const [erased, ...older] = await readHistory(store, 1);
      expect([erased?.action, older]).toEqual(['erase', []]);
      expect(JSON.stringify(entries.filter(({ asset }) => asset !== idOf(3)))).not.toContain('gone');
      expect((await readHistory(store, 3)).map(({ action }) => action)).toEqual(['update', 'create']);
      await create(1, { title: 'again' });
      expect((await readHistory(store, 1)).map(({ action }) => action)).toEqual(['create', 'erase']);
    });
  }

  test('one transaction that changes, erases and creates an asset again leaves nothing from before', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    await create(1, { title: 'gone' });
    const type = 'log.Note';
    const outcomes = await store.write(
      [
        { kind: 'patch', id: idOf(1), type, set: { title: 'gone too' }, unset: [], version: 'p' },
        { kind: 'delete', id: idOf(1), type, change: 'e-1', erase: true },
        { kind: 'insert', asset: assetOf('Other', 1, { title: 'gone as well' }), version: 'o' },
        { kind: 'delete', id: idOf(1), type: 'log.Other', change: 'e-2', erase: true },
        { kind: 'insert', asset: assetOf('Note', 1, { title: 'new' }), version: 'n' },
      ],
      { atomic: true, origin: originAt(5_000) },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'done', 'done', 'done']);
    const entries = await readHistory(store, 1);
    expect(entries.map((entry) => [entry.action, entry.type])).toEqual([
      ['create', 'log.Note'],
      ['erase', 'log.Other'],
      ['erase', 'log.Note'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('gone');
    expect(await store.changes.stateOf(idOf(1), { version: 'n' })).toMatchObject({ kind: 'exists' });
  });

  test('the name of an erased user stays with no entry', async () => {
    const store = await open();
    const user = { asset: assetOf('Account', 1, { name: 'gone' }), version: 'u' };
    await store.insert(user, originAt(1_000));
    const by = { kind: 'user', id: idOf(1), name: 'gone' } as const;
    await store.insert({ asset: assetOf('Note', 2), version: 'n' }, originAt(2_000, { by }));
    await store.changes.erase({ id: idOf(1), change: 'e-1' }, originAt(5_000));
    const [entry] = await readHistory(store, 2);
    expect(entry?.by).toEqual({ kind: 'user', id: idOf(1) });
  });
}
