import { describe, expect, it } from 'vitest';
import * as errors from '../../../../src/base/errors.ts';
import { toProblemResponse } from '../../../../src/http/error-map.ts';

const problems = [
  { path: 'mappings[0].path', message: 'is in use' },
  { path: 'mappings[1].query', message: 'Expected Name', line: 3, column: 12 },
];

describe('a refusal contains its reason and location', () => {
  it.each<[error: errors.DomainError, status: number, title: string, places: object]>([
    [errors.invalidJson('it is empty'), 400, 'Bad Request', {}],
    [errors.invalidBody(problems), 400, 'Bad Request', { problems }],
    [
      errors.invalidParameter('limit', 'must be a number'),
      400,
      'Bad Request',
      { problems: [{ path: 'limit', message: 'must be a number' }] },
    ],
    [
      errors.predicateSyntax(7, 'a value', 'the end'),
      400,
      'Bad Request',
      {
        problems: [
          { path: 'where', message: 'Column 7: expected a value, found the end', line: 1, column: 7 },
        ],
      },
    ],
    [
      errors.valueInUse('name', 'News'),
      409,
      'Conflict',
      { problems: [{ path: 'name', message: errors.valueInUse('name', 'News').message }] },
    ],
    [errors.inUse('GraphQL endpoint "a"', { id: 'x', users: ['b'] }), 409, 'Conflict', {}],
    [errors.unauthorized('No'), 401, 'Unauthorized', {}],
    [errors.notFound('x', 'REST endpoint'), 404, 'Not Found', {}],
    [errors.preconditionFailed('x'), 412, 'Precondition Failed', {}],
  ])('%s', (error, status, title, places) => {
    const { code, message: detail } = error;
    expect(toProblemResponse(error)).toMatchObject({
      status,
      headers: { 'Content-Type': 'application/problem+json' },
    });
    expect(toProblemResponse(error).body).toEqual({
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      ...places,
    });
  });

  it('has the headers that go with its status', () => {
    expect(toProblemResponse(errors.methodNotAllowed('PATCH', ['GET', 'HEAD'])).headers).toHaveProperty(
      'Allow',
      'GET, HEAD',
    );
    expect(toProblemResponse(errors.unauthorized('No')).headers).toHaveProperty('WWW-Authenticate');
  });
});

describe('a failure reveals no details', () => {
  it.each<[name: string, failure: unknown]>([
    ['a bug', new Error('SELECT secret')],
    ['a failing store', errors.storeFailure('find', new Error('SELECT secret'))],
    ['a text', 'SELECT secret'],
    ['nothing', undefined],
  ])('%s', (_name, failure) => {
    expect(toProblemResponse(failure)).toEqual({
      status: 500,
      headers: { 'Content-Type': 'application/problem+json' },
      body: {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: 'The service failed; its log says why',
      },
    });
  });

  it('except Retry-After when the store is busy', () => {
    const { status, headers, body } = toProblemResponse(errors.storeBusy('SELECT secret'));
    expect([status, headers?.['Retry-After']]).toEqual([503, '1']);
    expect(body).toMatchObject({ title: 'Service Unavailable', detail: 'The service is busy; try again' });
  });
});
