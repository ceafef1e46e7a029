/** The change log: every write of a logged type has one entry, in the same atomic step, with what it changed. */
import { describe, expect, test } from 'vitest';
import type { AssetWrite } from '../../../../src/store/port.ts';
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
import { describeLogReading } from './log-reading-cases.ts';
import { describePastStates } from './past-state-cases.ts';
import { describeUpkeep } from './upkeep-cases.ts';

/** Cases for the change log. */
export function describeChanges(createHarness: CreateHarness): void {
  describe('entries', () => describeEntries(createHarness));
  describe('reading the log', () => describeLogReading(createHarness));
  describe('past states', () => describePastStates(createHarness));
  describe('trimming and erasing', () => describeUpkeep(createHarness));
}

function describeEntries(createHarness: CreateHarness): void {
  const open = useLog(createHarness);

  test('a creation, an update and a deletion have an entry each, with who, when and what', async () => {
    const store = await open();
    const by = { kind: 'user', id: 'u-1', name: 'Ada' } as const;
    const asset = assetOf('Note', 1, { title: 'one', tags: ['a'], count: 1 });
    await store.insert({ asset, version: 'v-1' }, { by, atMs: 1_000, run: 'import.1', requestId: 'r-1' });
    const patch = {
      id: idOf(1),
      type: 'log.Note',
      set: { title: 'two', count: 1, slug: 's' },
      unset: ['tags'],
    };
    await store.patch({ ...patch, version: 'v-2' }, { by, atMs: 2_000, requestId: 'r-2' });
    await store.delete(
      { id: idOf(1), type: 'log.Note', change: 'd-3' },
      { by: { kind: 'anonymous' }, atMs: 3_000 },
    );
    const shared = { seq: expect.any(Number), asset: idOf(1), type: 'log.Note' };
    const [created, updated, deleted] = await readWhenNumbered(store, 3);
    expect({ ...created, changed: created?.changed.toSorted() }).toEqual({
      ...shared,
      id: 'v-1',
      number: 1,
      action: 'create',
      version: 'v-1',
      changed: ['count', 'tags', 'title'],
      by,
      run: 'import.1',
      requestId: 'r-1',
      atMs: 1_000,
    });
    expect({ ...updated, changed: updated?.changed.toSorted() }).toEqual({
      ...shared,
      id: 'v-2',
      number: 2,
      action: 'update',
      version: 'v-2',
      previousVersion: 'v-1',
      changed: ['slug', 'tags', 'title'],
      before: { title: 'one', tags: ['a'] },
      by,
      requestId: 'r-2',
      atMs: 2_000,
    });
    expect(deleted).toEqual({
      ...shared,
      id: 'd-3',
      number: 3,
      action: 'delete',
      previousVersion: 'v-2',
      changed: [],
      before: assetOf('Note', 1, { title: 'two', slug: 's', count: 1 }),
      by: { kind: 'anonymous' },
      atMs: 3_000,
    });
    expect(await readHistory(store, 1)).toEqual([deleted, updated, created]);
  });

  test('a write without an origin is one of Colophon itself, at present', async () => {
    const store = await open();
    const startMs = Date.now();
    await store.insert({ asset: assetOf('Note', 1), version: 'v-1' });
    const [entry] = await readHistory(store, 1);
    expect(entry?.by).toEqual({ kind: 'system' });
    // The store may use another clock.
    expect(Math.abs((entry?.atMs ?? 0) - startMs)).toBeLessThan(60_000);
  });

  test('a deletion without an id gets a random one', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    for (const n of [1, 2]) {
      await create(n);
      await store.delete({ id: idOf(n), type: 'log.Note' });
    }
    const ids = [await readHistory(store, 1), await readHistory(store, 2)].map(([last]) => last?.id ?? '');
    expect(ids).toEqual([expect.stringMatching(/^[\w-]{8,}$/), expect.stringMatching(/^[\w-]{8,}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  test('an update that changes no value has an entry without changed fields', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    const fields = { title: 'x', parts: [{ text: 'a', deep: [{ text: 'b' }] }], extra: { a: [1, null] } };
    await create(1, fields);
    await update(1, fields, ['count']);
    const [entry] = await readHistory(store, 1);
    expect(entry).toMatchObject({ action: 'update', version: 'v-2', previousVersion: 'v-1', changed: [] });
    expect(entry).not.toHaveProperty('before');
  });

  test('values inside lists, embedded objects and JSON are compared and kept whole', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    await create(1, { parts: [{ text: 'a', deep: [{ text: 'b' }] }], extra: { a: [1, null] }, tags: ['x'] });
    await update(1, {
      parts: [{ text: 'a', deep: [{ text: 'c' }] }],
      extra: { a: [1, 0] },
      tags: ['x', 'y'],
    });
    const [entry] = await readHistory(store, 1);
    expect(entry?.changed.toSorted()).toEqual(['extra', 'parts', 'tags']);
    expect(entry?.before).toEqual({
      parts: [{ text: 'a', deep: [{ text: 'b' }] }],
      extra: { a: [1, null] },
      tags: ['x'],
    });
  });

  test('awkward names and values are logged as they are', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store);
    const extra = JSON.parse('{"__proto__": {"a": 1}, "$set": {"b.c": 2}, "constructor": null, "": [{}]}');
    const former = {
      title: `'"\\u0000\n😀${'é'.repeat(99)}`,
      extra,
      'dotted.name.long': '$x.y',
      count: null,
    };
    await create(1, { ...former, constructor: 'c' });
    await update(1, { title: '', extra: 0, 'dotted.name.long': 'z', hasOwnProperty: 1 }, [
      'constructor',
      'count',
    ]);
    const [entry] = await readHistory(store, 1);
    const names = ['constructor', 'count', 'dotted.name.long', 'extra', 'hasOwnProperty', 'title'];
    expect(entry?.changed.toSorted()).toEqual(names);
    expect(JSON.parse(JSON.stringify(entry?.before))).toEqual({ ...former, constructor: 'c' });
    expect(Object.keys(entry?.before?.extra ?? {})).toContain('__proto__');
    expect((await store.changes.stateOf(idOf(1), { version: 'v-1' })).kind).toBe('exists');
  });

  test('awkward actors, runs and requests are told apart', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    const origins = [
      { by: { kind: 'client', id: 'a' } },
      { by: { kind: 'client', id: 'a', name: '' } },
      { by: { kind: 'client', id: 'a', name: '["x"]' } },
      { by: { kind: 'user', id: 'a' }, run: 'title' },
      { by: { kind: 'user' }, run: 'Title' },
      { by: { kind: 'command', name: "'; DROP TABLE changes; --" }, run: 'a.b-c_9', requestId: '$where' },
    ] as const;
    for (const [index, origin] of origins.entries()) await create(index + 1, { title: 'x' }, origin);
    const entries = await readWhenNumbered(store, origins.length);
    expect(entries.map(({ by, run, requestId }) => ({ by, run, requestId }))).toEqual(
      origins.map((origin) => ({ run: undefined, requestId: undefined, ...origin })),
    );
  });

  test('numbers go on when a deleted asset is created again', async () => {
    const store = await open();
    const { create, update, remove } = createLogWriter(store);
    await create(1, { title: 'first' });
    await remove(1);
    await create(1, { title: 'second' });
    await update(1, { title: 'third' });
    const history = await readHistory(store, 1);
    expect(history.map(({ number, action }) => [number, action])).toEqual([
      [4, 'update'],
      [3, 'create'],
      [2, 'delete'],
      [1, 'create'],
    ]);
    expect(history[1]).not.toHaveProperty('previousVersion');
  });

  test('writes that change nothing have no entry', async () => {
    const store = await open();
    const { create } = createLogWriter(store);
    await create(1, { slug: 'taken' });
    const patch = { id: idOf(2), type: 'log.Note', set: { title: 'x' }, unset: [], version: 'w' };
    expect(await store.patch(patch, originAt(1))).toBeUndefined();
    expect(await store.delete({ id: idOf(1), type: 'log.Other' }, originAt(1))).toBe(false);
    const taken = { asset: assetOf('Note', 2, { slug: 'taken' }), version: 'w' };
    expect(await codeOf(store.insert(taken, originAt(1)))).toBe('value_in_use');
    expect(await codeOf(store.insert({ asset: assetOf('Note', 1), version: 'w' }, originAt(1)))).toBe(
      'id_in_use',
    );
    expect(await codeOf(store.patch({ ...patch, id: idOf(1), ifVersion: 'no' }, originAt(1)))).toBe(
      'precondition_failed',
    );
    await create(3);
    expect((await readWhenNumbered(store, 2)).map(({ asset }) => asset)).toEqual([idOf(1), idOf(3)]);
  });

  const insert = (n: number, slug: string): AssetWrite => ({
    kind: 'insert',
    asset: assetOf('Note', n, { slug }),
    version: `b-${n}`,
  });

  test('a batch has an entry for each write that was done, in the order of the writes', async () => {
    const store = await open();
    const patch = { kind: 'patch', id: idOf(1), type: 'log.Note', unset: [] } as const;
    const origin = originAt(5_000, { run: 'batch' });
    await store.write(
      [
        insert(1, 'a'),
        insert(2, 'a'),
        { ...patch, set: { slug: 'b' }, version: 'b-1b' },
        insert(3, 'a'),
        { ...patch, id: idOf(9), set: {}, version: 'b-9' },
        { kind: 'delete', id: idOf(1), type: 'log.Note', change: 'b-1c' },
      ],
      { origin },
    );
    const entries = await readWhenNumbered(store, 4);
    expect(entries.filter(({ asset }) => asset === idOf(1)).map(({ id, number }) => [id, number])).toEqual([
      ['b-1', 1],
      ['b-1b', 2],
      ['b-1c', 3],
    ]);
    expect(entries.map(({ id }) => id).toSorted()).toEqual(['b-1', 'b-1b', 'b-1c', 'b-3']);
    expect(entries.every(({ run, atMs }) => run === 'batch' && atMs === 5_000)).toBe(true);
  });

  test('an atomic batch has all its entries or none', async () => {
    const store = await open();
    await store.write([insert(1, 'a'), insert(2, 'b'), insert(3, 'a')], { atomic: true });
    expect(await readHistory(store, 1)).toEqual([]);
    await store.write([insert(1, 'a'), insert(2, 'b')], { atomic: true });
    expect((await readWhenNumbered(store, 2)).map(({ id }) => id)).toEqual(['b-1', 'b-2']);
  });

  test('writes of unlogged types have no entry, and secret fields no value', async () => {
    const store = await open();
    const lease = assetOf('Lease', 1, { holder: 'me' });
    await store.insert({ asset: lease, version: 'l-1' });
    await store.patch({ id: idOf(1), type: 'log.Lease', set: { holder: 'x' }, unset: [], version: 'l-2' });
    await store.delete({ id: idOf(1), type: 'log.Lease' });
    const { create, update, remove } = createLogWriter(store, 'Account');
    await create(2, { name: 'a', secret: 'hidden-1', keys: ['hidden-2'] });
    for (let n = 0; n < 65; n++) await update(2, { name: `a${n}`, secret: `hidden-3${n}` }, ['keys']);
    const kept = await store.changes.stateOf(idOf(2), { number: 64 });
    expect(kept).toMatchObject({ kind: 'exists', asset: { name: 'a62' } });
    const present = await store.changes.stateOf(idOf(2), { number: 66 });
    expect(present).toMatchObject({ kind: 'exists', asset: { name: 'a64' } });
    await remove(2);
    const entries = await readWhenNumbered(store, 67);
    expect(entries[1]).toMatchObject({ before: { name: 'a' } });
    expect(entries[1]?.changed.toSorted()).toEqual(['keys', 'name', 'secret']);
    expect(entries[66]?.before).toEqual(assetOf('Account', 2, { name: 'a64' }));
    expect(JSON.stringify([entries, kept, present])).not.toContain('hidden');
  });

  test('an event has a separate entry and changes neither the asset nor its revision', async () => {
    const store = await open();
    const { create, update } = createLogWriter(store, 'Account');
    await create(1, { name: 'a' });
    const revision = await store.revision(['log.Account']);
    const event = { id: 'e-1', asset: idOf(1), type: 'log.Account', action: 'signIn' } as const;
    await store.changes.append(event, originAt(1_001));
    expect(await store.revision(['log.Account'])).toBe(revision);
    expect((await store.get(idOf(1)))?.version).toBe('v-1');
    await update(1, { name: 'b' });
    const entries = await readWhenNumbered(store, 3);
    expect(entries.map(({ number, id, action }) => [number, id, action])).toEqual([
      [1, 'v-1', 'create'],
      [2, 'e-1', 'signIn'],
      [3, 'v-2', 'update'],
    ]);
    expect(entries[1]).toMatchObject({ version: 'v-1', previousVersion: 'v-1', changed: [], atMs: 1_001 });
    expect(await store.changes.stateOf(idOf(1), { atMs: 1_001 })).toMatchObject({
      kind: 'exists',
      version: 'v-1',
    });
  });

  test('stores on one database that write at once log every write once, without gaps', async () => {
    const writers = [await open(), await open()].map((store) => createLogWriter(store));
    await writers[0]?.create(1, { count: 0 });
    await Promise.all(
      writers.map(async ({ create, update }, w) => {
        for (let n = 1; n <= 20; n++) {
          await update(1, { count: 100 * w + n }, [], { requestId: `${w} ${n}` });
          await create(1_000 * (w + 1) + n);
        }
      }),
    );
    const store = await open();
    const entries = await readWhenNumbered(store, 81);
    expect(new Set(entries.map(({ seq }) => seq)).size).toBe(81);
    const ofFirst = entries.filter(({ asset }) => asset === idOf(1));
    expect(ofFirst.map(({ number }) => number)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
    expect(new Set(ofFirst.map(({ requestId }) => requestId)).size).toBe(41);
    expect(await readLog(store, { order: 'newest first', limit: 7 })).toEqual(entries.toReversed());
  });
}
