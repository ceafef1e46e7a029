import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../../src/graphql/operation.ts';
import { dataOf, type OpenedLibrary, openLibrary, refused, run } from '../open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
});

const byVariable = 'mutation ($input: CreateBookInput!) { createBook(input: $input) { extra } }';
const byLiteral = (input: string) =>
  `mutation { createBook(input: {title: "T", ${input}}) { extra text link cms_content_publishDate } }`;

async function refusalOf(input: Record<string, unknown>): Promise<string | undefined> {
  const { data, errors } = await run(api, byVariable, { variables: { input: { title: 'T', ...input } } });
  expect(data).toBeUndefined();
  return errors?.[0]?.message;
}

describe('an input', () => {
  it('of another type than its scalar is refused as a variable, with its path', async () => {
    const place = 'Variable "$input" has invalid value at';
    expect(await refusalOf({ cms_content_publishDate: '5' })).toBe(
      `${place} .cms_content_publishDate: EpochMillis must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000`,
    );
    expect(await refusalOf({ cms_content_publishDate: 1.5 })).toMatch(/whole number/);
    expect(await refusalOf({ text: 5 })).toBe(`${place} .text: RichText must be a string`);
    expect(await refusalOf({ link: true })).toBe(`${place} .link: Url must be a string`);
    expect(await refusalOf({ colour: 'red' })).toMatch(/unknown field "colour"/);
  });

  it.each([
    [
      'cms_content_publishDate: 1.5',
      'EpochMillis must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000',
    ],
    [
      'cms_content_publishDate: "5"',
      'EpochMillis must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000',
    ],
    ['text: 5', 'RichText must be a string'],
    ['link: NOWHERE', 'Url must be a string'],
    ['extra: {a: [WORD]}', 'JSON has no bare words: write "WORD"'],
  ])('of another kind than its scalar is refused as a literal: %s', (input, message) => {
    expect(refused(api, byLiteral(input)).problems).toMatchObject([{ message, line: 1 }]);
  });

  it('may be any literal of its type', async () => {
    const input =
      'extra: {a: [1, -2.5e3, "x", true, null, {b: []}]}, text: """<p>x</p>""", link: "https://example.com/"';
    expect(await dataOf(api, byLiteral(`${input}, cms_content_publishDate: 1700000000000`))).toEqual({
      createBook: {
        extra: { a: [1, -2500, 'x', true, null, { b: [] }] },
        text: '<p>x</p>',
        link: 'https://example.com/',
        cms_content_publishDate: 1_700_000_000_000,
      },
    });
  });

  it('of JSON may be any value, or a literal with variables inside', async () => {
    for (const extra of [null, 0, '', false, [], {}, [[1]], { constructor: { length: 1 } }]) {
      expect(await dataOf(api, byVariable, { input: { title: 'T', extra } })).toEqual({
        createBook: { extra },
      });
    }
    const query = `mutation ($a: JSON, $b: Int, $c: String = "default", $d: Int) {
      createBook(input: {title: "T", extra: {a: $a, b: [$b], c: $c, d: $d, e: [$d]}}) { extra } }`;
    const a = { deep: [{ 'not a name': 1.5 }, -0.1, 1e21] };
    expect(await dataOf(api, query, { a, b: 2 })).toEqual({
      createBook: { extra: { a, b: [2], c: 'default', e: [null] } },
    });
  });

  it('of JSON has the values of the variables inside, whatever their types', async () => {
    const query = `mutation ($genre: Genre!, $id: ID!, $number: ID!, $filter: BookFilter!, $genres: [Genre!] = [NOVEL], $at: EpochMillis) {
      createBook(input: {title: "T", extra: {genre: $genre, ids: [$id, $number], filter: $filter, genres: $genres, at: [{at: $at}]}}) { extra } }`;
    const filter = { genre: { eq: 'POEM' }, _id: { in: ['7'] } };
    const variables = { genre: 'POEM', id: '5', number: 5, filter, at: 1_700_000_000_000 };
    expect(await dataOf(api, query, variables)).toEqual({
      createBook: {
        extra: {
          genre: 'POEM',
          ids: ['5', '5'],
          filter,
          genres: ['NOVEL'],
          at: [{ at: 1_700_000_000_000 }],
        },
      },
    });
  });

  it('of values of a predicate may have an enum value and an ID inside', async () => {
    const query = `query ($genre: Genre!, $id: ID) {
      bookList(where: "title = 'Listed' and genre in ?0 and not _id = ?1", values: [[$genre], [$id]]) { items { genre } } }`;
    await dataOf(api, 'mutation { createBook(input: {title: "Listed", genre: POEM}) { _id } }');
    const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
    expect(await dataOf(api, query, { genre: 'POEM', id })).toEqual({
      bookList: { items: [{ genre: 'POEM' }] },
    });
    expect(await dataOf(api, query, { genre: 'NOVEL', id })).toEqual({ bookList: { items: [] } });
  });
});
