import { MongoError, MongoNetworkError, MongoServerError, MongoTopologyClosedError } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { notFound } from '../../../../src/base/errors.ts';
import { toStoreError } from '../../../../src/store/mongo/map-error.ts';

const serverError = (code: number) => new MongoServerError({ message: 'not master, timed out', code });

describe('an error of the driver or of MongoDB', () => {
  test.each([
    ['a lost connection', new MongoNetworkError('gone')],
    [
      'a socket that closes while it is written to',
      Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
    ],
    ['a connection pool that was closed', new MongoTopologyClosedError('closed')],
    ['a server that shuts down', serverError(91)],
    ['a primary that stepped down', serverError(189)],
    ['a server that is not the primary', serverError(10107)],
    ['an operation that exceeded its time limit', serverError(50)],
    ['a write concern that times out', serverError(64)],
  ])('%s is busy', (_, error) => {
    expect(toStoreError('get', error)).toMatchObject({ code: 'store_busy', cause: error });
  });

  test.each([
    ['a refused login', serverError(18)],
    ['an error of the driver', new MongoError('not primary')],
    ['no error at all', 'not primary'],
  ])('%s is a failure, whatever its message says', (_, error) => {
    expect(toStoreError('get', error)).toMatchObject({ code: 'store_failure', cause: error });
  });

  test('a document that is too large maps to invalid_body', () => {
    expect(toStoreError('insert', serverError(10334))).toMatchObject({ code: 'invalid_body' });
  });

  test('a transaction that is too large maps to invalid_body', () => {
    expect(toStoreError('write', serverError(388))).toMatchObject({ code: 'invalid_body' });
  });

  test('a domain error is returned unchanged', () => {
    const error = notFound('x');
    expect(toStoreError('get', error)).toBe(error);
  });
});
