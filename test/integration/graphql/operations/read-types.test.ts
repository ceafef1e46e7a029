/** The types that a query reads, over the types of the library: a book has a writer, a publisher, related works and a cover. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../../src/graphql/operation.ts';
import { type OpenedLibrary, openLibrary, prepared } from '../open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;
beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
});

const readTypes = (query: string, from = api) =>
  prepared(from, query).readTypes.map((name) => name.split('.').at(-1));

const [book, company, film, person, site] = ['Book', 'Company', 'Film', 'Person', 'Site'];

describe('a query reads', () => {
  it.each([
    ['the type of an asset', '{ book(_id: "a") { title } }', [book]],
    ['the type of a list', '{ bookList { count } filmList(limit: 1) { items { _id } } }', [book, film]],
    ['the types of an interface', '{ partyList { items { name } } }', [company, person]],
    ['the target of a reference', '{ bookList { items { writer { name } } } }', [book, person]],
    [
      'targets through embedded values',
      '{ bookList { items { cover { artist { name } } } } }',
      [book, person],
    ],
    ['all targets of an interface', '{ book(_id: "a") { publisher { name } } }', [book, company, person]],
    ['all members of a union', '{ book(_id: "a") { related { ... on Film { title } } } }', [book, film]],
    [
      'what fragments and skipped fields select',
      'query ($no: Boolean!) { ...F } fragment F on Query { bookList { items @include(if: $no) { writer { _id } } } }',
      [book, person],
    ],
    ['what aliases select', '{ a: film(_id: "a") { title } b: person(_id: "b") { name } }', [film, person]],
    ['nothing for the schema alone', '{ __schema { queryType { name } } __typename }', []],
  ])('%s', (_name, query, types) => {
    expect(readTypes(query)).toEqual(types);
  });

  it.each([
    ['no further types', 'title = "a" and pages > 3', [book]],
    ['the target of a reference', 'not writer/name = "a"', [book, person]],
    ['every type on its way', '(publisher/name = "a" or writer/friends/name = "b")', [book, company, person]],
    ['targets from embedded values', 'cover.artist/name = "a"', [book, person]],
    ['the targets of a list of references', 'related any (true)', [book, film]],
    [
      'no type for a reference itself',
      `writer = '${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}' and publisher = missing`,
      [book],
    ],
  ])('with a predicate in the document, %s', (_name, where, types) => {
    expect(readTypes(`{ bookList(where: ${JSON.stringify(where)}) { count } }`)).toEqual(types);
  });

  it('with a predicate of the request, every type that references lead to', () => {
    const query = (list: string) =>
      `query ($where: String = "title = 1") { ${list}(where: $where) { count } }`;
    expect(readTypes(query('bookList'))).toEqual([site, book, company, film, person]);
    expect(readTypes(query('companyList'))).toEqual([site, company, person]);
  });

  it('only types that its endpoint reads', () => {
    const narrow = library.api({ readTypes: ['lib.Book', 'lib.Person'], writeTypes: [] });
    const query = '{ bookList(where: "publisher/name = 1") { items { publisher { name } } } }';
    expect(readTypes(query, narrow)).toEqual([book, person]);
  });
});
