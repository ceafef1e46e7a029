import { expect, it } from 'vitest';
import { readContractDocument } from '../../../src/contract/apis/contract-document.ts';
import { toDocumentedRequest } from '../../../src/contract/samples/documented-request.ts';
import { createRandomGenerator } from '../../../src/contract/samples/random-generator.ts';
import { createValueGenerator } from '../../../src/contract/samples/sample-value.ts';

const list = { type: 'array', items: { type: 'string' } };
const operation = {
  operationId: 'ping',
  parameters: [
    { name: 'count', in: 'query', schema: { $ref: '#/components/schemas/Count' } },
    { name: 'tags', in: 'query', schema: list, example: ['a', 'b'] },
    { name: 'fields', in: 'query', explode: false, schema: list, example: ['c', 'd'] },
    { name: 'optional', in: 'query', schema: { type: 'string' } },
    { name: 'required', in: 'query', required: true, schema: { const: 'e' } },
    { name: 'If-None-Match', in: 'header', schema: { type: 'string' }, example: '"1"' },
    { name: 'X-Needed', in: 'header', required: true, schema: { type: 'string' }, example: 'f' },
  ],
};
const document = readContractDocument({
  paths: { '/ping': { get: operation, delete: {} }, '/ping/{id}': { get: {} } },
  components: { schemas: { Count: { type: 'integer', default: 3 } } },
});

it('builds a request from examples, defaults and what is required; none that could change anything', () => {
  const tools = { make: createValueGenerator(document), random: createRandomGenerator('any') };
  const query = ['count=3', 'tags=a', 'tags=b', 'fields=c,d', 'required=e'].map((pair) => pair.split('='));
  expect(document.operations.map((one) => toDocumentedRequest(one, tools))).toEqual([
    { method: 'GET', path: '/ping', query, headers: { 'X-Needed': 'f' } },
    undefined,
    undefined,
  ]);
});
