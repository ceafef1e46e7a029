/** Words of searchable fields on MongoDB: how they are listed for their index, and found in whichever form they are stored. */
import type { Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
    const page = await store.find({ types: ['x.Note'], where, offset: 0, limit: 1000, withCount: true });
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

  test('of other rules are made anew while the store is served, and searches find the right assets meanwhile', async () => {
    const long = 'Z\u00fcrich'.repeat(40);
    const count = 120;
    const before = await open(searchable);
    for (let n = 1; n <= count; n++) {
      await insert(before, n, { body: `${long} a`, tags: [`${long}1 b`], parts: [{ name: `n${n}` }] });
    }
    await before.close();
    const db = database.client.db();
    const assets = db.collection<Document & { _id: string }>('assets');
    const former = {
      '_colophon.index.body': ['former', 'a'],
      '_colophon.index.tags': ['\t b ', 'b'],
      '_colophon.index.parts': [],
    };
    await assets.updateMany({}, { $set: former });
    const types = db.collection<Document & { _id: string }>('types');
    const record = await types.findOne({ _id: 'x.Note' });
    const texts = record?.texts.map((text: string) => text.replace(/ \d+"\]$/, ' 1"]'));
    expect(texts).not.toEqual(record?.texts);
    await types.updateOne({ _id: 'x.Note' }, { $set: { texts } });
    const all = Array.from({ length: count }, (_, at) => at + 1);
    const search = async (store: ContentStore) => {
      expect(await find(store, `body matchesAll "${long} a" and tags matches ${long}1`)).toEqual(all);
      expect(await find(store, 'body matches former')).toEqual([]);
      expect(await find(store, 'not body matches "zur*" or parts.name matches n7')).toEqual([7]);
    };
    const isComplete = async () => (await types.findOne({ _id: 'x.Note' }))?.remade === undefined;

    // Its writes have new words at once, and nothing is called complete.
    const importing = await open(searchable);
    await importing.patch({
      id: idOf(7),
      type: 'x.Note',
      set: { tags: ['x', `${long}1`] },
      unset: [],
      version: 'w',
    });
    await search(importing);
    expect(await isComplete()).toBe(false);
    expect((await types.findOne({ _id: 'x.Note' }))?.texts).toEqual([]);
    await importing.close();

    // A process that ends leaves the rest to the next one.
    const first = await database.open(searchable);
    await first.serve({ sources: [], folder: '.', areShipped: false });
    await search(first);
    await first.close();
    const after = (await types.findOne({ _id: 'x.Note' }))?.remade?.after;
    expect(all.map(idOf)).toContain(after);

    const second = await database.open(searchable);
    await second.serve({ sources: [], folder: '.', areShipped: false });
    await vi.waitFor(async () => expect(await isComplete()).toBe(true), { timeout: 30_000 });
    await search(second);
    expect((await types.findOne({ _id: 'x.Note' }))?.texts.toSorted()).toEqual(record?.texts.toSorted());
    expect(await assets.countDocuments({ '_colophon.index.body': 'former' })).toBe(0);
    expect(await readWords(9)).toMatchObject({ parts: [{ name: ['n9'] }] });
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
      expect(await find(each, 'parts.name matchesAll "b a*"')).toEqual([1, 2, 3]);
      expect(await find(each, 'tags matchesAll "a b"')).toEqual([3]);
      expect(await find(each, 'not tags matchesAll "a b"')).toEqual([1, 2]);
    }
  });
});
