import { expect, it } from 'vitest';
import { readScalar } from '../../../src/admin/pages/content/draft/read-scalar.ts';

const flawOf = (name: string, draft: string, constraint: object = {}) =>
  readScalar(
    { name: 'a', graphqlName: 'a', type: { kind: 'scalar', name }, list: false, required: false, constraint },
    draft,
  ).flaw;

const limits = { min: -0.5, max: 100, scale: 2 };

it.each([
  ['Date', '2024-02-29', {}, undefined],
  ['Date', '2023-02-29', {}, 'must be a date'],
  ['DateTime', '2024-02-29T12:00:00.25-08:00', {}, undefined],
  ['DateTime', '2024-02-29T12:00:00', {}, expect.stringMatching(/^must be a date and time with its offset/)],
  [
    'DateTime',
    '2024-02-29T12:00:00+1',
    {},
    expect.stringMatching(/^must be a date and time with its offset/),
  ],
  ['Decimal', '100.00', limits, undefined],
  ['Decimal', '-0.50', limits, undefined],
  ['Decimal', '-0.51', limits, 'must be at least -0.5'],
  ['Decimal', '100.01', limits, 'must be at most 100'],
  ['Decimal', '1.005', limits, 'must have at most 2 digits after the point'],
  ['Decimal', '1,5', {}, expect.stringMatching(/^must be a decimal number/)],
])('a %s from the draft %j within %j has the flaw %j', (name, draft, constraint, flaw) => {
  expect(flawOf(name, draft, constraint)).toEqual(flaw);
});
