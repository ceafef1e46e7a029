import { describe, expect, it } from 'vitest';
import {
  createRequest,
  credentialHeaders,
  findUnreachable,
  findUnreported,
  type Syntax,
  toCurl,
} from '../../../src/admin/pages/rest-endpoint/try-it/request.ts';
import {
  type Json,
  readInputs,
  toInputs,
} from '../../../src/admin/pages/rest-endpoint/try-it/variable-inputs.ts';
import { variablesSchema } from '../../../src/mapping/describe/json-schema.ts';
import { createVariableReader } from '../../../src/mapping/variables/variables.ts';
import { declare, filter, list, scalar, status, sure } from '../mapping/input-types.ts';

const variables = declare({
  text: sure(scalar('String')),
  int: scalar('Int'),
  float: scalar('Float'),
  bool: scalar('Boolean'),
  json: scalar('JSON'),
  status,
  tags: list(sure(scalar('String'))),
  matrix: list(list(scalar('Int'))),
  filters: list(sure(filter)),
});
const inputs = toInputs(variablesSchema(variables));

/** The text of every input, by variable. */
const typed = {
  text: 'Tom & "Jerry" = 100 %',
  int: '-3',
  float: '0.5',
  bool: 'false',
  status: status.kind === 'enum' ? (status.values[0] ?? '') : '',
  tags: '["a/b", "[]", ""]',
  matrix: '[[1, 2], [3], []]',
  filters: '[]',
};

const put = (values: Readonly<Record<string, Json>>, syntax: Syntax, inBody = false) =>
  createRequest({ method: 'POST', path: '/p', values, syntax, inBody, headers: {} });

describe('the inputs for variables', () => {
  it('have the kind that their type requires', () => {
    expect(Object.fromEntries(inputs.map(({ name, kind }) => [name, kind]))).toEqual({
      text: 'text',
      int: 'whole',
      float: 'number',
      bool: 'boolean',
      json: 'any',
      status: 'choice',
      tags: 'json',
      matrix: 'json',
      filters: 'json',
    });
    expect(inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['text']);
  });

  it('report invalid values and omit empty ones', () => {
    const wrong = { int: '1.5', float: 'x', tags: '"a"', filters: '[' };
    const { values, problems } = readInputs(inputs, wrong, { anyAsText: true });
    expect(values).toEqual({ text: '' });
    expect(Object.keys(problems)).toEqual(['int', 'float', 'tags', 'filters']);
  });

  it('accept values of any type as text or as JSON', () => {
    const read = (anyAsText: boolean) => readInputs(inputs, { json: '17' }, { anyAsText }).values.json;
    expect([read(true), read(false)]).toEqual(['17', 17]);
  });
});

describe('a request', () => {
  const { values } = readInputs(inputs, typed, { anyAsText: false });

  it.each(['slash', 'json'] as const)('sends the variables in %s syntax as the routes read it', (syntax) => {
    const reader = createVariableReader({ variables, disableSlashSyntax: syntax === 'json' });
    const [path, query = ''] = put(values, syntax).url.split('?');
    expect(path).toBe('/p');
    expect(reader.read({ query })).toEqual(values);
  });

  it('sends the variables in a JSON body', () => {
    const { url, headers, body = '' } = put(values, 'slash', true);
    expect([url, headers]).toEqual(['/p', { 'Content-Type': 'application/json' }]);
    expect(JSON.parse(body)).toEqual(values);
  });

  it('puts values into the path', () => {
    const all = { slug: 'a/b', limit: 2 };
    const fill = (path: string, some: typeof all | { limit: number }) =>
      createRequest({ method: 'GET', path, values: some, inBody: false, syntax: 'slash', headers: {} });
    expect(fill('/p/{slug}/x', all)).toEqual({
      method: 'GET',
      url: '/p/a%2Fb/x?limit=2',
      headers: {},
      pathParameters: { slug: 'a/b' },
    });
    expect(fill('/p/{slug}', { limit: 2 }).url).toBe('/p/{slug}?limit=2');
    expect(Object.keys(findUnreachable('/{a}/{b}/{c}', { a: '..', b: 1 }))).toEqual(['a', 'c']);
  });

  it('is refused when slash syntax cannot express a value', () => {
    const unreported = findUnreported({ a: null, b: [], c: { d: {} }, e: [[null]], f: ['x'], g: 0 });
    expect(Object.keys(unreported)).toEqual(['a', 'c', 'e']);
  });

  it('sends the credentials that the access requires, if known', () => {
    const credentials = { apiKey: 'k', clientId: 'c', clientSecret: '' };
    expect(credentialHeaders('ANYONE', credentials)).toEqual({});
    expect(credentialHeaders('API_KEY', credentials)).toEqual({ 'X-API-Key': 'k', 'X-Client-Id': 'c' });
    expect(credentialHeaders('CLIENT_CREDENTIALS', credentials)).toEqual({ 'X-Client-Id': 'c' });
  });

  it('is shown as one shell command, with quotes escaped', () => {
    const request = put({ name: "O'Hara" }, 'slash', true);
    expect(toCurl(request, 'http://h')).toBe(
      [
        'curl -X POST',
        "'http://h/p'",
        "-H 'Content-Type: application/json'",
        `--data '{"name":"O'\\''Hara"}'`,
      ].join(' \\\n  '),
    );
  });
});
