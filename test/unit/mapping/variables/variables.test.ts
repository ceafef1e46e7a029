import { describe, expect, it } from 'vitest';
import type { VariableDefinition } from '../../../../src/graphql/operation.ts';
import { createVariableReader, type VariableSource } from '../../../../src/mapping/variables/variables.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { declare, filter, list, scalar, status, sure } from '../input-types.ts';

const variables = declare({
  text: scalar('String'),
  id: scalar('ID'),
  html: scalar('RichText'),
  url: scalar('Url'),
  int: scalar('Int'),
  float: scalar('Float'),
  bool: scalar('Boolean'),
  at: scalar('EpochMillis'),
  json: scalar('JSON'),
  status,
  tags: list(sure(scalar('String'))),
  ints: list(scalar('Int')),
  jsons: list(sure(scalar('JSON'))),
  matrix: list(list(scalar('Int'))),
  filter,
  filters: list(sure(filter)),
  constructor: scalar('Int'),
});

const slashes = createVariableReader({ variables, disableSlashSyntax: false });
const literals = createVariableReader({ variables, disableSlashSyntax: true });

const read = (query: string, source: Partial<VariableSource> = {}) => slashes.read({ query, ...source });

const refusal = (parameter: string, reason: RegExp | string) =>
  expect.objectContaining({
    code: 'invalid_parameter',
    details: { parameter, reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
  });

const wholeNumber = 'must be a whole number from -2147483648 to 2147483647';
const milliseconds =
  'must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000';

describe('slash syntax', () => {
  it.each<[query: string, values: JsonObject]>([
    ['', {}],
    ['text=a', { text: 'a' }],
    ['text=', { text: '' }],
    ['text', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=null&id=7&html=%3Cb%3E&url=no+url', { text: 'null', id: '7', html: '<b>', url: 'no url' }],
    ['text=%C3%A4%F0%9F%98%80%26%00', { text: 'ä😀&\0' }],
    ['te%78t=a&%66ilter%2Ftext=b', { text: 'a', filter: { text: 'b' } }],
    ['int=0&float=0&at=0', { int: 0, float: 0, at: 0 }],
    ['int=-0&float=-0.0', { int: 0, float: 0 }],
    ['int=2147483647', { int: 2147483647 }],
    ['int=-2147483648', { int: -2147483648 }],
    ['float=-1.5e-3', { float: -0.0015 }],
    ['at=8640000000000000', { at: 8640000000000000 }],
    ['bool=true', { bool: true }],
    ['bool=false', { bool: false }],
    ['status=LIVE', { status: 'LIVE' }],
    ['json={"a":1}', { json: '{"a":1}' }],
    ['constructor=1', { constructor: 1 }],
    ['tags=a', { tags: ['a'] }],
    ['tags=', { tags: [''] }],
    ['tags[]=a', { tags: ['a'] }],
    ['tags[]', { tags: [] }],
    ['tags%5B%5D&ints[]&int=1', { tags: [], ints: [], int: 1 }],
    ['tags[]=', { tags: [''] }],
    ['tags', { tags: [''] }],
    ['matrix[]&filters[]&json[]', { matrix: [], filters: [], json: [] }],
    ['matrix[0][]=1&matrix[1][]', { matrix: [[1], []] }],
    ['filter/text=a&filter/tags[]&filter/extra/x[]', { filter: { text: 'a', tags: [], extra: { x: [] } } }],
    ['tags[]=b&int=1&tags[]=a&tags%5B%5D=b', { tags: ['b', 'a', 'b'], int: 1 }],
    ['ints[1]=2&ints[0]=1', { ints: [1, 2] }],
    ['jsons[]=1&jsons[]=x', { jsons: ['1', 'x'] }],
    ['matrix=1', { matrix: [[1]] }],
    ['matrix[]=1&matrix[]=2', { matrix: [[1], [2]] }],
    ['matrix[0][0]=1&matrix[0][1]=2&matrix[1][]=3', { matrix: [[1, 2], [3]] }],
    ['matrix[0][]=1&matrix[1]=2', { matrix: [[1], [2]] }],
    ['filter/text=a&filter/min=2', { filter: { text: 'a', min: 2 } }],
    ['filter/text=a&filter/not/text=b', { filter: { text: 'a', not: { text: 'b' } } }],
    ['filter/text=a&filter/tags[]=b&filter/tags[]=c', { filter: { text: 'a', tags: ['b', 'c'] } }],
    ['filter/text=a&filter/status=DRAFT', { filter: { text: 'a', status: 'DRAFT' } }],
    [
      'filters[1]/text=b&filters[0]/text=a&filters[0]/tags=x',
      { filters: [{ text: 'a', tags: ['x'] }, { text: 'b' }] },
    ],
    ['filters/text=a&filters/min=1', { filters: [{ text: 'a', min: 1 }] }],
    ['json/a/b=1&json/c[]=2&json/d[0]/e=3', { json: { a: { b: '1' }, c: ['2'], d: [{ e: '3' }] } }],
    ['json[]=1&json[]=2', { json: ['1', '2'] }],
    ['filter/text=a&filter/extra/x=1', { filter: { text: 'a', extra: { x: '1' } } }],
    [
      'filter/not/not/not/not/not/not/text=a&filter/text=a&filter/not/text=a&filter/not/not/text=a&filter/not/not/not/text=a&filter/not/not/not/not/text=a&filter/not/not/not/not/not/text=a',
      {
        filter: {
          text: 'a',
          not: {
            text: 'a',
            not: {
              text: 'a',
              not: { text: 'a', not: { text: 'a', not: { text: 'a', not: { text: 'a' } } } },
            },
          },
        },
      },
    ],
    ['json/1/2/3/4/5/6/7=x', { json: { 1: { 2: { 3: { 4: { 5: { 6: { 7: 'x' } } } } } } } }],
    ['json/toString=1&json/constructor=2', { json: { toString: '1', constructor: '2' } }],
  ])('reads %j', (query, values) => {
    expect(read(query)).toEqual(values);
  });

  it.each([
    'unknown=1&unknown=2&unknown/a=1&unknown[]=2&unknown[x]=1',
    'Text=a',
    'unknown/1/2/3/4/5/6/7/8/9=1',
    '/text=a&[0]=b&=c&tags]=d',
    'a__proto__b=1&a/proto=2',
    'apiKey=k&apiKey=k&clientId=i&clientSecret=s',
    'X-API-Key=k&x-client-id=i&X-Client-Secret/a=1',
  ])('leaves alone what is not declared: %j', (query) => {
    expect(read(query)).toEqual({});
  });

  it.each<[query: string, parameter: string, reason: RegExp | string]>([
    ['int=', 'int', wholeNumber],
    ['int=1.0', 'int', wholeNumber],
    ['int=1e3', 'int', wholeNumber],
    ['int=01', 'int', wholeNumber],
    ['int=%2B1', 'int', wholeNumber],
    ['int=+1', 'int', wholeNumber],
    ['int=0x10', 'int', wholeNumber],
    ['int=2147483648', 'int', wholeNumber],
    ['int=-2147483649', 'int', wholeNumber],
    ['int=4294967296', 'int', wholeNumber],
    ['int=null', 'int', wholeNumber],
    ['int=٣', 'int', wholeNumber],
    ['at=9007199254740992', 'at', milliseconds],
    ['at=1.5', 'at', milliseconds],
    ['at=2026-01-01', 'at', `${milliseconds}; "2026-01-01" is 1767225600000`],
    ['float=.5', 'float', 'must be a number'],
    ['float=1.', 'float', 'must be a number'],
    ['float=1e999', 'float', 'must be a number'],
    ['float=NaN', 'float', 'must be a number'],
    ['float=Infinity', 'float', 'must be a number'],
    ['bool=TRUE', 'bool', 'must be true or false'],
    ['bool=1', 'bool', 'must be true or false'],
    ['bool=', 'bool', 'must be true or false'],
    ['status=live', 'status', 'must be one of DRAFT, LIVE. Did you mean "LIVE"?'],
    ['status=', 'status', 'must be one of DRAFT, LIVE'],
    ['ints[]=1&ints[]=x', 'ints[]', wholeNumber],
    ['ints[]=', 'ints[]', wholeNumber],
    ['text[]', 'text[]', /as a list/],
    ['tags[]&tags[]', 'tags[]', 'is given twice'],
    ['tags[]&tags[]=a', 'tags[]', /another shape/],
    ['tags[]=a&tags[]', 'tags[]', /another shape/],
    ['tags[]&tags=a', 'tags', 'is given twice'],
    ['filter/min=x', 'filter/min', wholeNumber],
    ['filters[0]/status=x', 'filters[0]/status', /one of/],
    ['filter=x', 'filter', /is an object.*"filter\/text"/],
    ['filters[0]=x', 'filters[0]', /is an object/],
    ['filter/text=a&filter/colour=red', 'filter/colour', 'names no member of Filter'],
    ['filter/text/x=a', 'filter/text/x', /String as an object/],
    ['text/a=1', 'text/a', /String as an object/],
    ['status/a=1', 'status/a', /Status as an object/],
    ['text[]=1', 'text[]', /String as a list/],
    ['text[0]=1', 'text[0]', /String as a list/],
    ['filter[]=1', 'filter[]', /Filter as a list/],
    ['tags[0][0]=1', 'tags[0][0]', /String as a list/],
  ])('refuses what the type does not take: %j', (query, parameter, reason) => {
    expect(() => read(query)).toThrow(refusal(parameter, reason));
  });

  it.each<[query: string, parameter: string, reason: RegExp | string]>([
    ['text=a&text=a', 'text', 'is given twice'],
    ['tags=a&tags=b', 'tags', 'is given twice'],
    ['ints[0]=1&ints[0]=2', 'ints[0]', 'is given twice'],
    ['filter/text=a&filter/text=a', 'filter/text', 'is given twice'],
    ['json=1&json/b=2', 'json/b', /another shape/],
    ['json/b=2&json=1', 'json', /another shape/],
    ['json/a=1&json/a/b=2', 'json/a/b', /another shape/],
    ['json/a=1&json[]=2', 'json[]', /another shape/],
    ['json[]=1&json[0]=2', 'json[0]', /another shape/],
    ['tags[]=a&tags=b', 'tags', /another shape/],
    ['tags=a&tags[]=b', 'tags[]', /another shape/],
    ['tags[0]=a&tags[]=b', 'tags[]', /another shape/],
    ['filters/text=a&filters[0]/text=b', 'filters[0]/text', /another shape/],
    ['matrix[0]=1&matrix[0][0]=1', 'matrix[0][0]', /another shape/],
    ['ints[1]=1', 'ints[1]', /without gaps/],
    ['ints[0]=1&ints[2]=1&ints[3]=1', 'ints[2]', /without gaps/],
    ['filters[0]/tags[1]=a&filters[0]/text=a', 'filters[0]/tags[1]', /without gaps/],
    ['json[0]=a&json[5]/b=c', 'json[5]/b', /without gaps/],
    ['ints[1000]=1', 'ints[1000]', /index above 999/],
    ['ints[99999999999999999999]=1', 'ints[99999999999999999999]', /index above 999/],
  ])('refuses what contradicts itself or has gaps: %j', (query, parameter, reason) => {
    expect(() => read(query)).toThrow(refusal(parameter, reason));
  });

  it.each([
    'tags[',
    'tags[-1]',
    'tags[01]',
    'tags[x]',
    'tags[ 0]',
    'tags[]]',
    'tags[]x',
    'tags[0]x',
    'tags[][]',
    'tags[][0]',
    'tags[]/a',
    'filter/',
    'filter//text',
    'filter/[0]',
    'filter[text]',
    'json/a]b',
  ])('refuses a name that is not well-formed: %j', (name) => {
    const query = `${encodeURIComponent(name)}=1`;
    expect(() => read(query)).toThrow(refusal(name, /^must be names joined by/));
  });

  it.each([
    '__proto__',
    '__proto__/a',
    'json/__proto__',
    'json/a/__proto__/b',
    'filter/__proto__',
    'unknown/__proto__',
    'unknown[__proto__]',
    '__proto__[]',
  ])('refuses __proto__ wherever it stands: %j', (name) => {
    expect(() => read(`${name}=1`)).toThrow(refusal(name, 'must not hold a "__proto__"'));
  });

  it.each(['json/2/3/4/5/6/7/8/9', 'json[0][1][2][3][4][5][6][7]', 'json/2/3/4/5/6/7/8[]'])(
    'refuses more than eight levels: %j',
    (name) => {
      expect(() => read(`${name}=1`)).toThrow(refusal(name, 'is nested deeper than 8 levels'));
    },
  );

  it('accepts at most a thousand elements', () => {
    const elements = (count: number) => Array.from({ length: count }, () => 'ints[]=1').join('&');
    expect(read(elements(1000)).ints).toHaveLength(1000);
    expect(() => read(elements(1001))).toThrow(refusal('ints[]', /more than 1000/));
  });

  it.each([
    ['text=%', 'text'],
    ['unknown=%ff', 'unknown'],
    ['%ff=1', 'the query string'],
  ])('refuses encoding that is not well-formed, of any parameter: %j', (query, parameter) => {
    expect(() => read(query)).toThrow(refusal(parameter, /percent-encoded/));
  });
});

describe('a required variable', () => {
  const required: VariableDefinition[] = [
    { name: 'a', type: sure(scalar('Int')), required: true },
    { name: 'b', type: sure(scalar('Int')), required: false },
    { name: 'c', type: sure(filter), required: true },
    { name: 'd', type: sure(list(sure(scalar('Int')))), required: true },
  ];
  const reader = createVariableReader({ variables: required, disableSlashSyntax: false });

  it.each([
    ['', 'a', 'is required, and so are "c" and "d"'],
    ['a=1&c/text=x', 'd', 'is required'],
    ['d=1&c/min=1', 'c/text', 'is required, and so is "a"'],
    ['a=1&d=1&c/text=a&c/any[0]/text=a&c/any[1]/min=1', 'c/any[1]/text', 'is required'],
    ['a=1&d=1&c/text=a&c/any/min=1', 'c/any/text', 'is required'],
  ])('is named in one message when it is missing: %j', (query, parameter, reason) => {
    expect(() => reader.read({ query })).toThrow(refusal(parameter, reason));
  });

  it('may be sent in the body', () => {
    expect(reader.read({ query: 'a=1', body: { c: { text: 'x' }, d: 2 } })).toEqual({
      a: 1,
      c: { text: 'x' },
      d: [2],
    });
  });

  it('cannot be a credential', () => {
    const [apiKey, clientid] = declare({ apiKey: scalar('String'), clientid: sure(scalar('String')) });
    if (!apiKey || !clientid) throw new Error('not declared');
    const careless = createVariableReader({ variables: [apiKey], disableSlashSyntax: false });
    expect(careless.read({ query: 'apiKey=secret', body: { apiKey: 'secret' } })).toEqual({});
    const greedy = createVariableReader({ variables: [clientid], disableSlashSyntax: false });
    expect(() => greedy.read({ query: 'clientid=c' })).toThrow(refusal('clientid', 'is required'));
  });
});

describe('JSON syntax', () => {
  const readLiterals = (query: Readonly<Record<string, string>>) =>
    literals.read({ query: new URLSearchParams(query).toString() });

  it.each<[query: Record<string, string>, values: JsonObject]>([
    [
      { text: '"a"', id: '"x"', int: '5', bool: 'true' },
      { text: 'a', id: 'x', int: 5, bool: true },
    ],
    [
      { text: 'null', int: ' 1 ' },
      { text: null, int: 1 },
    ],
    [{ json: '{"a":[1,null,{"b":"c"}]}' }, { json: { a: [1, null, { b: 'c' }] } }],
    [
      { tags: '["a","b"]', ints: '[]', matrix: '1' },
      { tags: ['a', 'b'], ints: [], matrix: [[1]] },
    ],
    [{ filter: '{"text":":\\"","not":{"text":"b"}}' }, { filter: { text: ':"', not: { text: 'b' } } }],
    [{ 'filter/text': 'a', 'tags[]': 'b', 'text[': 'c' }, {}],
  ])('reads %j', (query, values) => {
    expect(readLiterals(query)).toEqual(values);
  });

  it.each<[query: Record<string, string>, parameter: string, reason: RegExp | string]>([
    [{ text: 'a' }, 'text', /JSON literal/],
    [{ text: '' }, 'text', /JSON literal/],
    [{ text: "'a'" }, 'text', /JSON literal/],
    [{ int: '01' }, 'int', /JSON literal/],
    [{ json: '{"a":1,}' }, 'json', /JSON literal/],
    [{ json: '{"a":1} x' }, 'json', /JSON literal/],
    [{ json: '{"a":1,"a":1}' }, 'json', /has a name twice/],
    [{ json: '[{"a":{"b":1,"\\u0062":1}}]' }, 'json', /has a name twice/],
    [{ json: '{"__proto__":1}' }, 'json', /__proto__/],
    [{ filter: '{"text":"a","extra":{"x":[{"__proto__":{}}]}}' }, 'filter', /__proto__/],
    [{ text: '5' }, 'text', 'must be a string'],
    [{ int: '"5"' }, 'int', wholeNumber],
    [{ filter: '{"text":5}' }, 'filter', 'is wrong at text, which must be a string'],
    [{ json: `${'['.repeat(64)}1${']'.repeat(64)}` }, 'json', /deeper than 64/],
    [{ json: '['.repeat(9000) + ']'.repeat(9000) }, 'json', /deeper than 64/],
    [{ __proto__x: '1', 'a/__proto__': '1' }, 'a/__proto__', /__proto__/],
  ])('refuses %j', (query, parameter, reason) => {
    expect(() => readLiterals(query)).toThrow(refusal(parameter, reason));
  });

  it('accepts as many levels as the body of a request has', () => {
    const text = `${'['.repeat(63)}1${']'.repeat(63)}`;
    expect(readLiterals({ json: text })).toEqual({ json: JSON.parse(text) });
    const empty = '['.repeat(64) + ']'.repeat(64);
    expect(readLiterals({ json: empty })).toEqual({ json: JSON.parse(empty) });
  });

  it('refuses a name given twice', () => {
    expect(() => literals.read({ query: 'int=1&int=1' })).toThrow(refusal('int', 'is given twice'));
  });
});

describe('a JSON body', () => {
  it.each<[body: JsonObject, values: JsonObject]>([
    [{}, {}],
    [{ text: 'a', unknown: { __proto: 1 }, 'filter/text': 'a' }, { text: 'a' }],
    [
      { text: null, tags: null, filter: null },
      { text: null, tags: null, filter: null },
    ],
    [
      { id: 5, int: -0, float: 2, at: -1 },
      { id: 5, int: -0, float: 2, at: -1 },
    ],
    [
      { tags: 'a', filters: { text: 'b', tags: 'c' } },
      { tags: ['a'], filters: [{ text: 'b', tags: ['c'] }] },
    ],
    [
      { ints: [1, null], json: [{}] },
      { ints: [1, null], json: [{}] },
    ],
    [{ filter: { text: '', min: null } }, { filter: { text: '', min: null } }],
  ])('gives variables: %j', (body, values) => {
    expect(read('', { body })).toEqual(values);
    expect(literals.read({ query: '', body })).toEqual(values);
  });

  it.each<[body: JsonObject, parameter: string, reason: string]>([
    [{ text: 5 }, 'text', 'must be a string'],
    [{ text: ['a'] }, 'text', 'must be a string'],
    [{ id: 1.5 }, 'id', 'must be a string'],
    [{ int: '5' }, 'int', wholeNumber],
    [{ int: 1.5 }, 'int', wholeNumber],
    [{ int: 2 ** 31 }, 'int', wholeNumber],
    [{ at: 2 ** 53 }, 'at', milliseconds],
    [{ float: '1' }, 'float', 'must be a number'],
    [{ bool: 'true' }, 'bool', 'must be true or false'],
    [{ bool: 0 }, 'bool', 'must be true or false'],
    [{ status: 'live' }, 'status', 'must be one of DRAFT, LIVE. Did you mean "LIVE"?'],
    [{ status: ['LIVE'] }, 'status', 'must be one of DRAFT, LIVE'],
    [{ tags: ['a', null] }, 'tags', 'is wrong at [1], which must not be null'],
    [{ tags: ['a', 5] }, 'tags', 'is wrong at [1], which must be a string'],
    [{ matrix: [[1], [2, 'x']] }, 'matrix', `is wrong at [1][1], which ${wholeNumber}`],
    [{ filter: 'a' }, 'filter', 'must be an object'],
    [{ filter: [] }, 'filter', 'must be an object'],
    [{ filter: {} }, 'filter', 'is wrong at text, which is required'],
    [{ filter: { text: null } }, 'filter', 'is wrong at text, which must not be null'],
    [{ filter: { text: 'a', sure: null } }, 'filter', 'is wrong at sure, which must not be null'],
    [{ filter: { text: 'a', toString: 1 } }, 'filter', 'is wrong at toString, which is no member of Filter'],
    [
      { filters: [{ text: 'a', any: [{ text: 'a', not: { text: 1 } }] }] },
      'filters',
      'is wrong at [0].any[0].not.text, which must be a string',
    ],
    [
      { filter: { text: 'a', ['x'.repeat(200)]: 1 } },
      'filter',
      `is wrong at ${'x'.repeat(100)}…, which is no member of Filter`,
    ],
    [{ json: JSON.parse(`${'['.repeat(64)}1${']'.repeat(64)}`) }, 'json', 'is nested deeper than 64 levels'],
    [JSON.parse('{"__proto__":{"a":1}}'), '__proto__', 'must not hold a "__proto__"'],
    [JSON.parse('{"json":[{"__proto__":1}]}'), 'json', 'must not hold a "__proto__"'],
  ])('is refused where it is wrong: %j', (body, parameter, reason) => {
    expect(() => read('', { body })).toThrow(refusal(parameter, reason));
  });

  it('adds variables to those of the query string', () => {
    expect(read('int=1', { body: { text: 'a' } })).toEqual({ int: 1, text: 'a' });
    const reason = 'is given twice, in the query string and in the body';
    expect(() => read('int=1', { body: { int: 1 } })).toThrow(refusal('int', reason));
    expect(() => read('filter/text=a', { body: { filter: null } })).toThrow(refusal('filter', reason));
  });
});

describe('a form', () => {
  it('has the syntax of the query string', () => {
    expect(read('int=1', { form: 'filter/text=a+b&tags[]=x&tags[]=y' })).toEqual({
      int: 1,
      filter: { text: 'a b' },
      tags: ['x', 'y'],
    });
    expect(literals.read({ query: '', form: 'text=%22a%22' })).toEqual({ text: 'a' });
  });

  it('adds variables to those of the query string', () => {
    const reason = 'is given twice, in the query string and in the body';
    expect(() => read('tags[]=a', { form: 'tags[]=b' })).toThrow(refusal('tags[]', reason));
    expect(() => read('filter/text=a', { form: 'filter/min=1' })).toThrow(refusal('filter/min', reason));
  });

  it('is named in the error when its encoding is malformed', () => {
    expect(() => read('', { form: '%ff=1' })).toThrow(refusal('the form', /percent-encoded/));
  });
});
