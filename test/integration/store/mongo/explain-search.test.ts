/** Explained searches on MongoDB: the names of indexes, which the test server uses for flat filters only. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AssetDocument } from '../../../../src/store/mongo/documents/document.ts';
import { explainSearch } from '../../../../src/store/mongo/reads/page-finder.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';

const serverUrl = mongodbUrl();

describe.skipIf(serverUrl === '')('an explained search', () => {
  let client: MongoClient;
  const assets = () => client.db().collection<AssetDocument>('assets');

  beforeAll(async () => {
    const url = new URL(serverUrl);
    url.pathname = `/colophon_unit_${randomUUID()}`;
    client = await MongoClient.connect(url.href);
    await assets().createIndex({ _type: 1, 'author._ref': 1, _id: 1 }, { name: 'by_author' });
    await assets().createIndex({ _type: 1, _id: 1 }, { name: 'by_type' });
    const documents = Array.from({ length: 50 }, (_, n) => ({
      _id: String(n).padStart(2, '0'),
      _type: n < 40 ? 'A' : 'B',
      author: { _ref: `a${n % 5}` },
      other: n,
    }));
    await client.db().collection<{ _id: string }>('assets').insertMany(documents);
  });
  afterAll(async () => {
    await client.db().dropDatabase();
    await client.close();
  });

  const explain = (filter: Record<string, unknown>, page: { limit: number; withCount: boolean }) =>
    explainSearch(assets(), {
      request: { offset: 0, ...page },
      filter,
      budget: () => ({ maxTimeMS: 5_000 }),
    });

  test('names the fields of its indexes, and adds up what its page and its count visit', async () => {
    const filter = { _type: 'A', 'author._ref': 'a1' };
    const counted = await explain(filter, { limit: 0, withCount: true });
    expect(counted).toEqual({ indexes: ['author'], rowsVisited: 8, ms: expect.any(Number) });
    const both = await explain(filter, { limit: 100, withCount: true });
    expect(both.indexes).toContain('author');
    expect(both.rowsVisited).toBeGreaterThanOrEqual(16);
  });

  test('has no index when every document is visited', async () => {
    expect(await explain({ other: 7 }, { limit: 0, withCount: true })).toMatchObject({
      indexes: [],
      rowsVisited: 50,
    });
  });

  test('names the index of a type', async () => {
    const plan = await explain({ _type: 'B' }, { limit: 0, withCount: true });
    expect(plan).toMatchObject({ indexes: [expect.stringMatching(/^(_id|author)$/)], rowsVisited: 10 });
  });
});
