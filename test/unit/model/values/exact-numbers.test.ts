import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDomainError, type Problem } from '../../../../src/base/errors.ts';
import { isExactNumber } from '../../../../src/model/values/exact-numbers.ts';
import { parseJsonObjectText } from '../../../../src/model/values/parse-json.ts';

describe('a number', () => {
  it.each([
    '0',
    '-0',
    '0.0',
    '0e5',
    '0e-999',
    '1',
    '-17',
    '123456789012345',
    '9007199254740991',
    '9007199254740992',
    '9007199254740994',
    '1e3',
    '1E+21',
    '1e22',
    '1e23',
    '123456789012345680000',
    '1.5e300',
    '0.1',
    '0.30000000000000004',
    '0.123456789012345678901234567890',
    '123456789012345.678901234567',
    '1e-300',
    '5e-324',
    '1.7976931348623157e308',
    '12.50',
    '1000000000000000000000000000000',
    '1763704800000.000',
    `0.${'0'.repeat(320)}1`.slice(0, 200),
  ])('%s keeps its value', (source) => expect(isExactNumber(source)).toBe(true));

  it.each([
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '12345678901234567890.0',
    '1.2345678901234567890e19',
    '1234567890123456789e5',
    '1e400',
    '-1e400',
    '1e-400',
    '-1e-400',
    `0.${'0'.repeat(330)}1`,
    '1e999999999999',
    '123456789012345678901234567890',
    '9'.repeat(400),
  ])('%s does not', (source) => expect(isExactNumber(source)).toBe(false));

  it('in JavaScript keeps its value in every notation', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 20 }),
        (number, digits) => {
          const texts = [JSON.stringify(number), String(number), number.toExponential()];
          for (const text of texts) expect([text, isExactNumber(text)]).toEqual([text, true]);
          // Rounding to fewer digits gives another number, which these digits represent exactly.
          const shorter = number.toExponential(Math.min(digits, 14));
          expect([shorter, isExactNumber(shorter)]).toEqual([
            shorter,
            Number.isFinite(Number(shorter)) &&
              (Number(shorter) !== 0 || Number(shorter.split('e')[0]) === 0),
          ]);
        },
      ),
    );
  });

  it('that is whole keeps its value only if printing it gives the same digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (whole) => {
        const again = JSON.stringify(Number(whole)).replace(
          /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/,
          (_, sign, first, rest = '', power) => sign + first + rest.padEnd(Number(power), '0'),
        );
        expect(isExactNumber(String(whole))).toBe(again === String(whole));
      }),
    );
  });
});

describe('a body', () => {
  const problemsOf = (text: string): readonly Problem[] => {
    try {
      parseJsonObjectText(text, { maxDepth: 64 });
      return [];
    } catch (error) {
      if (!isDomainError(error, 'invalid_body')) throw error;
      return error.details.problems;
    }
  };

  it('reports the position of every number that would lose its value', () => {
    const message = 'is a number that cannot be stored exactly; send it as a string';
    expect(
      problemsOf('{"a":{"b":[1,12345678901234567890,{"c":-1e-400}]},"d":"12345678901234567890","e":1e400}'),
    ).toEqual([
      { path: 'a.b[1]', message },
      { path: 'a.b[2].c', message },
      { path: 'e', message },
    ]);
  });

  it('accepts such digits in texts and names, and exact numbers', () => {
    const text =
      '{"12345678901234567890":"1e400","a\\"1e-400":[0.1,1e3,-2.5E-3,1763704800000,9007199254740992,{}]}';
    expect(problemsOf(text)).toEqual([]);
    expect(parseJsonObjectText(text, { maxDepth: 64 })).toEqual(JSON.parse(text));
  });
});
