import { beforeAll, describe, expect, it } from 'vitest';
import { chunkBytes } from '../../../../src/store/port.ts';
import { dataOf, type OpenedLibrary, openLibrary, prepared, reference, run } from '../open-api.ts';

const maxAnswerBytes = 3_000_000;
const large = 'x'.repeat(500_000);
let library: OpenedLibrary;
let books: string[];

beforeAll(async () => {
  library = await openLibrary({ maxAnswerBytes });
  const artist = await library.create('lib.Person', { name: 'n'.repeat(400_000) });
  books = [];
  for (let n = 0; n < 20; n++) {
    const cover = { colour: 'red', artist: reference(artist, 'lib.Person') };
    books.push(await library.create('lib.Book', { title: `Book ${n}`, text: large, cover }));
  }
});

const api = () => library.api();
const refused = (written?: string[]) => ({
  errors: [
    {
      message: expect.stringContaining(String(maxAnswerBytes)),
      cause: expect.objectContaining({
        code: 'answer_too_large',
        details: { maxAnswerBytes, ...(written && { written }) },
      }),
    },
  ],
});
const times = (count: number, field: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => field(n)).join(' ');

describe('a response within its limit', () => {
  it('is returned, however large the unselected fields are', async () => {
    const titles = await dataOf(api(), '{ bookList(limit: 20) { items { title } } }');
    expect(titles).toEqual({ bookList: { items: books.map((_, n) => ({ title: `Book ${n}` })) } });
    const five = await dataOf(api(), '{ bookList(limit: 5) { count items { text } } }');
    expect(five).toEqual({ bookList: { count: 20, items: Array(5).fill({ text: large }) } });
  });
});

describe('a response that would be too large is refused whole', () => {
  it.each([
    ['a list', '{ bookList(limit: 20) { items { text } } }'],
    ['a list that is read in several chunks', '{ bookList(limit: 7) { items { title text } } }'],
    ['several lists', `{ ${times(12, (n) => `a${n}: bookList(limit: 1) { items { text } }`)} }`],
    ['an alias of a field', `{ bookList(limit: 1) { items { ${times(8, (n) => `a${n}: text`)} } } }`],
    ['names', `{ bookList(limit: 10) { items { ${'a'.repeat(400_000)}: __typename } } }`],
    ['a reference that many assets have', '{ bookList(limit: 10) { items { cover { artist { name } } } } }'],
  ])('by %s', async (_name, query) => {
    expect(await run(api(), query)).toEqual(refused());
  });

  it('by single assets', async () => {
    const query = `{ ${times(8, (n) => `a${n}: book(_id: "${books[n]}") { text }`)} }`;
    expect(await run(api(), query)).toEqual(refused());
    const same = `{ ${times(8, (n) => `a${n}: book(_id: "${books[0]}") { text }`)} }`;
    expect(await run(api(), same)).toEqual(refused());
  });

  it('and reads no further than its limit', async () => {
    library.takeCalls();
    expect(await run(api(), '{ bookList(limit: 20) { items { text } } }')).toEqual(refused());
    const calls = library.takeCalls().map(({ method }) => method);
    const most = Math.ceil(maxAnswerBytes / chunkBytes) + 1;
    expect(calls.length).toBeLessThanOrEqual(most);
    expect(calls).toContain('getChunk');
  });
});

describe('a mutation whose response would be too large', () => {
  it('reports which writes were executed, and runs no later ones', async () => {
    const update = (n: number) => `u${n}: updateBook(_id: "${books[n]}", input: {pages: 7}) { text }`;
    const mutation = prepared(api(), `mutation { ${times(12, update)} }`);
    const response = await mutation.run({ variables: {}, caller: {} });
    expect(response).toEqual({
      ...refused(['u0', 'u1', 'u2', 'u3', 'u4', 'u5']),
      changes: Array(6).fill(expect.any(String)),
    });
    expect(response.errors?.[0]?.message).toContain(
      'These fields of the mutation were executed, and their writes stay: "u0", "u1"',
    );
    const pages = await Promise.all(books.map(async (id) => (await library.store.get(id))?.asset.pages));
    expect(pages).toEqual(books.map((_, n) => (n < 6 ? 7 : undefined)));
  });
});
