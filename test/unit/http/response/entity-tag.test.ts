import { describe, expect, it } from 'vitest';
import { hasVersion, parseIfMatch, toEntityTag } from '../../../../src/http/response/entity-tag.ts';

it('a version is written in quotes', () => {
  expect(toEntityTag('a-_9')).toBe('"a-_9"');
});

describe('If-Match', () => {
  it.each<[header: string | undefined, versions: readonly string[] | undefined]>([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"a"', ['a']],
    ['"a","b" ,  "c"', ['a', 'b', 'c']],
    ['""', ['']],
    ['"a,b"', ['a,b']],
    ['W/"a"', ['a']],
    ['W/"a", "b"', ['a', 'b']],
  ])('%j names the versions %j', (header, versions) => {
    expect(parseIfMatch(header)).toEqual(versions);
  });

  it.each([
    '',
    ' ',
    'a',
    '"a',
    'a"',
    '"a",',
    ',"a"',
    '"a" "b"',
    '*, "a"',
    'w/"a"',
    "'a'",
    `${'"a", '.repeat(10_000)}x`,
  ])('is refused: %j', (header) => {
    expect(() => parseIfMatch(header)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        details: expect.objectContaining({ parameter: 'If-Match' }),
      }),
    );
  });

  it('reads the tag of a version back', () => {
    expect(parseIfMatch(toEntityTag('v1'))).toEqual(['v1']);
  });
});

describe('If-None-Match', () => {
  it.each<[header: string | undefined, has: boolean]>([
    [undefined, false],
    ['', false],
    ['*', true],
    ['"v1"', true],
    ['W/"v1"', true],
    ['"v0", W/"v1"', true],
    ['"v0","v2"', false],
    ['v1', false],
    ['"V1"', false],
  ])('%j has version v1: %j', (header, has) => {
    expect(hasVersion(header, 'v1')).toBe(has);
  });
});
