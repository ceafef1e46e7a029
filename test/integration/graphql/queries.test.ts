import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import { dataOf, errorsOf, type OpenedLibrary, openLibrary, reference, run } from './open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;
let ids: Record<'ann' | 'bob' | 'press' | 'film' | 'first' | 'second' | 'site', string>;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
  const site = await library.create('com.colophon.cms.db.Site', { name: 'Main' });
  const ann = await library.create('lib.Person', { name: 'Ann', constructor: 'a field' });
  const bob = await library.create('lib.Person', { name: 'Bob', born: -5 });
  const press = await library.create('lib.Company', { name: 'Press', owner: reference(ann, 'lib.Person') });
  const film = await library.create('lib.Film', { title: 'A film' });
  const first = await library.create('lib.Book', {
    title: 'First',
    pages: 300,
    weight: 0.5,
    inPrint: false,
    text: '<p>Once</p>',
    link: 'https://example.com/',
    genre: 'POEM',
    extra: { deep: [1, null, { a: true }] },
    writer: reference(ann, 'lib.Person'),
    publisher: reference(press, 'lib.Company'),
    related: [reference(film, 'lib.Film')],
    cover: { colour: 'red', artist: reference(bob, 'lib.Person') },
    notes: [{ text: 'one', notes: [{ text: 'inner', 'shelf.mark': 'N1' }] }, { text: 'two' }],
    'shelf.mark': 'S1',
    'cms.site.owner': reference(site, 'com.colophon.cms.db.Site'),
  });
  const second = await library.create('lib.Book', {
    title: 'Second',
    pages: 20,
    publisher: reference(bob, 'lib.Person'),
    related: [reference(first, 'lib.Book'), reference(film, 'lib.Film')],
  });
  ids = { ann, bob, press, film, first, second, site };
});

describe('a query for one asset', () => {
  const query = 'query ($id: ID!) { book(_id: $id) { _id } }';

  it('resolves fields of every kind by their JSON names', async () => {
    const fields = `_id _type __typename title pages weight inPrint text link genre extra shelf_mark
      cover { colour artist { name } } notes { text shelf_mark notes { text shelf_mark } }
      writer { name constructor born } cms_site_owner { name } cms_content_publishDate`;
    expect(await dataOf(api, `{ book(_id: "${ids.first}") { ${fields} } }`)).toEqual({
      book: {
        _id: ids.first,
        _type: 'lib.Book',
        __typename: 'Book',
        title: 'First',
        pages: 300,
        weight: 0.5,
        inPrint: false,
        text: '<p>Once</p>',
        link: 'https://example.com/',
        genre: 'POEM',
        extra: { deep: [1, null, { a: true }] },
        shelf_mark: 'S1',
        cover: { colour: 'red', artist: { name: 'Bob' } },
        notes: [
          { text: 'one', shelf_mark: null, notes: [{ text: 'inner', shelf_mark: 'N1' }] },
          { text: 'two', shelf_mark: null, notes: null },
        ],
        writer: { name: 'Ann', constructor: 'a field', born: null },
        cms_site_owner: { name: 'Main' },
        cms_content_publishDate: 1000,
      },
    });
  });

  it('returns null for absent fields, even with names of inherited members', async () => {
    const query = `{ book(_id: "${ids.second}") { weight extra related { __typename } cover { colour } notes { text } }
      person(_id: "${ids.bob}") { constructor } }`;
    expect(await dataOf(api, query)).toEqual({
      book: {
        weight: null,
        extra: null,
        related: [{ __typename: 'Book' }, { __typename: 'Film' }],
        cover: null,
        notes: null,
      },
      person: { constructor: null },
    });
  });

  it.each([
    ['of no asset', '0191f3a0-5b7e-7c11-9d2e-ffffffffffff'],
    ['that is no UUID', 'nothing'],
  ])('answers null for an id %s', async (_, id) => {
    expect(await dataOf(api, query, { id })).toEqual({ book: null });
  });

  it('returns null for an asset of another type', async () => {
    expect(await dataOf(api, query, { id: ids.film })).toEqual({ book: null });
  });

  it('accepts the ID in upper and lower case', async () => {
    expect(await dataOf(api, query, { id: ids.first.toUpperCase() })).toEqual({ book: { _id: ids.first } });
  });

  it('finds no asset outside the sites of the caller', async () => {
    const text = `{ book(_id: "${ids.first}") { title } bookList { count items { title } } }`;
    const seen = await run(api, text, { caller: { sites: [ids.site] } });
    expect(seen).toMatchObject({ data: { book: { title: 'First' }, bookList: { count: 1 } } });
    const other = await run(api, text, { caller: { sites: [ids.ann] } });
    expect(other).toMatchObject({ data: { book: null, bookList: { count: 0, items: [] } } });
  });
});

describe('a list', () => {
  it('accepts a predicate with values of any JSON type', async () => {
    const query = `query ($where: String, $values: [JSON!]) {
      bookList(where: $where, values: $values) { items { title } } }`;
    const find = (where: string, values: unknown[]) => dataOf(api, query, { where, values });
    const [first, second] = [{ title: 'First' }, { title: 'Second' }];
    expect(await find('pages > ?', [100])).toEqual({ bookList: { items: [first] } });
    expect(await find('title in ?', [['First', 'Second']])).toEqual({ bookList: { items: [first, second] } });
    expect(await find('writer/name = ? and inPrint = ?', ['Ann', false])).toEqual({
      bookList: { items: [first] },
    });
  });

  it('accepts values as literals that contain variables', async () => {
    const query = `query ($a: String!, $n: JSON!) {
      bookList(where: "title in ? and pages > ?", values: [[$a, "Second"], $n]) { items { title } } }`;
    expect(await dataOf(api, query, { a: 'First', n: 100 })).toEqual({
      bookList: { items: [{ title: 'First' }] },
    });
  });

  it('is sorted by the given fields, ascending by default', async () => {
    const query = `query ($sort: [SortInput!]) { bookList(sortBy: $sort) { items { title } } }`;
    const find = async (sort: unknown) => JSON.stringify(await dataOf(api, query, { sort }));
    expect(await find([{ field: 'pages' }])).toMatch(/Second.*First/);
    expect(await find([{ field: 'pages', order: 'DESC' }])).toMatch(/First.*Second/);
    expect(await find([{ field: 'shelf.mark', order: 'DESC' }, { field: 'title' }])).toMatch(/First.*Second/);
    expect(await find({ field: 'title', order: null })).toMatch(/First.*Second/);
    expect(await find(null)).toMatch(/First.*Second/);
  });

  it('of an interface contains assets of all implementing types', async () => {
    const query = `{ partyList(sortBy: {field: "name"}) { count
      items { __typename _type name ... on Company { owner { name } } ... on Person { born } } } }`;
    expect(await dataOf(api, query)).toEqual({
      partyList: {
        count: 3,
        items: [
          { __typename: 'Person', _type: 'lib.Person', name: 'Ann', born: null },
          { __typename: 'Person', _type: 'lib.Person', name: 'Bob', born: -5 },
          { __typename: 'Company', _type: 'lib.Company', name: 'Press', owner: { name: 'Ann' } },
        ],
      },
    });
  });

  it('has the length of its limit, or the default of the endpoint', async () => {
    const small = library.api({ defaultLimit: 1, maxLimit: 2 });
    const query =
      'query ($limit: Int, $offset: Int) { partyList(limit: $limit, offset: $offset) { items { name } } }';
    const find = (variables: Record<string, unknown>) => dataOf(small, query, variables);
    const names = (...all: string[]) => ({ partyList: { items: all.map((name) => ({ name })) } });
    expect(await find({})).toEqual(names('Ann'));
    expect(await find({ limit: null, offset: null })).toEqual(names('Ann'));
    expect(await find({ limit: 2 })).toEqual(names('Ann', 'Bob'));
    expect(await find({ limit: 2, offset: 2 })).toEqual(names('Press'));
    expect(await find({ limit: 0 })).toEqual(names());
  });

  it.each([
    ['limit: 101', 'limit', 'must be at most 100'],
    ['limit: -1', 'limit', 'must not be negative'],
    ['offset: -1', 'offset', 'must not be negative'],
  ])('refuses %s', async (argument, parameter, reason) => {
    const errors = await errorsOf(api, `{ bookList(${argument}) { items { title } } }`);
    expect(errors).toEqual([
      {
        message: `"${parameter}" ${reason}`,
        path: 'bookList',
        code: 'invalid_parameter',
        details: { parameter, reason },
      },
    ]);
  });

  it('reports errors of predicates and sort orders at the argument', async () => {
    const found = await Promise.all([
      errorsOf(api, '{ bookList(where: "pages >") { count items { title } } }'),
      errorsOf(api, '{ bookList(where: "colour = 1") { count } }'),
      errorsOf(api, '{ bookList(where: "pages = ?") { count } }'),
      errorsOf(api, '{ bookList(values: [1]) { items { title } } }'),
      errorsOf(api, '{ bookList(sortBy: {field: "notes"}) { items { title } } }'),
    ]);
    expect(found).toMatchObject([
      [{ code: 'predicate_syntax' }],
      [{ code: 'unknown_field', path: 'bookList.count' }],
      [{ code: 'values_mismatch' }],
      [{ code: 'invalid_parameter', path: 'bookList.items' }],
      [{ code: 'invalid_parameter', details: { parameter: 'sort' } }],
    ]);
  });
});

describe('the store calls of a list', () => {
  const askedFor = async (query: string) => {
    library.takeCalls();
    const data = await dataOf(api, query);
    return { data, calls: library.takeCalls() };
  };

  it('are one find for items and count, under any aliases', async () => {
    const { data, calls } = await askedFor(
      '{ bookList(limit: 1) { total: count items { title } ids: items { _id } again: count } }',
    );
    expect(calls).toMatchObject([{ method: 'find', args: [{ limit: 1, withCount: true }] }]);
    expect(data).toEqual({
      bookList: { total: 2, items: [{ title: 'First' }], ids: [{ _id: ids.first }], again: 2 },
    });
  });

  it('include no count when none is selected', async () => {
    const { calls } = await askedFor('{ bookList { items { title } } }');
    expect(calls).toMatchObject([{ method: 'find', args: [{ limit: 10, withCount: false }] }]);
  });

  it('include only the count when no items are selected', async () => {
    const { data, calls } = await askedFor('{ bookList { count } }');
    expect(calls).toMatchObject([{ method: 'find', args: [{ limit: 0, withCount: true }] }]);
    expect(data).toEqual({ bookList: { count: 2 } });
  });

  it('are none when neither is selected', async () => {
    const { data, calls } = await askedFor('{ bookList { __typename } }');
    expect({ data, calls }).toEqual({ data: { bookList: { __typename: 'BookList' } }, calls: [] });
  });
});
