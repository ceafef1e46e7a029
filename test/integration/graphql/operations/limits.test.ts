import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../../src/graphql/operation.ts';
import { dataOf, type OpenedLibrary, openLibrary, prepared, reference, refused, run } from '../open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api({ maxLimit: 1000 });
});

/** The details of the limit that a document exceeds; `undefined` when it exceeds none. */
function excessOf(source: string): unknown {
  const operation = api.prepare(source);
  if (!('problems' in operation)) return undefined;
  const { code, details, message } = Object(operation.cause);
  expect({ code, message }).toEqual({ code: 'limit_exceeded', message: operation.problems[0]?.message });
  return details;
}

const aliased = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: _id`).join(' ');

describe('the limit of', () => {
  it('characters', () => {
    const query = `{ __typename } #${'x'.repeat(500_000 - 16)}`;
    expect(query).toHaveLength(500_000);
    expect(excessOf(query)).toBeUndefined();
    expect(excessOf(`${query}x`)).toEqual({ limit: 'characters', max: 500_000, actual: 500_001 });
  });

  it('tokens', () => {
    const query = (tokens: number) => `{ bookList(values: [${'1 '.repeat(tokens - 12)}]) { count } }`;
    expect(excessOf(query(10_000))).toBeUndefined();
    expect(excessOf(query(10_001))).toEqual({ limit: 'tokens', max: 10_000, actual: 10_001 });
  });

  it('nested brackets of any kind', () => {
    const query = (depth: number) =>
      `{ bookList(where: "true", values: ${'['.repeat(depth)}${']'.repeat(depth)}) { count } }`;
    expect(excessOf(query(98))).toBeUndefined();
    expect(excessOf(query(99))).toEqual({ limit: 'nesting', max: 100, actual: 101 });
    for (const [open, close] of [
      ['{a', '}'],
      ['{a(b:[', '])}'],
      ['query($a:[', '])'],
    ]) {
      expect(excessOf(`${open}`.repeat(1500) + `${close}`.repeat(1500))).toMatchObject({ limit: 'nesting' });
    }
  });

  it('nested fields', () => {
    const at = `{ book(_id: "a") { ${'notes { '.repeat(13)} text ${'}'.repeat(13)} } }`;
    const beyond = `{ book(_id: "a") { ${'notes { '.repeat(14)} text ${'}'.repeat(14)} } }`;
    expect(excessOf(at)).toBeUndefined();
    expect(excessOf(beyond)).toEqual({ limit: 'depth', max: 15, actual: 16 });
  });

  it('nested fields, through fragments', () => {
    const query = (depth: number) => `{ ...Q } fragment Q on Query { book(_id: "a") { ... on Book { ...B } } }
      fragment B on Book { ${'notes { '.repeat(depth - 2)} ...N ${'}'.repeat(depth - 2)} }
      fragment N on Note { text }`;
    expect(excessOf(query(15))).toBeUndefined();
    expect(excessOf(query(16))).toEqual({ limit: 'depth', max: 15, actual: 16 });
  });

  it('aliases', () => {
    expect(excessOf(`{ book(_id: "a") { ${aliased(50)} } }`)).toBeUndefined();
    expect(excessOf(`{ book(_id: "a") { ${aliased(51)} } }`)).toEqual({
      limit: 'aliases',
      max: 50,
      actual: 51,
    });
  });

  it('aliases, those of a fragment as often as it is spread', () => {
    const query = (own: number) => `{ a: book(_id: "a") { ...F } b: book(_id: "b") { ...F ${aliased(own)} } }
      fragment F on Book { ${aliased(20)} }`;
    expect(excessOf(query(8))).toBeUndefined();
    expect(excessOf(query(9))).toEqual({ limit: 'aliases', max: 50, actual: 51 });
  });
});

describe('the limit of cost', () => {
  const costOf = (source: string) => Object(excessOf(source)).actual;

  it('multiplies the limit of a list by the cost of its selection', () => {
    const query = (limit: number) =>
      `{ bookList(limit: ${limit}) { items { publisher { name } notes { about { name } } related { __typename } } } }`;
    // Each book: itself, its publisher, ten notes with one reference each, ten related works.
    const each = 1 + 1 + 10 + 10;
    expect(each * 1000).toBeLessThan(100_000);
    expect(excessOf(query(1000))).toBeUndefined();
    const friends = (limit: number) =>
      `{ personList(limit: ${limit}) { items { friends { friends { name } } } } }`;
    // Each person: itself, ten friends, and ten of each.
    expect(excessOf(friends(900))).toBeUndefined();
    expect(excessOf(friends(901))).toEqual({ limit: 'cost', max: 100_000, actual: 901 * 111 });
  });

  it('uses the default limit of the endpoint, and counts are free', () => {
    const deep = 'friends { friends { friends { friends { name } } } }';
    expect(costOf(`{ personList { items { ${deep} } } }`)).toBe(10 * 11_111);
    expect(excessOf(`{ personList(limit: 9) { items { ${deep} } } }`)).toBeUndefined();
    expect(excessOf(`{ personList(limit: 0) { items { ${deep} } } }`)).toBeUndefined();
    expect(excessOf('{ personList(limit: 1000) { count } }')).toBeUndefined();
  });

  it('counts the assets of a page once, for their cursor alone too, and 1,000 for each field of counted values', () => {
    const fragments = `fragment P on PersonList { next more: items { name } }
      fragment F on PersonList { facets(paths: ["a"]) { path } }`;
    const friends = (parts: string) =>
      `{ personList(limit: 900) { items { friends { friends { name } } } ...P ...F ${parts} } } ${fragments}`;
    expect(costOf(friends(''))).toBe(900 * 111 + 1_000);
    expect(costOf(friends('b: facets(paths: "a") { path }'))).toBe(900 * 111 + 1_000 + 5_000);
    const beside = (part: string) =>
      `{ filmList(limit: 1000) { ${part} } personList(limit: 900) { items { friends { friends { name } } } } }`;
    expect(costOf(beside('next'))).toBe(900 * 111 + 1_000);
    expect(costOf(beside('items { title } more: items { _id } next'))).toBe(900 * 111 + 1_000);
    expect(excessOf(beside('count'))).toBeUndefined();
  });

  it('counts fragments wherever they are spread, on any type', () => {
    const query = `{ a: partyList(limit: 100) { items { ...P } } b: partyList(limit: 500) { items { ...P } } }
      fragment P on Party { ... on Person { friends { friends { name } } } ... on Company { owner { name } } }`;
    expect(excessOf(query)).toBeUndefined();
    expect(costOf(query.replaceAll('500', '800'))).toBe(900 * (1 + 110 + 1));
  });

  it('counts the results of mutations', () => {
    const query = `mutation { updatePerson(_id: "a", input: {}) { ${'friends { '.repeat(5)} name ${'}'.repeat(5)} } }`;
    expect(costOf(query)).toBe(111_111);
  });

  it('is computed for each run when a variable sets a limit', async () => {
    const query = `query ($limit: Int = 901) { personList(limit: $limit) { ...L } }
      fragment L on PersonList { items { friends { friends { name } } } }`;
    const operation = prepared(api, query);
    const runWith = (variables: Record<string, unknown>) => operation.run({ variables, caller: {} });
    const details = { limit: 'cost', max: 100_000, actual: 901 * 111 };
    for (const variables of [{}, { limit: 901 }]) {
      const response = await runWith(variables);
      expect(response).not.toHaveProperty('data');
      expect(response.errors).toMatchObject([{ cause: { code: 'limit_exceeded', details } }]);
    }
    expect(await runWith({ limit: 900 })).toEqual({ data: { personList: { items: [] } } });
    expect(await runWith({ limit: null })).toEqual({ data: { personList: { items: [] } } });
    expect((await runWith({ limit: -1 })).errors?.[0]?.cause).toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('the limit of skipped assets', () => {
  const skippedBy = async (source: string, variables: Record<string, unknown> = {}) => {
    const { errors } = await prepared(api, source).run({ variables, caller: {} });
    return Object(errors?.[0]?.cause).details;
  };
  const beyond = { limit: 'skipped', max: 100_000, actual: 100_001 };

  it('counts the offsets of all lists but the largest', async () => {
    const query = (offset: number) =>
      `{ a: bookList(offset: 900000) { count } b: filmList(offset: 50000) { count } c: filmList(offset: ${offset}) { count } }`;
    expect(await skippedBy(query(50_000))).toBeUndefined();
    expect(await skippedBy(query(50_001))).toEqual(beyond);
  });

  it('counts offsets in variables and fragments', async () => {
    const query = `query ($skip: Int = 100001) { a: bookList(offset: 100001) { count } ...F }
      fragment F on Query { b: bookList(offset: $skip) { count } }`;
    expect(await skippedBy(query)).toEqual(beyond);
    expect(await skippedBy(query, { skip: 100_000 })).toBeUndefined();
    expect(await skippedBy(query, { skip: null })).toBeUndefined();
  });
});

describe('introspection', () => {
  it('is limited to little more than the whole schema once', () => {
    const standard = getIntrospectionQuery();
    expect(excessOf(standard)).toBeUndefined();
    const twice = standard.replace('__schema {', 'a: __schema { types { ...FullType } } b: __schema {');
    expect(excessOf(twice)).toMatchObject({ limit: 'introspection' });
    const types = (count: number) =>
      `{ ${Array.from({ length: count }, (_, n) => `t${n}: __type(name: "Book") { name fields { name type { name } } }`).join(' ')} }`;
    expect(excessOf(types(50))).toBeUndefined();
  });

  it('is exempt from the limits of depth and cost', async () => {
    const ofType = `${'ofType { '.repeat(20)} name ${'}'.repeat(20)}`;
    expect(excessOf(`{ __schema { types { fields { type { ${ofType} } } } } }`)).toBeUndefined();
    expect(await dataOf(api, '{ __type(name: "Film") { fields { name } } }')).toMatchObject({
      __type: { fields: expect.arrayContaining([{ name: 'title' }]) },
    });
  });

  it('is subject to the limit of aliases', () => {
    expect(
      excessOf(`{ ${Array.from({ length: 51 }, (_, n) => `a${n}: __typename`).join(' ')} }`),
    ).toMatchObject({
      limit: 'aliases',
    });
  });
});

it('a document that takes too long to validate is refused for it', () => {
  const { problems } = refused(api, `{ ${'__typename '.repeat(5000)} }`);
  expect(problems).toEqual([{ message: 'The document is too complex to be validated', line: 1, column: 1 }]);
});

describe('fragments that multiply each other', () => {
  const bomb = (levels: number, last: string) =>
    Array.from(
      { length: levels },
      (_, n) => `fragment F${n} on Person { ...F${n + 1} ...F${n + 1} ...F${n + 1} }`,
    )
      .concat(`fragment F${levels} on Person { ${last} }`)
      .join('\n');

  it('are refused for their total', () => {
    const query = (last: string) => `{ personList { items { ...F0 } } } ${bomb(600, last)}`;
    expect(excessOf(query('a: _id'))).toEqual({
      limit: 'aliases',
      max: 50,
      actual: Number.MAX_SAFE_INTEGER,
    });
    expect(excessOf(query('friends { name }'))).toEqual({
      limit: 'cost',
      max: 100_000,
      actual: Number.MAX_SAFE_INTEGER,
    });
  });

  it('do not hide the cost of other lists when their own list has the limit 0', () => {
    const list = (limit: number) => `l${limit}: personList(limit: ${limit}) { items { ...F0 } }`;
    const query = (more: string) => `{ ${list(0)} ${more} } ${bomb(700, 'friends { name }')}`;
    expect(excessOf(query(''))).toBeUndefined();
    const beyond = 'personList { items { friends { friends { friends { friends { name } } } } } }';
    expect(excessOf(query(beyond))).toEqual({ limit: 'cost', max: 100_000, actual: 111_110 });
  });

  it('are refused at run time when a variable multiplies them', async () => {
    const query = `query ($n: Int) { ...Q0 }
      ${Array.from({ length: 300 }, (_, n) => `fragment Q${n} on Query { ...Q${n + 1} ...Q${n + 1} }`).join('\n')}
      fragment Q300 on Query { personList(limit: $n) { items { name } } }`;
    const { errors } = await run(api, query, { variables: { n: 1 } });
    expect(errors?.[0]?.cause).toMatchObject({ code: 'limit_exceeded', details: { limit: 'cost' } });
    expect(await dataOf(api, query, { n: 0 })).toEqual({ personList: { items: [] } });
  });

  it('cost nothing when they select nothing', () => {
    expect(excessOf(`{ personList { items { ...F0 } } } ${bomb(100, 'name')}`)).toBeUndefined();
  });

  it('are refused when they are circular', () => {
    const { problems } = refused(
      api,
      '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }',
    );
    expect(problems[0]?.message).toMatch(/Cannot spread fragment "A" within itself/);
  });
});

it('a list of the maximum length is within the limits', async () => {
  const friends = await Promise.all(
    Array.from({ length: 20 }, (_, n) => library.create('lib.Person', { name: `P${n}` })),
  );
  const id = await library.create('lib.Person', {
    name: 'Popular',
    friends: friends.map((friend) => reference(friend, 'lib.Person')),
  });
  const data = await dataOf(api, `{ person(_id: "${id}") { friends { name } } }`);
  expect(Object(data).person.friends).toHaveLength(20);
});
