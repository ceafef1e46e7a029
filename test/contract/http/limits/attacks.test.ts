/** Requests within the size limits that are made to cost much: none may delay the requests of others. */
import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { type RawResponse, sendRaw } from '../../../support/raw-http.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { expectShortWait } from '../../../support/worst-wait.ts';

const credentials = { 'X-Client-Id': 'attacker', 'X-Client-Secret': 'attacker-secret-attacker-secret' };
const contents = '/api/rest/cma/contents';
const text = 'com.colophon.cms.db.Text';
const article = 'com.example.news.Article';

const location = sqliteLocation();
let serving: ServingProcess;

beforeAll(async () => {
  serving = await startServing({
    ...environmentOf(location),
    ...credentialsOf(credentials),
  });
});

const listOf = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));
const unknownMembers = (count: number) => Object.fromEntries(listOf(count, (n) => [`m${n}`, 1]));

/** Posts a body during the measurement; checks that nobody waits too long, and returns the last response. */
async function attackWith(path: string, body: unknown): Promise<RawResponse> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const responses: RawResponse[] = [];
  await expectShortWait(serving, async () => {
    const headers = { ...credentials, 'Content-Type': 'application/json' };
    responses.push(await sendRaw(serving.url, { method: 'POST', path, headers, body: raw }));
  });
  const last = responses.at(-1);
  if (!last) throw new Error('the attack was not sent');
  return last;
}

describe('a body', () => {
  const create = (fields: object) => ({ _type: text, name: 'x', ...fields });
  const articleWith = (importData: unknown) => ({ _type: article, importData });
  it.each<[name: string, body: unknown, status: number, code: string]>([
    ['with 300,000 members', create(unknownMembers(300_000)), 413, 'too_many_values'],
    ['with 20,000 unknown members', create(unknownMembers(19_998)), 400, 'invalid_body'],
    ['with 300,000 values in a JSON scalar', articleWith(listOf(300_000, () => 1)), 413, 'too_many_values'],
    [
      'with 49,000 objects, each with another name',
      articleWith(listOf(49_000, (n) => ({ [`n${n}`]: 'v' }))),
      400,
      'invalid_body',
    ],
    ['with four million brackets', '['.repeat(4_000_000), 400, 'invalid_body'],
    ['with a number of four million digits', `{"a":${'1'.repeat(4_000_000)}}`, 400, 'invalid_body'],
    [
      'with 90,000 numbers that cannot be kept',
      `{"a":[${'1234567890123456789,'.repeat(90_000)}1]}`,
      400,
      'invalid_body',
    ],
    ['with one name 600,000 times', `{${'"a":1,'.repeat(600_000)}"a":1}`, 413, 'too_many_values'],
  ])('%s is refused at once', async (_name, body, status, code) => {
    const response = await attackWith(contents, body);
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([status, code]);
    expect(response.text.length).toBeLessThan(20_000);
  });
});

describe('a batch', () => {
  const batch = `${contents}/batch`;
  it('of 49,000 operations is refused at once', async () => {
    const { status, text: answer } = await attackWith(batch, { operations: listOf(49_000, () => ({})) });
    const { error } = JSON.parse(answer);
    expect([status, error.problems]).toEqual([
      400,
      [{ path: 'operations', message: 'must have at most 1000 items' }],
    ]);
  });

  it('of 1,000 operations with 90 unknown members each is refused for each operation', async () => {
    const operations = listOf(1000, () => ({
      action: 'create',
      asset: { _type: text, name: 'x' },
      ...unknownMembers(90),
    }));
    const { status, text: answer } = await attackWith(batch, { operations });
    const { result } = JSON.parse(answer);
    expect([status, result.failed]).toEqual([200, 1000]);
    expect(result.results[0].error.problems).toHaveLength(90);
    expect(result.results[999].error).toMatchObject({ code: 'invalid_body', path: 'm0' });
  });
});

describe('a batch of references by key', () => {
  const author = 'com.example.news.Author';
  const operationWith = (n: number, by: (index: number) => object) => ({
    action: 'create',
    asset: {
      _type: article,
      slug: `by-${n}`,
      headline: 'By key',
      status: 'DRAFT',
      related: listOf(20, (index) => ({ _type: author, _by: by(n * 20 + index) })),
    },
  });

  it.each<[name: string, by: (index: number) => object]>([
    ['that exist nowhere', (index) => ({ slug: `nobody-${index}` })],
    ['that are not well-formed', (index) => ({ slug: index })],
  ])('delays nobody with 20,000 of those %s', async (_name, by) => {
    const { status, text: answer } = await attackWith(`${contents}/batch`, {
      operations: listOf(1_000, (n) => operationWith(n, by)),
    });
    expect([status, JSON.parse(answer).result.failed]).toEqual([200, 1_000]);
  });
});

describe('an asset', () => {
  it('with 22,000 references by key in a JSON value delays nobody', async () => {
    const reference = (n: number) => ({ _type: 'com.example.news.Author', _by: { slug: `nobody-${n}` } });
    const { status } = await attackWith(contents, {
      _type: article,
      slug: 'by-json',
      headline: 'By key',
      status: 'DRAFT',
      importData: listOf(22_000, reference),
    });
    expect(status).toBe(200);
  });
});

describe('a query of assets', () => {
  const section = 'com.example.news.Section';
  const length = 300;
  const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const parentOf = (n: number) => (n === 0 ? {} : { parent: { _ref: idOf(n - 1), _type: section } });

  beforeAll(async () => {
    const operations = listOf(length, (n) => ({
      action: 'create',
      asset: { _id: idOf(n), _type: section, slug: `s${n}`, name: `Section ${n}`, order: n, ...parentOf(n) },
    }));
    const headers = { ...credentials, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ operations });
    const { text: answer } = await sendRaw(serving.url, {
      method: 'POST',
      path: `${contents}/batch`,
      headers,
      body,
    });
    expect(JSON.parse(answer).result).toMatchObject({ failed: 0 });
  });

  it.each(['and', 'or'])(
    'with 1,000 comparisons over 8 references joined by %s delays nobody',
    async (join) => {
      const path = `${'parent/'.repeat(8)}order`;
      const where = listOf(1_000, (n) => `${path} > ${n + length}`).join(` ${join} `);
      const { status, text: answer } = await attackWith(`${contents}/query`, { from: section, where });
      const body = JSON.parse(answer);
      if (status === 200) expect(body.result).toMatchObject({ count: 0, items: [] });
      else
        expect([status, body.error]).toEqual([
          400,
          expect.objectContaining({ code: 'query_too_costly', path }),
        ]);
    },
  );
});

describe('a GraphQL request', () => {
  const management = '/graphql/management';
  const errorsOf = async (
    query: string,
    variables?: object,
  ): Promise<{ message: string; extensions: object }[]> => {
    const response = await attackWith(management, { query, variables });
    expect(response.text.length).toBeLessThan(20_000);
    return JSON.parse(response.text).errors;
  };
  const create = 'mutation ($input: CreateTextInput!) { createText(input: $input) { name } }';
  const repeat = (count: number, make: (index: number) => string) => listOf(count, make).join(' ');
  const tooComplex = /too complex to be validated/;
  const overlapping = (n: number) =>
    `fragment A${n} on TextList { count items { name ...B${n} } } fragment B${n} on Text { _id }`;
  const chain = (length: number, field: string) =>
    `{ ...F0 ${field} } ${repeat(length, (n) => `fragment F${n} on Query { ...F${n + 1} ${field} }`)} fragment F${length} on Query { __typename }`;

  it.each<[name: string, variables: object, message: RegExp]>([
    ['300,000 unknown members', { input: unknownMembers(300_000) }, /more than 100000 JSON values/],
    [
      '19,000 unknown members',
      { input: { name: 'x', ...unknownMembers(19_000) } },
      /not to include unknown field "m0"/,
    ],
    [
      'wrong members beside a text of 4 MB',
      { input: { name: 'x'.repeat(4_000_000), ...unknownMembers(90) } },
      /unknown field "m0"/,
    ],
  ])('with %s in its variables is refused at once', async (_name, variables, message) => {
    const [first] = await errorsOf(create, variables);
    expect(first?.message).toMatch(message);
  });

  it('with a text of 3 MB for an enum quotes little of it', async () => {
    const query = 'query ($sort: [SortInput!]) { textList(sortBy: $sort) { count } }';
    const [first] = await errorsOf(query, { sort: [{ field: 'name', order: 'x'.repeat(3_000_000) }] });
    expect(first?.message).toMatch(/Value "x{200}…/);
  });

  it.each<[name: string, query: string, message: RegExp]>([
    ['240,000 comments', `${'#\n'.repeat(240_000)}{ __typename }`, /more than 10000 comments/],
    ['a field 2,400 times', `{ ${'textList { count } '.repeat(2400)} }`, tooComplex],
    ['__typename 9,990 times', `{ ${'__typename '.repeat(9990)} }`, tooComplex],
    ['9,990 unknown fields', `{ ${repeat(9990, (n) => `f${n}`)} }`, /Cannot query field "f0"/],
    [
      '300 overlapping fragments',
      `{ textList { ${repeat(300, (n) => `...A${n}`)} } } ${repeat(300, overlapping)}`,
      tooComplex,
    ],
    ['a chain of 1,000 fragments with a field each', chain(1000, '__typename'), tooComplex],
    [
      'an object of 2,400 unknown fields',
      `mutation { createText(input: { ${repeat(2400, (n) => `x${n}: 1`)} }) { name } }`,
      /required field "name"/,
    ],
    [
      'the whole schema 50 times',
      `{ ${repeat(50, (n) => `a${n}: __schema { ...S }`)} } fragment S on __Schema { types { ...T } } ${getIntrospectionQuery().slice(getIntrospectionQuery().indexOf('fragment FullType')).replace('FullType', 'T')}`,
      /introspection is \d+; the limit/,
    ],
    [
      '50 lists that skip 100,000 assets each',
      `{ ${repeat(50, (n) => `a${n}: textList(offset: 100000) { count }`)} }`,
      /skipped is 4900000; the limit is 100000/,
    ],
  ])('with %s is refused at once', async (_name, query, message) => {
    expect((await errorsOf(query))[0]?.message).toMatch(message);
  });

  it.each<[name: string, query: string]>([
    [
      '40 overlapping fragments',
      `{ textList { ${repeat(40, (n) => `...A${n}`)} } } ${repeat(40, overlapping)}`,
    ],
    ['a chain of 1,200 fragments', chain(1200, '')],
    ['the whole schema', getIntrospectionQuery()],
  ])('with %s is answered at once', async (_name, query) => {
    expect(JSON.parse((await attackWith(management, { query })).text)).not.toHaveProperty('errors');
  });

  it('with 50 lists of 1,000 values each is answered in many rounds', async () => {
    const lists = listOf(50, (n) => `l${n}: articleList(where: "slug = ?", values: $values) { count }`);
    const body = {
      query: `query ($values: [JSON!]) { ${lists.join(' ')} }`,
      variables: { values: [listOf(1_000, (n) => `slug-number-${n}`)] },
    };
    const response = JSON.parse((await attackWith(management, body)).text);
    expect(response.errors).toBeUndefined();
    expect(response).toMatchObject({ data: { l49: { count: 0 } } });
  });
});
