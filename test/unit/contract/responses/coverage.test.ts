import { expect, it } from 'vitest';
import { readContractDocument } from '../../../../src/contract/apis/contract-document.ts';
import { createCoverage } from '../../../../src/contract/responses/coverage.ts';

const json = { 'application/json': { schema: {} } };
const document = readContractDocument({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: { content: { ...json, 'text/csv': {} }, headers: { ETag: {}, Link: {} } },
          304: {},
          '4XX': { content: json },
        },
      },
    },
    '/things/{id}': {
      patch: {
        operationId: 'patchThing',
        parameters: [{ name: 'id', in: 'path', required: true }],
        requestBody: { content: { ...json, 'application/merge-patch+json': { schema: {} } } },
        responses: { 200: { content: json } },
      },
    },
  },
});
const request = { method: 'GET', path: '/things' };
const received = (status: number, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: {},
});

it('lists operations that were never sent and responses that were never received, without their parts', () => {
  const coverage = createCoverage(document);
  expect(coverage.untested()).toEqual(['listThings', 'patchThing']);
  coverage.record(request, received(400));
  expect(coverage.untested('listThings')).toEqual([
    'listThings query limit',
    'listThings header If-None-Match',
    'listThings 200',
    'listThings 304',
  ]);
});

it('counts a parameter as tested when a request with it succeeds, and each header and media type of a response', () => {
  const coverage = createCoverage(document);
  coverage.record({ ...request, query: [['limit', 'ten']] }, received(400));
  expect(coverage.untested('listThings')).toContain('listThings query limit');
  coverage.record({ ...request, query: [['limit', '10']] }, received(200, { etag: '"1"' }));
  coverage.record({ ...request, headers: { 'if-none-match': '"1"' } }, received(304));
  expect(coverage.untested('listThings')).toEqual(['listThings 200 header Link', 'listThings 200 text/csv']);
});

it('tells the media types of a body apart', () => {
  const coverage = createCoverage(document);
  coverage.record({ method: 'PATCH', path: '/things/1', body: {} }, received(200));
  expect(coverage.untested('patchThing')).toEqual(['patchThing body application/merge-patch+json']);
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  coverage.record({ method: 'PATCH', path: '/things/1', headers, body: {} }, received(200));
  expect(coverage.untested()).toEqual(['listThings']);
});
