import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { bindSort } from '../../../../src/query/sort.ts';
import type { ContentStore, FindRequest } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { toWhere } from '../../../contract/store/suite-content.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`type Note @contentType(class: "x.Note") {
  kind: String @indexed
  tags: [String!] @indexed
  body: RichText @searchable
  other: Int
  writer: Writer @indexed
}
type Writer @contentType(class: "x.Writer") {
  name: String
}`);
const writer = '0190a0c0-0000-7000-8000-ffffffffffff';
const total = 2_000;
const folder = temporaryFolder();
let store: ContentStore;

beforeAll(async () => {
  store = await createSqliteStore({ file: join(folder, 'content.db'), catalog, logger: silentLogger });
  await store.prepare();
  const writes = Array.from({ length: total }, (_, n) => ({
    kind: 'insert' as const,
    version: 'v',
    asset: {
      _id: `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`,
      _type: 'x.Note',
      kind: `k${n % 100}`,
      tags: [`t${n % 50}`],
      body: `<p>word${n % 40}</p>`,
      other: n,
      writer: { _ref: writer, _type: 'x.Writer' },
    },
  }));
  await store.insert({ asset: { _id: writer, _type: 'x.Writer', name: 'Ada' }, version: 'v' });
  await store.write(writes);
});
afterAll(() => store.close());

const classes = ['x.Note'];
const explain = (text: string | undefined, page: Partial<FindRequest> = {}) =>
  store.explain({
    types: classes,
    offset: 0,
    limit: total,
    withCount: false,
    ...(text !== undefined && { where: toWhere(catalog, { classes, text }) }),
    ...page,
  });

test.each([
  ['kind = k1', 'kind', 20],
  ['tags = t1', 'tags', 40],
  ['body matches word1', 'body', 50],
])('%s uses its index, and visits few rows', async (where, index, matching) => {
  const { indexes, rowsVisited = 0, ms } = await explain(where);
  expect(indexes).toContain(index);
  expect(rowsVisited).toBeGreaterThanOrEqual(matching);
  expect(rowsVisited).toBeLessThan(total / 4);
  expect(ms).toBeGreaterThan(0);
});

test('a comparison without an index visits every asset of the type', async () => {
  const { indexes, rowsVisited } = await explain('other < 0');
  expect(indexes).toEqual(['_id']);
  expect(rowsVisited).toBeGreaterThanOrEqual(total);
});

test('no rows are visited where the index has no such value', async () => {
  expect(await explain('kind = none')).toMatchObject({ indexes: ['kind'], rowsVisited: 0 });
});

test('a page in the order of an index visits little of it', async () => {
  const sort = bindSort(catalog, classes, [{ field: 'kind', descending: true }]);
  const { indexes, rowsVisited = 0 } = await explain(undefined, { sort, limit: 10 });
  expect(indexes).toEqual(['kind']);
  expect(rowsVisited).toBeLessThan(50);
  const whole = await explain(undefined, {
    sort: bindSort(catalog, classes, [{ field: 'other', descending: true }]),
    limit: 10,
  });
  expect(whole.rowsVisited).toBeGreaterThanOrEqual(total);
});

test('a page of the assets that refer to one asset visits only the page', async () => {
  const where = `writer/_id = "${writer}"`;
  // An entry of the index and a row for each.
  expect(await explain(where, { limit: 10 })).toMatchObject({ indexes: ['writer'], rowsVisited: 20 });
});

test('a count and an offset visit what they pass', async () => {
  const counted = await explain('kind = k1', { limit: 0, withCount: true });
  expect(counted.rowsVisited).toBeGreaterThanOrEqual(20);
  const paged = await explain(undefined, { limit: 5, offset: 300 });
  expect(paged.rowsVisited).toBeGreaterThanOrEqual(305);
  expect(await explain(undefined, { limit: 0, withCount: true })).toMatchObject({ rowsVisited: 0 });
});

test('a caller that has left gets no explanation', async () => {
  const signal = AbortSignal.abort();
  await expect(explain('other < 0', { signal })).rejects.toThrow();
});
