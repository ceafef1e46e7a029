import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../../src/base/errors.ts';
import { toProblems, toValidationError } from '../../../../src/http/openapi/validation-error.ts';

/** Validates a request like a served API, and returns the error. */
function errorOf(schema: object, request: object): unknown {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  expect(validate(request)).toBe(false);
  return toValidationError(validate.errors ?? []);
}

function problemsOf(schema: object, body: unknown): unknown {
  const error = errorOf({ properties: { requestBody: schema } }, { requestBody: body });
  if (!isDomainError(error, 'invalid_body')) throw error;
  return error.details.problems;
}

describe('the problems of a body', () => {
  it.each<[name: string, schema: object, body: unknown, path: string, message: string]>([
    ['a missing member', { required: ['name'] }, {}, 'name', 'is required'],
    ['one too many', { additionalProperties: false }, { secret: 1 }, 'secret', 'is not a known member'],
    ['another type', { properties: { a: { type: 'string' } } }, { a: 1 }, 'a', 'must be a string'],
    [
      'none of two types',
      { properties: { a: { type: ['array', 'null'] } } },
      { a: 1 },
      'a',
      'must be a list or null',
    ],
    [
      'none of an enum',
      { properties: { a: { enum: ['GET', 'PUT'] } } },
      { a: 'x' },
      'a',
      'must be one of GET, PUT',
    ],
    [
      'too short a text',
      { properties: { a: { minLength: 2 } } },
      { a: '' },
      'a',
      'must have at least 2 characters',
    ],
    [
      'too long a text',
      { properties: { a: { maxLength: 2 } } },
      { a: 'abc' },
      'a',
      'must have at most 2 characters',
    ],
    ['too few items', { properties: { a: { minItems: 1 } } }, { a: [] }, 'a', 'must not be empty'],
    [
      'too many items',
      { properties: { a: { maxItems: 1 } } },
      { a: [1, 2] },
      'a',
      'must have at most 1 items',
    ],
    ['too small a number', { properties: { a: { minimum: 0 } } }, { a: -1 }, 'a', 'must be at least 0'],
    ['too large a number', { properties: { a: { maximum: 9 } } }, { a: 10 }, 'a', 'must be at most 9'],
    [
      'a text that does not match its pattern',
      { properties: { a: { pattern: '^x$' } } },
      { a: 'y' },
      'a',
      'must match ^x$',
    ],
  ])('%s', (_name, schema, body, path, message) => {
    expect(problemsOf({ type: 'object', ...schema }, body)).toEqual([{ path, message }]);
  });

  it('are located, also in lists and under unusual names', () => {
    const text = { type: 'string' };
    const schema = {
      properties: {
        mappings: { items: { properties: { query: text, 'a/b~c': text }, required: ['name'] } },
        name: text,
      },
    };
    const body = { mappings: [{ name: '' }, { query: 1, 'a/b~c': 2 }], name: 3 };
    const paths = (problemsOf(schema, body) as { path: string }[]).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['mappings[1].a/b~c', 'mappings[1].name', 'mappings[1].query', 'name']);
  });
});

describe('an invalid parameter', () => {
  const parameters = (place: string, schema: object) => ({ properties: { [place]: schema } });

  it.each<[name: string, schema: object, request: object, parameter: string, reason: string]>([
    ['lacks', parameters('query', { required: ['from'] }), { query: {} }, 'from', 'is required'],
    [
      'is not known',
      parameters('query', { additionalProperties: false }),
      { query: { fields: 'a' } },
      'fields',
      'is not a parameter of this operation',
    ],
    [
      'is out of its range',
      parameters('path', { properties: { number: { type: 'integer', minimum: 1 } } }),
      { path: { number: 0 } },
      'number',
      'must be at least 1',
    ],
  ])('%s', (_name, schema, request, parameter, reason) => {
    expect(errorOf(schema, request)).toMatchObject({
      code: 'invalid_parameter',
      details: { parameter, reason },
    });
  });

  it('is reported before problems of the body', () => {
    const schema = parameters('requestBody', { required: ['name'] });
    const both = {
      properties: { ...schema.properties, ...parameters('query', { required: ['from'] }).properties },
    };
    expect(errorOf(both, { requestBody: {}, query: {} })).toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('very many findings', () => {
  const finding = (operation: number, member: string) => ({
    keyword: 'additionalProperties',
    instancePath: `/requestBody/operations/${operation}`,
    params: { additionalProperty: member },
  });

  it('become the problems of the first ones, and one for each later operation', () => {
    const findings = Array.from({ length: 200 }, (_, operation) =>
      Array.from({ length: 90 }, (_, member) => finding(operation, `m${member}`)),
    ).flat();
    const problems = toProblems(findings);
    const countOf = (operation: number) =>
      problems.filter(({ path }) => path.startsWith(`operations[${operation}].`)).length;
    expect([countOf(0), countOf(110), countOf(111), countOf(112), countOf(199)]).toEqual([90, 90, 10, 1, 1]);
  });

  it('leave no place out where something is wrong', () => {
    const many = Array.from({ length: 10_000 }, (_, member) => finding(0, `m${member}`));
    const asset = {
      keyword: 'type',
      instancePath: '/requestBody/operations/1/asset',
      params: { type: 'object' },
    };
    const problems = toProblems([...many, asset, finding(1, 'x'), finding(1, 'y')]);
    expect(problems.slice(10_000).map(({ path }) => path)).toEqual([
      'operations[1].asset',
      'operations[1].x',
    ]);
  });
});
