import { describe, expect, it } from 'vitest';
import * as errors from '../../../src/base/errors.ts';
import { statusOf, toErrorResponse } from '../../../src/http/error-map.ts';

const problems = [
  { path: 'name', message: 'is required' },
  { path: 'tags[1]', message: 'must be a string' },
];

describe('a refusal contains its reason and location', () => {
  it.each<[error: errors.DomainError, status: number, place: object]>([
    [errors.invalidJson('it is empty'), 400, {}],
    [errors.invalidBody(problems), 400, { path: 'name', problems }],
    [errors.invalidParameter('limit', 'must be a number'), 400, { path: 'limit' }],
    [errors.unknownType('x.Y', '_type', []), 400, { path: '_type' }],
    [errors.unknownField('nmae', 'x.Y', ''), 400, { path: 'nmae' }],
    [errors.predicateSyntax(7, 'a value', 'the end'), 400, { path: 'where', column: 7 }],
    [errors.predicateType(9, 'expected a number'), 400, { path: 'where', column: 9 }],
    [errors.valuesMismatch(1, 2), 400, { path: 'values' }],
    [errors.unauthorized('No'), 401, {}],
    [errors.forbidden('No'), 403, {}],
    [errors.notFound('x'), 404, {}],
    [errors.routeNotFound('/x'), 404, {}],
    [errors.methodNotAllowed('PATCH', ['GET', 'HEAD']), 405, {}],
    [errors.idInUse('x'), 409, { path: '_id' }],
    [errors.valueInUse('slug', 'x'), 409, { path: 'slug' }],
    [errors.preconditionFailed('x'), 412, {}],
    [errors.bodyTooLarge(10), 413, {}],
    [errors.tooManyValues({ maxValues: 10, maxMembers: 5 }), 413, {}],
    [errors.unsupportedMediaType('text/plain'), 415, {}],
    [errors.tooManyAttempts(30), 429, {}],
  ])('%s', (error, status, place) => {
    const response = toErrorResponse(error);
    expect([statusOf(error), response.status]).toEqual([status, status]);
    const { code, message } = error;
    expect(response.body).toEqual({ status: 'error', result: null, error: { code, message, ...place } });
  });

  it('has the headers that go with its status', () => {
    expect(toErrorResponse(errors.methodNotAllowed('PATCH', ['GET', 'HEAD'])).headers).toEqual({
      Allow: 'GET, HEAD',
    });
    expect(toErrorResponse(errors.tooManyAttempts(30)).headers).toEqual({ 'Retry-After': '30' });
    expect(toErrorResponse(errors.unauthorized('No')).headers).toHaveProperty('WWW-Authenticate');
    expect(toErrorResponse(errors.notFound('x')).headers).toEqual({});
  });

  it('lists at most a hundred problems', () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ path: `f${n}`, message: 'is unknown' }));
    const { body } = toErrorResponse(errors.invalidBody(many));
    expect(Object(body).error.problems).toEqual(many.slice(0, 100));
    expect(Object(body).error.message).toMatch(/^f0 is unknown; .*f4 is unknown; and 96 problems more$/);
  });
});

describe('a failure reveals no details', () => {
  const cause = new Error('SELECT secret');
  it.each<[name: string, failure: unknown]>([
    ['a bug', cause],
    ['a failing store', errors.storeFailure('find', cause)],
    ['a wrong configuration', errors.badConfig([{ path: 'SELECT', message: 'secret' }])],
    ['wrong types', errors.badTypes([{ file: 'SELECT', line: 1, column: 1, message: 'secret' }])],
    ['wrong usage', errors.usage('SELECT secret')],
    ['an error of a library that has a status', Object.assign(new Error('SELECT secret'), { status: 400 })],
    ['a text', 'SELECT secret'],
    ['nothing', undefined],
  ])('%s', (_name, failure) => {
    expect(statusOf(failure)).toBe(500);
    expect(toErrorResponse(failure)).toEqual({
      status: 500,
      headers: {},
      body: { status: 'error', result: { message: 'The service failed; its log says why' } },
    });
  });

  it('except Retry-After when the store is busy', () => {
    expect(toErrorResponse(errors.storeBusy('SELECT secret'))).toEqual({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: { status: 'error', result: { message: 'The service is busy; try again' } },
    });
  });
});
