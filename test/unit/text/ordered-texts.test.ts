import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/query/text.ts';
import { dateOrder, dateTimeOrder, decimalOrder } from '../../../src/text/ordered-texts.ts';

const year = fc.integer({ min: 1, max: 9999 });
const pad = (number: number, length = 2) => String(number).padStart(length, '0');

describe('Date', () => {
  it.each(['0001-01-01', '2000-02-29', '2024-02-29', '9999-12-31'])('accepts %s', (text) => {
    expect(dateOrder.toKey(text)).toBe(text);
  });

  it.each([
    ...['0000-01-01', '1900-02-29', '2023-02-29', '2024-04-31', '2024-13-01', '2024-00-01', '2024-01-00'],
    ...['2024-1-01', '12024-01-01', '-2024-01-01', '2024-01-01 ', '2024-01-01\n', '2024-01-01T00:00:00Z', ''],
  ])('refuses %j', (text) => {
    expect(dateOrder.toKey(text)).toBeUndefined();
  });
});

describe('DateTime', () => {
  it.each([
    ['2024-02-29T23:30:00Z', '2024-02-29T23:30:00Z'],
    ['2024-03-01T01:30:00.100000+02:00', '2024-02-29T23:30:00.1Z'],
    ['2024-02-29t18:00:00.123456-05:30', '2024-02-29T23:30:00.123456Z'],
    ['1969-12-31T23:59:59.9z', '1969-12-31T23:59:59.9Z'],
    ['0099-01-01T00:00:00-00:00', '0099-01-01T00:00:00Z'],
  ])('%s is %s in UTC', (text, utc) => {
    expect(dateTimeOrder.fromKey(dateTimeOrder.toKey(text) ?? '')).toBe(utc);
  });

  it.each([
    ...['2024-02-29T23:30:00', '2024-02-29T23:30Z', '2024-02-29 23:30:00Z', '2024-02-29T24:00:00Z'],
    ...[
      '2016-12-31T23:59:60Z',
      '2024-02-29T23:30:00.Z',
      '2024-02-29T23:30:00.1234567Z',
      '2023-02-29T00:00:00Z',
    ],
    ...['2024-02-29T23:30:00+24:00', '2024-02-29T23:30:00+01:60', '2024-02-29T23:30:00+0100', '2024-02-29'],
    ...['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '0000-12-31T23:59:59-01:00'],
  ])('refuses %j', (text) => {
    expect(dateTimeOrder.toKey(text)).toBeUndefined();
  });

  const moment = fc
    .record({
      year: fc.oneof(year, fc.constantFrom(1969, 1970)),
      day: fc.integer({ min: 2, max: 27 }),
      second: fc.integer({ min: 0, max: 86_399 }),
      fraction: fc.constantFrom('', '.0', '.000001', '.5', '.50', '.999999'),
      offset: fc.constantFrom('Z', '+00:00', '+05:30', '-11:59', '+23:59'),
    })
    .map(({ year, day, second, fraction, offset }) => {
      const time = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map((part) =>
        pad(part),
      );
      const local = `${pad(year, 4)}-06-${pad(day)}T${time.join(':')}`;
      const micros = BigInt(fraction.slice(1).padEnd(6, '0'));
      return {
        text: local + fraction + offset,
        instant: BigInt(Date.parse(local + offset)) * 1000n + micros,
      };
    });

  it('is ordered by its instant', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const order = compareText(dateTimeOrder.toKey(a.text) ?? '', dateTimeOrder.toKey(b.text) ?? '');
        expect(Math.sign(order)).toBe(a.instant < b.instant ? -1 : Number(a.instant > b.instant));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('Decimal', () => {
  it.each([
    ['0', '0'],
    ['-0.00', '0'],
    ['007.50', '7.5'],
    ['-12.5', '-12.5'],
    ['-0.10', '-0.1'],
    ['9'.repeat(34), '9'.repeat(34)],
    [`-${'9'.repeat(25)}.123456789`, `-${'9'.repeat(25)}.123456789`],
  ])('%s is the number %s', (text, number) => {
    expect(decimalOrder.fromKey(decimalOrder.toKey(text) ?? '')).toBe(number);
  });

  it.each([
    ...[
      '',
      '-',
      '+1',
      '1.',
      '.5',
      '1e3',
      '1,5',
      ' 1',
      '1\n',
      '0x1',
      'NaN',
      'Infinity',
      '1.0000000000',
      '--1',
    ],
    ...['9'.repeat(35), `${'9'.repeat(26)}.123456789`, '١'],
  ])('refuses %j', (text) => {
    expect(decimalOrder.toKey(text)).toBeUndefined();
  });

  const digits = (max: number) =>
    fc.string({ unit: fc.constantFrom(...'0019'), minLength: 1, maxLength: max });
  const decimal = fc
    .record({
      sign: fc.constantFrom('', '-'),
      whole: digits(25),
      fraction: fc.option(digits(9), { nil: '' }),
    })
    .map(({ sign, whole, fraction }) => {
      const number = BigInt(sign + whole + fraction.padEnd(9, '0'));
      return { text: sign + whole + (fraction && `.${fraction}`), number };
    });

  it('is ordered as a number, and equal numbers have one key', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const order = compareText(decimalOrder.toKey(a.text) ?? '', decimalOrder.toKey(b.text) ?? '');
        expect(Math.sign(order)).toBe(a.number < b.number ? -1 : Number(a.number > b.number));
      }),
      { numRuns: 1000 },
    );
  });
});
