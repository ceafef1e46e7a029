/** Formats of the database: one of another version or program is left alone. */
import { randomUUID } from 'node:crypto';
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

  describe('a database of another format', () => {
    const message = expect.stringMatching(/has format \d+, and this version of Colophon uses format 4 alone/);
    const setFormat = (format: number) =>
      database.collection('store').updateOne({ _id: 'format' }, { $set: { format } });

    test('stops the writes of a running process, which says so, and keeps its reads', async () => {
      const store = await open();
      await store.insert({ asset: { _id: idOf(1), _type: 'x.Note' }, version: 'v' });
      await setFormat(99);
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
      for (const format of [3, 5]) {
        await setFormat(format);
        await expect(open()).rejects.toMatchObject({ code: 'bad_config', message });
      }
    });

    test('that has assets and no format is not opened', async () => {
      const store = await open();
      await store.insert({ asset: { _id: idOf(1), _type: 'x.Note' }, version: 'v' });
      await database.collection('store').deleteOne({ _id: 'format' });
      await expect(open()).rejects.toMatchObject({
        code: 'bad_config',
        message: expect.stringContaining('has assets and no format'),
      });
    });
  });
});
