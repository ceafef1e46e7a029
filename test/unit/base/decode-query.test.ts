import { expect, it } from 'vitest';
import { decodeQuery } from '../../../src/base/decode-query.ts';

it('decodes names and values, in order, skips what is empty, and tells a missing value from an empty one', () => {
  expect(decodeQuery('&a=1+2&&b&b=&=c&a=%C3%A9=&')).toEqual([
    ['a', '1 2'],
    ['b', undefined],
    ['b', ''],
    ['', 'c'],
    ['a', 'é='],
  ]);
});

it.each([9, 20_000])(
  'decodes plus signs among other characters, also in a text of %d characters',
  (length) => {
    const text = 'é+😀+%2B+ü'.repeat(length / 9);
    expect(decodeQuery(`a=${text}`)).toEqual([['a', 'é 😀 + ü'.repeat(length / 9)]]);
  },
);

it('refuses malformed text by the name of the parameter', () => {
  expect(() => decodeQuery('a=%')).toThrow('"a" is not well-formed percent-encoded UTF-8');
  expect(() => decodeQuery('%FF=1', 'the form')).toThrow(
    '"the form" is not well-formed percent-encoded UTF-8',
  );
});

it('takes 100,000 parameters, and refuses more', () => {
  const parameters = 'a=1&'.repeat(100_000);
  expect(decodeQuery(parameters)).toHaveLength(100_000);
  expect(() => decodeQuery(`${parameters}a`, 'the form')).toThrow('has more than 100000 parameters');
});
