import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import { dataOf, type OpenedLibrary, openLibrary, reference, run } from './open-api.ts';

const count = 50;
let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
  const site = await library.create('com.colophon.cms.db.Site', { name: 'Main' });
  const owner = reference(site, 'com.colophon.cms.db.Site');
  for (let number = 0; number < count; number++) {
    const friend = await library.create('lib.Person', { name: `Friend ${number}` });
    const writer = await library.create('lib.Person', {
      name: `Writer ${number}`,
      friends: [reference(friend, 'lib.Person')],
    });
    const press = await library.create('lib.Company', {
      name: `Press ${number}`,
      owner: reference(friend, 'lib.Person'),
      ...(number === 0 ? {} : { 'cms.site.owner': owner }),
    });
    await library.create('lib.Book', {
      title: `Book ${number}`,
      writer: reference(writer, 'lib.Person'),
      publisher: reference(press, 'lib.Company'),
      'cms.site.owner': owner,
    });
  }
});

async function methodsOf(query: string): Promise<string[]> {
  library.takeCalls();
  await dataOf(api, query);
  return library.takeCalls().map(({ method }) => method);
}

describe('references', () => {
  it('of a whole list are loaded in one call for all fields', async () => {
    const query = '{ bookList(limit: 50) { items { title writer { name } publisher { name } } } }';
    expect(await methodsOf(query)).toEqual(['find', 'getMany']);
    expect(await dataOf(api, query)).toMatchObject({
      bookList: {
        items: Array.from({ length: count }, (_, number) => ({
          title: `Book ${number}`,
          writer: { name: `Writer ${number}` },
          publisher: { name: `Press ${number}` },
        })),
      },
    });
  });

  it('of each level need one more call', async () => {
    const query = `{ bookList(limit: 50) { items {
      writer { friends { name } } publisher { ... on Company { owner { name } } } } } }`;
    expect(await methodsOf(query)).toEqual(['find', 'getMany', 'getMany']);
    expect(await dataOf(api, `{ bookList(limit: 1) { items { writer { friends { name } } } } }`)).toEqual({
      bookList: { items: [{ writer: { friends: [{ name: 'Friend 0' }] } }] },
    });
  });

  it('to the same asset load it once', async () => {
    library.takeCalls();
    await dataOf(api, '{ bookList(limit: 50) { items { cms_site_owner { name } } } }');
    const [, load] = library.takeCalls();
    expect(load).toMatchObject({ method: 'get', args: [expect.any(String)] });
  });

  it('are loaded again by every run', async () => {
    const query = '{ bookList(limit: 1) { items { cms_site_owner { name } } } }';
    expect([...(await methodsOf(query)), ...(await methodsOf(query))]).toEqual([
      'find',
      'get',
      'find',
      'get',
    ]);
  });

  it('are null where the caller may not see the target', async () => {
    const { items } = await library.store.find({
      types: ['com.colophon.cms.db.Site'],
      offset: 0,
      limit: 1,
      withCount: false,
    });
    const site = items[0]?.asset._id ?? '';
    const query = '{ bookList(limit: 2) { items { title publisher { name } } } }';
    expect(await run(api, query, { caller: { sites: [site] } })).toEqual({
      data: {
        bookList: {
          items: [
            { title: 'Book 0', publisher: null },
            { title: 'Book 1', publisher: { name: 'Press 1' } },
          ],
        },
      },
    });
  });
});

describe('a reference to a deleted target', () => {
  it('is null, also in its place in a list', async () => {
    const one = await library.create('lib.Film', { title: 'One' });
    const two = await library.create('lib.Film', { title: 'Two' });
    const book = await library.create('lib.Book', {
      title: 'Gone',
      related: [reference(one, 'lib.Film'), reference(two, 'lib.Film')],
      cover: {
        colour: 'red',
        artist: reference(await library.create('lib.Person', { name: 'X' }), 'lib.Person'),
      },
    });
    await library.store.delete({ id: one, type: 'lib.Film' });
    const query = `{ book(_id: "${book}") { related { ... on Film { title } } cover { artist { name } } } }`;
    expect(await dataOf(api, query)).toEqual({
      book: { related: [null, { title: 'Two' }], cover: { artist: { name: 'X' } } },
    });
  });

  it('is null when an asset of another type now has the ID', async () => {
    const id = await library.create('lib.Person', { name: 'Was a person' });
    const book = await library.create('lib.Book', { title: 'T', writer: reference(id, 'lib.Person') });
    await library.store.delete({ id, type: 'lib.Person' });
    await library.create('lib.Company', { _id: id, name: 'Now a company' });
    const query = `{ book(_id: "${book}") { writer { name } } }`;
    expect(await dataOf(api, query)).toEqual({ book: { writer: null } });
  });
});

describe('a stored value that no longer fits its type', () => {
  it('is an error when a required value is absent, and the rest is returned', async () => {
    await library.store.insert({ asset: { _id: 'a', _type: 'lib.Film' }, version: '1' });
    const { data, errors } = await run(api, '{ film(_id: "a") { _id title } site: __typename }');
    expect(data).toEqual({ film: { _id: 'a', title: null }, site: 'Query' });
    expect(errors).toEqual([
      {
        message: 'The stored content does not fit its type: title is required',
        isUnfit: true,
        path: ['film', 'title'],
        locations: [{ line: 1, column: 24 }],
      },
    ]);
  });

  it('is a separate error for a scalar of another type', async () => {
    await library.store.insert({
      asset: { _id: 'b', _type: 'lib.Book', title: 'T', pages: 'many' },
      version: '1',
    });
    const { data, errors } = await run(api, '{ book(_id: "b") { title pages } }');
    expect(data).toEqual({ book: { title: 'T', pages: null } });
    expect(errors).toMatchObject([{ path: ['book', 'pages'] }]);
    expect(errors?.[0]).not.toHaveProperty('cause');
  });

  it('is null in its place even if another process wrote it after the types were checked', async () => {
    const other = await openLibrary();
    other.unfit.start([]);
    while (other.unfit.isChecked('lib.Film') || other.unfit.isChecked('lib.Book')) await setTimeout(10);
    await other.store.insert({ asset: { _id: 'c', _type: 'lib.Film' }, version: '1' });
    const response = await run(other.api(), '{ film(_id: "c") { _id title } }');
    expect(response).toMatchObject({
      data: { film: { _id: 'c', title: null } },
      errors: [{ path: ['film', 'title'], isUnfit: true }],
    });
    expect(other.unfit.isChecked('lib.Film')).toBe(true);
    await other.close();
  });
});
