import { describe, expect, it } from 'vitest';
import {
  hasEntityTag,
  parseIfMatch,
  parseVersion,
  toEntityTag,
} from '../../../../src/http/response/streamed-body.ts';

describe('an entity tag', () => {
  it('is the version in quotes', () => {
    expect(toEntityTag('a-_9')).toBe('"a-_9"');
  });

  it('of an asset has the shape of its type after a dot', () => {
    expect(toEntityTag('a-_9', 'q7Rw2bXc')).toBe('"a-_9.q7Rw2bXc"');
  });
});

describe('If-Match', () => {
  it.each<[header: string | undefined, versions: readonly string[] | undefined]>([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"a"', ['a']],
    ['"a","b" ,  "c"', ['a', 'b', 'c']],
    ['"a.s", W/"b.t"', ['a', 'b']],
    ['".s"', ['']],
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

  it('reads the version of a tag back', () => {
    expect(parseIfMatch(toEntityTag('v1', 's1'))).toEqual(['v1']);
  });
});

describe('one version', () => {
  it.each(['v-_1', '"v-_1"', 'v-_1.s', '"v-_1.s"', 'W/"v-_1"', 'W/"v-_1.s"', ' "v-_1.s" '])(
    'is read from %j',
    (text) => {
      expect(parseVersion(text, 'X-Base-Version')).toBe('v-_1');
    },
  );

  it.each(['', ' ', '*', '""', '".s"', '.s', '"v', 'v"', '"v", "w"', 'v w', "'v'", 'é', 'W/v"'])(
    'is refused: %j',
    (text) => {
      expect(() => parseVersion(text, 'X-Base-Version')).toThrow(
        expect.objectContaining({
          code: 'invalid_parameter',
          details: expect.objectContaining({ parameter: 'X-Base-Version' }),
        }),
      );
    },
  );
});

describe('If-None-Match', () => {
  it.each<[header: string | undefined, has: boolean]>([
    [undefined, false],
    ['', false],
    ['*', true],
    ['"v1.s1"', true],
    ['W/"v1.s1"', true],
    ['"v0.s1", W/"v1.s1"', true],
    ['"v0.s1","v2.s1"', false],
    ['"v1"', false],
    ['"v1.s2"', false],
    ['v1.s1', false],
    ['"V1.s1"', false],
  ])('%j has the tag "v1.s1": %j', (header, has) => {
    expect(hasEntityTag(header, toEntityTag('v1', 's1'))).toBe(has);
  });
});
