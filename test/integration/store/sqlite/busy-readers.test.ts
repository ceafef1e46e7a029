import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../src/query/prepare.ts';
import { bindSort } from '../../../../src/query/sort.ts';
import type { ContentStore, FindRequest } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
type Note @contentType(class: "x.Note") { section: String @indexed title: String text: String }
type Tag @contentType(class: "x.Tag") { name: String }
`);
const { prepare } = createPredicateCompiler(catalog);
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const text = 'Some words of a long text. '.repeat(400);

const folder = temporaryFolder();
const leaving = new AbortController();
let store: ContentStore;
let searches: Promise<unknown>[];
let ended = 0;

const find = (where: string | undefined, request: Partial<FindRequest> = {}) => {
  const types = request.types ?? ['x.Note'];
  return store.find({
    offset: 0,
    limit: 10,
    withCount: true,
    ...(where !== undefined && { where: bindPredicate(prepare(types, where), []) }),
    ...request,
    types,
  });
};

beforeAll(async () => {
  store = await createSqliteStore({ file: join(folder, 'content.db'), catalog, logger: silentLogger });
  await store.prepare();
  const notes = Array.from({ length: 300 }, (_, n) => ({
    _type: 'x.Note',
    section: `s${n % 3}`,
    title: `${n}`,
    text,
  }));
  const tags = Array.from({ length: 30 }, (_, n) => ({ _type: 'x.Tag', name: `tag ${n}` }));
  const writes = [...notes, ...tags].map(
    (fields, n) => ({ kind: 'insert', asset: { _id: idOf(n), ...fields }, version: 'v' }) as const,
  );
  await store.write(writes);
  const absent = Array.from({ length: 100 }, (_, n) => `text matches "absent${n}" or title matches "${n}x"`);
  searches = Array.from({ length: 60 }, (_, n) =>
    find(`${absent.join(' or ')} or text matches "search${n}"`, { signal: leaving.signal }).finally(
      () => ended++,
    ),
  );
  for (const search of searches) search.catch(() => {});
});

afterAll(async () => {
  leaving.abort();
  await Promise.allSettled(searches);
  await store.close();
});

test('pages and counts that an index bounds are answered at once', async () => {
  expect(await find('section = s1', { offset: 50 })).toMatchObject({ count: 100, items: { length: 10 } });
  expect(await find('section = s1 and title = "4"')).toMatchObject({ count: 1 });
  expect(await find(undefined, { offset: 290 })).toMatchObject({ count: 300, items: { length: 10 } });
  expect(ended).toBeLessThan(searches.length);
});

test('so are searches of a type with few assets, and reads by id', async () => {
  const types = ['x.Tag'];
  const sort = bindSort(catalog, types, [{ field: 'name', descending: true }]);
  const page = await find('name contains[c] "TAG 2"', { types, sort, limit: 1 });
  expect(page).toMatchObject({ count: 11, items: [{ asset: { name: 'tag 29' } }] });
  const ids = Array.from({ length: 330 }, (_, n) => idOf(n));
  expect(await store.getTypes(ids)).toHaveProperty('size', 330);
  expect((await store.getMany(ids)).found.size).toBeGreaterThan(80);
  expect((await store.getChunk(ids)).items.length).toBeGreaterThan(80);
  expect(ended).toBeLessThan(searches.length);
});
