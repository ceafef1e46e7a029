/** Reads of a store with drafts laid over it; `test/property/stores-agree.test.ts` compares its searches with the reference. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '../../../../src/content/drafts/draft.ts';
import { createAssetFinder } from '../../../../src/content/reading/find-assets.ts';
import { createContentSelector } from '../../../../src/content/reading/select-content.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { withDrafts } from '../../../support/drafts.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Author @contentType(class: "Author") { name: String! @indexed }
  type Post @contentType(class: "Post") { title: String @indexed body: String author: Author tags: [String!] @indexed }`);

const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const version = 'live';
const body = 'x'.repeat(300_000);
const author = (n: number, name: string): Asset => ({ _id: idOf(n), _type: 'Author', name });
const post = (n: number, title: string, more: object = {}): Asset => ({
  _id: idOf(n),
  _type: 'Post',
  title,
  body,
  ...more,
});
const authors = { ann: { _ref: idOf(100), _type: 'Author' }, new: { _ref: idOf(103), _type: 'Author' } };

/** Posts of 300 KB, so that a page of them has several chunks. */
const live: readonly Asset[] = [
  ...Array.from({ length: 12 }, (_, n) => post(n, `t${String(n).padStart(2, '0')}`, { author: authors.ann })),
  author(100, 'Ann'),
  author(101, 'Ben'),
  author(102, 'Cleo'),
];
const change = (n: number, type: string, set: Partial<Asset>, unset: readonly string[] = []): Draft => ({
  kind: 'patch',
  id: idOf(n),
  type,
  set: set as Record<string, string>,
  unset,
  version: 'draft',
});
const drafts: readonly Draft[] = [
  change(1, 'Post', { title: 't11b' }),
  change(11, 'Post', { title: 't00b' }, ['body']),
  change(5, 'Post', { author: authors.new }),
  { kind: 'delete', id: idOf(3), type: 'Post' },
  { kind: 'insert', asset: post(20, 't07b'), version: 'draft' },
  { kind: 'insert', asset: author(103, 'Dora'), version: 'draft' },
  change(100, 'Author', { name: 'Anna' }),
  { kind: 'delete', id: idOf(101), type: 'Author' },
  // These have no effect: the live asset is of another class, or there is none.
  change(102, 'Post', { title: 'stranger' }),
  change(30, 'Post', { title: 'never live' }),
];
const titles = 't00 t00b t02 t04 t05 t06 t07 t07b t08 t09 t10 t11b'.split(' ');
const caller = {};

describeOnEachStore('a store with drafts laid over it', (locations) => {
  let store: ContentStore;
  let drafted: ContentStore;

  beforeAll(async () => {
    store = await openStoreAt(locations(), catalog);
    await store.write(live.map((asset) => ({ kind: 'insert', asset, version })));
    drafted = withDrafts(store, drafts);
  });

  describe('reads by _id', () => {
    const ids = [3, 20, 1, 0, 100, 101, 102, 30, 11, 2, 4, 5, 103].map(idOf);
    const expected = [20, 1, 0, 100, 102, 11, 2, 4, 5, 103].map(idOf);

    it('return each asset as its draft leaves it', async () => {
      const found = await Promise.all(ids.map((id) => drafted.get(id)));
      expect(found.map((stored) => [stored?.asset.title ?? stored?.asset.name, stored?.version])).toEqual(
        [
          [],
          ['t07b', 'draft'],
          ['t11b', 'draft~live'],
          ['t00', 'live'],
          ['Anna', 'draft~live'],
          [],
          ['Cleo', 'live'],
          [],
          ['t00b', 'draft~live'],
          ['t02', 'live'],
          ['t04', 'live'],
          ['t05', 'draft~live'],
          ['Dora', 'draft'],
        ].map(([title, of]) => [title, of]),
      );
      expect(found[8]?.asset).not.toHaveProperty('body');
      const texts = await Promise.all(ids.map((id) => drafted.texts.get(id)));
      expect(texts.map((text) => text && { asset: JSON.parse(text.text), version: text.version })).toEqual(
        found,
      );
      const types = await drafted.getTypes(ids);
      expect(types).toEqual(new Map(found.flatMap((one) => (one ? [[one.asset._id, one.asset._type]] : []))));
    });

    it('return chunks in the order of the _ids, without those that drafts delete', async () => {
      const read: string[] = [];
      let chunks = 0;
      for (let left: readonly string[] | undefined = ids; left; chunks++) {
        const { items, rest }: Awaited<ReturnType<ContentStore['getChunk']>> = await drafted.getChunk(left);
        read.push(...items.map(({ asset }) => asset._id));
        left = rest;
      }
      expect(read).toEqual(expected);
      expect(chunks).toBeGreaterThan(1);
      const many = new Set<string>();
      for (let left: readonly string[] | undefined = ids; left; ) {
        const { found, rest }: Awaited<ReturnType<ContentStore['getMany']>> = await drafted.getMany(left);
        for (const id of found.keys()) many.add(id);
        left = rest;
      }
      expect([...many].sort()).toEqual(expected.toSorted());
    });
  });

  it('finds pages of several chunks in order, from any offset', async () => {
    const finder = createAssetFinder({ catalog, store: drafted });
    for (let offset = 0; offset <= titles.length; offset++) {
      for (const limit of [1, 5, 20]) {
        for (const descending of [false, true]) {
          const query = {
            from: 'Post',
            sort: [{ field: 'title', descending }],
            offset,
            limit,
            withCount: true,
          };
          const page = await finder.find(query, caller);
          const inOrder = descending ? titles.toReversed() : titles;
          expect(page.items.map(({ asset }) => asset.title)).toEqual(inOrder.slice(offset, offset + limit));
          expect(page.count).toBe(titles.length);
        }
      }
    }
  });

  it('finds pages of several chunks by cursor, which may end early', async () => {
    const finder = createAssetFinder({ catalog, store: drafted });
    for (const limit of [1, 5, 20]) {
      const found: unknown[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const sort = [{ field: 'title', descending: false }];
        const query = { from: 'Post', sort, offset: 0, limit, cursor, withCount: cursor === '' };
        const page: Awaited<ReturnType<typeof finder.find>> = await finder.find(query, caller);
        if (cursor === '') expect(page.count).toBe(titles.length);
        expect(page.items.length).toBeGreaterThan(0);
        found.push(...page.items.map(({ asset }) => asset.title));
        cursor = page.next;
      }
      expect(found).toEqual(titles);
    }
  });

  it('includes assets as their drafts leave them', async () => {
    const finder = createAssetFinder({ catalog, store: drafted });
    const selector = createContentSelector({ catalog, store: drafted });
    for (const [name, count, includes] of [
      ['Ann', 0, []],
      ['Anna', 10, ['Anna']],
      ['Dora', 1, ['Dora']],
    ] as const) {
      const query = {
        from: 'Post',
        where: 'author/name = ?',
        values: [name],
        offset: 0,
        limit: 20,
        withCount: true,
      };
      const page = await finder.openTexts(query, caller);
      expect(page.count).toBe(count);
      const { included } = await selector.include(page, selector.resolveIncludes('Post', ['author']), caller);
      expect(included.first.map(({ text }) => JSON.parse(text).name)).toEqual(includes);
    }
  });

  it('finds the first of many drafts', async () => {
    const many = Array.from({ length: 2_500 }, (_, n): Draft => {
      const name = `a${String((n * 7919) % 2_500).padStart(4, '0')}`;
      return { kind: 'insert', asset: author(1_000 + n, name), version: 'draft' };
    });
    const finder = createAssetFinder({ catalog, store: withDrafts(store, many) });
    const sort = [{ field: 'name', descending: false }];
    const namesAt = async (offset: number, limit: number) => {
      const page = await finder.find({ from: 'Author', sort, offset, limit, withCount: true }, caller);
      expect(page.count).toBe(2_503);
      return page.items.map(({ asset }) => asset.name);
    };
    expect(await namesAt(0, 5)).toEqual(['Ann', 'Ben', 'Cleo', 'a0000', 'a0001']);
    expect(await namesAt(2, 2)).toEqual(['Cleo', 'a0000']);
    expect(await namesAt(2_000, 2)).toEqual(['a1997', 'a1998']);
    expect(await namesAt(2_502, 5)).toEqual(['a2499']);
  });

  it('sees live writes at once, also of assets with drafts', async () => {
    const where = 'tags = fresh';
    const finder = createAssetFinder({ catalog, store: drafted });
    const find = async () =>
      (await finder.find({ from: 'Post', where, offset: 0, limit: 9, withCount: true }, caller)).count;
    expect(await find()).toBe(0);
    for (const n of [1, 2])
      await store.patch({ id: idOf(n), type: 'Post', set: { tags: ['fresh'] }, unset: [], version: 'later' });
    expect(await find()).toBe(2);
  });

  it('reads and excludes nothing for what it knows of drafts, and after a live write reads the changed asset alone', async () => {
    const readIds: string[] = [];
    const searches: string[] = [];
    const watched: ContentStore = {
      ...store,
      getMany: (ids) => {
        readIds.push(...ids);
        return store.getMany(ids);
      },
      find: (request) => {
        searches.push(JSON.stringify(request.where ?? ''));
        return store.find(request);
      },
    };
    const named = [100, 102].map((n) => change(n, 'Author', { name: `b${n}` }));
    const finder = createAssetFinder({ catalog, store: withDrafts(watched, named) });
    const sort = [{ field: 'name', descending: false }];
    const find = async () => {
      readIds.length = 0;
      searches.length = 0;
      const query = { from: 'Author', where: "name != ''", sort, offset: 0, limit: 2, withCount: false };
      const { items } = await finder.find(query, caller);
      return items.map(({ asset }) => asset.name);
    };
    expect(await find()).toEqual(['Ben', 'b100']);
    expect(readIds).toEqual([idOf(100), idOf(102)]);
    expect(await find()).toEqual(['Ben', 'b100']);
    expect(readIds).toEqual([]);
    expect(searches.filter((where) => where.includes(idOf(102)))).toEqual([]);
    const own = { id: idOf(102), type: 'Author', unset: [] };
    await store.patch({ ...own, set: { name: 'Clea' }, version: 'later' });
    expect(await find()).toEqual(['Ben', 'b100']);
    expect(readIds).toEqual([idOf(102)]);
    await store.patch({ ...own, set: { name: 'Cleo' }, version: 'last' });
  });

  it('sees live writes of the targets of references', async () => {
    const referring = change(6, 'Post', { author: { _ref: idOf(102), _type: 'Author' } });
    const finder = createAssetFinder({ catalog, store: withDrafts(store, [referring]) });
    const find = async () => {
      const where = "author/name = 'Clio'";
      const query = { from: 'Post', where, offset: 0, limit: 9, withCount: true };
      return (await finder.find(query, caller)).count;
    };
    expect(await find()).toBe(0);
    await store.patch({
      ...{ id: idOf(102), type: 'Author', unset: [], version: 'renamed' },
      set: { name: 'Clio' },
    });
    expect(await find()).toBe(1);
  });
});
