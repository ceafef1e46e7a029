import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogPage } from '../../../../src/store/changes.ts';
import type { AssetWrite, ContentStore } from '../../../../src/store/port.ts';
import { createMongoDatabase, type MongoDatabase } from '../../../support/mongo-database.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { catalogOf } from '../../../support/types.ts';

const serverUrl = mongodbUrl();
const catalog = catalogOf(
  'type Note @contentType(class: "t.Note") { a: String b: JSON c: Int slug: String @indexed(unique: true) }',
);
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${n.toString(16).padStart(12, '0')}`;
const noteOf = (n: number, fields: object = {}) => ({ _id: idOf(n), _type: 't.Note', ...fields });
const patchOf = (n: number, set: Record<string, string | number>, version: string) => ({
  id: idOf(n),
  type: 't.Note',
  set,
  unset: [],
  version,
});
const origin = { by: { kind: 'client', id: 'c', name: 'C' }, run: 'r', requestId: 'q', atMs: 1_000 } as const;

describe.skipIf(serverUrl === '')('with a server', () => {
  let database: MongoDatabase;

  beforeEach(async () => {
    database = await createMongoDatabase(serverUrl);
  });
  afterEach(() => database.remove());

  async function open(): Promise<ContentStore> {
    const store = await database.open(catalog);
    await store.prepare();
    return store;
  }
  const readAll = async ({ changes }: ContentStore) =>
    (await changes.read({ order: 'oldest first', limit: 1_000 })).entries;
  async function readUntil(store: ContentStore, count: number): Promise<LogPage['entries']> {
    return vi.waitUntil(
      async () => {
        const entries = await readAll(store);
        return entries.length >= count && entries;
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  /** Acquires the lease for a process that numbers nothing. */
  const takeLease = () =>
    database.client
      .db()
      .collection<{ _id: string; fence: number }>('store')
      .updateOne({ _id: 'numbering' }, { $inc: { fence: 1 }, $set: { seen: new Date(Date.now() + 60_000) } });
  const releaseLease = () =>
    database.collection('store').updateOne({ _id: 'numbering' }, { $set: { seen: new Date(0) } });

  test('an asset has its shape, which a patch leaves, and the number of its last entry', async () => {
    const store = await open();
    await store.insert({ asset: noteOf(1, { a: 'x' }), version: 'v1' });
    const inserted = await database.collection('assets').findOne({ _id: idOf(1) });
    expect(inserted).toMatchObject({ _colophon: { change: 1, shape: expect.stringMatching(/^.{8}$/) } });
    await store.patch(patchOf(1, { a: 'y' }, 'v2'));
    const { shape } = (inserted as unknown as { _colophon: { shape: string } })._colophon;
    expect(await database.collection('assets').findOne({ _id: idOf(1) })).toMatchObject({
      _colophon: { change: 2, shape },
    });
  });

  test('every 64th entry keeps the whole state, and past states are the same with it and without', async () => {
    const store = await open();
    await store.insert({ asset: noteOf(1, { a: 'x', c: 1 }), version: 'v1' });
    for (let n = 2; n <= 70; n++) await store.patch(patchOf(1, { c: n }, `v${n}`));
    const kept = { state: { $exists: true } };
    expect((await database.collection('changes').find(kept).toArray()).map(({ _id }) => _id)).toEqual([
      `${idOf(1)} 000000000064`,
    ]);
    const stateOf = (n: number) => store.changes.stateOf(idOf(1), { number: n });
    const asset = noteOf(1, { a: 'x', c: 30 });
    expect(await stateOf(30)).toEqual({ kind: 'exists', asset, version: 'v30', number: 30 });
    await database.collection('changes').updateOne(kept, { $unset: { state: true } });
    expect(await stateOf(30)).toEqual({ kind: 'exists', asset, version: 'v30', number: 30 });
    await database.collection('changes').deleteOne({ _id: `${idOf(1)} 000000000050` });
    expect(await stateOf(30)).toEqual({ kind: 'removed' });
  });

  test('an asset that is deleted and created again goes on with its numbers, alone, in a group and atomically', async () => {
    const store = await open();
    const insert = (version: string): AssetWrite => ({
      kind: 'insert',
      asset: noteOf(1, { a: version }),
      version,
    });
    const remove: AssetWrite = { kind: 'delete', id: idOf(1), type: 't.Note' };
    await store.insert({ asset: noteOf(1), version: 'v1' });
    await store.delete({ id: idOf(1), type: 't.Note', change: 'd2' });
    await store.insert({ asset: noteOf(1), version: 'v3' });
    await store.write([remove, insert('v5'), remove]);
    await store.write([insert('v7'), remove, insert('v9')], { atomic: true });
    const { entries } = await store.changes.history({ asset: idOf(1), limit: 100 });
    expect(entries.map(({ number, action }) => `${number} ${action}`)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => `${number} ${number % 2 === 1 ? 'create' : 'delete'}`),
    );
    expect(entries.find(({ number }) => number === 2)?.id).toBe('d2');
    expect(await store.changes.stateOf(idOf(1), { version: 'v5' })).toMatchObject({
      kind: 'exists',
      number: 5,
    });
    expect(await store.changes.stateOf(idOf(1), { number: 8 })).toEqual({ kind: 'deleted' });
  });

  test('a group whose write is refused is applied one by one, and only what is applied has an entry', async () => {
    const store = await open();
    await store.insert({ asset: noteOf(1, { slug: 's' }), version: 'v' });
    const outcomes = await store.write(
      [2, 3, 4].map((n) => ({
        kind: 'insert',
        asset: noteOf(n, { slug: n === 3 ? 's' : `s${n}` }),
        version: 'v',
      })),
      { origin },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
    const entries = await readUntil(store, 3);
    expect(entries.map(({ asset }) => asset).toSorted()).toEqual([idOf(1), idOf(2), idOf(4)]);
    expect(entries.find(({ asset }) => asset === idOf(4))).toMatchObject(origin);
  });

  test('a store that is closed at once has numbered what it wrote', async () => {
    const store = await open();
    for (const n of [1, 2, 3]) await store.insert({ asset: noteOf(n), version: 'v' });
    await store.close();
    const entries = await database
      .collection('changes')
      .find({}, { sort: { seq: 1 } })
      .toArray();
    expect(entries).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    expect(entries.every((entry) => !('pending' in entry))).toBe(true);
  });

  test('another process numbers on at once when the one that numbers closes, and a reader misses nothing', async () => {
    const [first, second] = [await open(), await open()];
    await first.insert({ asset: noteOf(1), version: 'v' });
    await readUntil(first, 1);
    await second.insert({ asset: noteOf(2), version: 'v' });
    await first.close();
    await second.insert({ asset: noteOf(3), version: 'v' });
    expect((await readUntil(second, 3)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('a process that was paused beyond its lease numbers nothing more', async () => {
    const [first, second] = [await open(), await open()];
    await first.insert({ asset: noteOf(1), version: 'v' });
    await readUntil(first, 1);
    await takeLease();
    await first.insert({ asset: noteOf(2), version: 'v' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await readAll(second)).toHaveLength(1);
    await releaseLease();
    expect((await readUntil(second, 2)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('another process takes over soon from one that was killed in the middle of a step', async () => {
    const store = await open();
    const session = database.client.startSession();
    await database.client
      .db()
      .collection<{ _id: string; session: unknown }>('store')
      .updateOne({ _id: 'numbering' }, { $set: { session: session.id?.id } });
    session.startTransaction();
    await database.client
      .db()
      .collection<{ _id: string; last: number }>('store')
      .updateOne({ _id: 'numbering' }, { $inc: { last: 1 } }, { session });
    await store.insert({ asset: noteOf(1), version: 'v' });
    // Much less than the minute for which the server keeps the transaction.
    expect((await readUntil(store, 1)).map(({ seq }) => seq)).toEqual([1]);
    await session.endSession();
  });

  test('entries of one asset are numbered in their order, whatever the clocks of processes say', async () => {
    const store = await open();
    await store.insert({ asset: noteOf(1), version: 'v1' });
    await readUntil(store, 1);
    await takeLease();
    await store.patch(patchOf(1, { c: 2 }, 'v2'));
    await store.patch(patchOf(1, { c: 3 }, 'v3'));
    await database
      .collection('changes')
      .updateOne({ _id: `${idOf(1)} 000000000003` }, { $set: { pending: 1 } });
    await releaseLease();
    expect((await readUntil(store, 3)).map(({ number, seq }) => [number, seq])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  test('the revision does not change when entries are numbered, and covers what is not numbered yet', async () => {
    const store = await open();
    await store.insert({ asset: noteOf(1), version: 'v1' });
    const revision = await store.revision(['t.Note']);
    await readUntil(store, 1);
    expect(await store.revision(['t.Note'])).toBe(revision);
    await takeLease();
    await store.patch(patchOf(1, { c: 2 }, 'v2'));
    const pending = await store.revision(['t.Note']);
    expect(pending).not.toBe(revision);
    await store.changes.erase({ id: idOf(1), change: 'e' }, origin);
    expect(await store.revision(['t.Note'])).not.toBe(pending);
    await releaseLease();
  });
});
