import { describe, expect, expectTypeOf, it } from 'vitest';
import * as errors from '../../../src/base/errors.ts';

const problems = [
  { path: 'name', message: 'is required' },
  { path: 'tags[1]', message: 'must be a string' },
];

describe('the location of an error', () => {
  it.each<[error: errors.DomainError, location: errors.ErrorLocation]>([
    [errors.invalidBody(problems), { path: 'name', problems }],
    [errors.invalidParameter('limit', 'must be a number'), { path: 'limit', reason: 'must be a number' }],
    [errors.unknownType('x.Y', '_type', []), { path: '_type', reason: 'names no content type' }],
    [errors.unknownField('nmae', 'x.Y', ''), { path: 'nmae' }],
    [errors.predicateSyntax(7, 'a value', 'the end'), { path: 'where', column: 7 }],
    [errors.predicateType(9, 'expected a number'), { path: 'where', column: 9 }],
    [errors.valuesMismatch(1, 2), { path: 'values' }],
    [errors.queryTooCostly('tags'), { path: 'tags' }],
    [errors.queryTooCostly(), {}],
    [errors.valueInUse('slug', 'x'), { path: 'slug', reason: 'is already in use' }],
    [errors.idInUse('x'), { path: '_id', reason: 'is already in use' }],
    [errors.atomicUnsupported(), { path: 'atomic' }],
    [errors.notFound('x'), {}],
    [errors.storeBusy('a lock'), {}],
  ])('%s', (error, location) => {
    expect(errors.locateError(error)).toEqual(location);
  });

  it('is that of its problems, when it has several', () => {
    const error = new errors.DomainError('value_in_use', 'x', { field: 'slug', value: 'x' }, { problems });
    expect(errors.locateError(error)).toEqual({ path: 'name', problems });
  });
});

describe('a code', () => {
  it('determines the details of an error', () => {
    const describeError = (error: errors.DomainError) => {
      switch (error.code) {
        case 'not_found':
          expectTypeOf(error.details).toEqualTypeOf<{ id: string }>();
          return error.details.id;
        case 'predicate_syntax':
          expectTypeOf(error.details).toEqualTypeOf<{ column: number; expected: string }>();
          return error.details.expected;
        default:
          return '';
      }
    };
    expect(describeError(errors.notFound('x'))).toBe('x');
    expect(describeError(errors.predicateSyntax(1, 'a number', 'none'))).toBe('a number');
  });
});
