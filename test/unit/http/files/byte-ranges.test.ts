import { describe, expect, it } from 'vitest';
import { readRanges } from '../../../../src/http/files/serve-files.ts';

describe('the header Range', () => {
  it.each([
    ['bytes=0-0', [[0, 0]]],
    ['bytes=2-', [[2, 9]]],
    ['bytes=-3', [[7, 9]]],
    ['bytes=-30', [[0, 9]]],
    ['bytes=5-30', [[5, 9]]],
    [
      'BYTES=0-1 , 4-5',
      [
        [0, 1],
        [4, 5],
      ],
    ],
    ['bytes=0-1,20-', [[0, 1]]],
    ['bytes=10-', []],
    ['bytes=-0', []],
  ])('%s of ten bytes asks for %j', (header, ranges) => {
    expect(readRanges(header, 10)?.map(({ start, end }) => [start, end])).toEqual(ranges);
  });

  it.each([
    [undefined],
    ['items=0-1'],
    ['bytes='],
    ['bytes=-'],
    ['bytes=3-2'],
    ['bytes=a-b'],
    ['bytes=0-1;2-3'],
    ['bytes=0-9,0-9'],
    [`bytes=${Array.from({ length: 17 }, () => '0-0').join(',')}`],
  ])('%s asks for the whole file', (header) => {
    expect(readRanges(header, 10)).toBeUndefined();
  });
});
