import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../src/text/compile-pattern.ts';

const characters = [
  ...Array.from({ length: 0x3100 }, (_, point) => String.fromCodePoint(point)),
  ...['\u{1F600}', '\u{1F64F}', '\u{10400}', '\uFEFF', '漢', '한'],
];
const texts = [
  ...characters,
  ...characters.filter((character) => !/\w/.test(character)).map((character) => `a${character}b`),
  ...['', 'ab', 'aa', 'aaa', 'aab', 'a-b', 'a-b-', '2026-01-31', 'a\r\nb', 'I', 'ada@example.com'],
];

describe('compilePattern', () => {
  const patterns = [
    ...[
      String.raw`\s`,
      String.raw`[\s]`,
      String.raw`[^\s-]`,
      String.raw`\S`,
      String.raw`[\Sa]`,
      '.',
      '^.$',
      '^a.b$',
    ],
    ...[
      String.raw`[.\]]`,
      'a$',
      String.raw`\w`,
      String.raw`\W`,
      String.raw`[\d-]`,
      String.raw`\D`,
      String.raw`\ba\b`,
    ],
    ...[
      String.raw`a\B`,
      String.raw`[\b]`,
      String.raw`\u{1F600}`,
      String.raw`\uD83D\uDE00`,
      String.raw`\u0041`,
    ],
    ...[
      String.raw`[\u{1F600}-\u{1F64F}]`,
      String.raw`[\uD83D\uDE00-\uD83D\uDE4F]`,
      String.raw`\p{L}`,
      String.raw`\P{L}`,
    ],
    ...[
      String.raw`\p{Letter}`,
      String.raw`\p{Script=Greek}`,
      String.raw`[\p{sc=Cyrl}\d]`,
      String.raw`[^\p{gc=Lu}]`,
    ],
    ...[
      String.raw`\p{ASCII}`,
      String.raw`\cA`,
      String.raw`\0`,
      '[^]',
      '[]',
      '(?<n>a)b',
      '(?i:i)',
      String.raw`\/\.\^`,
    ],
    ...[
      '[[]',
      '[a&&b]',
      'a{2}',
      'a{1,2}$',
      'a{2,}',
      '(?:^a|b$)',
      '^(a+)+$',
      '^[a-z]+(-[a-z]+)*$',
      '^$',
      '(?:)',
    ],
    ...[String.raw`^\d{4}-\d{2}-\d{2}$`, String.raw`^[^\s@]+@[^\s@]+$`, String.raw`\(\?=`, '[(?=]'],
  ];

  it.each(patterns)('gives %s the meaning that it has in JavaScript', (pattern) => {
    const [matches, expression] = [compilePattern(pattern), new RegExp(pattern, 'u')];
    expect(texts.filter((text) => matches(text) !== expression.test(text))).toEqual([]);
  });

  it.each([
    ['^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['^(a|a)*$', `${'a'.repeat(100_000)}!`],
    ['a*a*a*a*a*b', 'a'.repeat(100_000)],
  ])(
    'matches %s in one pass over a text that takes a backtracking engine longer than anyone waits',
    (pattern, text) => {
      expect(compilePattern(pattern)(text)).toBe(false);
    },
  );

  it.each([
    ['(', /^is not a regular expression: .*Unterminated group/],
    [String.raw`(a)\1`, /^has a backreference \(\\1\), which cannot be matched in linear time$/],
    [String.raw`(?<n>a)\k<n>`, /^has a backreference \(\\k\)/],
    ['(?=a)b', /^has look-around \(\(\?=\)/],
    ['(?!a)b', /^has look-around \(\(\?!\)/],
    ['(?<=a)b', /^has look-around \(\(\?<=\)/],
    ['(?<!a)b', /^has look-around \(\(\?<!\)/],
    ['(?s:.)', /^has a group with flags \(\(\?s\); only i is supported$/],
    ['a{1001}', /^cannot be matched in linear time: invalid repeat count/],
  ])('refuses %s', (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
