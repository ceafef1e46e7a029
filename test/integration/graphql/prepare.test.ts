import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import { dataOf, type OpenedLibrary, openLibrary, prepared, refused, run } from './open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api();
  await library.create('lib.Film', { title: 'A film' });
});

const messagesOf = (source: string, operationName?: string) =>
  refused(api, source, operationName).problems.map(({ message }) => message);

describe('a prepared operation', () => {
  it('describes its type and variables', () => {
    const query = prepared(api, 'query Films($n: Int!) { filmList(limit: $n) { count } }');
    expect(query).toMatchObject({ kind: 'query', name: 'Films' });
    expect(query.variables).toEqual([
      { name: 'n', type: { kind: 'scalar', name: 'Int', nullable: false }, required: true },
    ]);
    expect(query.variables).toBe(query.variables);
    expect([...query.describeData().keys()]).toEqual(['filmList']);
    const mutation = prepared(api, 'mutation { deleteFilm(_id: "a") }');
    expect(mutation.kind).toBe('mutation');
    expect(mutation).not.toHaveProperty('name');
  });

  it('is cached by text and name', () => {
    const text = 'query A { __typename } query B { __typename }';
    expect(api.prepare(text, 'A')).toBe(api.prepare(text, 'A'));
    expect(prepared(api, text, 'B').name).toBe('B');
    expect(api.prepare('{ nothing }')).toBe(api.prepare('{ nothing }'));
  });

  it('can run several times at once, each with its own variables', async () => {
    const operation = prepared(api, 'query ($w: String) { filmList(where: $w) { count } }');
    const counts = await Promise.all(
      ['title = "A film"', 'title = other'].map((w) => operation.run({ variables: { w }, caller: {} })),
    );
    expect(counts).toEqual([{ data: { filmList: { count: 1 } } }, { data: { filmList: { count: 0 } } }]);
  });

  it('ignores variables it does not declare', async () => {
    expect(await dataOf(api, '{ filmList { count } }', { other: 1 })).toEqual({ filmList: { count: 1 } });
  });
});

describe('one of several operations', () => {
  const text = 'query A { filmList { count } }\nquery B { bookList { count } }';

  it('is selected by its name', async () => {
    const response = await prepared(api, text, 'B').run({ variables: {}, caller: {} });
    expect(response).toEqual({ data: { bookList: { count: 0 } } });
  });

  it('must be named, and exist', () => {
    expect(refused(api, text).problems).toEqual([
      { message: 'There are several operations: operationName must name one', line: 2, column: 1 },
    ]);
    expect(messagesOf(text, 'C')).toEqual(['There is no operation "C" in this document']);
    expect(messagesOf('{ __typename }', 'C')).toEqual(['There is no operation "C" in this document']);
    expect(messagesOf('fragment F on Film { title }')).toEqual(['There is no operation in this document']);
    expect(messagesOf('query A { __typename } query A { __typename }', 'A')).toEqual([
      'There are several operations "A"',
    ]);
  });
});

describe('a document that cannot be run', () => {
  it('is refused with the location of each problem', () => {
    expect(refused(api, '{ filmList {\n  count colour\n  shape } }')).toEqual({
      problems: [
        { message: 'Cannot query field "colour" on type "FilmList".', line: 2, column: 9 },
        { message: 'Cannot query field "shape" on type "FilmList".', line: 3, column: 3 },
      ],
    });
  });

  it.each([
    ['{ filmList(', { line: 1, column: 12 }],
    ['', { line: 1, column: 1 }],
    ['{ a(b: "x\n") }', { line: 1, column: 10 }],
    ['{ a \u0000 }', { line: 1, column: 5 }],
  ])('is refused for its syntax: %j', (source, place) => {
    const { problems } = refused(api, source);
    expect(problems).toEqual([{ message: expect.stringMatching(/^Syntax Error/), ...place }]);
  });

  it('is refused with a short message, however long the quoted text is', () => {
    const [problem] = refused(
      api,
      `mutation { createFilm(input: "${'x'.repeat(1000)}") { title } }`,
    ).problems;
    expect(problem?.message).toMatch(/^Expected value of type "CreateFilmInput!?" to be an object.*…$/);
    expect(/x{100,}/.exec(problem?.message ?? '')?.[0].length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['subscription { filmList { count } }', /Subscriptions are not supported/],
    ['{ filmList { items { } } }', /must not be empty|must have/],
    ['{ filmList { count @defer } }', /Unknown directive/],
    ['type A { b: Int }', /no operation/],
    ['{ filmList { count } } type A { b: Int }', /not executable/],
  ])('is refused for what it asks: %s', (source, message) => {
    expect(messagesOf(source)[0]).toMatch(message);
  });
});

describe('invalid variables', () => {
  it.each([
    [{}, 'Variable "$id" has invalid value: Expected a value of non-null type "ID!" to be provided.'],
    [{ id: null }, 'Variable "$id" has invalid value: Expected value of non-null type "ID!" not to be null.'],
    [{ id: 'a', n: 'x' }, 'Variable "$n" has invalid value: Int cannot represent non-integer value: "x"'],
    [
      { id: 'a', sort: [{ field: 'title', order: 'UP' }] },
      'Variable "$sort" has invalid value at [0].order: Value "UP" does not exist in "SortOrder" enum.',
    ],
  ])('%j keep it from running', async (variables, message) => {
    const query = `query ($id: ID!, $n: Int, $sort: [SortInput!]) {
      film(_id: $id) { title } filmList(limit: $n, sortBy: $sort) { count } }`;
    library.takeCalls();
    const response = await run(api, query, { variables });
    expect(response).not.toHaveProperty('data');
    expect(response.errors).toMatchObject([{ message, locations: [{ line: 1 }] }]);
    expect(response.errors?.[0]).not.toHaveProperty('cause');
    expect(library.takeCalls()).toEqual([]);
  });
});

describe('introspection', () => {
  it('is answered when the endpoint allows it', async () => {
    const response = await dataOf(api, getIntrospectionQuery());
    expect(response).toMatchObject({ __schema: { queryType: { name: 'Query' } } });
  });

  it.each(['{ __schema { types { name } } }', '{ __type(name: "Film") { name } }'])(
    'is refused where the endpoint does not: %s',
    (source) => {
      const closed = library.api({ introspection: false });
      expect(refused(closed, source).problems[0]?.message).toMatch(/introspection has been disabled/);
    },
  );

  it('when disabled, still answers __typename and reveals no names', async () => {
    const closed = library.api({ introspection: false });
    expect(await dataOf(closed, '{ __typename filmList { __typename } }')).toEqual({
      __typename: 'Query',
      filmList: { __typename: 'FilmList' },
    });
    const typos = [
      '{ filmLst { count } }',
      '{ filmList(wher: "true") { count } }',
      '{ filmList { items { ... on Flm { title } } } }',
      '{ filmList(sortBy: {feld: "title"}) { count } }',
      '{ filmList(sortBy: {field: "title", order: ASCC}) { count } }',
    ];
    for (const typo of typos) {
      expect(JSON.stringify(refused(api, typo))).toMatch(/Did you mean/);
      expect(JSON.stringify(refused(closed, typo))).not.toMatch(/Did you mean/);
    }
    const query = 'query ($sort: [SortInput!]) { filmList(sortBy: $sort) { count } }';
    const { errors } = await run(closed, query, { variables: { sort: { feld: 'title' } } });
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
  });
});

describe('the operations of a document', () => {
  it('are listed with their variables and the locations of both', () => {
    const text =
      'query A($a: Int,\n  $b: [Nothing!]!) { x }\n mutation { y } subscription S { z } fragment F on G { h }';
    expect(api.listOperations(text)).toEqual([
      {
        kind: 'query',
        name: 'A',
        line: 1,
        column: 1,
        variables: [
          { name: 'a', line: 1, column: 9 },
          { name: 'b', line: 2, column: 3 },
        ],
      },
      { kind: 'mutation', line: 3, column: 2, variables: [] },
      { kind: 'subscription', name: 'S', line: 3, column: 17, variables: [] },
    ]);
  });

  it('are reported as problems when it cannot be parsed or exceeds a limit', () => {
    expect(api.listOperations('query {')).toMatchObject({ problems: [{ line: 1, column: 8 }] });
    expect(api.listOperations('['.repeat(20_000))).toMatchObject({ cause: { code: 'limit_exceeded' } });
  });
});
