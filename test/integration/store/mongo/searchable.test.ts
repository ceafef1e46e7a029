/** Words of searchable fields on MongoDB: how they are listed for their index, and found in whichever form they are stored. */
import type { Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog, Json } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { toWhere } from '../../../contract/store/suite-content.ts';
import { createMongoDatabase, type MongoDatabase } from '../../../support/mongo-database.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { catalogOf } from '../../../support/types.ts';

const serverUrl = mongodbUrl();
const note = (directive: string) =>
  catalogOf(`
    type Note @contentType(class: "x.Note") { body: RichText ${directive} tags: [String!] ${directive} parts: [Part!] }
    type Part { name: String ${directive} }`);
const [plain, searchable] = [note(''), note('@searchable')];
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe.skipIf(serverUrl === '')('searchable fields', () => {
  let database: MongoDatabase;

  beforeEach(async () => {
    database = await createMongoDatabase(serverUrl);
  });
  afterEach(() => database.remove());

  async function open(catalog: Catalog): Promise<ContentStore> {
    const store = await database.open(catalog);
    await store.prepare();
    return store;
  }

  const insert = (store: ContentStore, n: number, fields: Record<string, Json>) =>
    store.insert({ asset: { _id: idOf(n), _type: 'x.Note', ...fields }, version: 'v' });

  async function find(store: ContentStore, text: string): Promise<number[]> {
    const where = toWhere(searchable, { classes: ['x.Note'], text });
    const page = await store.find({ types: ['x.Note'], where, offset: 0, limit: 100, withCount: true });
    expect(page.count).toBe(page.items.length);
    return page.items.map(({ asset }) => Number(asset._id.slice(-12)));
  }

  const readWords = async (n: number) =>
    (
      await database.client
        .db()
        .collection<Document & { _id: string }>('assets')
        .findOne({ _id: idOf(n) })
    )?._colophon.index;

  test('are made anew when they were made by other rules', async () => {
    const long = '\u65e5\u672c'.repeat(40);
    const before = await open(searchable);
    await insert(before, 1, { body: `${long} a`, tags: [`${long}1 b`] });
    await before.close();
    const db = database.client.db();
    const assets = db.collection<Document & { _id: string }>('assets');
    await assets.updateOne(
      { _id: idOf(1) },
      { $set: { '_colophon.index.body': ['former', 'a'], '_colophon.index.tags': ['\t b ', 'b'] } },
    );
    const types = db.collection<Document & { _id: string }>('types');
    const record = await types.findOne({ _id: 'x.Note' });
    const texts = record?.texts.map((text: string) => text.replace(/ \d+"\]$/, ' 1"]'));
    expect(texts).not.toEqual(record?.texts);
    await types.updateOne({ _id: 'x.Note' }, { $set: { texts } });
    const store = await open(searchable);
    expect(await find(store, `body matchesAll "${long} a"`)).toEqual([1]);
    expect(await find(store, `tags matches ${long}1`)).toEqual([1]);
    expect(await find(store, 'body matches former')).toEqual([]);
    expect((await types.findOne({ _id: 'x.Note' }))?.texts.toSorted()).toEqual(record?.texts.toSorted());
  });

  test('are listed when they become searchable, and both forms are found by processes of both types', async () => {
    const before = await open(plain);
    const fields = { body: '<p>a b</p>', tags: ['a c', 'b'], parts: [{ name: 'a' }, { name: 'b a' }] };
    await insert(before, 1, fields);
    const store = await open(searchable);
    expect(await readWords(1)).toMatchObject({ body: ['a', 'b'], tags: ['\t a c ', '\t b ', 'a', 'c', 'b'] });
    const indexes = await database.client.db().collection('assets').indexes();
    const words = indexes.filter(({ name }) => name?.startsWith('words:')).map(({ key }) => key);
    expect(words).toEqual(
      ['body', 'parts.name', 'tags'].map((path) => ({ _type: 1, [`_colophon.index.${path}`]: 1, _id: 1 })),
    );
    await insert(before, 2, fields);
    await insert(store, 3, fields);
    await before.patch({ id: idOf(3), type: 'x.Note', set: { tags: ['a b'] }, unset: [], version: 'w' });
    expect(await readWords(2)).toMatchObject({ body: ' a b ' });
    expect(await readWords(3)).toMatchObject({
      body: ['a', 'b'],
      tags: [' a b '],
      parts: [{ name: ['a'] }, { name: ['b', 'a'] }],
    });
    for (const each of [before, store]) {
      expect(await find(each, 'body matches "B x" and tags matches b and parts.name matches b')).toEqual([
        1, 2, 3,
      ]);
      expect(await find(each, 'body matchesAll "b a"')).toEqual([1, 2, 3]);
      expect(await find(each, 'parts.name matchesAll "b a"')).toEqual([1, 2, 3]);
      expect(await find(each, 'tags matchesAll "a b"')).toEqual([3]);
      expect(await find(each, 'not tags matchesAll "a b"')).toEqual([1, 2]);
    }
  });
});
