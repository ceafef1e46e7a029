import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import { dataOf, errorsOf, type OpenedLibrary, openLibrary, reference, run } from './open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;
let ann: string;
let press: string;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
  ann = await library.create('lib.Person', { name: 'Ann' });
  press = await library.create('lib.Company', { name: 'Press' });
});

const createBook = 'mutation ($input: CreateBookInput!) { createBook(input: $input) { _id title } }';
const updateBook =
  'mutation ($id: ID!, $input: UpdateBookInput!) { updateBook(_id: $id, input: $input) { title pages } }';
const unused = '0191f3a0-5b7e-7c11-9d2e-ffffffffffff';

const storedOf = async (id: string) => (await library.store.get(id))?.asset;

describe('create', () => {
  it('stores the input by JSON names, embedded values included, and answers with the asset', async () => {
    const input = {
      _id: unused.replace('ffff', 'eeee'),
      title: 'New',
      text: '<p>x</p>',
      shelf_mark: 'S1',
      extra: { shelf_mark: ['as it is'] },
      cms_content_publishDate: 1_700_000_000_000,
      cover: { colour: 'red', artist: { _ref: ann } },
      notes: [{ text: 'a', notes: [{ text: 'b', shelf_mark: 'N1' }] }],
      writer: { _ref: ann, _type: null },
      publisher: { _ref: press, _type: 'lib.Company' },
      related: [],
    };
    expect(await dataOf(api, createBook, { input })).toEqual({
      createBook: { _id: input._id, title: 'New' },
    });
    expect(await storedOf(input._id)).toEqual({
      _id: input._id,
      _type: 'lib.Book',
      title: 'New',
      text: '<p>x</p>',
      extra: { shelf_mark: ['as it is'] },
      writer: reference(ann, 'lib.Person'),
      publisher: reference(press, 'lib.Company'),
      related: [],
      cover: { colour: 'red', artist: reference(ann, 'lib.Person') },
      notes: [{ text: 'a', notes: [{ text: 'b', 'shelf.mark': 'N1' }] }],
      'shelf.mark': 'S1',
      'cms.content.publishDate': 1_700_000_000_000,
      'cms.content.updateDate': 1000,
    });
  });

  it('gives no date of publication to an asset that has null for it', async () => {
    const dated = await dataOf(api, createBook, { input: { title: 'Dated' } });
    const undated = await dataOf(api, createBook, {
      input: { title: 'Undated', cms_content_publishDate: null },
    });
    const publishDateOf = async (data: unknown) =>
      (await storedOf(Object(data).createBook._id))?.['cms.content.publishDate'];
    expect([await publishDateOf(dated), await publishDateOf(undated)]).toEqual([1000, undefined]);
  });

  it('requires the type of a reference when several are possible', async () => {
    const input = { title: 'T', publisher: { _ref: press }, related: [{ _ref: ann, _type: 'lib.Person' }] };
    expect(await errorsOf(api, createBook, { input })).toMatchObject([
      {
        path: 'createBook',
        code: 'invalid_body',
        details: {
          problems: [
            { path: 'publisher._type', message: 'must be lib.Company or lib.Person' },
            { path: 'related[0]._type', message: 'must be lib.Book or lib.Film' },
          ],
        },
      },
    ]);
  });

  it('reports the cause when the content service refuses', async () => {
    const film = 'mutation { createFilm(input: {title: "Unique"}) { _id } }';
    await dataOf(api, film);
    const found = await Promise.all([
      errorsOf(api, film),
      errorsOf(api, createBook, { input: { title: 'T', link: 'nowhere' } }),
      errorsOf(api, createBook, { input: { title: 'T', writer: { _ref: unused } } }),
      errorsOf(api, createBook, { input: { _id: ann, title: 'T' } }),
    ]);
    expect(found).toMatchObject([
      [{ code: 'value_in_use' }],
      [{ code: 'invalid_body', details: { problems: [{ path: 'link' }] } }],
      [{ code: 'invalid_body', details: { problems: [{ path: 'writer' }] } }],
      [{ code: 'id_in_use' }],
    ]);
  });

  it('is forbidden outside the sites of the caller', async () => {
    const { errors } = await run(api, 'mutation { createFilm(input: {title: "Mine"}) { _id } }', {
      caller: { sites: [unused] },
    });
    expect(errors?.[0]?.cause).toMatchObject({ code: 'forbidden' });
  });
});

describe('update', () => {
  it('changes the fields given, clears those given as null, and leaves the others', async () => {
    const id = await library.create('lib.Book', { title: 'Old', pages: 5, weight: 1.5 });
    const input = { title: 'Newer', pages: null };
    expect(await dataOf(api, updateBook, { id, input })).toEqual({
      updateBook: { title: 'Newer', pages: null },
    });
    expect(await storedOf(id)).toMatchObject({ title: 'Newer', weight: 1.5 });
    expect(await storedOf(id)).not.toHaveProperty('pages');
  });

  it('takes the date of the last change that is written back for none, and any other as it is', async () => {
    const id = await library.create('lib.Book', { title: 'Old', 'cms.content.updateDate': 700 });
    await dataOf(api, updateBook, { id, input: { title: 'New', cms_content_updateDate: 700 } });
    expect(await storedOf(id)).toMatchObject({ title: 'New', 'cms.content.updateDate': 1000 });
    await dataOf(api, updateBook, { id, input: { cms_content_updateDate: 700 } });
    expect(await storedOf(id)).toMatchObject({ 'cms.content.updateDate': 700 });
  });

  it('does not find an asset of another type, and leaves it as it is', async () => {
    const before = await storedOf(ann);
    expect(await errorsOf(api, updateBook, { id: ann, input: {} })).toMatchObject([
      { path: 'updateBook', code: 'not_found', details: { id: ann } },
    ]);
    expect(await errorsOf(api, updateBook, { id: unused, input: {} })).toMatchObject([{ code: 'not_found' }]);
    expect(await storedOf(ann)).toEqual(before);
  });
});

describe('delete', () => {
  const deleteFilm = 'mutation ($id: ID!) { deleteFilm(_id: $id) }';

  it('reports whether the asset existed', async () => {
    const id = await library.create('lib.Film', { title: 'To go' });
    expect(await dataOf(api, deleteFilm, { id })).toEqual({ deleteFilm: true });
    expect(await dataOf(api, deleteFilm, { id })).toEqual({ deleteFilm: false });
  });

  it('does not delete an asset of another type', async () => {
    expect(await dataOf(api, deleteFilm, { id: ann })).toEqual({ deleteFilm: false });
    expect(await storedOf(ann)).toMatchObject({ name: 'Ann' });
  });
});

describe('several mutations of one operation', () => {
  it('run in order, and each sees what the others wrote', async () => {
    const id = await library.create('lib.Person', { name: 'Before' });
    const book = await library.create('lib.Book', { title: 'T', writer: reference(id, 'lib.Person') });
    const query = `mutation ($id: ID!, $book: ID!) {
      first: updateBook(_id: $book, input: {pages: 1}) { writer { name } }
      updatePerson(_id: $id, input: {name: "After"}) { name }
      second: updateBook(_id: $book, input: {pages: 2}) { writer { name } }
      deletePerson(_id: $id)
      third: updateBook(_id: $book, input: {pages: 3}) { writer { name } pages }
    }`;
    expect(await dataOf(api, query, { id, book })).toEqual({
      first: { writer: { name: 'Before' } },
      updatePerson: { name: 'After' },
      second: { writer: { name: 'After' } },
      deletePerson: true,
      third: { writer: null, pages: 3 },
    });
  });

  it('keep the writes before a failed one', async () => {
    const { data, errors } = await run(
      api,
      `mutation { a: createPerson(input: {name: "Kept"}) { name } b: updatePerson(_id: "${unused}", input: {}) { name } }`,
    );
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['b'] }]);
    expect(await dataOf(api, '{ personList(where: "name = Kept") { count } }')).toEqual({
      personList: { count: 1 },
    });
  });
});
