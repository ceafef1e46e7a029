import { buildSchema, isInputObjectType, isInterfaceType, isObjectType, validateSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import { dataOf, errorsOf, type OpenedLibrary, openLibrary, reference, refused, run } from './open-api.ts';

let library: OpenedLibrary;
/** Reads books and people, writes books. */
let api: GraphqlApi;
let book: string;
let press: string;
let film: string;
let ann: string;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api({ readTypes: ['lib.Book', 'lib.Person'], writeTypes: ['lib.Book'], maxLimit: 50 });
  ann = await library.create('lib.Person', { name: 'Ann' });
  press = await library.create('lib.Company', { name: 'Press' });
  film = await library.create('lib.Film', { title: 'Film' });
  book = await library.create('lib.Book', {
    title: 'Book',
    writer: reference(ann, 'lib.Person'),
    publisher: reference(press, 'lib.Company'),
    related: [reference(film, 'lib.Film')],
  });
});

function namesOf(sdl: string, name: string): string[] {
  const type = buildSchema(sdl).getType(name);
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  return Object.keys(type.getFields());
}

describe('the schema of an endpoint that reads some types', () => {
  it('is valid, and contains no other types', () => {
    expect(validateSchema(buildSchema(api.sdl))).toEqual([]);
    const { sdl } = library.api({ readTypes: ['lib.Book', 'lib.Person'], writeTypes: [] });
    expect(sdl).not.toMatch(/Company|Film|Site|cms_site_owner/);
    expect(namesOf(api.sdl, 'Query')).toEqual(['book', 'bookList', 'person', 'personList', 'partyList']);
    expect(namesOf(api.sdl, 'Content')).toEqual([
      '_id',
      '_type',
      'cms_content_publishDate',
      'cms_content_updateDate',
    ]);
  });

  it('is valid for each single type, and describes the limits of lists', () => {
    for (const type of ['lib.Book', 'lib.Film', 'lib.Person', 'lib.Party', 'com.colophon.cms.db.Site']) {
      const { sdl } = library.api({ readTypes: [type], writeTypes: [type] });
      expect(validateSchema(buildSchema(sdl))).toEqual([]);
    }
    expect(api.sdl).toContain('How many to return: 10 unless told, 50 at most.');
    expect(api.sdl).toContain('What is printed on its cover.');
  });

  it('writes the configured types with all their fields, including hidden references', () => {
    expect(namesOf(api.sdl, 'Mutation')).toEqual(['createBook', 'updateBook', 'deleteBook']);
    const { sdl } = library.api({ readTypes: ['lib.Book'], writeTypes: ['lib.Book'] });
    expect(namesOf(sdl, 'Book')).not.toContain('writer');
    expect(namesOf(sdl, 'CreateBookInput')).toEqual(
      expect.arrayContaining(['writer', 'related', 'cover', 'cms_site_owner']),
    );
  });

  it('has no mutations without writable types', () => {
    const { sdl } = library.api({ writeTypes: [] });
    expect(sdl).not.toMatch(/Mutation|CreateBookInput|ReferenceInput/);
    expect(
      refused(library.api({ writeTypes: [] }), 'mutation { deleteBook(_id: "a") }').problems,
    ).toHaveLength(1);
  });

  it('does not write a type that is not readable', () => {
    const { sdl } = library.api({ readTypes: ['lib.Book'], writeTypes: ['lib.Book', 'lib.Film'] });
    expect(namesOf(sdl, 'Mutation')).toEqual(['createBook', 'updateBook', 'deleteBook']);
  });

  it('cannot be built without types', () => {
    expect(() => library.api({ readTypes: ['lib.Gone'] })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
  });
});

describe('an endpoint that reads some types', () => {
  it('returns assets of those types, and null for hidden targets', async () => {
    const query = `{ book(_id: "${book}") { writer { name } publisher { name } related { __typename } } partyList { count } }`;
    expect(await dataOf(api, query)).toEqual({
      book: { writer: { name: 'Ann' }, publisher: null, related: [null] },
      partyList: { count: 1 },
    });
  });

  it.each(['cms.site.owner = missing', 'cms.site.owner/name = Main'])(
    'knows no hidden field in the predicate %s',
    async (where) => {
      const query = `{ bookList(where: "${where}") { count } }`;
      expect(await dataOf(library.api(), query)).toMatchObject({ bookList: {} });
      expect(await errorsOf(api, query)).toMatchObject([{ code: 'unknown_field' }]);
    },
  );

  it('does not compare the fields of hidden targets', async () => {
    const query = '{ bookList(where: "publisher/name = Press") { count } }';
    expect(await dataOf(library.api(), query)).toEqual({ bookList: { count: 1 } });
    expect(await dataOf(api, query)).toEqual({ bookList: { count: 0 } });
  });

  it('does not sort by a hidden field', async () => {
    const query = '{ bookList(sortBy: {field: "cms.site.owner"}) { items { title } } }';
    expect(await errorsOf(api, query)).toMatchObject([{ code: 'invalid_parameter' }]);
  });

  it('does not find hidden assets, nor reveal that they exist', async () => {
    const narrow = library.api({ readTypes: ['lib.Film'], writeTypes: ['lib.Film'] });
    const query = `mutation { deleteFilm(_id: "${book}") updateFilm(_id: "${book}", input: {title: "X"}) { title } }`;
    const { errors } = await run(narrow, query);
    expect(errors?.[0]?.cause).toMatchObject({ code: 'not_found' });
    expect(await dataOf(narrow, `{ film(_id: "${book}") { title } }`)).toEqual({ film: null });
    expect(await dataOf(api, `{ book(_id: "${book}") { title } }`)).toEqual({ book: { title: 'Book' } });
  });

  it('can write a reference to a hidden asset', async () => {
    const query = `mutation ($input: CreateBookInput!) { createBook(input: $input) { title publisher { name } } }`;
    const input = { title: 'Two', publisher: { _ref: press, _type: 'lib.Company' } };
    expect(await dataOf(api, query, { input })).toEqual({ createBook: { title: 'Two', publisher: null } });
  });
});
