/**
 * Compares inverse lists with the evaluator, with generated arguments, for callers that may see all sites and for those held to some,
 * with drafts laid over the store and without.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyDraft, type Draft } from '../../src/content/drafts/draft.ts';
import type { Asset, JsonObject } from '../../src/model/content-type.ts';
import { evaluatePredicate } from '../../src/query/evaluate.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { bindSort, compareBySort } from '../../src/query/sort.ts';
import { type ContentStore, idOfWrite } from '../../src/store/port.ts';
import {
  dataOf,
  type OpenedLibrary,
  openLibrary,
  prepared,
  reference,
} from '../integration/graphql/open-api.ts';
import { withDrafts } from '../support/drafts.ts';
import { roundsOf } from '../support/rounds.ts';
import { arbitrarySort } from '../support/sorts.ts';
import { describeOnEachStore } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const site = 'com.colophon.cms.db.Site';
const sdl = `
type Writer @contentType(class: "lib.Writer") {
  name: String
  books: [Book!] @inverse(field: "writer")
  edited: [Book!]! @inverse(field: "editors") @deprecated(reason: "Old.")
}
type Book @contentType(class: "lib.Book") {
  title: String
  rank: Int @indexed
  writer: Writer @indexed
  editors: [Writer!] @indexed
}`;
const catalog = catalogOf(sdl);
const { prepare } = createPredicateCompiler(catalog);
const bookClasses = ['lib.Book'];

describeOnEachStore('lists of referring assets', (locations) => {
  let library: OpenedLibrary;
  const writers: string[] = [];
  const sites: string[] = [];
  let books: readonly Asset[] = [];
  let drafted: { readonly library: OpenedLibrary; readonly books: readonly Asset[] };

  beforeAll(async () => {
    const location = locations();
    library = await openLibrary({ sdl, location });
    for (const name of ['A', 'B']) sites.push(await library.create(site, { name }));
    const ownedBy = (n: number): JsonObject => {
      const owner = sites[n % 3];
      return owner === undefined ? {} : { 'cms.site.owner': reference(owner, site) };
    };
    for (let n = 0; n < 9; n++)
      writers.push(await library.create('lib.Writer', { name: `w${n}`, ...ownedBy(n) }));
    const writer = (n: number) => reference(writers[n % 9] ?? '', 'lib.Writer');
    for (let n = 0; n < 90; n++) {
      await library.create('lib.Book', {
        title: `title ${(n * 7) % 5}`,
        // One writer has most of them, and one none.
        writer: n % 3 === 0 ? writer((n * 5) % 8) : writer(1),
        ...(n % 4 !== 0 && { rank: (n * 13) % 11 }),
        ...(n % 5 === 0 && { editors: [writer(n), writer(n + 4), writer(n)] }),
        ...ownedBy(n),
      });
    }
    const found = await library.store.find({ types: bookClasses, offset: 0, limit: 200, withCount: false });
    books = found.items.map(({ asset }) => asset);
    expect(books).toHaveLength(90);
    const drafts = books.flatMap((book, n) => draftOf(book, n, writer(n)));
    const layOver = (store: ContentStore) => withDrafts(store, drafts);
    const after = drafts.map((draft) => [idOfWrite(draft), applyDraft(draft, liveOf(draft))?.asset] as const);
    const byId = new Map([...books.map((book) => [book._id, book] as const), ...after]);
    drafted = {
      library: await openLibrary({ sdl, location, layOver }),
      books: [...byId.values()].filter((book) => book !== undefined),
    };
  }, 300_000);
  afterAll(() => drafted.library.close());

  /** Drafts changes, a deletion or a copy of some books. */
  function draftOf(book: Asset, n: number, writer: JsonObject): Draft[] {
    const { _id: id, _type: type } = book;
    const changed = { id, type, version: 'draft' };
    if (n % 3 === 0) return [{ kind: 'patch', ...changed, set: { writer, rank: n % 7 }, unset: ['editors'] }];
    if (n % 7 === 0) return [{ kind: 'delete', id, type }];
    if (n % 4 !== 0) return [];
    const copy = { ...book, _id: `dddddddd-dddd-4ddd-8ddd-${String(n).padStart(12, '0')}`, writer };
    return [{ kind: 'insert', asset: copy, version: 'draft' }];
  }

  function liveOf(draft: Draft) {
    const asset = books.find(({ _id }) => _id === idOfWrite(draft));
    return asset && { asset, version: 'live' };
  }

  const searches = fc.record({
    field: fc.constantFrom('books', 'edited'),
    where: fc.constantFrom('true', 'rank > 3', 'title = "title 1" or rank = missing', 'writer/name = w1'),
    sort: arbitrarySort({ catalog, classes: bookClasses }),
    offset: fc.constantFrom(0, 0, 1, 5, 30),
    limit: fc.constantFrom(0, 1, 2, 10, 100),
    parts: fc.constantFrom('items { _id }', 'count', 'items { _id } count'),
    writers: fc.integer({ min: 1, max: 9 }),
    site: fc.constantFrom(undefined, 0, 1),
    isDrafted: fc.boolean(),
  });

  it('are those of the evaluator', async () => {
    const sides = {
      live: { api: library.api(), books },
      drafted: { api: drafted.library.api(), books: drafted.books },
    };
    const check = async ({
      field,
      where,
      sort,
      offset,
      limit,
      parts,
      writers: first,
      site: owner,
      isDrafted,
    }: Wanted) => {
      const { api, books } = isDrafted ? sides.drafted : sides.live;
      const source = `query ($where: String, $sort: [SortInput!], $offset: Int, $limit: Int, $first: Int) {
        writerList(limit: $first) { items { _id listed: ${field}(where: $where, sortBy: $sort, offset: $offset, limit: $limit) { ${parts} } } } }`;
      const sortBy = sort.map((key) => ({ field: key.field, order: key.descending ? 'DESC' : 'ASC' }));
      const allowed = owner === undefined ? undefined : [sites[owner] ?? ''];
      const { data, errors } = await prepared(api, source).run({
        variables: { where, sort: sortBy, offset, limit, first },
        caller: allowed ? { sites: allowed } : {},
      });
      expect(errors).toBeUndefined();
      const predicate = bindPredicate(prepare(bookClasses, where), []);
      const order = compareBySort(bindSort(catalog, bookClasses, sort));
      const isVisible = (asset: Asset) =>
        !allowed || allowed.includes(String(Object(asset['cms.site.owner'])._ref));
      const nameOf = (id: string) => ({ _id: id, _type: 'lib.Writer', name: `w${writers.indexOf(id)}` });
      const isSeen = (id: string) => !allowed || writers.indexOf(id) % 3 === owner;
      const resolve = (id: string) => (isSeen(id) ? nameOf(id) : undefined);
      const expected = writers
        .filter(isSeen)
        .slice(0, first)
        .map((id) => {
          const refers = (asset: Asset) =>
            [field === 'books' ? asset.writer : asset.editors].flat().some((one) => Object(one)._ref === id);
          const all = books
            .filter(
              (asset) =>
                refers(asset) && isVisible(asset) && evaluatePredicate({ predicate, asset, resolve }),
            )
            .toSorted(order);
          const items = all.slice(offset, offset + limit).map(({ _id }) => ({ _id }));
          const listed = {
            ...(parts.includes('items') && { items }),
            ...(parts.includes('count') && { count: all.length }),
          };
          return { _id: id, listed };
        });
      expect(Object(data).writerList.items).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(searches, check), { numRuns: roundsOf({ usual: 150, long: 1_500 }) });
  }, 600_000);

  it('of many assets are read by one search, and by one each of those that have more than fits', async () => {
    const api = library.api();
    const searchesOf = async (query: string) => {
      library.takeCalls();
      await dataOf(api, query);
      return library.takeCalls().filter(({ method }) => method === 'find' || method === 'facets').length;
    };
    expect(await searchesOf('{ writerList { items { books(limit: 20) { items { title } count } } } }')).toBe(
      2,
    );
    expect(
      await searchesOf('{ writerList { items { name books(limit: 2) { count } edited { count } } } }'),
    ).toBe(3);
    const nested =
      '{ bookList(limit: 30) { items { writer { books(limit: 40) { items { writer { name } } } } } } }';
    expect(await searchesOf(nested)).toBe(2);
    expect(
      await searchesOf('{ writerList(limit: 9) { items { books(limit: 1) { items { title } } } } }'),
    ).toBeLessThan(11);
  });

  it('have pages by cursor, facets and filters', async () => {
    const api = library.api();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const data = await dataOf(
        api,
        `query ($id: ID!, $cursor: String) { writer(_id: $id) { books(cursor: $cursor, limit: 20, sortBy: [{ field: "rank" }]) { items { _id } next count } } }`,
        { id: writers[1] ?? '', cursor },
      );
      const { items, next, count } = Object(data).writer.books;
      expect(count).toBe(books.filter(({ writer }) => Object(writer)._ref === writers[1]).length);
      seen.push(...items.map(({ _id }: { _id: string }) => _id));
      cursor = next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(40);
    const data = await dataOf(
      api,
      `query ($id: ID!, $rank: Int) { writer(_id: $id) { books(filter: { rank: { eq: $rank } }) { count facets(paths: ["rank"]) { values { value count } } } } }`,
      { id: writers[1] ?? '', rank: 2 },
    );
    const { count, facets } = Object(data).writer.books;
    expect(facets).toEqual([{ values: [{ value: 2, count }] }]);
  });
});

type Wanted = {
  field: string;
  where: string;
  sort: { field: string; descending: boolean }[];
  offset: number;
  limit: number;
  parts: string;
  writers: number;
  site: number | undefined;
  isDrafted: boolean;
};

describe('a list of referring assets', () => {
  let library: OpenedLibrary;
  beforeAll(async () => {
    library = await openLibrary({ sdl });
  });

  it('is there where the endpoint has the type, and nowhere else', () => {
    const { sdl: whole } = library.api();
    expect(whole).toMatch(/type Writer implements Content \{[^}]*books\(/s);
    expect(whole).toMatch(/edited\([^)]*\): BookList! @deprecated\(reason: "Old\."\)/s);
    expect(whole.match(/input WriterFilter \{[^}]*\}/)?.[0]).not.toContain('books');
    expect(whole.match(/input CreateWriterInput \{[^}]*\}/)?.[0]).not.toContain('books');
    const narrow = library.api({ readTypes: ['lib.Writer'], writeTypes: [] });
    expect(narrow.sdl).not.toContain('books');
  });

  it('counts as a search, and its limits and arguments are checked', () => {
    const api = library.api();
    const { readTypes, searchedTypes } = prepared(api, '{ writer(_id: "a") { books { items { title } } } }');
    expect([readTypes, searchedTypes]).toEqual([['lib.Book', 'lib.Writer'], ['lib.Book']]);
    const problems = (query: string) =>
      prepared(api, query)
        .checkLists()
        .map(({ message }) => message);
    expect(
      problems('query Q { writer(_id: "a") { books(where: "nope = 1", limit: 101) { count } } }'),
    ).toEqual([
      expect.stringMatching(/^books, where: .*no field "nope"/),
      'books, limit: must be at most 100',
    ]);
    expect(
      problems(
        'query Q { writer(_id: "a") { ...W } } fragment W on Writer { books(sortBy: [{ field: "x" }]) { count } }',
      ),
    ).toEqual([expect.stringMatching(/^books, sortBy: /)]);
  });

  it('names its own variables in errors', async () => {
    const writer = await library.create('lib.Writer', { name: 'w' });
    const source = `query ($outer: Int, $inner: Int, $where: String) {
      writerList(limit: $outer, where: "true") { items { books(limit: $inner, where: $where) { items { title } } } } }`;
    expect(writer).toBeTruthy();
    const messageOf = async (variables: Record<string, unknown>) => {
      const { data, errors } = await prepared(library.api(), source).run({ variables, caller: {} });
      expect(data).toBeNull();
      return errors?.map(({ message, path }) => `${path?.join('.')}: ${message}`)[0];
    };
    expect(await messageOf({ inner: 101 })).toBe('writerList.items.0.books: "inner" must be at most 100');
    expect(await messageOf({ where: 'nope = 1' })).toMatch(/^writerList\.items\.0\.books\.items: .*"nope"/);
  });

  it('costs its limit for each asset, and what it skips', async () => {
    const api = library.api();
    const nested = (inner: string) =>
      `{ writerList(limit: 100) { items { books(${inner}) { items { writer { books(limit: 100) { items { title } } } } } } } }`;
    expect(JSON.stringify(api.prepare(nested('limit: 100')))).toMatch(/"limit":"cost".*"actual":1020100/);
  });
});
