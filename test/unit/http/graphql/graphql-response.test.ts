import { describe, expect, it } from 'vitest';
import {
  invalidBody,
  limitExceeded,
  notFound,
  predicateSyntax,
  storeBusy,
  storeFailure,
} from '../../../../src/base/errors.ts';
import {
  findServiceFailures,
  statusOfBody,
  toFailureBody,
  toGraphqlBody,
  toRefusedBody,
} from '../../../../src/http/graphql/run-operation.ts';

const failing = (cause: unknown) => ({
  data: null,
  errors: [
    {
      message: cause instanceof Error ? cause.message : '',
      path: ['article'],
      locations: [{ line: 1, column: 3 }],
      cause,
    },
  ],
});

describe('the body of a response', () => {
  it('contains only the data when there are no errors', () => {
    expect(toGraphqlBody({ data: { a: 1 } })).toEqual({ data: { a: 1 } });
    expect(statusOfBody({ data: null })).toBe(200);
  });

  it('lists errors before the data, each with code, location and details', () => {
    const body = toGraphqlBody(failing(predicateSyntax(7, 'a value', 'the end')));
    expect(Object.keys(body)).toEqual(['errors', 'data']);
    expect(body.errors).toEqual([
      {
        message: 'Column 7: expected a value, found the end',
        locations: [{ line: 1, column: 3 }],
        path: ['article'],
        extensions: { code: 'predicate_syntax', path: 'where', column: 7 },
      },
    ]);
    expect(statusOfBody(body)).toBe(400);
  });

  it.each([
    [notFound('x'), 404, 'not_found'],
    [storeBusy('locked'), 503, 'store_busy'],
    [storeFailure('find', new Error('SQLITE_CORRUPT')), 500, 'internal'],
    [new TypeError('secret of the house'), 500, 'internal'],
  ])('asks for the status of its first error: %s', (cause, status, code) => {
    const body = toGraphqlBody(failing(cause));
    expect(statusOfBody(body)).toBe(status);
    expect(body.errors?.[0]?.extensions.code).toBe(code);
  });

  it.each([storeFailure('find', new Error('SQLITE_CORRUPT')), new TypeError('secret of the house')])(
    'never shows what happened inside: %s',
    (cause) => {
      const text = JSON.stringify(toGraphqlBody(failing(cause)));
      expect(text).not.toMatch(/SQLITE|secret|stack|find/);
      expect(findServiceFailures(failing(cause))).toEqual([cause]);
    },
  );

  it('lists all problems of an input', () => {
    const problems = [{ path: 'name', message: 'is required' }];
    const { errors } = toGraphqlBody(failing(invalidBody(problems)));
    expect(errors?.[0]?.extensions).toEqual({ code: 'invalid_body', path: 'name', problems });
  });

  it('distinguishes invalid variables from data that does not fit the schema', () => {
    const error = { message: 'Variable "$n" got invalid value' };
    expect(toGraphqlBody({ errors: [error] }).errors?.[0]?.extensions).toEqual({ code: 'invalid_variables' });
    expect(toGraphqlBody({ data: null, errors: [error] }).errors?.[0]?.extensions).toEqual({
      code: 'internal',
      http: { status: 500 },
    });
  });
});

describe('the body without data', () => {
  it('lists the problems of a document with their locations', () => {
    const body = toRefusedBody({ problems: [{ message: 'Expected Name', line: 2, column: 5 }] });
    expect(body).toEqual({
      errors: [
        {
          message: 'Expected Name',
          locations: [{ line: 2, column: 5 }],
          extensions: { code: 'invalid_query' },
        },
      ],
    });
  });

  it('names the limit that was exceeded', () => {
    const cause = limitExceeded('depth', { max: 15, actual: 16 });
    const { errors } = toRefusedBody({ problems: [{ message: cause.message, line: 1, column: 1 }], cause });
    expect(errors?.[0]).toMatchObject({
      message: "The query's depth is 16; the limit is 15",
      extensions: { code: 'limit_exceeded', limit: 'depth', max: 15, actual: 16 },
    });
  });

  it('reports a failure of the service without details', () => {
    expect(toFailureBody(new Error('secret')).errors?.[0]).toEqual({
      message: 'The service failed; its log says why',
      extensions: { code: 'internal', http: { status: 500 } },
    });
  });
});
