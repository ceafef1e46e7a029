/** Formats of the database: one that 0.1 has written goes on with a log, one of a newer version is left alone. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BSON, type CreateIndexesOptions } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createMongoDatabase, type MongoDatabase } from '../../../support/mongo-database.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { catalogOf } from '../../../support/types.ts';

const serverUrl = mongodbUrl();
const catalog = catalogOf(`type Note @contentType(class: "x.Note") {
  title: String @indexed
  slug: String @indexed(unique: true)
  tags: [String!] @indexed
  text: String
}`);
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const patchOf = (n: number, version: string) => ({
  id: idOf(n),
  type: 'x.Note',
  set: { title: 'new' },
  unset: [],
  version,
});
const origin = { by: { kind: 'command' }, atMs: 1_000 } as const;

interface DumpedCollection {
  readonly indexes: readonly (CreateIndexesOptions & { key: Record<string, 1>; name: string })[];
  readonly documents: { _id: string }[];
}

describe.skipIf(serverUrl === '')('with a server', () => {
  let database: MongoDatabase;

  beforeEach(async () => {
    database = await createMongoDatabase(serverUrl);
  });
  afterEach(() => database.remove());

  async function open(): Promise<ContentStore> {
    const store = await database.open(catalog);
    return store;
  }

  describe('a database that 0.1 has written', () => {
    beforeEach(async () => {
      const text = readFileSync(new URL('./formats/format-1.json', import.meta.url), 'utf8');
      const dump: Record<string, DumpedCollection> = BSON.EJSON.parse(text);
      for (const [name, { indexes, documents }] of Object.entries(dump)) {
        if (documents.length > 0) await database.collection(name).insertMany(documents);
        for (const { key, ...options } of indexes) await database.collection(name).createIndex(key, options);
      }
    });

    test('keeps its assets and versions, has an empty log, and only opening it changes nothing', async () => {
      const store = await open();
      const page = await store.find({ types: ['x.Note'], offset: 0, limit: 100, withCount: true });
      expect([page.count, page.items[2]]).toMatchObject([
        11,
        { asset: { _id: idOf(3), title: 'Note 3', slug: 'slug-3', tags: ['a', 'tag-3'] }, version: 'old-3' },
      ]);
      expect(await store.revision(['x.Note'])).toMatch(/./);
      expect((await database.client.db().listCollections().toArray()).map(({ name }) => name)).not.toContain(
        'store',
      );
      await store.prepare();
      expect(await store.changes.position()).toMatchObject({ first: 0, last: 0 });
      const rewritten = { $or: [{ _shape: { $exists: true } }, { _change: { $exists: true } }] };
      expect(await database.collection('assets').countDocuments(rewritten)).toBe(0);
    });

    test('has a history from the first write on, which begins with the state that 0.1 wrote', async () => {
      const store = await open();
      const before = await store.revision(['x.Note']);
      await store.patch(patchOf(2, 'v2'), origin);
      expect(await store.revision(['x.Note'])).not.toBe(before);
      await store.delete({ id: idOf(3), type: 'x.Note', change: 'd3' }, origin);
      await store.insert({ asset: { _id: idOf(12), _type: 'x.Note' }, version: 'v12' }, origin);
      const { entries } = await store.changes.history({ asset: idOf(2), limit: 10 });
      expect(entries).toMatchObject([
        { number: 1, action: 'update', previousVersion: 'older-2', before: { title: 'Patched' } },
      ]);
      const stateOf = (n: number, version: string) => store.changes.stateOf(idOf(n), { version });
      const first = { kind: 'exists', number: 0 };
      expect(await stateOf(2, 'older-2')).toMatchObject({ ...first, asset: { title: 'Patched' } });
      expect(await stateOf(2, 'old-2')).toEqual({ kind: 'removed' });
      expect(await stateOf(3, 'old-3')).toMatchObject({ ...first, asset: { title: 'Note 3' } });
      expect(await stateOf(4, 'old-4')).toMatchObject({ ...first, version: 'old-4' });
      expect(await store.changes.stateOf(idOf(4), { atMs: 2_000 })).toEqual({ kind: 'removed' });
      expect(await store.changes.stateOf(idOf(4), { atMs: Date.now() + 1_000 })).toMatchObject(first);
      expect(await stateOf(12, 'v12')).toMatchObject({ kind: 'exists', number: 1 });
    });

    test('is upgraded once by processes that start at the same time', async () => {
      const stores = await Promise.all([open(), open(), open()]);
      await Promise.all(stores.map((store, n) => store.patch(patchOf(n + 5, `v${n}`))));
      const positions = await Promise.all(stores.map((store) => store.changes.position()));
      expect(new Set(positions.map(({ epoch }) => epoch)).size).toBe(1);
      await vi.waitUntil(async () => (await stores[0]?.changes.position())?.last === 3, {
        timeout: 60_000,
        interval: 20,
      });
    });
  });

  describe('a database of a newer format', () => {
    const message = expect.stringMatching(/has format 3.*newer version of Colophon/);
    const raiseFormat = () =>
      database.collection('store').updateOne({ _id: 'format' }, { $set: { format: 3 } });

    test('stops the writes of a running process, which says so, and keeps its reads', async () => {
      const store = await open();
      await store.insert({ asset: { _id: idOf(1), _type: 'x.Note' }, version: 'v' });
      await raiseFormat();
      const refusal = await vi.waitUntil(
        () =>
          store.patch(patchOf(1, randomUUID())).then(
            () => undefined,
            (error: unknown) => ({ error }),
          ),
        { timeout: 60_000, interval: 100 },
      );
      expect(refusal).toMatchObject({ error: { code: 'store_busy', message } });
      expect(await store.canRecover()).toBe(false);
      expect((await store.get(idOf(1)))?.asset._id).toBe(idOf(1));
    });

    test('is not opened', async () => {
      const store = await open();
      await store.prepare();
      await raiseFormat();
      await expect(open()).rejects.toMatchObject({ code: 'bad_config', message });
    });
  });
});
