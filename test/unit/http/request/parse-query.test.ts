import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../src/http/request/request-head.ts';

describe('parseQuery', () => {
  it.each<[text: string, query: [name: string, value: string | string[]][]]>([
    ['', []],
    ['&&', []],
    ['a=1', [['a', '1']]],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=v', [['', 'v']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      'a=1&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&b=2&a=3&a=1',
      [
        ['a', ['1', '3', '1']],
        ['b', '2'],
      ],
    ],
    ['a=&a', [['a', ['', '']]]],
    ['a+b=c+d%2Be', [['a b', 'c d+e']]],
    [
      '%C3%A4=%F0%9D%92%B3&x=%00',
      [
        ['ä', '𝒳'],
        ['x', '\0'],
      ],
    ],
    [
      'a=%26&b=%3D',
      [
        ['a', '&'],
        ['b', '='],
      ],
    ],
    [
      'a[0]=1&a[b]=2',
      [
        ['a[0]', '1'],
        ['a[b]', '2'],
      ],
    ],
    [
      '__proto__=1&constructor=2&__proto__=3',
      [
        ['__proto__', ['1', '3']],
        ['constructor', '2'],
      ],
    ],
  ])('reads %j', (text, query) => {
    expect(Object.entries(parseQuery(text))).toEqual(query);
  });

  it('returns an object without inherited members', () => {
    expect('toString' in parseQuery('a=1')).toBe(false);
  });

  it.each([
    ['a=%', 'a'],
    ['a=%E0%A4%A', 'a'],
    ['a=1&b=%ff', 'b'],
    ['a=%C0%80', 'a'],
    ['a=%ED%A0%80', 'a'],
    ['%ff=1', 'the query string'],
  ])('refuses %j and names %j', (text, parameter) => {
    expect(() => parseQuery(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        details: { parameter, reason: expect.any(String) },
      }),
    );
  });
});
