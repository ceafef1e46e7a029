import { Ajv } from 'ajv';
import type { Document, ParsedRequest } from 'openapi-backend';
import { describe, expect, it } from 'vitest';
import { RequestRouter, RequestValidator } from '../../../../src/http/openapi/request-router.ts';
import { toProblems } from '../../../../src/http/openapi/validation-error.ts';

const definition: Document = {
  openapi: '3.0.3',
  info: { title: 'Books', version: '1' },
  paths: { '/books': { post: { operationId: 'createBook', responses: { 200: { description: 'Done.' } } } } },
};

// As the generated functions: all errors, and parameters converted in place.
const parameters = new Ajv({ allErrors: true, coerceTypes: true, strict: false });
const bodies = new Ajv({ allErrors: true, strict: false });

const router = new RequestRouter(definition);
const validator = new RequestValidator({
  router,
  validators: {
    createBook: [
      parameters.compile({ properties: { query: { properties: { copies: { type: 'integer' } } } } }),
      bodies.compile({
        properties: {
          requestBody: {
            type: 'object',
            required: ['title'],
            properties: { title: { type: 'string' }, tags: { items: { type: 'string' } } },
            additionalProperties: false,
          },
        },
      }),
    ],
  },
});

function request(query: Record<string, string>, requestBody: unknown): ParsedRequest {
  return { method: 'POST', path: '/books', query, headers: {}, params: {}, cookies: {}, requestBody };
}

function validate(sent: ParsedRequest) {
  return validator.validateRequest(sent, router.findOperation('POST', '/books') ?? expect.unreachable());
}

describe('validating a request', () => {
  it('accepts a valid one', () => {
    expect(validate(request({ copies: '2' }, { title: 'Emma', tags: ['novel'] }))).toEqual({
      valid: true,
      errors: null,
    });
  });

  it('keeps parameters as they were sent', () => {
    const sent = request({ copies: '2' }, { title: 'Emma' });
    validate(sent);
    expect(sent.query).toEqual({ copies: '2' });
  });

  it('finds all problems of a body', () => {
    const { valid, errors } = validate(request({}, { tags: ['novel', 3], pages: 12 }));
    expect(valid).toBe(false);
    expect(toProblems(errors ?? [])).toEqual([
      { path: 'title', message: 'is required' },
      { path: 'pages', message: 'is not a known member' },
      { path: 'tags[1]', message: 'must be a string' },
    ]);
  });

  it('finds the problems of parameters and body together', () => {
    const { errors } = validate(request({ copies: 'many' }, {}));
    expect(errors?.map(({ instancePath }) => instancePath)).toEqual(['/query/copies', '/requestBody']);
  });

  it('fails for an operation without validators', () => {
    const sent = request({}, {});
    const operation = { ...router.matchOperation(sent, true), operationId: 'updateBook' };
    expect(() => validator.validateRequest(sent, operation)).toThrow(
      'operation updateBook has no validators',
    );
  });
});
