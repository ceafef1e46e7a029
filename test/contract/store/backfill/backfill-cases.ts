/** The calls of a backfill: its state, documents that are replaced without a trace, and who serves the store. */
import { describe, expect, test, vi } from 'vitest';
import type { ServedTypes, ServingTiming } from '../../../../src/store/served-types.ts';
import { readWhenNumbered } from '../changes/log-content.ts';
import { type CreateHarness, codeOf, useDatabase, useRawDatabase } from '../harness.ts';
import { idOf } from '../suite-content.ts';
import {
  catalog,
  fields,
  findNotes,
  formerNote,
  noteOf,
  presentNote,
  stateOf,
  toRewrite,
  type,
} from './backfill-content.ts';

/** Cases for `ContentStore.backfill`. */
export function describeBackfill(createHarness: CreateHarness): void {
  describe('with a prepared store', () => {
    const openOne = useDatabase(createHarness);
    const open = () => openOne(catalog);

    test('of two stores that write the next state at once, one does', async () => {
      const [one, other] = [await open(), await open()];
      expect(await one.backfill.readState()).toBeUndefined();
      expect(await one.backfill.writeState(stateOf(2))).toBe(false);
      for (let revision = 1; revision <= 4; revision++) {
        const states = ['a', 'b'].map((holder) =>
          stateOf(revision, {
            phase: revision < 3 ? 'copying' : 'copied',
            progress: { holder, seenMs: 1e13, startedMs: 1, visited: revision, rewritten: 0, total: 9 },
          }),
        );
        const [first, second] = states.map((state, n) => (n === 0 ? one : other).backfill.writeState(state));
        const written = [await first, await second];
        expect(written.toSorted()).toEqual([false, true]);
        const winner = states[written.indexOf(true)];
        expect(await one.backfill.readState()).toEqual(winner);
        expect(await other.backfill.readState()).toEqual(winner);
      }
      expect(await other.backfill.writeState(stateOf(1))).toBe(false);
      expect(await other.backfill.writeState(stateOf(4))).toBe(false);
      expect(await other.backfill.writeState(stateOf(5))).toBe(true);
      expect(await one.backfill.readState()).toEqual(stateOf(5));
    });

    test('a rewrite changes what is read and found, in all stores, and leaves no trace', async () => {
      const [store, other] = [await open(), await open()];
      for (const n of [1, 2]) await store.insert({ asset: formerNote(n), version: `v-${n}` });
      const patch = { id: idOf(1), type, set: { title: 'second' }, unset: [], version: 'w-1' };
      await store.patch(patch);
      const entries = await readWhenNumbered(store, 3);
      const [position, revision] = [await store.changes.position(), await store.revision([type])];
      const asset = { ...presentNote(1), title: 'second' };
      expect(await other.backfill.rewrite([toRewrite(asset, 'w-1', 'shape')])).toEqual([idOf(1)]);
      for (const reader of [store, other]) {
        expect(await reader.get(idOf(1))).toEqual({ asset, version: 'w-1' });
        expect((await reader.texts.get(idOf(1)))?.text).toBe(JSON.stringify(asset));
        for (const present of [
          'email = "1@a"',
          'remark matches "fox1"',
          'labels = "t1"',
          'place.town = "oslo 1"',
          'place.town matches "oslo"',
        ])
          expect([present, await findNotes(reader, present)]).toEqual([present, [1]]);
        expect(await findNotes(reader, 'mail = "1@a"')).toEqual([]);
        expect(await findNotes(reader, 'note matches "red"')).toEqual([2]);
        expect(await findNotes(reader, 'tags = "t1"')).toEqual([]);
        expect(await findNotes(reader, 'place.city matches "oslo"')).toEqual([2]);
      }
      expect(await store.changes.position()).toEqual(position);
      expect(await store.revision([type])).toBe(revision);
      expect(await readWhenNumbered(store, 3)).toEqual(entries);
      expect(await store.countOthers([])).toEqual(new Map([[type, 2]]));
      expect(await codeOf(store.insert({ asset: noteOf(3, { email: '1@a' }), version: 'v-3' }))).toBe(
        'value_in_use',
      );
      await store.insert({ asset: noteOf(3, { mail: '1@a' }), version: 'v-3' });
      const next = { id: idOf(1), type, set: { labels: ['u'] }, unset: [], version: 'x-1', ifVersion: 'w-1' };
      expect((await store.patch(next))?.asset).toEqual({ ...asset, labels: ['u'] });
      expect(await findNotes(other, 'labels = "u"')).toEqual([1]);
    });

    test('a past state has renamed fields under all names, and undoes entries under either', async () => {
      const store = await open();
      const write = (set: object, version: string, unset: readonly string[] = []) =>
        store.patch({ id: idOf(1), type, set: { ...set }, unset, version });
      await store.insert({ asset: noteOf(1, { mail: 'a', place: { city: 'oslo' } }), version: 'v-1' });
      await write({ mail: 'b', title: 't' }, 'v-2');
      await store.backfill.rewrite([
        toRewrite(noteOf(1, { email: 'b', title: 't', place: { town: 'oslo' } }), 'v-2'),
      ]);
      await write({ email: 'c' }, 'v-3');
      await write({}, 'v-4', ['email', 'place']);
      const place = { city: 'oslo', town: 'oslo' };
      for (const [number, values] of [
        [1, { mail: 'a', email: 'a', place }],
        [2, { mail: 'b', email: 'b', title: 't', place }],
        [3, { mail: 'c', email: 'c', title: 't', place }],
        [4, { title: 't' }],
      ] as const) {
        expect(await store.changes.stateOf(idOf(1), { number }, {}, fields)).toEqual({
          kind: 'exists',
          asset: noteOf(1, values),
          version: `v-${number}`,
          number,
        });
      }
      expect(await store.changes.stateOf(idOf(1), { number: 3 })).toMatchObject({
        asset: noteOf(1, { email: 'c', title: 't', place: { town: 'oslo' } }),
      });
    });

    test('the change log leaves out the copies that a patch sets and removes', async () => {
      const store = await open();
      await store.insert({ asset: noteOf(1, { mail: 'a' }), version: 'v-1' });
      const patch = { id: idOf(1), type, unset: [], version: 'v-2' };
      await store.patch({ ...patch, set: { mail: 'a', email: 'a', title: 't' }, copies: ['email'] });
      await store.write([
        { kind: 'patch', ...patch, set: { email: 'b' }, unset: ['mail'], copies: ['mail'], version: 'v-3' },
      ]);
      const { entries } = await store.changes.history({ asset: idOf(1), limit: 2 });
      expect(entries.map(({ changed, before }) => ({ changed, before }))).toEqual([
        { changed: ['email'], before: { email: 'a' } },
        { changed: ['title'], before: undefined },
      ]);
      expect((await store.get(idOf(1)))?.asset).toEqual(noteOf(1, { email: 'b', title: 't' }));
    });

    test('a rewrite leaves out assets with another version or type, and those that are gone', async () => {
      const store = await open();
      for (const n of [1, 2, 3]) await store.insert({ asset: formerNote(n), version: `v-${n}` });
      await store.delete({ id: idOf(3), type });
      const rewrites = [
        toRewrite(presentNote(1), 'v-1'),
        toRewrite(presentNote(2), 'v-1'),
        toRewrite(presentNote(3), 'v-3'),
        toRewrite(presentNote(4), 'v-4'),
      ];
      expect(await store.backfill.rewrite(rewrites)).toEqual([idOf(1)]);
      expect(await store.backfill.rewrite([])).toEqual([]);
      expect((await store.get(idOf(2)))?.asset).toEqual(formerNote(2));
      expect(await store.get(idOf(3))).toBeUndefined();
      expect(await store.get(idOf(4))).toBeUndefined();
    });

    test('a rewrite that repeats a unique value is value_in_use with its field', async () => {
      const store = await open();
      await store.insert({ asset: noteOf(1, { mail: 'a' }), version: 'v-1' });
      await store.insert({ asset: noteOf(2, { email: 'a' }), version: 'v-2' });
      const rewrites = [toRewrite(noteOf(1, { mail: 'a', email: 'a' }), 'v-1')];
      const error: unknown = await store.backfill.rewrite(rewrites).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'value_in_use', details: { field: 'email', value: 'a' } });
      expect((await store.get(idOf(1)))?.asset).toEqual(noteOf(1, { mail: 'a' }));
    });

    test('writes under way at the same time are not undone, and undo no rewrite', async () => {
      const [store, other] = [await open(), await open()];
      const [ids, rounds] = [[1, 2, 3], 8];
      await store.write(
        ids.map((n) => ({ kind: 'insert', asset: noteOf(n, { mail: `${n}` }), version: `${n}-0` })),
      );
      const patchAll = async () => {
        for (let round = 1; round <= rounds; round++) {
          const patches = ids.map((n) => ({
            id: idOf(n),
            type,
            set: { title: `t${round}` },
            unset: [],
            version: `${n}-${round}`,
          }));
          const [alone, ...together] = patches;
          if (alone) await store.patch(alone);
          const outcomes = await store.write(together.map((patch) => ({ kind: 'patch', ...patch })));
          expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
        }
      };
      const patching = patchAll();
      const left = new Set(ids.map(idOf));
      while (left.size > 0) {
        const { found } = await other.getMany([...left]);
        const rewrites = [...found.values()].map(({ asset, version }) =>
          toRewrite({ ...asset, email: asset.mail ?? null }, version),
        );
        for (const id of await other.backfill.rewrite(rewrites)) left.delete(id);
      }
      await patching;
      for (const n of ids) {
        const values = { mail: `${n}`, email: `${n}`, title: `t${rounds}` };
        expect(await store.get(idOf(n))).toEqual({ asset: noteOf(n, values), version: `${n}-${rounds}` });
        const { entries } = await store.changes.history({ asset: idOf(n), limit: 100 });
        expect(entries.map(({ number }) => number)).toEqual(
          Array.from({ length: rounds + 1 }, (_, index) => rounds + 1 - index),
        );
        expect(await findNotes(other, `email = "${n}"`)).toEqual([n]);
      }
    });
  });

  describe('processes that serve', () => {
    const open = useRawDatabase(createHarness);
    const typesOf = (name: string, more: Partial<ServedTypes> = {}): ServedTypes => ({
      sources: [{ file: `${name}.graphql`, text: '' }],
      folder: `/${name}`,
      areShipped: false,
      ...more,
    });
    const frozen: ServingTiming = { heartbeatMs: 1_000_000, expiryMs: 1_500 };
    const alive: ServingTiming = { heartbeatMs: 100, expiryMs: 1_500 };

    test('are read until they end, or are not seen for too long', async () => {
      const reader = await open(catalog, { timing: alive });
      const foldersOf = async () =>
        (await reader.backfill.readServing()).map(({ folder }) => folder).toSorted();
      expect(await foldersOf()).toEqual([]);
      const [first, second] = [
        await open(catalog, { timing: alive }),
        await open(catalog, { timing: frozen }),
      ];
      await first.serve(typesOf('first', { followsBackfill: true }));
      const ended = await open(catalog, { timing: alive });
      await ended.serve(typesOf('ended'));
      await second.serve(typesOf('second'));
      await vi.waitUntil(async () => (await foldersOf()).join() === '/ended,/first,/second');
      expect(await reader.backfill.readServing()).toContainEqual(typesOf('first', { followsBackfill: true }));
      await ended.close();
      expect(await foldersOf()).not.toContain('/ended');
      await vi.waitUntil(async () => (await foldersOf()).join() === '/first', { timeout: 20_000 });
    });
  });
}
