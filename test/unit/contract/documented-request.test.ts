import { expect, it } from 'vitest';
import { readContractDocument } from '../../../src/contract/apis/contract-document.ts';
import { toDocumentedRequest } from '../../../src/contract/samples/documented-request.ts';
import { createRandomGenerator } from '../../../src/contract/samples/random-generator.ts';
import { createValueGenerator } from '../../../src/contract/samples/sample-value.ts';

const list = { type: 'array', items: { type: 'string' } };
const body = { required: true, content: { 'application/vnd.x+json': { schema: { const: { a: 1 } } } } };
const id = { name: 'id', in: 'path', required: true, schema: { const: 'a/b' }, example: 'theirs' };
const operation = {
  operationId: 'ping',
  parameters: [
    { name: 'count', in: 'query', required: true, schema: { $ref: '#/components/schemas/Count' } },
    { name: 'tags', in: 'query', required: true, schema: list, example: ['a', 'b'] },
    { name: 'fields', in: 'query', required: true, explode: false, schema: list, example: ['c', 'd'] },
    { name: 'bars', in: 'query', required: true, style: 'pipeDelimited', schema: list, example: ['e', 'f'] },
    { name: 'optional', in: 'query', schema: { type: 'string' }, example: 'no' },
    { name: 'generated', in: 'query', required: true, schema: { const: 'e' } },
    { name: 'If-None-Match', in: 'header', schema: { type: 'string' }, example: '"1"' },
    { name: 'X-Needed', in: 'header', required: true, schema: { type: 'string' }, example: 'f' },
  ],
};
const document = readContractDocument({
  paths: {
    '/ping': { get: operation },
    '/ping/{id}.json': { parameters: [id], get: {}, patch: { requestBody: body } },
  },
  components: { schemas: { Count: { type: 'integer', default: 3 } } },
});

it('builds a request from what is required; only a read has the example of its path', () => {
  const tools = { make: createValueGenerator(document), random: createRandomGenerator('any') };
  const query = ['count=3', 'tags=a', 'tags=b', 'fields=c,d', 'bars=e|f', 'generated=e'];
  expect(document.operations.map((one) => toDocumentedRequest(one, tools))).toEqual([
    {
      method: 'GET',
      path: '/ping',
      query: query.map((pair) => pair.split('=')),
      headers: { 'X-Needed': 'f' },
    },
    { method: 'GET', path: '/ping/theirs.json' },
    {
      method: 'PATCH',
      path: '/ping/a%2Fb.json',
      headers: { 'Content-Type': 'application/vnd.x+json' },
      body: { a: 1 },
    },
  ]);
  expect(document.operationOf('GET', '/ping/theirs.json')?.path).toBe('/ping/{id}.json');
});
