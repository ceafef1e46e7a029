import { describe, expect, it } from 'vitest';
import { parsePredicate } from '../../../src/query/parse.ts';
import { printPredicate } from '../../../src/query/print.ts';

describe('a printed predicate', () => {
  it.each([
    ['a=1&&b=2||!c=3', 'a = 1 and b = 2 or not c = 3'],
    ['(a=1 or b=2) and not (c=3 and d=4)', '(a = 1 or b = 2) and not (c = 3 and d = 4)'],
    ['((a=1)) and (b=1 and c=1)', 'a = 1 and (b = 1 and c = 1)'],
    ['not not TRUE', 'not not true'],
    ['a in x', "a = 'x'"],
    ['a NOTIN[c] "x"', "a !=[c] 'x'"],
    ['a matches x and b matchesall y', "a matches 'x' and b matchesAll 'y'"],
    ['a in [b, ?, null, TRUE, -0.50]', "a = ['b', ?0, missing, true, -0.50]"],
    ['a = ?1 or b = ?0', 'a = ?1 or b = ?0'],
    ["a in ['c']", "a = ['c']"],
    [`'not' = 1 and 'a b' = 1 and "c" = 1 and '1' = 1`, `'not' = 1 and 'a b' = 1 and c = 1 and '1' = 1`],
    [`a = "it's \\\\ \\n \\u{0}"`, `a = 'it\\'s \\\\ \\u{a} \\u{0}'`],
    [`a = '\u200f\ud800é😀'`, `a = '\\u{200f}\\u{d800}é😀'`],
    ['a = 1e21', 'a = 1e21'],
  ])('of %j is %j', (text, expected) => {
    expect(printPredicate(parsePredicate(text))).toBe(expected);
  });
});
